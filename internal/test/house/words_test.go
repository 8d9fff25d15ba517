package house

import (
	"fmt"
	"go/scanner"
	"go/token"
	"io/fs"
	"maps"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"unknot/internal/test/testkit"
)

// What is written is held to docs/developing.md, "Writing", as far as a test can: by phrases that it must not have.
// Documents have none of them. Elsewhere there are some left, whose numbers may only fall.
const (
	// phrasesFile has the phrases, each with what to write instead.
	phrasesFile = "testdata/phrases.tsv"
	// leftFile has how many of them are left, by kind of text and folder.
	leftFile = "testdata/phrases-left.tsv"
)

// shelf is where a text is: what kind of text, in which folder at the root of the repository.
type shelf struct{ kind, folder string }

const (
	document = "document" // Markdown
	literal  = "string"   // strings of Go with a space in them, which may be printed
	comment  = "comment"  // comments of Go, and sources of other languages as a whole
)

// use is a place that has a phrase.
type use struct {
	path   string
	line   int
	phrase string
}

// TestDocumentsAndCommentsAreInPlainWords finds the phrases. Where there are fewer than the file says, its number has
// to be lowered, which -update does; nothing raises one.
func TestDocumentsAndCommentsAreInPlainWords(t *testing.T) {
	phrases := readPhrases(t)
	uses := make(map[shelf][]use)
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		inside, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		if d.IsDir() {
			if d.Name() == "testdata" || inside == "build" || inside == "bin" || inside == ".git" {
				return fs.SkipDir
			}
			return nil
		}
		folder, _, below := strings.Cut(filepath.ToSlash(inside), "/")
		if !below {
			folder = "."
		}
		for kind, text := range texts(t, path) {
			at := shelf{kind, folder}
			uses[at] = append(uses[at], find(phrases, path, text)...)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	left := readLeft(t)
	var now strings.Builder
	now.WriteString("# How many forbidden phrases are left, by kind of text and folder. The numbers may only fall: " +
		regenerate + "\n")
	for _, at := range slices.SortedFunc(maps.Keys(uses), func(a, b shelf) int {
		return strings.Compare(a.kind+"\t"+a.folder, b.kind+"\t"+b.folder)
	}) {
		n := len(uses[at])
		if n > left[at] {
			t.Errorf("%ss in %s have %d forbidden phrases, at most %d are allowed; hint: git diff shows those "+
				"that are new",
				at.kind, at.folder, n, left[at])
			for _, u := range uses[at][:min(n, 20)] {
				t.Logf("%s:%d: %q", u.path, u.line, u.phrase)
			}
			n = left[at]
		}
		if n > 0 {
			fmt.Fprintf(&now, "%s\t%s\t%d\n", at.kind, at.folder, n)
		}
	}
	compare(t, leftFile, read(t, leftFile), now.String())
}

// readPhrases reads the phrases as one regular expression.
func readPhrases(t *testing.T) *regexp.Regexp {
	t.Helper()
	var all []string
	for _, row := range rows(t, phrasesFile, 2) {
		all = append(all, strings.ReplaceAll(row[0], " ", `\s+`))
	}
	return regexp.MustCompile(`(?i)\b(?:` + strings.Join(all, "|") + `)\b`)
}

func readLeft(t *testing.T) map[shelf]int {
	t.Helper()
	left := make(map[shelf]int)
	for _, row := range rows(t, leftFile, 3) {
		n, err := strconv.Atoi(row[2])
		if err != nil {
			t.Fatalf("%s: %v", leftFile, err)
		}
		left[shelf{row[0], row[1]}] = n
	}
	return left
}

// rows reads a file of columns with tabs between them. Lines with # are comments.
func rows(t *testing.T, path string, columns int) (all [][]string) {
	t.Helper()
	for line := range strings.Lines(read(t, path)) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" || line[0] == '#' {
			continue
		}
		row := strings.Split(line, "\t")
		if len(row) != columns {
			t.Fatalf("%s: %q has %d columns, expected %d", path, line, len(row), columns)
		}
		all = append(all, row)
	}
	return all
}

// texts are what a file has to read, by kind, with its lines where they are in the file.
func texts(t *testing.T, path string) map[string]string {
	switch filepath.Ext(path) {
	case ".md":
		return map[string]string{document: prose(read(t, path))}
	case ".go":
		return ofGo(t, path)
	case ".c", ".h", ".upc", ".uph", ".cc", ".f90", ".py", ".sh", ".js", ".css":
		return map[string]string{comment: read(t, path)}
	}
	return nil
}

var codeSpan = regexp.MustCompile("`[^`\n]*`")

// prose is Markdown without code.
func prose(text string) string {
	var out strings.Builder
	fenced := false
	for line := range strings.Lines(text) {
		fence := strings.HasPrefix(strings.TrimSpace(line), "```")
		fenced = fenced != fence
		if fence || fenced || strings.HasPrefix(line, "    ") {
			line = "\n"
		}
		out.WriteString(codeSpan.ReplaceAllString(line, "`"))
	}
	return out.String()
}

// ofGo takes the strings and comments out of a Go file. Strings of tests are not read by users.
func ofGo(t *testing.T, path string) map[string]string {
	source := []byte(read(t, path))
	file := token.NewFileSet().AddFile(path, -1, len(source))
	var s scanner.Scanner
	s.Init(file, source, nil, scanner.ScanComments)
	var comments, strs strings.Builder
	put := func(b *strings.Builder, pos token.Pos, text string) {
		missing := file.Line(pos) - 1 - strings.Count(b.String(), "\n")
		b.WriteString(strings.Repeat("\n", max(missing, 0)) + " " + text)
	}
	for {
		pos, tok, text := s.Scan()
		switch {
		case tok == token.EOF:
			return map[string]string{comment: comments.String(), literal: strs.String()}
		case tok == token.COMMENT:
			// The marks are taken away, so that a phrase may go over two lines.
			put(&comments, pos, strings.TrimPrefix(text, "//"))
		case tok == token.STRING && strings.Contains(text, " ") && !strings.HasSuffix(path, "_test.go"):
			put(&strs, pos, text)
		}
	}
}

func find(phrases *regexp.Regexp, path, text string) (uses []use) {
	for _, at := range phrases.FindAllStringIndex(text, -1) {
		uses = append(uses, use{path, 1 + strings.Count(text[:at[0]], "\n"), text[at[0]:at[1]]})
	}
	return uses
}

// longest is how many words a sentence of a help text or the README may have.
const longest = 35

var (
	endOfSentence = regexp.MustCompile(`[.?!:]['")]*\s+`)
	// startOfText begins something new without the end of a sentence before it: an item, a row, a heading, a paragraph,
	// an option.
	startOfText = regexp.MustCompile(`(?m)^\s*$|^ *[-*|#>] ?|^ *[0-9]+\. |^(?: {2}| {4})[^ ]`)
)

// tooLong are the sentences of a text that have too many words.
func tooLong(text string) (long []string) {
	for part := range slices.Values(startOfText.Split(text, -1)) {
		for _, sentence := range endOfSentence.Split(part, -1) {
			if words := strings.Fields(sentence); len(words) > longest {
				long = append(long, fmt.Sprintf("%d words: %s", len(words), strings.Join(words, " ")))
			}
		}
	}
	return long
}

func TestSentencesOfTheReadmeAreShort(t *testing.T) {
	for _, sentence := range tooLong(prose(read(t, readme))) {
		t.Errorf("%s: %s; at most %d", readme, sentence, longest)
	}
	if n := len(strings.Fields(read(t, readme))); n > 1000 {
		t.Errorf("%s has %d words, at most 1,000", readme, n)
	}
	if n := len(strings.Fields(read(t, architecturePage))); n > 2500 {
		t.Errorf("%s has %d words, at most 2,500; hint: a design goes to docs/design", architecturePage, n)
	}
}

func TestLongSentencesAreFound(t *testing.T) {
	long := strings.Repeat("word ", longest+1)
	for _, c := range []struct {
		text string
		want int
	}{
		{long + ".", 1},
		{long + "\nand more", 1},
		{"Short. " + long + ". Short.", 1},
		{strings.Repeat("One sentence of five words. ", 20), 0},
		{strings.Repeat("- an item without a full stop\n", 20), 0},
		{strings.Repeat("  --option  what it does\n", 20), 0},
	} {
		if got := len(tooLong(c.text)); got != c.want {
			t.Errorf("%d sentences of %q are too long, want %d", got, c.text, c.want)
		}
	}
}

func TestSentencesOfHelpAreShort(t *testing.T) {
	unknot := testkit.Unknot(t)
	overview, err := exec.Command(unknot, "help").Output()
	if err != nil {
		t.Fatal(err)
	}
	commands := regexp.MustCompile(`(?m)^    unknot ([a-z-]+) .*  `).FindAllStringSubmatch(string(overview), -1)
	if len(commands) < 10 {
		t.Fatalf("unknot help lists %d commands:\n%s", len(commands), overview)
	}
	for _, m := range commands {
		help, err := exec.Command(unknot, "help", m[1]).Output()
		if err != nil {
			t.Fatal(err)
		}
		for _, sentence := range tooLong(string(help)) {
			t.Errorf("unknot help %s: %s; at most %d", m[1], sentence, longest)
		}
	}
}
