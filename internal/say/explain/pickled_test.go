package explain

import (
	"os"
	"path/filepath"
	"testing"

	"unknot/internal/vocab/finding"
)

func TestPickledObjectsAreNotReceivedAsData(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.py")
	text := "comm.send(a, dest=1)\ncomm.Recv(b, source=0)\ncomm.Send(a, dest=1)\nb = comm.recv(source=0)\n"
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		send, recv int
		want       finding.Severity
	}{{1, 2, finding.Error}, {3, 2, finding.Warning}, {1, 4, finding.Warning}} {
		f := finding.Finding{Severity: finding.Warning}
		for rank, line := range []int{x.send, x.recv} {
			f.Places = append(f.Places, finding.Place{Rank: rank, Frame: finding.Frame{File: file, Line: line}})
		}
		pickled(&f, 0, 1)
		if f.Severity != x.want || (f.Hint != "") != (x.want == finding.Error) {
			t.Errorf("lines %d and %d: %s, hint %q; want %s", x.send, x.recv, f.Severity, f.Hint, x.want)
		}
	}
}
