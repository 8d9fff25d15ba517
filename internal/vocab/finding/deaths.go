package finding

import (
	"fmt"
	"syscall"

	"golang.org/x/sys/unix"
)

// What ends a process is said in the same words of ranks of MPI and of PEs of OpenSHMEM.

// SignalName is the name that people know a signal by; those that have none, as the real-time signals, are called by
// their number.
func SignalName(s syscall.Signal) string {
	if name := unix.SignalName(s); name != "" {
		return name
	}
	return fmt.Sprintf("signal %d", int(s))
}

// BySignal is about a signal, and the place that it came from, if that is known.
func BySignal(s syscall.Signal, at Frame) Wording {
	text := Wordf("was ended by signal %d", int(s))
	if name := unix.SignalName(s); name != "" {
		text = Wordf("%s (%s)", text, name)
	}
	if at != (Frame{}) {
		text = Wordf("%s at %s", text, at.Worded())
	}
	return text
}

// ByExit is about an exit without a call that should have been made before.
func ByExit(status int, without string) Wording {
	return Wordf("ended with exit status %d without calling %s", status, without)
}

// Unseen is about an end that the process could not tell.
func Unseen() Wording { return Wordf("was killed without notice (SIGKILL, or out of memory)") }
