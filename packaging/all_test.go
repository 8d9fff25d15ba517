//go:build !quick

package packaging

import (
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"unknot/internal/test/testkit"
)

// thereIsEach looks for the files of both kinds of machines, and unpacks them.
func (p packages) thereIsEach(t *testing.T) {
	deb := debianVersion(p.version)
	want := []string{"SHA256SUMS", "spack", "unknot-" + p.version + ".eb", "unknot-" + p.version + ".tar.gz"}
	for arch, m := range map[string]struct {
		rpm     string
		machine elf.Machine
	}{"amd64": {"x86_64", elf.EM_X86_64}, "arm64": {"aarch64", elf.EM_AARCH64}} {
		archive := "unknot-" + p.version + "-linux-" + arch
		files := []string{"unknot_" + deb + "_" + arch + ".deb", "unknot-" + deb + "-1." + m.rpm + ".rpm",
			archive + ".tar.gz"}
		want = append(want, files...)
		root := t.TempDir()
		run(t, "dpkg-deb", "-x", filepath.Join(p.dir, files[0]), root)
		static(t, filepath.Join(root, "usr/bin/unknot"), m.machine)
		run(t, "tar", "-C", root, "-xf", filepath.Join(p.dir, files[2]))
		static(t, filepath.Join(root, archive, "bin/unknot"), m.machine)
		if got := strings.TrimSpace(run(t, "rpm", "-qp", "--qf", "%{ARCH}", filepath.Join(p.dir, files[1]))); got != m.rpm {
			t.Errorf("%s is for %s", files[1], got)
		}
	}
	entries, err := os.ReadDir(p.dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("build.sh has made %q, want %q", got, want)
	}
	sums := exec.Command("sha256sum", "--check", "--strict", "SHA256SUMS")
	sums.Dir = p.dir
	if out, err := sums.CombinedOutput(); err != nil {
		t.Errorf("sha256sum: %v\n%s", err, out)
	}
}

// TestTheSameCommitGivesTheSameBytes makes the packages, and the probes in them, in two clones with different names, of
// which one compiles everything anew, for another user, who has another language, time and umask.
func TestTheSameCommitGivesTheSameBytes(t *testing.T) {
	if !testkit.Nightly() {
		t.Skip("two builds from scratch are for make nightly and make test-packages")
	}
	from := ".."
	sums := func(dir string, env ...string) string {
		clone, out := filepath.Join(t.TempDir(), dir), t.TempDir()
		run(t, "git", "clone", "-q", "--no-local", from, clone)
		from = clone // where the repository has gone on in the meantime
		const script = `umask $MASK; cd "$1" && CGO_ENABLED=0 go build -o bin/unknot ./cmd/unknot && scripts/probes.sh bin/unknot && exec packaging/build.sh "$2"`
		build := exec.Command("bash", "-c", script, "build", clone, out)
		build.Env = append(os.Environ(), env...)
		if text, err := build.CombinedOutput(); err != nil || strings.Contains(string(text), "without probes") {
			t.Fatalf("build.sh: %v\n%s", err, text)
		}
		text, err := os.ReadFile(filepath.Join(out, "SHA256SUMS"))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	first := sums("unknot", "MASK=022")
	second := sums("a/longer name", "MASK=077", "GOCACHE="+t.TempDir(), "TZ=Asia/Tokyo", "LC_ALL=C.UTF-8", "GOFLAGS=",
		"CGO_ENABLED=1", "USER=ada", "HOSTNAME=elsewhere")
	if first != second {
		t.Errorf("the packages of one commit are\n%sand\n%s", first, second)
	}
}
