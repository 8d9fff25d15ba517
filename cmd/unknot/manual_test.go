package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// TestEachCommandHasAPageThatSaysWhatItsHelpSays has mandoc show the pages and compares them word by word with what
// unknot help prints.
func TestEachCommandHasAPageThatSaysWhatItsHelpSays(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", "1795773795")
	dir := t.TempDir()
	output(t, "manual", "-o", dir)
	for _, c := range described(commands()) {
		page := shown(t, filepath.Join(dir, pageOf(c.Name())+".1"))
		want := strings.NewReplacer("usage: ", "", "Exit status: ", "").Replace(output(t, "help", c.Name()))
		if have := textOf(page); !slices.Equal(spoken(have), spoken(want)) {
			t.Errorf("the page of unknot %s shows\n%s\nbut its help is\n%s", c.Name(), page, want)
		}
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if f.Name != "help" && !f.Hidden && !strings.Contains(page, "\n       "+spelling(f)) {
				t.Errorf("the page of unknot %s has no entry for %s", c.Name(), spelling(f))
			}
		})
		if !strings.Contains(page, "\nNAME\n       "+pageOf(c.Name())+" - "+c.Short+"\n") {
			t.Errorf("the page of unknot %s does not begin with its name:\n%s", c.Name(), page)
		}
		if !strings.Contains(page, "unknot development") || !strings.Contains(page, "2026-11-27") {
			t.Errorf("the page of unknot %s has neither version nor date:\n%s", c.Name(), page)
		}
	}
}

// TestThePageOfUnknotListsAllCommands holds it to the overview.
func TestThePageOfUnknotListsAllCommands(t *testing.T) {
	dir := t.TempDir()
	output(t, "manual", "-o", dir)
	page := shown(t, filepath.Join(dir, "unknot.1"))
	list := described(commands())
	for _, c := range list {
		if !strings.Contains(page, "\n       unknot "+c.Use+"\n              "+c.Short+"\n") {
			t.Errorf("unknot(1) does not list %s:\n%s", c.Name(), page)
		}
		if !strings.Contains(page, pageOf(c.Name())+"(1)") {
			t.Errorf("unknot(1) does not refer to unknot-%s(1)", c.Name())
		}
	}
	if !strings.Contains(page, "unknot run mpirun -n 4 ./app input.txt") {
		t.Errorf("unknot(1) has no example:\n%s", page)
	}
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if want := len(list) + 2; len(files) != want {
		t.Errorf("%d pages, want %d: unknot, upc-check and one for each command", len(files), want)
	}
	if alias := shown(t, filepath.Join(dir, "upc-check.1")); alias != shown(t,
		filepath.Join(dir, "unknot-upc-check.1")) {
		t.Errorf("upc-check(1) is not unknot-upc-check(1):\n%s", alias)
	}
}

func TestManualWantsADirectoryAndATime(t *testing.T) {
	var stdout, stderr strings.Builder
	if status := dispatch(t.Context(), []string{"manual"}, &stdout, &stderr); status != exitUsage ||
		!strings.Contains(stderr.String(), "expected -o DIR") {
		t.Errorf("without a directory: status %d\n%s", status, &stderr)
	}
	t.Setenv("SOURCE_DATE_EPOCH", "yesterday")
	if status := dispatch(t.Context(), []string{"manual", "-o", t.TempDir()}, &stdout, &stderr); status != exitUsage ||
		!strings.Contains(stderr.String(), `SOURCE_DATE_EPOCH is "yesterday", expected seconds since 1970`) {
		t.Errorf("with a time that is none: status %d\n%s", status, &stderr)
	}
}

// struck is what a terminal shows in bold or slanted: a letter over another one.
var struck = regexp.MustCompile(".\x08")

// shown is a page as a reader sees it, in lines that are long enough for each entry. mandoc must have nothing to say
// about it.
func shown(t *testing.T, file string) string {
	t.Helper()
	if complaints, err := exec.Command("mandoc", "-T", "lint", "-W", "warning", file).CombinedOutput(); err != nil ||
		len(complaints) > 0 {
		t.Errorf("mandoc -T lint: %v\n%s", err, complaints)
	}
	page, err := exec.Command("mandoc", "-T", "utf8", "-O", "width=1000", file).Output()
	if err != nil {
		t.Fatalf("mandoc %s: %v; hint: make deps", file, err)
	}
	return struck.ReplaceAllString(string(page), "")
}

// textOf is what a page says, without its headings, its name, and the pages to see.
func textOf(page string) string {
	_, text, _ := strings.Cut(page, "\nSYNOPSIS\n")
	text, _, _ = strings.Cut(text, "\nSEE ALSO\n")
	return regexp.MustCompile(`(?m)^[A-Z ]+$`).ReplaceAllString(text, "")
}

// spoken are the words of a text; the first one of a section may begin with a capital letter.
func spoken(text string) []string { return strings.Fields(strings.ToLower(text)) }
