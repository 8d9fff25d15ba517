package procstat

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// A command may be called anything, also like the fields that follow its name.
func TestTheNameOfACommandIsPassedOver(t *testing.T) {
	cat, err := exec.LookPath("cat")
	if err != nil {
		t.Fatal(err)
	}
	odd := filepath.Join(t.TempDir(), "a) Z 1 (b")
	if err := os.Symlink(cat, odd); err != nil {
		t.Fatal(err)
	}
	c := exec.Command(odd)
	c.Env = []string{"A=1"}
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	// The kernel notes where the environment is some time after the process has its name: who answers has got that far.
	if _, err := in.Write([]byte{1}); err != nil {
		t.Fatal(err)
	}
	if _, err := out.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	dir := "/proc/" + strconv.Itoa(c.Process.Pid)
	s, err := Of(dir)
	if err != nil {
		t.Fatal(err)
	}
	name, _ := os.ReadFile(dir + "/comm")
	if strings.TrimSpace(string(name)) != filepath.Base(odd) || s[Parent] != strconv.Itoa(os.Getpid()) || Ended(s) {
		t.Errorf("%q has the parent %s and the state %s, want %d and one that has not ended", name, s[Parent],
			s[State], os.Getpid())
	}
	from, _ := strconv.ParseUint(s[EnvFrom], 10, 64)
	to, _ := strconv.ParseUint(s[EnvTo], 10, 64)
	if to-from != uint64(len("A=1")+1) {
		t.Errorf("the environment has %d bytes, want that of A=1", to-from)
	}
	c.Process.Kill()
	c.Wait()
	if _, err := Of(dir); !os.IsNotExist(err) {
		t.Errorf("of a process that has gone: %v", err)
	}
}

func TestThePeakOfMemoryIsReadFromTheStatus(t *testing.T) {
	status := filepath.Join(t.TempDir(), "status")
	if err := os.WriteFile(status, []byte("Name:\tcat\nVmPeak:\t  9999 kB\nVmHWM:\t   1234 kB\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := PeakMemory(status); got != 1234<<10 {
		t.Errorf("%d bytes, want %d", got, 1234<<10)
	}
	if got := PeakMemory(status + ".gone"); got != 0 {
		t.Errorf("of a process that has gone: %d bytes", got)
	}
}
