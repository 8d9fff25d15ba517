package used

import (
	"path/filepath"
	"strings"

	"unknot/internal/check"
	"unknot/internal/finding"
	"unknot/internal/objects"
)

// Lifetime says how long memory lived that was freed while an operation used it.
type Lifetime uint8

// Lifetimes of memory.
const (
	Longer          Lifetime = iota // than the statement that has the call, or that is not known
	FortranCopy                     // until that statement's end: Fortran frees nothing there but copies that the compiler has made of arguments
	Temporary                       // the same, of C++
	PythonTemporary                 // and of Python
)

// LifetimeOf says how long the memory of a call's buffer lived that was freed at a site.
func LifetimeOf(r *check.Rank, by objects.Made, site uint64) Lifetime {
	if r.Frame == nil || by.Site == 0 || site == 0 {
		return Longer
	}
	call, free := r.Frame(by.Site), r.Frame(site)
	if call.File == "" || call.File != free.File || call.Line != free.Line {
		return Longer
	}
	switch strings.ToLower(filepath.Ext(call.File)) {
	case ".f", ".for", ".ftn", ".fpp", ".f77", ".f90", ".f95", ".f03", ".f08", ".f18":
		return FortranCopy
	case ".cc", ".cpp", ".cxx", ".c++", ".hpp", ".hh", ".hxx":
		return Temporary
	case ".py":
		return PythonTemporary
	}
	return Longer
}

// WhyCopied says why a Fortran compiler has copied an argument, as far as its text shows that.
func WhyCopied(r *check.Rank, by objects.Made, param int) finding.Wording {
	text := ""
	if r.Argument != nil {
		text = r.Argument(by.Func, by.Site, param)
	}
	switch {
	case strings.HasPrefix(text, "("):
		return finding.Wordf(", which is an expression")
	case text == "" || strings.Contains(text, "(") && !strings.ContainsAny(text, ":%"):
		return finding.Wordf(", which is not contiguous or an expression") // f(x) may be a function's result, or elements that a vector names
	}
	return finding.Wordf(", which is not contiguous")
}
