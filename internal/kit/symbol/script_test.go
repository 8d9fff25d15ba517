//go:build !quick

package symbol

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"unknot/internal/vocab/finding"
)

// pythons are interpreters that are installed: Debian's, and others by their versions.
func pythons(t *testing.T) []string {
	t.Helper()
	list := []string{"/usr/bin/python3"}
	for minor := 8; minor <= 14; minor++ {
		// Some names are those of scripts that start an interpreter, or not.
		out, err := exec.Command(fmt.Sprintf("python3.%d", minor), "-c", "import sys; print(sys.executable)").Output()
		if name := strings.TrimSpace(string(out)); err == nil && name != "/usr/bin/python3.11" {
			list = append(list, name)
		}
	}
	return list
}

// running is a script that has said that it is where it stays.
type running struct {
	w    *workshop
	pid  int
	said string
}

func (w *workshop) script(t *testing.T, python, function string) running {
	t.Helper()
	cmd := exec.Command(python, w.path("script.py"), function)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = in.Close()
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	said, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("%s %s: %q, %v", python, function, said, err)
	}
	return running{w, cmd.Process.Pid, strings.TrimSpace(said)}
}

// stack is the call stack of one of its threads, innermost first.
func (s running) stack(t *testing.T, r *Resolver, tid int) []finding.Frame {
	t.Helper()
	m, err := ReadMaps(s.pid)
	if err != nil {
		t.Fatal(err)
	}
	return r.Script(m, tid)
}

// positions are frames with their lines' numbers.
func positions(stack []finding.Frame) string {
	var list []string
	for _, f := range stack {
		list = append(list, fmt.Sprintf("%s:%d", f.Function, f.Line))
	}
	return strings.Join(list, " ")
}

// marked are frames with the marks that their lines in the script have.
func (s running) marked(t *testing.T, stack []finding.Frame) string {
	t.Helper()
	text, err := os.ReadFile(s.w.path("script.py"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	var list []string
	for _, f := range stack {
		if f.File != s.w.path("script.py") || f.Line > len(lines) {
			t.Fatalf("%+v is not in the script", f)
		}
		_, mark, _ := strings.Cut(lines[f.Line-1], "# MARK ")
		list = append(list, f.Function+":"+mark)
	}
	return strings.Join(list, " ")
}

func TestTheCallStackOfAScriptThatWaits(t *testing.T) {
	w := newWorkshop(t)
	for _, python := range pythons(t) {
		r := New()
		for _, function := range []string{"wait", "members", "summed", "listed", "deep", "raises", "called_by_c",
			"dynamic", "far"} {
			s := w.script(t, python, function)
			stack := s.stack(t, r, s.pid)
			if got, all := positions(stack),
				strings.Fields(s.said); got != strings.Join(all[:min(len(all), mostFrames)], " ") {
				t.Errorf("%s %s:\n got %s\nwant %s", python, function, got, s.said)
			}
			const members = "wait:wait several:call größe:property members:member <module>:module"
			if function == "members" {
				if got := s.marked(t, stack); got != members {
					t.Errorf("%s %s:\n got %s\nwant %s", python, function, got, members)
				}
			}
			if function == "dynamic" && (len(stack) < 2 || stack[1].File != "added.py") {
				t.Errorf("%s %s: %+v", python, function, stack)
			}
		}
		r.Close()
	}
}

// Each thread has its own stack. Until 3.10 the interpreter does not know the kernel's numbers of threads.
func TestTheCallStackOfAThreadOfAScript(t *testing.T) {
	w := newWorkshop(t)
	older := regexp.MustCompile(`python3\.(8|9|10)$`)
	for _, python := range pythons(t) {
		s := w.script(t, python, "thread")
		tasks, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", s.pid))
		if err != nil {
			t.Fatal(err)
		}
		r, others := New(), 0
		for _, task := range tasks {
			tid, err := strconv.Atoi(task.Name())
			if err != nil {
				t.Fatal(err)
			}
			stack := s.stack(t, r, tid)
			if tid == s.pid {
				if n := len(stack); n < 2 || stack[n-2].Function != "thread" {
					t.Errorf("%s: the main thread is at %+v", python, stack)
				}
				continue
			}
			want := s.said
			if older.MatchString(python) {
				want = ""
			}
			if got := positions(stack); got == want {
				others++
			} else {
				t.Errorf("%s, a thread:\n got %s\nwant %s", python, got, want)
			}
			if i := slices.IndexFunc(stack, func(f finding.Frame) bool {
				return strings.HasSuffix(f.File, "/threading.py")
			}); i >= 0 && stack[i].Library == "" {
				t.Errorf("%s: %+v is the user's", python, stack[i])
			}
		}
		if others != 1 {
			t.Errorf("%s: %d other threads", python, others)
		}
		r.Close()
	}
}

// What changes while it is read is no stack that the script has never had.
func TestTheCallStackOfAScriptThatRuns(t *testing.T) {
	w := newWorkshop(t)
	for _, python := range pythons(t) {
		for function, want := range map[string]string{
			"spin":      `^spin:(begin|while|add) <module>:module$`,
			"calls":     `^((step:(step|deep|deeper|one) )?(step:deeper )*<lambda>:reduce )?calls:(begin|while|reduce) <module>:module$`,
			"generates": `^((step:(step|deep|deeper|one) )?inner:(inner|for|yield) )?generates:(begin|while|sum) <module>:module$`,
		} {
			s := w.script(t, python, function)
			r, possible, seen := New(), regexp.MustCompile(want), 0
			for range 100 {
				stack := s.stack(t, r, s.pid)
				if len(stack) == 0 {
					continue
				}
				seen++
				if got := s.marked(t, stack); !possible.MatchString(got) {
					t.Fatalf("%s %s:\n got %s\nwant %s", python, function, got, want)
				}
			}
			if seen == 0 {
				t.Errorf("%s %s: it was never read", python, function)
			}
			t.Logf("%s %s: %d", python, function, seen)
			r.Close()
		}
	}
}

// changed is memory in which some bytes are others when they are read.
type changed struct {
	io.ReaderAt
	random *rand.Rand
	often  int // one read in so many
}

func (c changed) ReadAt(b []byte, at int64) (int, error) {
	n, err := c.ReaderAt.ReadAt(b, at)
	if n > 0 && c.random.IntN(c.often) == 0 {
		b[c.random.IntN(n)] ^= 1 << c.random.IntN(8)
	}
	return n, err
}

// Whatever is read, it ends; and what is not as it must be gives no stack.
func TestTheMemoryOfAScriptThatMakesNoSense(t *testing.T) {
	w := newWorkshop(t)
	s := w.script(t, "/usr/bin/python3", "members")
	m, err := ReadMaps(s.pid)
	if err != nil {
		t.Fatal(err)
	}
	memory, err := os.Open(fmt.Sprintf("/proc/%d/mem", s.pid))
	if err != nil {
		t.Fatal(err)
	}
	defer memory.Close()
	r := New()
	defer r.Close()
	none, right := 0, 0
	for seed := range uint64(2000) {
		p := r.interpreter(m, changed{memory, rand.New(rand.NewPCG(seed, 1)), 40})
		if p == nil {
			none++
			continue
		}
		switch got := positions(p.stack(uint64(s.pid))); got {
		case "":
			none++
		case s.said:
			right++
		}
	}
	if none == 0 || right == 0 {
		t.Errorf("%d times nothing, %d times the right stack", none, right)
	}
	if p := r.interpreter(m, strings.NewReader("")); p != nil {
		t.Errorf("an interpreter without memory: %+v", p)
	}
}

func TestOnlyKnownVersionsOfPythonAreRead(t *testing.T) {
	table := make([]byte, pythonTable)
	for _, version := range []uint64{0, 0x030700f0, 0x030b00b1, 0x030d00f0, 0x030e00f0, 0x030f00f0, 0x040000f0} {
		if l, ok := pythonLayoutOf(version, table, binary.LittleEndian); ok {
			t.Errorf("%#x: %+v", version, l)
		}
	}
}

func TestATableOfLinesMustBeWhole(t *testing.T) {
	// Two units in the line after the first with columns, one without a line, and one 70 lines below in the long form.
	table := []byte{0x80 | 11<<3 | 1, 1, 2, 0x80 | 15<<3, 0x80 | 14<<3, 0x40 | 12, 2, 0, 0, 0}
	for unit, want := range []int{11, 11, 0, 81} {
		if line, ok := lineOf(locationTable, table, 10, uint64(unit), 4); line != want || !ok {
			t.Errorf("unit %d: %d, %t", unit, line, ok)
		}
	}
	for n := range table {
		if line, ok := lineOf(locationTable, table[:n], 10, 0, 4); ok {
			t.Errorf("%d bytes: %d", n, line)
		}
	}
	if line, ok := lineOf(locationTable, table[1:], 10, 0, 4); ok {
		t.Errorf("from the middle: %d", line)
	}
}
