package finding

import (
	"syscall"
	"testing"
)

// TestSignalsAreCalledAsPeopleCallThem: by their names, and those that have none by their numbers.
func TestSignalsAreCalledAsPeopleCallThem(t *testing.T) {
	for s, want := range map[syscall.Signal][2]string{
		syscall.SIGABRT:   {"SIGABRT", "was ended by signal 6 (SIGABRT)"},
		syscall.SIGSYS:    {"SIGSYS", "was ended by signal 31 (SIGSYS)"},
		syscall.SIGSTKFLT: {"SIGSTKFLT", "was ended by signal 16 (SIGSTKFLT)"},
		64:                {"signal 64", "was ended by signal 64"},
	} {
		if got := SignalName(s); got != want[0] {
			t.Errorf("signal %d is called %q, want %q", int(s), got, want[0])
		}
		if got := BySignal(s, Frame{}).Text; got != want[1] {
			t.Errorf("a process %q, want %q", got, want[1])
		}
	}
}
