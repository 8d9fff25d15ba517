package manual

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// writer writes the parts of a page, and begins a section where one of another kind comes.
type writer struct {
	io.Writer
	section string
	// begun says that the section has text already.
	begun bool
}

func (w *writer) heading(name string) {
	if w.section != name {
		fmt.Fprintf(w, ".SH %s\n", name)
		w.section, w.begun = name, false
	}
}

// paragraph separates what comes from what is before it in the section.
func (w *writer) paragraph() {
	if w.begun {
		fmt.Fprintln(w, ".PP")
	}
}

const exitStatus, environment = "Exit status: ", "Environment "

func (w *writer) part(p part) {
	switch text := strings.Join(p.lines, " "); {
	case p.kind == synopsis:
		w.heading("SYNOPSIS")
		for i, line := range p.lines {
			if i > 0 {
				fmt.Fprintln(w, ".br")
			}
			fmt.Fprintln(w, term(line))
		}
	case p.kind == example:
		w.opening("EXAMPLES")
		w.example(p.lines)
	case p.kind == table:
		if w.section != "ENVIRONMENT" {
			w.heading("OPTIONS")
		}
		for _, e := range p.entries {
			w.entry(e)
		}
	case strings.HasPrefix(text, exitStatus):
		w.heading("EXIT STATUS")
		text = strings.TrimPrefix(text, exitStatus)
		w.fill(strings.ToUpper(text[:1]) + text[1:])
	case strings.HasPrefix(text, environment):
		w.heading("ENVIRONMENT")
		w.fill(text)
	default:
		w.opening("NOTES")
		w.paragraph()
		w.fill(text)
	}
}

// opening begins a section for text or an example: the description, if there is none yet; a section of the given name
// behind the options.
func (w *writer) opening(behind string) {
	switch w.section {
	case "SYNOPSIS":
		w.heading("DESCRIPTION")
	case "DESCRIPTION":
	default:
		w.heading(behind)
	}
}

func (w *writer) example(lines []string) {
	w.paragraph()
	fmt.Fprintln(w, ".RS 4\n.nf")
	for _, line := range lines {
		fmt.Fprintln(w, protected(code(line)))
	}
	fmt.Fprintln(w, ".fi\n.RE")
	w.begun = true
}

func (w *writer) entry(e entry) {
	if e.about == "" {
		w.paragraph()
		w.fill(e.term)
		return
	}
	fmt.Fprintf(w, ".TP\n%s\n", term(e.term))
	w.fill(e.about)
}

// fill writes text in lines of at most 78 columns of the source, where words let it.
func (w *writer) fill(text string) {
	line := ""
	for word := range strings.FieldsSeq(prose(text)) {
		if line != "" && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > 78 {
			fmt.Fprintln(w, protected(line))
			line = ""
		}
		line = strings.TrimSpace(line + " " + word)
	}
	fmt.Fprintln(w, protected(line))
	w.begun = true
}

// term is an option or a command line: what is typed is bold, what stands for something else is slanted.
func term(text string) string {
	var words []string
	for word := range strings.FieldsSeq(text) {
		name, value, assigned := strings.Cut(word, "=")
		switch {
		case word == "[options]" || word == "…":
			word = code(word)
		case assigned && strings.HasPrefix(word, "-") && stands(value):
			word = bold(name+"=") + slanted(value)
		case stands(word):
			word = slanted(word)
		default:
			word = bold(word)
		}
		words = append(words, word)
	}
	return protected(strings.Join(words, " "))
}

// stands says whether a word stands for something else, as FILE, N and FINDINGS.json do, but no variable of the
// environment.
func stands(word string) bool {
	first := strings.TrimLeft(word, "[")
	first = first[:min(2, len(first))]
	return first != "" && first == strings.ToUpper(first) && first != strings.ToLower(first) && first[0] != '-' &&
		!strings.Contains(word, "_")
}

func bold(text string) string { return `\fB` + code(text) + `\fR` }

func slanted(text string) string { return `\fI` + code(text) + `\fR` }

// prose is text in which options keep their dashes, so that a user can copy them.
func prose(text string) string {
	var words []string
	for word := range strings.FieldsSeq(text) {
		opened := strings.TrimLeft(word, "`([")
		if strings.HasPrefix(opened, "-") || strings.ContainsAny(opened, "=_/.") {
			words = append(words, code(word))
			continue
		}
		words = append(words, escape(word))
	}
	return strings.Join(words, " ")
}

// code is text whose dashes and quotation marks are those of a keyboard.
func code(text string) string {
	return strings.NewReplacer("-", `\-`, "'", `\(aq`, `"`, `\(dq`).Replace(escape(text))
}

// escape writes what roff would take for something else, and what is beyond ASCII, as roff names it.
func escape(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == '\\':
			b.WriteString(`\e`)
		case r == '`':
			b.WriteString(`\(ga`)
		case r == '^':
			b.WriteString(`\(ha`)
		case r == '~':
			b.WriteString(`\(ti`)
		case r >= utf8.RuneSelf:
			fmt.Fprintf(&b, `\[u%04X]`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// protected keeps a line that begins with a dot or an apostrophe from being a request.
func protected(line string) string {
	if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
		return `\&` + line
	}
	return line
}

// quoted is an argument of a request.
func quoted(text string) string { return `"` + code(text) + `"` }
