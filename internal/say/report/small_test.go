package report

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestStatus(t *testing.T) {
	for want, s := range map[string]Status{
		"ranks 4 · 2 blocked · oldest 3.1 s (rank 0) · 1.2 M calls/s": {Ranks: 4, Rate: 1.234e6,
			Blocked: 2, Oldest: 3120 * time.Millisecond},
		"ranks 0 · 0 blocked · 0 calls/s": {},
		"ranks 64 · 0 blocked · 999 calls/s": {Ranks: 64, Rate: 999.4,
			Oldest: time.Hour},
		"ranks 64 · 1 blocked · oldest 2 min 5 s (rank 17) · 1.0 k calls/s": {Ranks: 64, Rate: 999.9,
			Blocked: 1, Oldest: 125 * time.Second, Rank: 17},
		"ranks 4096 · 4096 blocked · oldest 1 h 10 min (rank 0) · 123 M calls/s": {Ranks: 4096, Rate: 123.4e6,
			Blocked: 4096, Oldest: 70 * time.Minute},
		"ranks 1 · 1 blocked · oldest 59.9 s (rank 0) · 2.5 G calls/s": {Ranks: 1, Rate: 2.5e9,
			Blocked: 1, Oldest: 59990 * time.Millisecond},
		"ranks 2 · 1 rank held up by the agent · 0 blocked · 2.5 M calls/s": {Ranks: 2,
			Rate: 2.5e6, Held: 1},
		"ranks 64 · 5 ranks held up by the agent on n7 · 0 blocked · 9.0 M calls/s": {Ranks: 64, Rate: 9e6,
			Held: 5, Slowest: "n7"},
		"ranks 64 · 5 ranks held up by the agent of ranks 3-5 · 0 blocked · 9.0 M calls/s": {Ranks: 64, Rate: 9e6,
			Held: 5, Watched: []int{3, 4, 5}},
	} {
		if got := s.String(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestProgressOfExplorationsAndPredictions(t *testing.T) {
	for want, s := range map[string]fmt.Stringer{
		"0 deadlocks · 0 runs made, 0 left · 1 under way · 0 control flows judged": Exploring{Running: 1},
		"2 deadlocks · 3 runs made, 5 left · 20.4 s or more · 1 under way · 1 control flow judged": Exploring{Made: 3,
			Running: 1, Left: 5, Remaining: 20400 * time.Millisecond, Judged: 1, Deadlocks: 2},
		"1 deadlock · 1 run made, 0 left · judging: 12034 states · 0 control flows judged": Exploring{Made: 1,
			Deadlocks: 1, States: 12034},
		"1 deadlock · 12034 states searched, about 25 % · about 30.1 s left": Predicting{States: 12034, Share: 0.256,
			Remaining: 30100 * time.Millisecond, Deadlocks: 1},
		"0 deadlocks · 1 state searched": Predicting{States: 1, Share: 0.002},
	} {
		if got := s.String(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// TestNarrowTerminalsShowWhatMatters has lines of long jobs on terminals of 80 and 60 columns, whose first are those of
// "unknot: ".
func TestNarrowTerminalsShowWhatMatters(t *testing.T) {
	long := Exploring{Made: 112, Running: 4, Left: 95, Remaining: 20400 * time.Millisecond, Judged: 16, Deadlocks: 2}
	judging := long
	judging.States = 1203400
	blocked := Status{Ranks: 4096, Rate: 123.4e6, Blocked: 4095, Oldest: 70 * time.Minute, Rank: 4017}
	held := blocked
	held.Held, held.Slowest = 12, "node17"
	for _, c := range []struct {
		line    fmt.Stringer
		columns int
		want    string
	}{
		{long, 80, "2 deadlocks · 112 runs made, 95 left · 20.4 s or more · 4 under way"},
		{long, 60, "2 deadlocks · 112 runs made, 95 left"},
		{judging, 80, "2 deadlocks · 112 runs made, 95 left · judging: 1203400 states"},
		{judging, 60, "2 deadlocks · 112 runs made, 95 left"},
		{blocked, 80, "ranks 4096 · 4095 blocked · oldest 1 h 10 min (rank 4017)"},
		{blocked, 60, "ranks 4096 · 4095 blocked"},
		{held, 80, "ranks 4096 · 12 ranks held up by the agent on node17 · 4095 blocked"},
		{held, 60, "ranks 4096"},
		{Predicting{States: 1203400, Share: 0.25, Remaining: time.Hour, Deadlocks: 2}, 60,
			"2 deadlocks · 1203400 states searched, about 25 %"},
	} {
		// The last column stays free: a terminal may begin a new line when it is written to.
		if got := Shortened("unknot: "+c.line.String(), c.columns-1); got != "unknot: "+c.want {
			t.Errorf("at %d columns:\n%s, want\nunknot: %s", c.columns, got, c.want)
		}
	}
}

func text(s string) func(io.Writer) error {
	return func(w io.Writer) error { _, err := io.WriteString(w, s); return err }
}

func TestWriteFileReplacesWholeFiles(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out.html")
	if err := WriteFile(path, text("one")); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("template is broken")
	err := WriteFile(path, func(w io.Writer) error { io.WriteString(w, "half"); return broken })
	if !errors.Is(err, broken) || !strings.HasPrefix(err.Error(), "cannot write report "+path+": ") {
		t.Error(err)
	}
	if b, _ := os.ReadFile(path); string(b) != "one" {
		t.Errorf("after a failed write the file has %q", b)
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink("out.html", link); err != nil {
		t.Fatal(err)
	}
	if err := WriteFile(link, text("two")); err != nil {
		t.Fatal(err)
	}
	info, err := os.Lstat(path)
	if b, _ := os.ReadFile(path); string(b) != "two" || err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("through a link: %q, %v, %v", b, info.Mode(), err)
	}
	if names, _ := os.ReadDir(dir); len(names) != 2 {
		t.Errorf("temporary files are left: %v", names)
	}
}

// A named pipe that nobody reads must not hold up the end of a run.
func TestWriteFileToANamedPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	err := WriteFile(path, text("lost"))
	if want := "cannot write report " + path + ": nobody reads this pipe; hint: start its reader first"; err == nil ||
		err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	reader, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	if err := WriteFile(path, text("read")); err != nil {
		t.Fatal(err)
	}
	if b, err := io.ReadAll(reader); string(b) != "read" || err != nil {
		t.Errorf("%q, %v", b, err)
	}
}

func TestWriteFileWritesOverWhatItCannotReplace(t *testing.T) {
	// A temporary file beside this one would have a longer path than the kernel takes.
	dir := t.TempDir()
	const longest = 4095 - len("/f")
	for len(dir) < longest-1 {
		dir += "/" + strings.Repeat("d", min(200, longest-len(dir)-1))
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	path := dir + "/f"
	if err := os.WriteFile(path, []byte("something long"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := WriteFile(path, text("short")); err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(path); string(b) != "short" || err != nil {
		t.Errorf("%q %v", b, err)
	}
	if err := WriteFile(dir+"/g", text("x")); err == nil {
		t.Error("a new file was written without one beside it")
	}
}

// TestWriteFileToAMount needs a separate mount, which it makes in a thread that nobody else uses afterwards.
func TestWriteFileToAMount(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out.html")
	if err := os.WriteFile(path, []byte("something long"), 0o644); err != nil {
		t.Fatal(err)
	}
	var refused, failed error
	done := make(chan bool)
	go func() {
		defer close(done)
		runtime.LockOSThread()
		if refused = syscall.Unshare(syscall.CLONE_NEWNS); refused != nil {
			return
		}
		if refused = syscall.Mount("", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, ""); refused != nil {
			return
		}
		if refused = syscall.Mount(path, path, "", syscall.MS_BIND, ""); refused == nil {
			failed = WriteFile(path, text("short"))
		}
	}()
	<-done
	if refused != nil {
		t.Fatalf("this test mounts a file, which needs the right to (CAP_SYS_ADMIN): %v", refused)
	}
	if b, err := os.ReadFile(path); failed != nil || string(b) != "short" || err != nil {
		t.Errorf("%v, %q %v", failed, b, err)
	}
	if names, _ := os.ReadDir(dir); len(names) != 1 {
		t.Errorf("temporary files are left: %v", names)
	}
}

func TestWriteFileToAPipe(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := WriteFile(fmt.Sprintf("/dev/fd/%d", w.Fd()), text("through")); err != nil {
		t.Fatal(err)
	}
	w.Close()
	if b, err := io.ReadAll(r); string(b) != "through" || err != nil {
		t.Errorf("%q %v", b, err)
	}
}

func TestWriteFileErrorsSayWhatToDo(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"":                            "cannot write report : the path is empty",
		dir:                           "it is a directory; hint: give the name of a file in it",
		filepath.Join(dir, "no", "x"): "the directory does not exist; hint: create it first",
		filepath.Join(file, "x"):      "not a directory",
		"/proc/unknot-report":         "the directory does not exist",
		"/dev/full":                   "no space left on device",
	} {
		if err := WriteFile(path, text("x")); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", path, err, want)
		}
	}
}

// TestWhyARunIsIncompleteIsSaidOnce: a verdict that rests on it says so itself.
func TestWhyARunIsIncompleteIsSaidOnce(t *testing.T) {
	run := runOf(2)
	run.Complete, run.Why, run.Verdict = false, "a limit", "not decided: a limit was reached"
	for _, judged := range []bool{false, true} {
		run.Judged = judged
		if text := terminalText(t, run, TerminalOptions{}); strings.Contains(text, "incomplete: a limit") == judged {
			t.Errorf("judged %v:\n%s", judged, text)
		}
	}
}
