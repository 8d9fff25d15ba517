package report

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"html"
	"html/template"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"unknot/internal/vocab/finding"
)

// sourceFixture stands for the files of the fixtures, which exist nowhere.
func sourceFixture(file string, line, context int) []SourceLine {
	if strings.HasSuffix(file, "halo.c") {
		return nil
	}
	var out []SourceLine
	for n := max(1, line-context); n <= line+context; n++ {
		text := fmt.Sprintf("\tvalue[%d] = next(value[%d]);", n, n-1)
		if n == line {
			text = "\tMPI_Recv(&theirs, 1, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* <b>here</b> */"
		}
		out = append(out, SourceLine{n, text})
	}
	return out
}

func htmlText(t *testing.T, run *finding.Run) string {
	t.Helper()
	var b bytes.Buffer
	if err := HTML(&b, run, HTMLOptions{Source: sourceFixture, Catalogue: finding.Own()}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestHTMLGolden keeps the body of one page, without style and script, which are files of their own. Of the others it
// keeps the parts that are different there.
func TestHTMLGolden(t *testing.T) {
	wanted := fragments()
	for name, run := range fixtures() {
		text := htmlText(t, run)
		if dir := os.Getenv("UNKNOT_REPORT_DIR"); dir != "" {
			if err := os.WriteFile(filepath.Join(dir, name+".html"), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		_, body, _ := strings.Cut(text, "<body>")
		body, _, _ = strings.Cut(body, "<script>")
		if name == "recv-recv" {
			golden(t, name+".html", []byte(body))
			continue
		}
		var kept strings.Builder
		for _, begin := range wanted[name] {
			list, err := cutOut(body, begin)
			if err != nil || len(list) == 0 {
				t.Errorf("%s: %d elements %s (%v)", name, len(list), begin, err)
			}
			for _, element := range list {
				kept.WriteString(element + "\n")
			}
		}
		golden(t, name+".html", []byte(kept.String()))
	}
}

func TestHTMLNeedsNoNetworkAndRunsNoForeignScript(t *testing.T) {
	for name, run := range fixtures() {
		text := htmlText(t, run)
		if n := strings.Count(text, "<script"); n != 1 {
			t.Errorf("%s: %d script elements, want the page's own", name, n)
		}
		if strings.Count(text, "</script>") != 1 || strings.Count(text, "</style>") != 1 {
			t.Errorf("%s: text of the program closes an element", name)
		}
		for _, bad := range []string{"src=", "@import", "url(http", "<iframe", "javascript:", "ZgotmplZ",
			"\u202e", "\x1b"} {
			if strings.Contains(text, bad) {
				t.Errorf("%s: contains %q", name, bad)
			}
		}
		for _, m := range regexp.MustCompile(`https?://[^"<\s]+`).FindAllString(text, -1) {
			if m != "http://www.w3.org/2000/svg" {
				t.Errorf("%s: refers to %s", name, m)
			}
		}
		if !strings.Contains(text, "script-src &#39;sha256-") {
			t.Errorf("%s: no policy for scripts", name)
		}
	}
}

func TestPolicyAllowsThePagesScript(t *testing.T) {
	text := htmlText(t, recvRecv())
	_, script, _ := strings.Cut(text, "<script>")
	script, _, _ = strings.Cut(script, "</script>")
	sum := sha256.Sum256([]byte(script))
	want := template.HTMLEscapeString("'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'")
	if !strings.Contains(text, strings.ReplaceAll(want, "+", "&#43;")) {
		t.Errorf("the policy does not have %s", want)
	}
}

func TestHTMLTellsWhatTheTerminalTells(t *testing.T) {
	text := html.UnescapeString(htmlText(t, recvRecv()))
	for _, want := range []string{
		"Ranks 0 and 1 wait for each other", "Use MPI_Sendrecv", "nearest miss", "ranks 2-15", "main (recv_recv.c:14)",
		"seen 12 times",
		"a message from rank 1", "node01", "pid 4711", "Open MPI 4.1.4", "mpirun -n 16 ./app",
		"143 (ended by signal 15)", "Call stack",
		`title="/home/ada/app/recv_recv.c"`, "/* <b>here</b> */", "How to fix it",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q", want)
		}
	}
}

func TestHTMLStaysSmallAtAnyScale(t *testing.T) {
	for name, run := range fixtures() {
		if n := len(htmlText(t, run)); n > 112<<10 && name != "five-hundred" {
			t.Errorf("%s: %d bytes", name, n)
		}
	}
}

// TestPlacesThatNotesNameAreShown has a finding of one call whose notes name where its buffer was read and where it was
// completed, once in the line of the call itself.
func TestPlacesThatNotesNameAreShown(t *testing.T) {
	at := func(line int) finding.Frame { return finding.Frame{Function: "step", File: "/src/field.c", Line: line} }
	run := &finding.Run{Ranks: 2, Findings: []finding.Finding{{
		Code: "pending-buffer-accessed", Severity: finding.Error, Standing: finding.Manifest, Count: 1, Ranks: []int{1},
		Sentence: "Rank 1 calls MPI_Irecv with buf and reads that memory before the operation is completed.",
		Places:   []finding.Place{{Rank: 1, Call: "MPI_Irecv", Frame: at(10), State: "called", WaitsFor: []int{}}},
		Notes: []finding.Note{{Text: "it is read at step (field.c:18)"},
			{Text: "it was completed by MPI_Waitall at step (field.c:10)"}},
		Related: []finding.Frame{at(18), at(10), at(99)},
	}}}
	text := htmlText(t, run)
	if n := strings.Count(text, `<figure class="source">`); n != 2 {
		t.Errorf("%d excerpts, want 2", n)
	}
	for _, want := range []string{
		`field.c:18</span> <span class="soft">it is read</span>`,
		`field.c:10</span> <span class="soft">rank 1 called MPI_Irecv; it was completed by MPI_Waitall</span>`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
}

func TestReadSource(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a.c")
	if err := os.WriteFile(file, []byte("one\ntwo\nthree\nfour\nfive"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		line, context int
		want          string
	}{{3, 1, "[{2 two} {3 three} {4 four}]"}, {1, 1, "[{1 one} {2 two}]"},
		{5, 9, "[{1 one} {2 two} {3 three} {4 four} {5 five}]"}, {6, 3, "[]"}} {
		if got := fmt.Sprint(ReadSource(file, c.line, c.context)); got != c.want {
			t.Errorf("line %d: %s, want %s", c.line, got, c.want)
		}
	}
	for _, bad := range []string{dir, "/dev/zero", filepath.Join(dir, "none.c")} {
		if got := ReadSource(bad, 1, 1); got != nil {
			t.Errorf("%s: %v", bad, got)
		}
	}
}
