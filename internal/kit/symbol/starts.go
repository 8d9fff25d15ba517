package symbol

import (
	"path/filepath"
	"slices"
	"strings"

	"unknot/internal/vocab/finding"
)

// ofCLibrary says whether a module is the C library. Some of its functions are in each stack: what starts the program,
// what runs functions at its end. Nobody needs their lines, and to read the library's debug information, where that is
// installed, takes longer than a short job.
func ofCLibrary(path string) bool {
	library := filepath.Base(path)
	return strings.HasPrefix(library, "libc.so") || strings.HasPrefix(library, "libpthread.so")
}

// UpToMain drops what comes before main, or before the function that a thread runs: frames of the C library and the
// probe. It also drops those of the probe in between, by which OpenMP calls the program.
func UpToMain(frames []finding.Frame) []finding.Frame {
	if slices.ContainsFunc(frames, between) {
		frames = slices.DeleteFunc(slices.Clone(frames), between)
	}
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

// between says whether a frame is of a function of the probe that stands between functions of the program.
func between(f finding.Frame) bool {
	return strings.HasPrefix(filepath.Base(f.Module), "probe-") && f.Function != "__start_uk_trampoline" &&
		f.Function != "trampoline" && !strings.HasPrefix(f.Function, "trampoline_")
}

// CalledBy is the name by which programs call a function of the C library: "__isoc99_scanf@@GLIBC_2.7" is scanf.
func CalledBy(symbol string) string {
	name, _, _ := strings.Cut(strings.TrimLeft(symbol, "_"), "@")
	for _, standard := range []string{"isoc99_", "isoc23_"} {
		name = strings.TrimPrefix(name, standard)
	}
	if name == "pthread_clockjoin_ex" {
		return "pthread_join"
	}
	return name
}
