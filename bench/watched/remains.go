package watched

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// EndRemains ends the processes that run a program of a directory, and waits until they are gone. Ranks have process
// groups of their own, so some outlive a launcher that was killed, and would disturb what is measured next.
func EndRemains(dir string) {
	const patience = time.Minute
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		left := false
		all, _ := filepath.Glob("/proc/[0-9]*/exe")
		for _, link := range all {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(link)))
			if program, err := os.Readlink(link); err == nil && strings.HasPrefix(program, dir+"/") && pid != os.Getpid() {
				left = syscall.Kill(pid, syscall.SIGKILL) == nil || left
			}
		}
		if !left {
			return
		}
	}
}
