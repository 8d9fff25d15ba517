//go:build !quick

package suite

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// A program is wrong in one way and has a corrected twin. testdata/programs/README.md describes the format.
type program struct {
	section, name string
	threads       []int
	stack         bool // compiled with -s
	wrong, twin   []source
	wants         []want
}

// A source is a file of a program.
type source struct {
	name, text string
}

// entry is the function that a program begins with.
func (p *program) entry() string { return strings.ReplaceAll(p.name, "-", "_") }

// alone says that the twin ends some threads itself, so that nothing can run after it.
func (p *program) alone() bool {
	for _, s := range p.twin {
		if strings.Contains(s.text, "exit(") {
			return true
		}
	}
	return false
}

// marks are the places that a program's comments name: /* A */.
type marks map[string]mark

type mark struct {
	place, function string
}

var (
	markComment   = regexp.MustCompile(`/\* ([A-Z]\d?) \*/`)
	functionStart = regexp.MustCompile(`^[a-z][^(=;]*?(\w+)\(`)
)

func (p *program) marks() marks {
	all := marks{}
	for _, s := range p.wrong {
		function := ""
		for i, line := range strings.Split(s.text, "\n") {
			if m := functionStart.FindStringSubmatch(line); m != nil {
				function = m[1]
			}
			for _, m := range markComment.FindAllStringSubmatch(line, -1) {
				all[m[1]] = mark{fmt.Sprintf("%s:%d", s.name, i+1), function}
			}
		}
	}
	return all
}

// programs reads all files of programs. The name of a file is the section.
func programs(t testing.TB) []*program {
	t.Helper()
	paths, err := filepath.Glob("testdata/programs/*.txt")
	if err != nil || len(paths) == 0 {
		t.Fatal("no programs")
	}
	var all []*program
	seen := map[string]bool{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		section := strings.TrimSuffix(filepath.Base(path), ".txt")
		for _, part := range strings.Split("\n"+string(text), "\n=== ")[1:] {
			p, err := parse(section, part)
			if err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			if seen[p.name] {
				t.Fatalf("%s: there are two programs %s", path, p.name)
			}
			seen[p.name] = true
			all = append(all, p)
		}
	}
	return all
}

// parse reads one program.
func parse(section, text string) (*program, error) {
	head, body, _ := strings.Cut(text, "\n")
	words := strings.Fields(head)
	p := &program{section: section, name: words[0], threads: []int{2, 4, 5}}
	for _, w := range words[1:] {
		switch n, err := strconv.Atoi(w); {
		case w == "stack":
			p.stack = true
		case w == "on":
			p.threads = nil
		case err == nil:
			p.threads = append(p.threads, n)
		default:
			return nil, fmt.Errorf("%s: %q is not understood", p.name, w)
		}
	}
	parts := strings.Split(body, "\n--- ")
	p.add(p.name+".upc", parts[0])
	for _, part := range parts[1:] {
		title, rest, _ := strings.Cut(part, "\n")
		if name, ok := strings.CutPrefix(title, "file "); ok {
			p.add(name, rest)
			continue
		}
		if title != "want" {
			return nil, fmt.Errorf("%s: %q is not understood", p.name, title)
		}
		w, err := parseWant(rest)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.name, err)
		}
		p.wants = append(p.wants, w)
	}
	if len(p.wants) == 0 || !strings.Contains(p.wrong[0].text, "static void "+p.entry()+"(void)\n") {
		return nil, fmt.Errorf("%s has no want, or no function of its name", p.name)
	}
	return p, nil
}

// add makes both forms of a file: lines that begin with - are the wrong one's only, lines with + the twin's.
func (p *program) add(name, text string) {
	var wrong, twin strings.Builder
	for line := range strings.Lines(text + "\n") {
		rest := line[1:]
		switch line[0] {
		case '-':
			wrong.WriteString(rest)
		case '+':
			twin.WriteString(rest)
		default:
			wrong.WriteString(line)
			twin.WriteString(line)
		}
	}
	p.wrong = append(p.wrong, source{name, wrong.String()})
	p.twin = append(p.twin, source{name, twin.String()})
}
