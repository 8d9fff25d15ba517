//go:build !quick

package packaging

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// rpmIsInstalledAndRemoved installs this machine's package below a directory with a data base of its own.
func (p packages) rpmIsInstalledAndRemoved(t *testing.T) {
	machine := map[string]string{"amd64": "x86_64", "arm64": "aarch64"}[p.arch]
	file := filepath.Join(p.dir, "unknot-"+debianVersion(p.version)+"-1."+machine+".rpm")
	for query, want := range map[string]string{
		"%{NAME} %{VERSION} %{ARCH}": "unknot " + debianVersion(p.version) + " " + machine,
		"[%{REQUIRENAME} ]":          "",
		"[%{RECOMMENDNAME}|]":        "gcc|(openmpi-devel or mpich-devel)|",
		"%{BUILDHOST}":               "unknot",
	} {
		if got := strings.TrimSpace(run(t, "rpm", "-qp", "--qf", query, file)); got != want {
			t.Errorf("rpm -qp --qf %q prints %q, want %q", query, got, want)
		}
	}
	root := t.TempDir()
	run(t, "rpm", "--root", root, "--initdb")
	run(t, "rpm", "--root", root, "-i", "--noplugins", file)
	if got, want := run(t, filepath.Join(root, "usr/bin/unknot"), "version"),
		"unknot "+p.version+" ("; !strings.HasPrefix(got, want) {
		t.Errorf("unknot version prints %q, want %q", got, want)
	}
	for _, name := range []string{"bin/upc-check", "share/zsh/site-functions/_unknot", "share/man/man1/unknot-run.1.gz",
		"share/doc/unknot/README.md"} {
		if _, err := os.Stat(filepath.Join(root, "usr", name)); err != nil {
			t.Error(err)
		}
	}
	run(t, "rpm", "--root", root, "-e", "--noplugins", "unknot")
	if left := named(t, root); len(left) > 0 {
		t.Errorf("rpm -e unknot leaves %q", left)
	}
}

// named are the files and directories below one whose names have unknot or upc-check in them.
func named(t *testing.T, root string) (found []string) {
	t.Helper()
	for line := range strings.Lines(run(t, "find", root, "-xdev", "(", "-name", "*unknot*", "-o", "-name",
		"*upc-check*", ")")) {
		found = append(found, strings.TrimPrefix(strings.TrimSpace(line), root))
	}
	return found
}
