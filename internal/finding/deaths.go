package finding

// What ends a process is said in the same words of ranks of MPI and of PEs of OpenSHMEM.

// BySignal is about a signal of a number and name, and the place that it came from, if that is known.
func BySignal(number int, name string, at Frame) Wording {
	text := Wordf("was ended by signal %d (%s)", number, name)
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
