package symbol

import (
	"strings"

	"unknot/internal/vocab/finding"
)

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
