package probe

import (
	"bytes"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
)

// Most of what a small C file costs to compile is the start of the compiler and reading mpi.h, so those of the run-time
// are compiled several at a time, one after the other in one text. What a file keeps to itself, its static functions
// and variables, types, enumeration constants and macros, gets the name of the file in it, so that files may use the
// same names. Names that begin with uk_ belong to the probe as a whole, and stay.

// mostMerged is how many bytes of C are put together: units of this size keep several cores busy.
const mostMerged = 80 << 10

// apart are files that are compiled by themselves: they define functions of the C library, of which other files may
// have included the declarations.
func apart(name string) bool { return path.Dir(name) == "outside" }

var (
	inclusions = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*include[ \t]+[<"][^>"\n]+[>"].*$`)
	gnuSource  = regexp.MustCompile(`(?m)^#define _GNU_SOURCE\b.*$`)
	tagged     = regexp.MustCompile(`\b(?:struct|union|enum)\s+(\w+)`)
	optimized  = regexp.MustCompile(`(?m)^#pragma GCC optimize\(([^)\n]*)\).*$`)
)

// unit is what one run of the compiler makes an object of.
type unit struct {
	text    []byte
	options []string // of the compiler, besides those of the probe
}

// newUnit makes a unit. What a pragma says of the level of optimization becomes an option of the compiler, which is
// faster so: it need not look at each function's own options. The pragma stays if it says more, in gcc's words.
func newUnit(pragma string, text []byte) *unit {
	level, more, _ := strings.Cut(pragma, ",")
	u := &unit{text: text}
	if level != "" {
		u.options = []string{"-" + strings.Trim(level, `"`)}
	}
	if more != "" {
		u.text = fmt.Appendf(nil, "#pragma GCC optimize(%s)\n%s", pragma, text)
	}
	return u
}

// pragmaOf is what the pragma of a file says.
func pragmaOf(text []byte) string {
	if m := optimized.FindSubmatch(text); m != nil {
		return string(m[1])
	}
	return ""
}

// units are what is compiled, by name, where files of the run-time are put together. What is generated stands alone.
func units(files map[string][]byte) (map[string]*unit, error) {
	own, err := runtimeFiles()
	if err != nil {
		return nil, err
	}
	all := map[string]*unit{}
	groups := map[string][]string{} // by how they are optimized
	for _, name := range slices.Sorted(maps.Keys(files)) {
		switch _, runtime := own[name]; {
		case !strings.HasSuffix(name, ".c"):
		case runtime && !apart(name):
			pragma := pragmaOf(files[name])
			groups[pragma] = append(groups[pragma], name)
		default:
			all[name] = newUnit(pragmaOf(files[name]), optimized.ReplaceAll(files[name], nil))
		}
	}
	number := 0
	for _, pragma := range slices.Sorted(maps.Keys(groups)) {
		for _, names := range portions(groups[pragma], files) {
			number++
			all[fmt.Sprintf("unit%d.c", number)] = newUnit(pragma, merged(names, files))
		}
	}
	return all, nil
}

// portions divides files so that none of the parts is much longer than mostMerged.
func portions(names []string, files map[string][]byte) (parts [][]string) {
	size := mostMerged
	for _, name := range names {
		if size+len(files[name])/2 > mostMerged {
			parts, size = append(parts, nil), 0
		}
		parts[len(parts)-1] = append(parts[len(parts)-1], name)
		size += len(files[name])
	}
	return parts
}

// merged puts files together.
func merged(names []string, files map[string][]byte) []byte {
	var b, text bytes.Buffer
	b.WriteString("#define _GNU_SOURCE\n")
	shared := map[string]bool{} // structures of which headers speak
	for name, header := range files {
		if strings.HasSuffix(name, ".h") {
			for _, m := range tagged.FindAllSubmatch(header, -1) {
				shared[string(m[1])] = true
			}
		}
	}
	var included []string
	for _, name := range names {
		for _, line := range inclusions.FindAll(files[name], -1) {
			directive, _, _ := strings.Cut(strings.TrimSpace(string(line)), " //")
			if !slices.Contains(included, directive) {
				included = append(included, directive)
			}
		}
		own := inclusions.ReplaceAll(files[name], nil)
		own = gnuSource.ReplaceAll(own, nil)
		own = optimized.ReplaceAll(own, nil)
		fmt.Fprintf(&text, "#line 1 %q\n", name)
		text.Write(renamed(own, shared, "_of_"+strings.NewReplacer("/", "_", ".c", "").Replace(name)))
	}
	b.WriteString(strings.Join(included, "\n") + "\n")
	b.Write(text.Bytes())
	return b.Bytes()
}

// token is a word or a sign of C. Comments are no tokens.
type token struct {
	text      string
	at        int
	directive bool // it is in a line of the preprocessor
}

var lexemes = regexp.MustCompile(`(?s)//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|` +
	`[A-Za-z_]\w*|\.?\d(?:[eEpP][+-]|[\w.])*|->|\n|\\\n|[^\s]`)

// tokens takes C apart. Strings and numbers are tokens of their own, which are no words.
func tokens(text []byte) (list []token) {
	directive := false
	first := true // of a line
	for _, m := range lexemes.FindAllIndex(text, -1) {
		switch s := string(text[m[0]:m[1]]); {
		case s == "\n":
			directive, first = false, true
		case s == "\\\n" || strings.HasPrefix(s, "//") || strings.HasPrefix(s, "/*"):
		default:
			directive = directive || first && s == "#"
			first = false
			list = append(list, token{s, m[0], directive})
		}
	}
	return list
}

func (t token) word() bool {
	c := t.text[0]
	return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// names are what a file keeps to itself.
type names struct {
	tags   map[string]bool // of structures, unions and enumerations
	values map[string]bool // functions and variables, which members of structures may be called like
	others map[string]bool // types, enumeration constants and macros
}

// renamed gives a file's names an ending, except tags that others know.
func renamed(text []byte, shared map[string]bool, ending string) []byte {
	list := tokens(text)
	own := ownNames(list)
	maps.DeleteFunc(own.tags, func(tag string, _ bool) bool { return shared[tag] })
	var b bytes.Buffer
	from := 0
	member := 0 // in how many bodies of structures this is, braces in them included
	for i, t := range list {
		before := ""
		if i > 0 {
			before = list[i-1].text
		}
		switch {
		case t.directive:
		case t.text == "{" && (member > 0 || opensMembers(list, i)):
			member++
		case t.text == "}" && member > 0:
			member--
		}
		change := false
		switch {
		case !t.word() || before == "." || before == "->" || strings.HasPrefix(strings.ToLower(t.text), "uk_"):
		case before == "(" && i > 2 && list[i-3].text == "__attribute__":
		case i+2 < len(list) && list[i+1].text == "#" && list[i+2].text == "#":
		case aggregate(before):
			change = own.tags[t.text]
		default:
			change = own.others[t.text] || own.values[t.text] && member == 0
		}
		if change {
			b.Write(text[from : t.at+len(t.text)])
			b.WriteString(ending)
			from = t.at + len(t.text)
		}
	}
	b.Write(text[from:])
	return b.Bytes()
}

func aggregate(s string) bool { return s == "struct" || s == "union" || s == "enum" }

// opensMembers says whether a brace opens the body of a structure or a union.
func opensMembers(list []token, i int) bool {
	for _, back := range []int{1, 2} {
		if i >= back && (list[i-back].text == "struct" || list[i-back].text == "union") {
			return back == 1 || list[i-1].word()
		}
	}
	return false
}

// ownNames finds the names that a file has at its highest level for itself.
func ownNames(list []token) names {
	own := names{map[string]bool{}, map[string]bool{}, map[string]bool{}}
	var declaration []token
	depth := 0
	for i, t := range list {
		if t.directive {
			if i > 1 && t.word() && list[i-1].text == "define" && list[i-2].text == "#" {
				own.others[t.text] = true
			}
			continue
		}
		declaration = append(declaration, t)
		switch t.text {
		case "{", "(", "[":
			depth++
		case "}", ")", "]":
			depth--
		}
		body := t.text == "}" && depth == 0 && isFunction(declaration)
		if depth == 0 && (t.text == ";" || body) {
			own.declare(declaration)
			declaration = nil
		}
	}
	return own
}

// isFunction says whether a declaration that ends with a brace is a function: the brace follows parentheses.
func isFunction(list []token) bool {
	depth := 0
	for i := len(list) - 1; i > 0; i-- {
		switch list[i].text {
		case "}", ")", "]":
			depth++
		case "{", "(", "[":
			depth--
			if depth == 0 && list[i].text == "{" {
				return list[i-1].text == ")"
			}
		}
	}
	return false
}

// declare adds the names of one declaration.
func (n *names) declare(list []token) {
	static, typedef := false, false
	var outer []token // without bodies, attributes and what is in parentheses except declarators
	for i := 0; i < len(list); i++ {
		switch t := list[i]; {
		case t.text == "static":
			static = true
		case t.text == "typedef":
			typedef = true
		case t.text == "__attribute__" || t.text == "_Alignas" || t.text == "_Static_assert":
			i = closing(list, i+1)
		case t.text == "{":
			end := closing(list, i)
			switch {
			case i > 0 && list[i-1].text == "enum" || i > 1 && list[i-2].text == "enum":
				n.constants(list[i+1 : end])
				fallthrough
			case opensMembers(list, i):
				if i > 1 && aggregate(list[i-2].text) {
					n.tags[list[i-1].text] = true
				}
			}
			i = end
		default:
			outer = append(outer, t)
		}
	}
	to := n.values
	switch {
	case typedef:
		to = n.others
	case !static:
		return
	}
	for _, name := range declared(outer) {
		to[name] = true
	}
}

// closing is where what opens at i is closed.
func closing(list []token, i int) int {
	depth := 0
	for ; i < len(list); i++ {
		switch list[i].text {
		case "{", "(", "[":
			depth++
		case "}", ")", "]":
			depth--
			if depth == 0 {
				return i
			}
		}
	}
	return len(list) - 1
}

// constants adds those of an enumeration's body.
func (n *names) constants(body []token) {
	depth := 0
	for i, t := range body {
		switch t.text {
		case "{", "(", "[":
			depth++
		case "}", ")", "]":
			depth--
		}
		if depth == 0 && t.word() && (i == 0 || body[i-1].text == ",") {
			n.others[t.text] = true
		}
	}
}

// declared are the names of a declaration's declarators: each is the last word before "(", "[", "=", "," or the end,
// or that of a pointer to a function.
func declared(list []token) (found []string) {
	last, skip := "", false // skip: the name of this declarator is known
	for i := 0; i < len(list); i++ {
		switch t := list[i]; {
		case t.text == "(" && !skip && i+1 < len(list) && list[i+1].text == "*":
			for i++; i < len(list) && !list[i].word(); i++ {
			}
			if i < len(list) {
				found, skip = append(found, list[i].text), true
			}
			for i < len(list) && list[i].text != ")" {
				if list[i].text == "[" {
					i = closing(list, i)
				}
				i++
			}
		case t.text == "(" || t.text == "[" || t.text == "=" || t.text == ";" || t.text == ",":
			if !skip && last != "" {
				found, skip = append(found, last), true
			}
			switch t.text {
			case "(", "[":
				i = closing(list, i)
			case ",":
				last, skip = "", false
			}
		case t.word():
			last = t.text
		}
	}
	if !skip && last != "" {
		found = append(found, last)
	}
	return found
}
