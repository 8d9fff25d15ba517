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
	sleep, err := exec.LookPath("sleep")
	if err != nil {
		t.Fatal(err)
	}
	odd := filepath.Join(t.TempDir(), "a) Z 1 (b")
	if err := os.Symlink(sleep, odd); err != nil {
		t.Fatal(err)
	}
	c := exec.Command(odd, "1000")
	c.Env = []string{"A=1"}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	dir := "/proc/" + strconv.Itoa(c.Process.Pid)
	s, err := Of(dir)
	if err != nil {
		t.Fatal(err)
	}
	name, _ := os.ReadFile(dir + "/comm")
	if strings.TrimSpace(string(name)) != filepath.Base(odd) || s[Parent] != strconv.Itoa(os.Getpid()) || Ended(s) {
		t.Errorf("%q has the parent %s and the state %s, want %d and one that has not ended", name, s[Parent], s[State], os.Getpid())
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
