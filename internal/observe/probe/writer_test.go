//go:build !quick

package probe

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unsafe"

	"unknot/internal/observe/ring"
)

// buildWriter compiles the writer's driver with the given extra flags, once for all tests.
func buildWriter(t *testing.T, flags ...string) string {
	t.Helper()
	program := filepath.Join(programs, "writer"+strings.Join(flags, ""))
	if _, err := os.Stat(program); err == nil {
		return program
	}
	dir := runtimeDir(t)
	args := append([]string{"-std=gnu11", "-g", "-Wall", "-Wextra", "-Werror", "-I", dir, "-o", program,
		"testdata/writer.c", filepath.Join(dir, "writer/writer.c"), filepath.Join(dir, "writer/fold.c"),
		filepath.Join(dir, "writer/echo.c"), filepath.Join(dir, "writer/again.c")}, flags...)
	if out, err := exec.Command("cc", args...).CombinedOutput(); err != nil {
		t.Fatalf("cc: %v\n%s", err, out)
	}
	return program
}

// runtimeDir is a directory with the sources of the run-time and its layout.
func runtimeDir(t *testing.T) string {
	t.Helper()
	files, err := runtimeFiles()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, f := range []map[string][]byte{files, layoutHeaders()} {
		if err := WriteFiles(dir, f); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
}

func newSession(t *testing.T, slots int) *ring.Session {
	t.Helper()
	return session(t, ring.Options{Ranks: 4, Slots: slots})
}

func session(t *testing.T, o ring.Options) *ring.Session {
	t.Helper()
	s, err := ring.NewSession(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Remove() })
	return s
}

// driver is a running driver and its output.
type driver struct {
	cmd  *exec.Cmd
	out  bytes.Buffer
	done chan error
}

func start(t *testing.T, program string, args ...string) *driver {
	t.Helper()
	d := &driver{cmd: exec.Command(program, args...), done: make(chan error, 1)}
	d.cmd.Env = ownDirectory(t)
	d.cmd.Stdout, d.cmd.Stderr = &d.out, &d.out
	if err := d.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { d.done <- d.cmd.Wait(); close(d.done) }()
	t.Cleanup(func() { d.cmd.Process.Kill(); <-d.done })
	return d
}

func (d *driver) wait(t *testing.T) string {
	t.Helper()
	select {
	case err := <-d.done:
		if err != nil {
			t.Fatalf("%v\n%s", err, d.out.String())
		}
	case <-time.After(10 * time.Minute):
		t.Fatalf("driver does not end")
	}
	return d.out.String()
}

// firstRing waits for the driver's ring.
func firstRing(t *testing.T, s *ring.Session) *ring.Ring {
	t.Helper()
	for end := time.Now().Add(10 * time.Minute); time.Now().Before(end); time.Sleep(time.Millisecond) {
		found, err := s.Discover()
		if err != nil {
			t.Fatal(err)
		}
		if len(found) == 1 {
			t.Cleanup(func() { found[0].Close() })
			return found[0]
		}
	}
	t.Fatal("no ring")
	return nil
}

// readAll reads until want records have been seen.
func readAll(t *testing.T, r *ring.Ring, want int, check func(i int, rec ring.Record)) {
	t.Helper()
	var recs []ring.Record
	for i, end := 0, time.Now().Add(10*time.Minute); i < want; {
		var err error
		if recs, err = r.Read(recs[:0], 0); err != nil {
			t.Fatal(err)
		}
		for _, rec := range recs {
			check(i, rec)
			i++
		}
		r.Commit()
		if len(recs) == 0 {
			if time.Now().After(end) {
				t.Fatalf("%d of %d records", i, want)
			}
			time.Sleep(100 * time.Microsecond)
		}
	}
}

var sanitize = []string{"-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"}

func TestRecordsOfEveryLengthPassAFullRing(t *testing.T) {
	const records = 6000
	s := newSession(t, 512)
	d := start(t, buildWriter(t, sanitize...), s.Dir, "lengths", "6000")
	readAll(t, firstRing(t, s), records, func(i int, rec ring.Record) {
		n := i * 7 % (6 + 254*8 + 1)
		if rec.Func != 1000 || rec.Kind != ring.Kind(1+i%2) || rec.Stamp != uint32(i+1) || rec.Site != uint64(i) ||
			len(rec.Words) < n {
			t.Fatalf("record %d: %d kind %d stamp %d site %d, %d words", i, rec.Func, rec.Kind, rec.Stamp, rec.Site,
				len(rec.Words))
		}
		for j, w := range rec.Words[:n] {
			if w != uint64(i+j) {
				t.Fatalf("record %d word %d is %d, want %d", i, j, w, i+j)
			}
		}
	})
	if out := d.wait(t); out != "watched\n" {
		t.Errorf("driver says %q", out)
	}
}

func TestLongRecordsAreJoinedFromTheirParts(t *testing.T) {
	const records = 500
	s := newSession(t, 512)
	d := start(t, buildWriter(t, sanitize...), s.Dir, "parts", "500")
	r := firstRing(t, s)
	readAll(t, r, records, func(i int, rec ring.Record) {
		n := i * 13 % 3000
		words := rec.Words
		if rec.Kind != ring.Enter || rec.Stamp != uint32(i+1) || rec.Site != uint64(i) || words[0] != uint64(n) {
			t.Fatalf("record %d: kind %d stamp %d site %d, first word %d", i, rec.Kind, rec.Stamp, rec.Site, words[0])
		}
		words = words[1:]
		for j := range n {
			if got, want := int64(words[j]), int64(-1-j); got != want {
				t.Fatalf("record %d int %d is %d, want %d", i, j, got, want)
			}
			if got, want := words[n+j], uint64(uint32(0xffffffff)-uint32(j)); got != want {
				t.Fatalf("record %d unsigned %d is %d, want %d", i, j, got, want)
			}
			if got, want := words[2*n+j], uint64(j)<<40; got != want {
				t.Fatalf("record %d word %d is %d, want %d", i, j, got, want)
			}
			if got, want := byte(words[3*n+j/8]>>(8*(j%8))), byte('a'+j%26); got != want {
				t.Fatalf("record %d byte %d is %c, want %c", i, j, got, want)
			}
		}
	})
	d.wait(t)
	if r.Returned() != records {
		t.Errorf("returned %d, want %d", r.Returned(), records)
	}
}

func TestRepeatedPollsAreCountedNotRecorded(t *testing.T) {
	s := newSession(t, 512)
	d := start(t, buildWriter(t, sanitize...), s.Dir, "polls", "0")
	out := d.wait(t)
	if want := "0 1\n1 1\n2 1\n3 1\n4 1\n0 1\n0 4\nwatched\n"; out != want {
		t.Errorf("polls and returned go\n%s\nwant\n%s", out, want)
	}
	var have []string
	readAll(t, firstRing(t, s), 4, func(_ int, rec ring.Record) {
		have = append(have, fmt.Sprint(rec.Kind, rec.Func, rec.Words[0]))
	})
	want := []string{fmt.Sprint(ring.Enter, 1002, 1), fmt.Sprint(ring.Data, ring.DataPolled, 5),
		fmt.Sprint(ring.Exit, 1002, 1), fmt.Sprint(ring.Enter, 1002, 1)}
	if !slices.Equal(have, want) {
		t.Errorf("records %v, want %v", have, want)
	}
}

// TestTheBellIsRungOnceWhenMuchWaits: when a ring is new, when it is half full, and when half of what may be counted is
// not restored. The agent that sleeps hears it.
func TestTheBellIsRungOnceWhenMuchWaits(t *testing.T) {
	for _, c := range []struct {
		fold    uint32
		records string
		want    string
	}{
		{0, "400", "rung after 257\nwatched\n"},
		{2, strconv.Itoa(ring.FoldAhead/2 + 400), "rung after 32771\nwatched\n"},
	} {
		s := session(t, ring.Options{Ranks: 1, Slots: 512, Fold: c.fold})
		heard := make(chan uint32)
		go func() {
			s.AwaitBell(0)
			heard <- s.Bell()
		}()
		d := start(t, buildWriter(t, sanitize...), s.Dir, "bell", c.records)
		if out := d.wait(t); out != c.want {
			t.Errorf("%s records: %q, want %q", c.records, out, c.want)
		}
		select {
		case n := <-heard:
			if n == 0 {
				t.Error("the wait ended, and nobody had rung")
			}
		case <-time.After(time.Minute):
			t.Error("who waits for the bell has not heard it")
		}
	}
}

func TestWriterStepsAsideWhenNobodyReads(t *testing.T) {
	program := buildWriter(t, sanitize...)
	t.Run("the agent says so", func(t *testing.T) {
		s := newSession(t, 512)
		d := start(t, program, s.Dir, "lengths", "6000")
		r := firstRing(t, s)
		readAll(t, r, 1, func(int, ring.Record) {})
		s.MarkGone()
		if out := d.wait(t); out != "aside\n" {
			t.Errorf("driver says %q", out)
		}
	})
	t.Run("the agent's process has ended and nobody has waited for it", func(t *testing.T) {
		s := newSession(t, 512)
		ended := exec.Command("true")
		out, err := ended.StdoutPipe() // closed at its end
		if err != nil {
			t.Fatal(err)
		}
		if err := ended.Start(); err != nil {
			t.Fatal(err)
		}
		defer ended.Wait()
		s.SetAgent(ended.Process.Pid)
		io.Copy(io.Discard, out)
		if out := start(t, program, s.Dir, "lengths", "6000").wait(t); out != "aside\n" {
			t.Errorf("driver says %q", out)
		}
	})
	t.Run("the agent's process id is another's", func(t *testing.T) {
		s := newSession(t, 512) // this process is its agent
		word := binary.NativeEndian.AppendUint64(nil, 1)
		f, err := os.OpenFile(filepath.Join(s.Dir, ring.ControlName), os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if _, err := f.WriteAt(word, int64(unsafe.Offsetof(ring.Control{}.AgentStart))); err != nil {
			t.Fatal(err)
		}
		if out := start(t, program, s.Dir, "lengths", "6000").wait(t); out != "aside\n" {
			t.Errorf("driver says %q", out)
		}
	})
	t.Run("the agent's process is no more", func(t *testing.T) {
		s := newSession(t, 512)
		gone := exec.Command("true")
		if err := gone.Run(); err != nil {
			t.Fatal(err)
		}
		s.SetAgent(gone.Process.Pid)
		if out := start(t, program, s.Dir, "parts", "500").wait(t); out != "aside\n" {
			t.Errorf("driver says %q", out)
		}
	})
}

// asleep waits until the producer sleeps, which it does for room only.
func asleep(t *testing.T, d *driver) {
	t.Helper()
	stat := filepath.Join("/proc", strconv.Itoa(d.cmd.Process.Pid), "stat")
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if text, err := os.ReadFile(stat); err == nil && strings.Contains(string(text), ") S ") {
			return
		}
	}
	t.Fatal("the producer does not fall asleep")
}

func TestWriterStepsAsideFromARingThatIsRefused(t *testing.T) {
	program := buildWriter(t, sanitize...)
	t.Run("in its sleep", func(t *testing.T) {
		s := newSession(t, 512)
		d := start(t, program, s.Dir, "lengths", "6000")
		r := firstRing(t, s)
		asleep(t, d)
		r.Refuse()
		if out := d.wait(t); out != "aside\n" || !r.Left() {
			t.Errorf("driver says %q, left: %v", out, r.Left())
		}
	})
	t.Run("soon after its first records", func(t *testing.T) {
		s := newSession(t, 0)
		d := start(t, program, s.Dir, "refused", "200")
		if out := d.wait(t); out != "aside\n" {
			t.Errorf("driver says %q", out)
		}
		if n := firstRing(t, s).Pending(); n > 2*ring.LookAfter {
			t.Errorf("it wrote %d slots, want %d at most", n, 2*ring.LookAfter)
		}
	})
	t.Run("one that cannot be opened", func(t *testing.T) {
		s := newSession(t, 512)
		d := start(t, program, s.Dir, "spoiled", "6000")
		for end := time.Now().Add(20 * time.Second); ; time.Sleep(time.Millisecond) {
			if n, _ := s.Failed(); n > 0 { // the driver's word that the header is spoiled
				break
			}
			if time.Now().After(end) {
				t.Fatal("no ring")
			}
		}
		if found, err := s.Discover(); len(found) != 0 || err == nil {
			t.Fatalf("%v, %v", found, err)
		}
		if out := d.wait(t); out != "aside\n" {
			t.Errorf("driver says %q", out)
		}
		if pids := s.Unread(); len(pids) != 1 || pids[0] != d.cmd.Process.Pid || s.Unread() != nil {
			t.Errorf("processes with rings that cannot be read: %v, want %d", pids, d.cmd.Process.Pid)
		}
	})
}

// What the two sides share may be overwritten by the program, whose stray pointers are what it is debugged for.
func TestWriterIsNotStoppedByADamagedRing(t *testing.T) {
	program := buildWriter(t, sanitize...)
	s := newSession(t, 512)
	d := start(t, program, s.Dir, "damaged", "6000")
	r := firstRing(t, s)
	if out := d.wait(t); out != "aside\n" || !r.Left() {
		t.Errorf("driver says %q, left: %v", out, r.Left())
	}
}

func TestRecordCost(t *testing.T) {
	s := newSession(t, 0)
	out := start(t, buildWriter(t, "-O2"), s.Dir, "speed", "0").wait(t)
	t.Logf("%s ns a record", strings.Fields(out)[0])
}
