//go:build !quick

package packaging

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// dockerfileBuildsAnImage has buildah build it on a minimal Debian, and runs the first example in a container of it.
func (p packages) dockerfileBuildsAnImage(t *testing.T) {
	storage := t.TempDir()
	archives := filepath.Join(kept(t), "archives")
	buildah := func(args ...string) *exec.Cmd {
		return alone(archives,
			exec.Command("buildah", append([]string{"--root", filepath.Join(storage, "root"), "--runroot",
				filepath.Join(storage, "run"),
				"--storage-driver", "vfs"}, args...)...))
	}
	must := func(args ...string) string {
		t.Helper()
		cmd := buildah(args...)
		var stderr strings.Builder
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("buildah %s: %v\n%s%s", strings.Join(args, " "), err, out, &stderr)
		}
		return strings.TrimSpace(string(out))
	}
	base := must("from", "scratch")
	system := filepath.Join(t.TempDir(), "system.tar")
	run(t, "tar", "-C", minimal(t), "-cf", system, ".")
	must("add", base, system, "/")
	must("commit", "--rm", base, "docker.io/library/debian:bookworm")
	must("bud", "--isolation", "chroot", "--pull-never", "--network", "host", "--volume",
		archives+":/var/cache/apt/archives",
		"--build-arg", "TARGETARCH="+p.arch, "-t", "unknot", "-f", "containers/Dockerfile", p.dir)
	c := must("from", "--pull-never", "localhost/unknot")
	cmd := buildah("run", "--isolation", "chroot", "--env", "OMPI_MCA_rmaps_base_oversubscribe=1", c, "sh", "-c",
		"cd /root && unknot version && mpicc -g -o app /usr/share/doc/unknot/examples/recv-recv/broken.c && unknot "+
			"run mpirun -n 2 ./app")
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != 66 || !strings.HasPrefix(string(out),
		"unknot "+p.version+" (") ||
		!strings.Contains(string(out), "Ranks 0 and 1 wait for each other: each receives before it sends.") {
		t.Errorf("in a container, %v, want exit status 66 and a deadlock:\n%s", err, out)
	}
}

// apptainerDefinitionIsCarriedOut does what the sections of the definition say in a fresh Debian, as apptainer would in
// the image that they begin with.
func (p packages) apptainerDefinitionIsCarriedOut(t *testing.T) {
	part := sections(t, "containers/unknot.def")
	if want := "Bootstrap: docker\nFrom: debian:bookworm\n"; part[""] != want {
		t.Fatalf("the definition begins with %q, want %q", part[""], want)
	}
	files := strings.Fields(part["files"])
	if len(files) != 2 || files[0] != "unknot.deb" {
		t.Fatalf("%%files is %q, want unknot.deb and where it goes", files)
	}
	d := freshDebian(t)
	run(t, "cp", p.deb(), filepath.Join(d.root, "root", files[0]))
	d.write(t, filepath.Join("root", "post"), part["post"])
	// Each command has a /tmp of its own.
	if left := d.must(t, "root", "cp "+files[0]+" "+files[1]+
		"; sh -e post >said 2>&1 || { cat said; exit 1; }; find /tmp /var/lib/apt/lists -mindepth 1"); left != "" {
		t.Errorf("%%post leaves in the image\n%s", left)
	}
	if got := d.must(t, "root", "set -e\n"+part["test"]); !strings.HasPrefix(got, "unknot "+p.version+" (") {
		t.Errorf("%%test prints %q", got)
	}
	if got := d.must(t, "ada", "set -- help run\n"+part["runscript"]); !strings.HasPrefix(got, "usage: unknot run ") {
		t.Errorf("%%runscript, with the arguments help run, prints %q", got)
	}
	d.must(t, "ada", "cp /usr/share/doc/unknot/examples/recv-recv/broken.c app.c && mpicc -g -o app app.c")
	d.findsTheDeadlock(t, p, "unknot run mpirun -n 2 ./app")
}

// sections splits a definition of Apptainer at its lines with a %. What stands before the first one has no name.
func sections(t *testing.T, file string) map[string]string {
	t.Helper()
	part, name := make(map[string]string), ""
	for line := range strings.Lines(read(t, file)) {
		switch {
		case strings.HasPrefix(line, "%"):
			name = strings.TrimSpace(line[1:])
		case name == "" && (strings.HasPrefix(line, "#") || strings.TrimSpace(line) == ""):
		default:
			part[name] += line
		}
	}
	for _, name := range []string{"files", "post", "test", "runscript"} {
		if strings.TrimSpace(part[name]) == "" {
			t.Fatalf("%s has no section %%%s", file, name)
		}
	}
	return part
}
