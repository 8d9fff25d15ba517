//go:build !quick

package rt_test

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"unknot/internal/test/testkit"
)

// Open MPI's launcher warns if its child has executed its agent for other hosts before the launcher has given it a
// process group.
var setpgid = regexp.MustCompile(`(?m)^\[.*\] plm:rsh: Warning: setpgid\(.*\n`)

// Programs do on two hosts what they do on one. The hosts are network namespaces with names of their own, joined by a
// virtual cable.
func TestTwoHosts(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	for i, source := range []string{"core", "collect", "small", "io"} {
		for _, f := range byTurns(i + 1) {
			program := f.program(t, "testdata/"+source+".c")
			out, err := exec.Command("timeout", "600", "testdata/twohosts.sh", string(f), program, "4",
				data).CombinedOutput()
			if err != nil || setpgid.ReplaceAllString(string(out), "") != "fine 4\n" {
				t.Errorf("%s, %s: %v, output:\n%s", f, source, err, out)
			}
		}
	}
}

// Where MPI has no windows over the network, messages do the same.
func TestMessagesInsteadOfWindows(t *testing.T) {
	for i, source := range []string{"core", "collect", "small"} {
		program := mpich.program(t, "testdata/"+source+".c")
		for k, j := range []job{{threads: 3, together: 1}, {threads: 5, together: 2}} {
			if k != i%2 && !testkit.Nightly() {
				continue
			}
			j.env = []string{"UPC_WINDOWS=0"}
			if r := mpich.run(t, j, program); r.status != 0 {
				t.Errorf("%s, %d a node: exit status %d, output:\n%s", source, j.together, r.status, r.out)
			}
		}
	}
}

// What threads have written to one that is not in MPI for a while is there when their fences let them pass, and is what
// they have written.
func TestWritesToBusyThread(t *testing.T) {
	onBoth(t, func(t *testing.T, f flavour) {
		program := f.program(t, "testdata/busy.c")
		r := f.run(t, job{threads: 5, together: 1, args: []string{filepath.Join(t.TempDir(), "told")}}, program)
		if r.status != 0 || r.out != "fine 5\n" {
			t.Errorf("exit status %d, output:\n%s", r.status, r.out)
		}
	})
}
