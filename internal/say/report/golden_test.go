package report

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"unknot/internal/vocab/finding"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

// golden compares got with the file of this name in testdata.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; run go test ./internal/say/report -update and read the difference", err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs; run go test ./internal/say/report -update and read the difference\n--- got\n%.3000s", path,
			got)
	}
}

func terminalText(t *testing.T, run *finding.Run, opt TerminalOptions) string {
	t.Helper()
	var b bytes.Buffer
	if err := Terminal(&b, run, opt); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestTerminalGolden(t *testing.T) {
	for name, run := range fixtures() {
		golden(t, name+".txt", []byte(terminalText(t, run, TerminalOptions{Reports: []string{"out.html"}})))
	}
}

func TestTerminalStaysShortAtAnyScale(t *testing.T) {
	for _, name := range []string{"barrier", "wildcard", "big-ring"} {
		text := terminalText(t, fixtures()[name], TerminalOptions{})
		if n := strings.Count(text, "\n"); n > 25 {
			t.Errorf("%s: %d lines", name, n)
		}
	}
}

func TestColorAddsNothingButColor(t *testing.T) {
	for name, run := range fixtures() {
		if name == "hostile" {
			continue // its own escapes are the subject of another test
		}
		plain := terminalText(t, run, TerminalOptions{})
		color := terminalText(t, run, TerminalOptions{Color: true})
		for _, c := range []string{bold, dim, red, yellow, cyan, "0"} {
			color = strings.ReplaceAll(color, "\x1b["+c+"m", "")
		}
		if plain != color {
			t.Errorf("%s: text differs with colour", name)
		}
	}
}

func TestTerminalLetsNoControlCharacterThrough(t *testing.T) {
	text := terminalText(t, hostile(), TerminalOptions{})
	for _, bad := range []string{"\x1b", "\u202e", "\xff"} {
		if strings.Contains(text, bad) {
			t.Errorf("%q got through:\n%s", bad, text)
		}
	}
}

func TestTerminalKeepsToTheWidth(t *testing.T) {
	for _, width := range []int{60, 80, 120} {
		for _, l := range strings.Split(terminalText(t, recvRecv(), TerminalOptions{Width: width}), "\n") {
			if n := len([]rune(l)); n > width && !strings.Contains(l, "closing") && !strings.HasPrefix(l, "unknot:") {
				t.Errorf("width %d: %d columns: %s", width, n, l)
			}
		}
	}
}

func TestOrderOfInputDoesNotMatter(t *testing.T) {
	all := runOf(4096)
	for _, name := range []string{"recv-recv", "barrier", "unsafe", "died", "mismatch", "wildcard"} {
		all.Findings = append(all.Findings, fixtures()[name].Findings...)
	}
	want := terminalText(t, all, TerminalOptions{})
	wantHTML := htmlText(t, all)
	slices.Reverse(all.Findings)
	for i := range all.Findings {
		slices.Reverse(all.Findings[i].Places)
		slices.Reverse(all.Findings[i].Others)
	}
	if got := terminalText(t, all, TerminalOptions{}); got != want {
		t.Error("text depends on the order of findings or places")
	}
	if got := htmlText(t, all); got != wantHTML {
		t.Error("HTML depends on the order of findings or places")
	}
	if i := strings.Index(want, "warning:"); i < strings.LastIndex(want, "error:") {
		t.Error("a warning stands before an error")
	}
}
