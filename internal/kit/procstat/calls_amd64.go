package procstat

import "golang.org/x/sys/unix"

// calls are those in which threads may wait for long, by their numbers.
func calls() map[int]call {
	all := callsOfAll()
	all[unix.SYS_OPEN] = call{"open", path, true}
	all[unix.SYS_POLL] = call{"poll", nothing, false}
	all[unix.SYS_SELECT] = call{"select", nothing, false}
	all[unix.SYS_EPOLL_WAIT] = call{"epoll_wait", nothing, false}
	all[unix.SYS_PAUSE] = call{"pause", nothing, false}
	return all
}
