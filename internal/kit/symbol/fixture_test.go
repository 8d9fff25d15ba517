//go:build !quick

package symbol

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"unknot/internal/test/testkit"
	"unknot/internal/vocab/finding"
)

// workshop is a directory with the sources of testdata, in which compilers run as users run them: with relative names.
type workshop struct {
	t   *testing.T
	dir string
}

func newWorkshop(t *testing.T) *workshop {
	t.Helper()
	// The compiler records the directory's real name.
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	names, err := filepath.Glob("testdata/*.*")
	if err != nil || len(names) == 0 {
		t.Fatalf("no sources in testdata: %v", err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(name)), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return &workshop{t, dir}
}

// run runs a command line, split at spaces.
func (w *workshop) run(line string) {
	w.t.Helper()
	words := strings.Fields(line)
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Dir = w.dir
	if out, err := cmd.CombinedOutput(); err != nil {
		w.t.Fatalf("%s: %v\n%s", line, err, out)
	}
}

func (w *workshop) path(name string) string { return filepath.Join(w.dir, name) }

// mark returns the line of a source that has the comment "MARK name".
func (w *workshop) mark(source, name string) int {
	w.t.Helper()
	text, err := os.ReadFile(w.path(source))
	if err != nil {
		w.t.Fatal(err)
	}
	for i, line := range strings.Split(string(text), "\n") {
		if _, after, ok := strings.Cut(line, "MARK "); ok && strings.Fields(after)[0] == name {
			return i + 1
		}
	}
	w.t.Fatalf("%s has no line MARK %s", source, name)
	return 0
}

// frame is the expected frame at a mark.
func (w *workshop) frame(function, source, mark string) finding.Frame {
	w.t.Helper()
	return finding.Frame{Function: function, File: w.path(source), Line: w.mark(source, mark)}
}

func (w *workshop) inlined(function, source, mark string) finding.Frame {
	w.t.Helper()
	f := w.frame(function, source, mark)
	f.Inlined = true
	return f
}

// process is a running program that has printed addresses and waits.
type process struct {
	maps  *Maps
	sites map[string]uint64
}

// start runs a program of the workshop until the test ends.
func (w *workshop) start(program string) *process {
	w.t.Helper()
	cmd := exec.Command(w.path(program))
	cmd.Stderr = os.Stderr
	in, lines := testkit.StartPiped(w.t, cmd)
	w.t.Cleanup(func() {
		in.Close()
		if err := cmd.Wait(); err != nil {
			w.t.Errorf("%s: %v", program, err)
		}
	})
	p := &process{sites: map[string]uint64{}}
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			w.t.Fatalf("%s ended early: %v", program, err)
		}
		label, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		if label == "ready" {
			break
		}
		if p.sites[label], err = strconv.ParseUint(value, 0, 64); err != nil {
			w.t.Fatalf("%s printed %q: %v", program, line, err)
		}
	}
	maps, err := ReadMaps(cmd.Process.Pid)
	if err != nil {
		w.t.Fatal(err)
	}
	p.maps = maps
	return p
}

// expect compares the frames of a site with what is wanted, to the last field.
func (p *process) expect(t *testing.T, r *Resolver, label string, want ...finding.Frame) {
	t.Helper()
	pc, ok := p.sites[label]
	if !ok {
		t.Fatalf("the program did not print %s", label)
	}
	if got, want := show(r.Frames(p.maps, pc, true)), show(want); got != want {
		t.Errorf("frames of %s:\n%swant:\n%s", label, got, want)
	}
}

func show(frames []finding.Frame) string {
	var b strings.Builder
	for _, f := range frames {
		fmt.Fprintf(&b, "  %+v\n", f)
	}
	return b.String()
}
