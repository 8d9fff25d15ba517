package testkit

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestWhatIsBelowAProcessIsListed starts a shell with a child, and finds both, and nothing above them.
func TestWhatIsBelowAProcessIsListed(t *testing.T) {
	cmd := exec.Command("sh", "-c", "cat; true")
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
	if _, err := in.Write([]byte("x")); err != nil {
		t.Fatal(err)
	}
	if _, err := out.Read(make([]byte, 1)); err != nil { // cat is there
		t.Fatal(err)
	}
	text := Below(cmd.Process.Pid)
	for _, want := range []string{": sh -c cat; true", ": cat \n"} {
		if !strings.Contains(text, want) {
			t.Errorf("expected %q in\n%s", want, text)
		}
	}
	if n := strings.Count(text, "\n"); n != 2 || strings.Contains(text, os.Args[0]) {
		t.Errorf("%d processes\n%s", n, text)
	}
	in.Close()
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
}
