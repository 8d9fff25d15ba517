package launch

import (
	"path/filepath"
	"strconv"
	"syscall"
)

// Bystanders are the processes that were on this host before a job started: none of them belongs to it. Whoever looks
// for the job's processes many times passes them over, as to read what a process was started with costs much more than
// to recognise it.
type Bystanders map[int]identity

// identity differs for a later process with the same pid: the kernel makes the directory in /proc for one process. It
// may also make another one for the same process, which is then read like a new one.
type identity struct {
	inode uint64
	made  syscall.Timespec
}

// Present are the processes that are on this host now.
func Present() Bystanders {
	b := Bystanders{}
	for _, pid := range Processes() {
		if id, there := identify(pid); there {
			b[pid] = id
		}
	}
	return b
}

// has says whether a process is one of them.
func (b Bystanders) has(pid int) bool {
	known, seen := b[pid]
	if !seen {
		return false
	}
	id, there := identify(pid)
	return there && id == known
}

func identify(pid int) (identity, bool) {
	var st syscall.Stat_t
	if err := syscall.Stat(procFile(pid, ""), &st); err != nil {
		return identity{}, false
	}
	return identity{st.Ino, st.Mtim}, true
}

// Processes are the pids of this host.
func Processes() []int {
	var pids []int
	names, _ := filepath.Glob("/proc/[0-9]*")
	for _, name := range names {
		if pid, err := strconv.Atoi(filepath.Base(name)); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}
