package report

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"unknot/internal/vocab/finding"
)

// TestManyFindingsAreReadInAMinute bounds what 500 findings take: lines of a terminal, and bytes of a page.
func TestManyFindingsAreReadInAMinute(t *testing.T) {
	run := manyFindings(500)
	text := terminalText(t, run, TerminalOptions{Reports: []string{"out.html"}})
	if n := strings.Count(text, "\n"); n > 120 {
		t.Errorf("%d lines on the terminal, want at most 120", n)
	}
	if n := strings.Count(text, "(manifest)"); n < mostInFull-1 {
		t.Errorf("%d findings in full, want %d of 11 lines", n, mostInFull-1)
	}
	for _, code := range []string{"type-mismatch", "request-leaked", "datatype-leaked", "not-modelled"} {
		if !strings.Contains(text, code+" (manifest)") {
			t.Errorf("no %s in full", code)
		}
	}
	if !strings.Contains(text, "unknot: 9 of 500 findings are above in full; all are in out.html\n") {
		t.Errorf("the end does not say where all findings are:\n%s", text[len(text)-500:])
	}
	if n := len(htmlText(t, run)); n > 300_000 {
		t.Errorf("the page has %d bytes, want at most 300,000", n)
	}
}

// TestAllFindingsAreOnThePage looks for each of many findings, in full or in a line, and for their places in the index.
func TestAllFindingsAreOnThePage(t *testing.T) {
	for _, n := range []int{1, 5, 13, 41, 500} {
		run := manyFindings(n)
		page := htmlText(t, run)
		for i := range n {
			if c := strings.Count(page, fmt.Sprintf(`id="f%d"`, i+1)); c != 1 {
				t.Errorf("of %d findings, number %d is there %d times", n, i+1, c)
			}
		}
		for _, f := range run.Findings {
			if !strings.Contains(page, strings.ReplaceAll(f.Sentence, "×", "×")) {
				t.Errorf("of %d findings, %q is missing", n, f.Sentence)
			}
		}
		targets := regexp.MustCompile(`href="#([^"]*)"`).FindAllStringSubmatch(page, -1)
		for _, m := range targets {
			if !strings.Contains(page, `id="`+m[1]+`"`) {
				t.Errorf("of %d findings, a link leads to #%s, which is nowhere", n, m[1])
			}
		}
		full := strings.Count(page, "<section class=\"finding ") - strings.Count(page, `class="finding briefly"`)
		if want := map[bool]int{true: n, false: manySections}[n <= mostSections]; full != want {
			t.Errorf("of %d findings, %d are in full, want %d", n, full, want)
		}
	}
}

// TestFindingsThatComeLaterHaveALine prints findings in parts, as they come while a job runs.
func TestFindingsThatComeLaterHaveALine(t *testing.T) {
	run := manyFindings(40)
	shown := new(Shown)
	var text strings.Builder
	for i := 0; i < 40; i += 8 {
		part := *run
		part.Findings = run.Findings[i : i+8]
		if err := Terminal(&text, &part, TerminalOptions{Shown: shown, Open: true}); err != nil {
			t.Fatal(err)
		}
	}
	whole := *run
	whole.Findings = nil
	if err := Terminal(&text, &whole, TerminalOptions{Shown: shown, Whole: run}); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(text.String(), "(manifest)"); n != mostInFull {
		t.Errorf("%d findings in full, want %d", n, mostInFull)
	}
	want := "unknot: 10 of 40 findings are above in full; hint: --report FILE.html writes all of them\n"
	if !strings.Contains(text.String(), want) {
		t.Errorf("%q is missing in\n%s", want, text.String())
	}
	for _, f := range run.Findings {
		if line := fmt.Sprintf("unknot: %s: %s", f.Severity, f.Code); !strings.Contains(text.String(), line) {
			t.Errorf("%q is missing in\n%s", line, text.String())
		}
	}
	// What is added to a finding is said only if the finding was printed in full.
	for i := range run.Findings {
		now := run.Findings[i]
		now.Notes = append(now.Notes, finding.Note{Text: "rank 9 died"})
		var update strings.Builder
		if err := Update(&update, run, &run.Findings[i], &now, TerminalOptions{Shown: shown}); err != nil {
			t.Fatal(err)
		}
		full := strings.Contains(strings.Join(strings.Fields(text.String()), " "), run.Findings[i].Sentence)
		if said := update.Len() > 0; said != full {
			t.Errorf("finding %d: an addition is said: %v, it was printed in full: %v", i, said, full)
		}
	}
}

func TestEditors(t *testing.T) {
	at := finding.Frame{File: "/home/ada/my app/a&b.c", Line: 12}
	for name, want := range map[string]string{
		"":                                     "",
		"none":                                 "",
		"vscode":                               "vscode://file/home/ada/my%20app/a&b.c:12",
		"idea":                                 "idea://open?file=/home/ada/my%20app/a&b.c&line=12",
		"emacs://open?file={file}&line={line}": "emacs://open?file=/home/ada/my%20app/a&b.c&line=12",
	} {
		e, err := ParseEditor(name)
		if got := string(e.link(at)); err != nil || got != want {
			t.Errorf("%q: %q, %v, want %q", name, got, err, want)
		}
		if e.link(finding.Frame{File: "a.c", Line: 1}) != "" || e.link(finding.Frame{File: "/a.c"}) != "" {
			t.Errorf("%q: a place that no editor can find has a link", name)
		}
	}
	for _, bad := range []string{"vim", "emacs://open", "javascript:alert('{file}')", "{file}"} {
		if _, err := ParseEditor(bad); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("editor %q: ", bad)) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// TestPlacesAreLinks follows the links of a page and of a terminal to the source.
func TestPlacesAreLinks(t *testing.T) {
	var page strings.Builder
	if err := HTML(&page, recvRecv(), HTMLOptions{Source: sourceFixture, Catalogue: finding.Own(),
		Editor: "vscode://file{file}:{line}"}); err != nil {
		t.Fatal(err)
	}
	link := `<a class="at" href="vscode://file/home/ada/app/recv_recv.c:14" title="/home/ada/app/recv_recv.c">main (recv_recv.c:14)</a>`
	if !strings.Contains(page.String(), link) {
		t.Errorf("the page has no %s", link)
	}
	text := terminalText(t, recvRecv(), TerminalOptions{Links: "file://host{file}"})
	link = "at \x1b]8;;file://host/home/ada/app/recv_recv.c\x1b\\main (recv_recv.c:14)\x1b]8;;\x1b\\\n"
	if !strings.Contains(text, link) {
		t.Errorf("the terminal has no link in\n%q", text)
	}
	plain := regexp.MustCompile("\x1b]8;;[^\x1b]*\x1b\\\\").ReplaceAllString(text, "")
	if plain != terminalText(t, recvRecv(), TerminalOptions{}) {
		t.Error("links change the text")
	}
}
