package agent

// futexCall is the number of the futex system call.
const futexCall = "202"
