package ring

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// sessionIn names, in the environment, the directory in which this program is to make a session and to wait until it is
// killed.
const sessionIn = "UNKNOT_TEST_SESSION_IN"

func TestMain(m *testing.M) {
	if dir := os.Getenv(sessionIn); dir != "" {
		s, err := NewSession(Options{Dirs: []string{dir}})
		if err != nil {
			panic(err)
		}
		os.Stdout.WriteString(s.Dir + "\n")
		os.Stdin.Read(make([]byte, 1))
		return
	}
	os.Exit(m.Run())
}

// A process that makes a session is killed, once with and once without an agent that outlives it. The next session is
// made where the first one was left.
func TestASessionOfAKilledProcessIsRemovedByTheNext(t *testing.T) {
	dir := t.TempDir()
	make := func() (*exec.Cmd, string) {
		c := exec.Command(os.Args[0])
		c.Env = append(os.Environ(), sessionIn+"="+dir)
		if _, err := c.StdinPipe(); err != nil {
			t.Fatal(err)
		}
		out, err := c.StdoutPipe()
		if err == nil {
			err = c.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		line, err := bufio.NewReader(out).ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		return c, strings.TrimSpace(line)
	}
	kill := func(c *exec.Cmd) {
		c.Process.Kill()
		c.Wait()
	}
	there := func(dir string) bool {
		_, err := os.Stat(dir)
		return err == nil
	}
	first, left := make()
	second, orphaned := make()
	if !there(left) {
		t.Fatal("the session of a living process is gone")
	}
	o, err := OpenSession(orphaned)
	if err != nil {
		t.Fatal(err)
	}
	o.SetAgent(os.Getpid())
	o.Close()
	kill(first)
	kill(second)
	third, last := make()
	defer kill(third)
	if there(left) || !there(orphaned) || !there(last) {
		t.Errorf(
			"the session that was left is there: %v, that of an agent: %v, the new one: %v; want false, true, true",
			there(left), there(orphaned), there(last))
	}
}

// TestSessionsOfWhatWasKilledAreRemoved makes a session where one is left whose agent has ended, and another one whose
// agent lives.
func TestSessionsOfWhatWasKilledAreRemoved(t *testing.T) {
	dir := t.TempDir()
	left, err := NewSession(Options{Dir: filepath.Join(dir, "unknot-1")})
	if err != nil {
		t.Fatal(err)
	}
	ended := exec.Command("true")
	if err := ended.Run(); err != nil {
		t.Fatal(err)
	}
	left.SetAgent(ended.Process.Pid)
	left.control.AgentStart = 1 // it was there once
	left.Close()
	lives, err := NewSession(Options{Dir: filepath.Join(dir, "unknot-2")})
	if err != nil {
		t.Fatal(err)
	}
	defer lives.Remove()
	if _, err := os.Stat(left.Dir); !os.IsNotExist(err) {
		t.Errorf("%s is still there (%v)", left.Dir, err)
	}
	if again, err := NewSession(Options{Dir: lives.Dir}); err == nil {
		again.Remove()
		t.Errorf("a second session was made in %s", lives.Dir)
	}
	if _, err := os.Stat(filepath.Join(lives.Dir, ControlName)); err != nil {
		t.Errorf("the session of a living agent is gone: %v", err)
	}
	third, err := NewSession(Options{Dir: filepath.Join(dir, "unknot-3")})
	if err != nil {
		t.Fatal(err)
	}
	defer third.Remove()
	if entries, _ := os.ReadDir(dir); len(entries) != 2 {
		t.Errorf("%v", entries)
	}
}

// In a directory that everybody can write to lies what anybody likes: a pipe for a control file, a directory of another
// user, a link to a file of this one. None of it keeps a session from being made, and none of it is touched.
func TestWhatOthersPutIntoASharedPlaceIsLeftAlone(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string {
		path := filepath.Join(dir, name, ControlName)
		if err := os.Mkdir(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		return path
	}
	pipe, short, link, theirs := at("unknot-1"), at("unknot-2"), at("unknot-3"), at("unknot-4")
	if err := syscall.Mkfifo(pipe, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(short, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{link, theirs} {
		left, err := NewSession(Options{Dirs: []string{t.TempDir()}})
		if err != nil {
			t.Fatal(err)
		}
		left.control.AgentPID = 0 // nobody's any more
		left.Close()
		if path == link {
			err = os.Symlink(filepath.Join(left.Dir, ControlName), path)
		} else {
			err = os.Rename(filepath.Join(left.Dir, ControlName), path)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	want := []string{pipe, short, link}
	if os.Geteuid() == 0 {
		for _, path := range []string{filepath.Dir(theirs), theirs} {
			if err := os.Chown(path, 65533, 65533); err != nil {
				t.Fatal(err)
			}
		}
		want = append(want, theirs)
	}
	made := make(chan *Session)
	go func() {
		s, err := NewSession(Options{Dirs: []string{dir}})
		if err != nil {
			t.Error(err)
		}
		made <- s
	}()
	select {
	case s := <-made:
		if s != nil {
			s.Remove()
		}
	case <-time.After(time.Minute):
		t.Fatal("no session is made while something of others is there")
	}
	for _, path := range want {
		if _, err := os.Lstat(path); err != nil {
			t.Errorf("it was removed: %v", err)
		}
	}
	for _, path := range []string{pipe, short, link} {
		if s, err := OpenSession(filepath.Dir(path)); err == nil {
			s.Close()
			t.Errorf("%s was taken for a session", filepath.Dir(path))
		}
	}
}
