//go:build !quick

package suite

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// statusLost is in the place of an exit status that the launcher has kept to itself.
const statusLost = -2

// isZero says that an exit status is 0, as far as the launcher tells.
func isZero(status int) bool { return status == 0 || status == statusLost }

// launcherHangs ends a launcher that continues for seconds after all its processes have ended, until the context ends;
// then it says whether it has. Now and then Open MPI's waits for itself forever in PMIx_server_finalize, after a job
// that has ended with an error.
func launcherHangs(ctx context.Context, launcher *os.Process) <-chan bool {
	const patience = 15 // seconds
	result := make(chan bool, 1)
	go func() {
		ticks := time.NewTicker(time.Second)
		defer ticks.Stop()
		for since := 0; since < patience; {
			select {
			case <-ctx.Done():
				result <- false
				return
			case <-ticks.C:
			}
			if since++; !childrenHaveEnded(launcher.Pid) {
				since = 0
			}
		}
		launcher.Kill()
		result <- true
	}()
	return result
}

// childrenHaveEnded says that a process has children and nothing is left of them but their exit statuses (proc(5)).
func childrenHaveEnded(pid int) bool {
	lists, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid)) // the pattern is not malformed
	children := 0
	for _, list := range lists {
		text, _ := os.ReadFile(list) // a thread that has ended has none
		for _, child := range strings.Fields(string(text)) {
			children++
			text, err := os.ReadFile("/proc/" + child + "/stat")
			_, state, _ := strings.Cut(string(text), ") ")
			if err != nil || !strings.HasPrefix(state, "Z") {
				return false
			}
		}
	}
	return children > 0
}

func TestALauncherWithoutLivingProcessesIsSeen(t *testing.T) {
	for script, want := range map[string]bool{"true & exec sleep 1000": true, "sleep 1000 & exec sleep 1000": false} {
		c := exec.Command("sh", "-c", script)
		c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		got := false
		for end := time.Now().Add(10 * time.Minute); want && !got &&
			time.Now().Before(end); time.Sleep(time.Millisecond) {
			got = childrenHaveEnded(c.Process.Pid)
		}
		if !want {
			got = childrenHaveEnded(c.Process.Pid)
		}
		syscall.Kill(-c.Process.Pid, syscall.SIGKILL)
		c.Wait()
		if got != want {
			t.Errorf("%s: %v, want %v", script, got, want)
		}
	}
}
