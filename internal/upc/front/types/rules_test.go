package types

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"unknot/internal/upc/front/syntax"
)

// diagnose checks a source and tells each diagnostic in one line, notes indented.
func diagnose(source string, cfg Config) string {
	f, diags := syntax.Parse("test.upc", []byte(source))
	info := Check(f, cfg)
	var b strings.Builder
	for _, d := range append(diags, info.Diagnostics...) {
		tell(&b, f, d, "")
		for _, n := range d.Notes {
			tell(&b, f, n, "    ")
		}
	}
	return b.String()
}

func tell(b *strings.Builder, f *syntax.File, d syntax.Diagnostic, indent string) {
	p := f.Position(d.Pos)
	fmt.Fprintf(b, "%s%d:%d: %s: %s", indent, p.Line, p.Column, [...]string{"error", "warning", "note"}[d.Severity],
		d.Message)
	if d.ID != "" {
		fmt.Fprintf(b, " [%s]", d.ID)
	}
	b.WriteString("\n")
}

// ruleCase is one case of a file in testdata/rules: a source and what is reported of it.
type ruleCase struct {
	file          string
	name          string
	threads       Threads
	strict        bool
	source, wants string
}

// ruleCases reads the files of testdata/rules. A case begins with a line "=== name [T=n] [+strict]"; its source ends at
// "---", after which the expected diagnostics stand.
func ruleCases(t *testing.T, pattern string) []ruleCase {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no files %s: %v", pattern, err)
	}
	var all []ruleCase
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range strings.Split("\n"+string(text), "\n=== ")[1:] {
			head, body, _ := strings.Cut(part, "\n")
			k := ruleCase{file: file}
			for _, word := range strings.Fields(head) {
				switch {
				case strings.HasPrefix(word, "T="):
					n, _ := strconv.Atoi(word[2:])
					k.threads = Threads(n)
				case word == "+strict":
					k.strict = true
				default:
					k.name = strings.TrimSpace(k.name + " " + word)
				}
			}
			var found bool
			k.source, k.wants, found = strings.Cut("\n"+body, "\n---\n")
			if !found {
				k.source, found = strings.CutSuffix("\n"+strings.TrimRight(body, "\n"), "\n---")
			}
			if !found {
				t.Fatalf("%s: case %q has no line ---", file, k.name)
			}
			k.source = strings.TrimPrefix(k.source, "\n") + "\n"
			k.wants = strings.Trim(k.wants, "\n")
			all = append(all, k)
		}
	}
	return all
}

// compareCases compares what got tells of each case with what its file says. With UPDATE=1 it writes that into the
// files instead.
func compareCases(t *testing.T, cases []ruleCase, got func(ruleCase) string) {
	t.Helper()
	written := map[string]*strings.Builder{}
	for _, k := range cases {
		is := strings.TrimSpace(got(k))
		if is != strings.TrimSpace(k.wants) {
			t.Errorf("%s: %s: got\n%s\nwant\n%s\nin\n%s", k.file, k.name, is, k.wants, k.source)
		}
		if written[k.file] == nil {
			written[k.file] = &strings.Builder{}
		}
		b := written[k.file]
		fmt.Fprintf(b, "=== %s", k.name)
		if k.threads > 0 {
			fmt.Fprintf(b, " T=%d", k.threads)
		}
		if k.strict {
			b.WriteString(" +strict")
		}
		fmt.Fprintf(b, "\n%s---\n", k.source)
		if is != "" {
			b.WriteString(is + "\n")
		}
	}
	if os.Getenv("UPDATE") == "" {
		return
	}
	for file, b := range written {
		if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// TestRules checks every case of testdata/rules.
func TestRules(t *testing.T) {
	compareCases(t, ruleCases(t, "testdata/rules/*.txt"), func(k ruleCase) string {
		return diagnose(k.source, Config{Threads: k.threads, Strict: k.strict})
	})
}

// elsewhere are constraints that other rooms check: the driver compares translation units when it links.
var elsewhere = map[string]bool{"COMP-41": true, "COMP-42": true}

// TestEveryConstraintHasCases wants for each constraint of the catalogue a case where it is reported, and that cases
// without diagnostics are there too.
func TestEveryConstraintHasCases(t *testing.T) {
	told := map[string]int{}
	clean := 0
	for _, k := range ruleCases(t, "testdata/rules/*.txt") {
		if k.wants == "" {
			clean++
		}
		for i := 1; i <= 42; i++ {
			id := fmt.Sprintf("COMP-%02d", i)
			if strings.Contains(k.wants, "["+id+"]") {
				told[id]++
			}
		}
	}
	for i := 1; i <= 42; i++ {
		if id := fmt.Sprintf("COMP-%02d", i); told[id] == 0 && !elsewhere[id] {
			t.Errorf("no case of testdata/rules tells %s", id)
		}
	}
	if clean < 40 {
		t.Errorf("only %d cases are without diagnostics", clean)
	}
}
