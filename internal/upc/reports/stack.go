package reports

import (
	"path/filepath"
	"regexp"
	"strings"

	"unknot/internal/kit/symbol"
	"unknot/internal/vocab/finding"
)

// at is where a thread of a program of unknot upcc is: the UPC operation, as the program calls it, and the program's
// own frames.
type at struct {
	operation string
	stack     []finding.Frame
}

// ownSource matches files of the run-time and of the checks, as they are in the compiler's cache.
var ownSource = regexp.MustCompile(`/unknot/(upc-[0-9a-f]+|\.up[ck][^/]*)/`)

// where parts a call stack, innermost first, into the run-time's frames and the program's.
func where(resolve *symbol.Resolver, maps *symbol.Maps, pcs []uint64) at {
	var a at
	for _, pc := range pcs {
		for _, f := range resolve.Frames(maps, pc, true) {
			switch {
			case isOwn(&f):
				if len(a.stack) == 0 {
					a.operation = operationOf(f.Function, a.operation)
				}
			case f.Function == "upcr_main", isOutside(&f), isLibrary(maps, pc):
			default:
				if isMain(&f) {
					f.Function = "main"
				}
				a.stack = append(a.stack, f)
			}
		}
	}
	return a
}

// library matches the files of the C library, of MPI libraries and of unknot's probe, whose handler calls that of the
// run-time.
var library = regexp.MustCompile(`^(ld-|libc[.-]|libm[.-]|libpthread|libmpi|libopen-|libgcc|probe-)`)

func isLibrary(maps *symbol.Maps, pc uint64) bool {
	module, _ := maps.Locate(pc)
	return library.MatchString(filepath.Base(module))
}

// isOwn says whether a frame is in the run-time or in the checks. Without debug information names tell.
func isOwn(f *finding.Frame) bool {
	if f.File != "" {
		return ownSource.MatchString(f.File)
	}
	return strings.HasPrefix(f.Function, "upc") && !isMain(f) && f.Function != "upcr_main"
}

// isMain says whether a frame is the program's main, by the names that unknot upcc and upc-check give it.
func isMain(f *finding.Frame) bool {
	return f.Function == "upcr_user_main" || f.Function == "upck_user_main"
}

// isOutside says whether a frame is what calls main, or nothing that is known.
func isOutside(f *finding.Frame) bool {
	return f.File == "" && (f.Function == "_start" || f.Function == "main" || f.Function == "")
}

// operationOf names the operation of the language that a function of the run-time carries out; inner is that of the
// frame inside.
func operationOf(function, inner string) string {
	switch function {
	case "upcr_barrier_at":
		return "upc_barrier"
	case "upcr_notify_at":
		return "upc_notify"
	case "upcr_wait_at":
		return "upc_wait"
	}
	if strings.HasPrefix(function, "upc_") {
		return function
	}
	return inner
}
