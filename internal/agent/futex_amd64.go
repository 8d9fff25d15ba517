package agent

// futexCall is the number of the futex system call.
const futexCall = "202"

// idleCalls are those in which a thread waits for events: poll, select, futex, epoll_wait, pselect6, ppoll, epoll_pwait.
var idleCalls = []string{"7", "23", "202", "232", "270", "271", "281"}
