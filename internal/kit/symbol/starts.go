package symbol

import (
	"path/filepath"
	"strings"

	"unknot/internal/vocab/finding"
)

// starts says whether a symbol of a module is a function by which the C library starts a program or a thread. One is in
// each stack, below all that the program does. Nobody needs its line, and to read the library's debug information,
// where that is installed, takes longer than a short job.
func starts(path, symbol string) bool {
	library := filepath.Base(path)
	if !strings.HasPrefix(library, "libc.so") && !strings.HasPrefix(library, "libpthread.so") {
		return false
	}
	name, _, _ := strings.Cut(symbol, "@")
	switch name {
	case "__libc_start_call_main", "__libc_start_main", "__libc_start_main_impl", "start_thread", "clone", "__clone",
		"clone3", "__clone3":
		return true
	}
	return false
}

// UpToMain drops what comes before main, or before the function that a thread runs: frames of the C library and the
// probe.
func UpToMain(frames []finding.Frame) []finding.Frame {
	for i, f := range frames {
		if i > 0 && f.Function == "__start_uk_trampoline" {
			return frames[:i]
		}
		if f.Function == "main" || strings.HasPrefix(f.Function, "main program ") {
			return frames[:i+1]
		}
	}
	return frames
}
