package kernel

import (
	"os"
	"path/filepath"
	"strconv"

	"unknot/internal/kit/procstat"
)

// zombie says whether a process has ended and only waits for its parent to notice.
func zombie(pid int) bool {
	dir := "/proc/" + strconv.Itoa(pid)
	s, err := procstat.Of(dir)
	if err != nil {
		return os.IsNotExist(err)
	}
	if !procstat.Ended(s) {
		return false
	}
	// The first thread may have left the others behind (pthread_exit in main).
	tasks, _ := filepath.Glob(dir + "/task/*")
	for _, task := range tasks {
		if s, err := procstat.Of(task); err == nil && !procstat.Ended(s) {
			return false
		}
	}
	return true
}
