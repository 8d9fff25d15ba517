package used

import (
	"path/filepath"
	"regexp"
	"strings"

	"unknot/internal/check"
	"unknot/internal/model/objects"
	"unknot/internal/vocab/finding"
)

// Lifetime says how long memory lived that was freed while an operation used it.
type Lifetime uint8

// Lifetimes of memory.
const (
	Longer Lifetime = iota // than the statement that has the call, or that is not known
	// until that statement's end: Fortran frees nothing there but copies that the compiler has made of arguments
	FortranCopy
	Temporary       // the same, of C++
	PythonTemporary // and of Python
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
	if fortran(call.File) {
		return FortranCopy
	}
	switch strings.ToLower(filepath.Ext(call.File)) {
	case ".cc", ".cpp", ".cxx", ".c++", ".hpp", ".hh", ".hxx":
		return Temporary
	case ".py":
		return PythonTemporary
	}
	return Longer
}

// fortran says whether a file is of Fortran, by its name.
func fortran(file string) bool {
	switch strings.ToLower(filepath.Ext(file)) {
	case ".f", ".for", ".ftn", ".fpp", ".f77", ".f90", ".f95", ".f03", ".f08", ".f18":
		return true
	}
	return false
}

// OfScript says whether a call is one of a script in Python.
func OfScript(r *check.Rank, site uint64) bool {
	return r.Frame != nil && site != 0 && strings.HasSuffix(r.Frame(site).File, ".py")
}

// ByInterpreter says whether memory of a script's call was freed, at a site, with no line of the script making the
// interpreter do so: in most cases the script has ended.
func ByInterpreter(r *check.Rank, by objects.Made, site uint64) bool {
	return OfScript(r, by.Site) && r.Frame(site).File == ""
}

// CopyOf says whether memory that was freed at a site was a copy that a Fortran compiler had made: of an argument of
// the call, or of an argument of a procedure that made it. It says why it was copied, to follow the parameter's name,
// and when which procedure returned it was gone.
func CopyOf(r *check.Rank, by objects.Made, param int, site uint64) (why finding.Wording, until string, is bool) {
	if LifetimeOf(r, by, site) == FortranCopy {
		return WhyCopied(r, by, param), by.Func.Name, true
	}
	if r.Trail == nil || by.Site == 0 || site == 0 {
		return finding.Wording{}, "", false
	}
	free, trail := r.Frame(site), r.Trail(by.Site)
	if !fortran(free.File) {
		return finding.Wording{}, "", false
	}
	for i := 1; i < len(trail); i++ {
		if trail[i].File != free.File || trail[i].Line != free.Line || trail[i-1].Function == "" {
			continue
		}
		until = trail[i-1].Function
		why = finding.Wordf(", for which the caller of %s passes what is not contiguous, or an expression", until)
		if text := section(r.Passed(&trail[i], until)); text != "" {
			why = finding.Wordf(", for which the caller of %s passes `%s`, which is not contiguous", until, text)
		}
		return why, until, true
	}
	return finding.Wording{}, "", false
}

// A section of an array, as an argument, and one that is contiguous: the first dimensions as a whole, and single
// elements of the others.
var (
	anySection = regexp.MustCompile(`^[\w%]+ *\([^()]*:[^()]*\)$`)
	inOnePiece = regexp.MustCompile(`^[\w%]+ *\( *:( *, *:)*( *, *[^:,]+)*\)$`)
)

// section is the only argument that is a section in several pieces, "" if there are none or several.
func section(arguments []string) (text string) {
	for _, a := range arguments {
		if !anySection.MatchString(a) || inOnePiece.MatchString(a) {
			continue
		}
		if text != "" {
			return ""
		}
		text = a
	}
	return text
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
		// f(x) may be a function's result, or elements that a vector names
		return finding.Wordf(", which is not contiguous or an expression")
	}
	return finding.Wordf(", which is not contiguous")
}
