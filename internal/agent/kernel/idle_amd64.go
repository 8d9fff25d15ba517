package kernel

import "golang.org/x/sys/unix"

// idleCalls are the system calls in which a thread waits for events.
func idleCalls() []int {
	return []int{unix.SYS_POLL, unix.SYS_SELECT, unix.SYS_FUTEX, unix.SYS_EPOLL_WAIT, unix.SYS_PSELECT6, unix.SYS_PPOLL,
		unix.SYS_EPOLL_PWAIT}
}
