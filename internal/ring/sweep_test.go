package ring

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestSessionsOfWhatWasKilledAreRemoved makes a session where one is left whose agent has ended, and another one whose agent lives.
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
