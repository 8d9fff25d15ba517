package report

import (
	"fmt"
	"html/template"
	"net/url"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"unknot/internal/vocab/finding"
)

// Editor is a template of the links from a page to lines of the source, with {file} and {line} in it; "" for no links.
type Editor string

// ParseEditor reads the name of an editor, or a template.
func ParseEditor(name string) (Editor, error) {
	switch name {
	case "", "none":
		return "", nil
	case "vscode":
		return "vscode://file{file}:{line}", nil
	case "idea":
		return "idea://open?file={file}&line={line}", nil
	}
	scheme := schemeOf.FindStringSubmatch(name)
	if scheme == nil || !strings.Contains(name, "{file}") {
		return "", fmt.Errorf("editor %q: expected none, vscode, idea, or an address with {file} and {line} in it, such "+
			"as emacs://open?file={file}&line={line}", name)
	}
	switch scheme[1] {
	case "javascript", "data", "vbscript":
		return "", fmt.Errorf("editor %q: a page may not have addresses of %s", name, scheme[1])
	}
	return Editor(name), nil
}

var schemeOf = regexp.MustCompile(`^([a-z][a-z0-9+.-]*):`)

// link is the address of a line; "" if there is none. The file must be absolute, as an editor has another directory.
func (e Editor) link(at finding.Frame) template.URL {
	if e == "" || !filepath.IsAbs(at.File) || at.Line <= 0 {
		return ""
	}
	file := (&url.URL{Path: at.File}).EscapedPath()
	return template.URL(strings.NewReplacer("{file}", file, "{line}", strconv.Itoa(at.Line)).Replace(string(e)))
}

// position is a place in the program as the page shows it.
type position struct {
	At, Path string
	Edit     template.URL
}

// sources are the names of a run's files, the links to them, and what colours them.
type sources struct {
	shortNames
	editor Editor
	lexers lexers
}

// position shows a position, with what is to stand behind it.
func (p sources) position(at finding.Frame, behind string) position {
	return position{clean(p.at(at) + behind), clean(at.File), p.editor.link(at)}
}

// lineOf shows a position without its function.
func (p sources) lineOf(at finding.Frame) position {
	return position{clean(p.line(at)), clean(at.File), p.editor.link(at)}
}
