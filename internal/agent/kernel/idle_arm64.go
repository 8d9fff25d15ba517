package kernel

import "golang.org/x/sys/unix"

// idleCalls are the system calls in which a thread waits for events.
func idleCalls() []int {
	return []int{unix.SYS_EPOLL_PWAIT, unix.SYS_PSELECT6, unix.SYS_PPOLL, unix.SYS_FUTEX}
}
