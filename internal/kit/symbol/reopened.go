package symbol

import (
	"os"
	"syscall"
)

// mostHeld is how many modules may be held open: a quarter of the descriptors that this process may have, as it needs
// others.
func mostHeld() int {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) != nil {
		return 0
	}
	return int(min(limit.Cur/4, 1<<16))
}

// reopened is the file of a module that is opened for each read, where no more may be held open.
type reopened struct {
	pid int
	at  mapping
}

func (r *reopened) ReadAt(to []byte, offset int64) (int, error) {
	f := openMapped(r.pid, &r.at)
	if f == nil {
		return 0, os.ErrNotExist
	}
	defer f.Close()
	return f.ReadAt(to, offset)
}
