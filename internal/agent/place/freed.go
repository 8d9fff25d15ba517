package place

import (
	"strings"

	"unknot/internal/check"
	"unknot/internal/kit/symbol"
	"unknot/internal/observe/decode"
	"unknot/internal/observe/ring"
	"unknot/internal/vocab/finding"
)

// Freed says how memory was given back: by which line of the program's own code, and by what of C++'s library between
// that and the C library.
func (a *Places) Freed(r *Process, f decode.Freed) check.Freed {
	how := check.Freed{How: "freed", Site: f.Site}
	switch f.How {
	case ring.FreedRealloc:
		how.How = "moved by realloc"
	case ring.FreedUnmap:
		how.How = "unmapped"
	}
	if f.Site&ring.PythonSite != 0 {
		return how
	}
	var passed []finding.Frame
	for _, pc := range f.Stack {
		frames := a.Frames(r, pc)
		for _, frame := range frames {
			if symbol.Own(frame) {
				how.Site, how.By = pc, outermost(passed)
				return how
			}
			passed = append(passed, frame)
		}
	}
	return how
}

// outermost is the function of C++'s library that the program called, of the frames inside of that call.
func outermost(frames []finding.Frame) string {
	for i := len(frames) - 1; i >= 0; i-- {
		name := withoutArguments(frames[i].Function)
		name = strings.Replace(name, "std::__cxx11::", "std::", 1)
		class, method, _ := cutLast(name, "::")
		switch {
		case !strings.HasPrefix(name, "std::"), strings.HasPrefix(method, "_"), class == "std":
		case strings.HasPrefix(method, "~"):
			return "the destructor of " + class
		default:
			return name
		}
	}
	return ""
}

// withoutArguments is the name of a function without its templates' arguments.
func withoutArguments(name string) string {
	var b strings.Builder
	depth := 0
	for _, c := range name {
		switch {
		case c == '<':
			depth++
		case c == '>':
			depth = max(depth-1, 0)
		case depth == 0:
			b.WriteRune(c)
		}
	}
	return b.String()
}

func cutLast(s, at string) (before, after string, found bool) {
	if i := strings.LastIndex(s, at); i >= 0 {
		return s[:i], s[i+len(at):], true
	}
	return "", s, false
}
