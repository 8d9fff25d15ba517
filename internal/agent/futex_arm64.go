package agent

// futexCall is the number of the futex system call.
const futexCall = "98"

// idleCalls are those in which a thread waits for events: epoll_pwait, pselect6, ppoll, futex.
var idleCalls = []string{"22", "72", "73", "98"}
