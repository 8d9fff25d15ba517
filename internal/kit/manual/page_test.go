package manual

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"
)

// help has what texts of commands seldom have: lines that roff takes for requests, and letters that it takes for
// something else.
const help = `usage: unknot odd [options] FILE …
       unknot odd --all

'Quoted' text ends in a sentence that is so long that it needs more than one line of source, and names
.unknotrc, C:\new, a ~ and a ^, ` + "`unknot help`" + ` and "words".

    printf '.%s\n' "$HOME" | unknot odd -o ~/out
    .hidden --x

  -o, --output FILE   where to put
                      it
  --a-very-long-option=of|many|words
                      what it does
  and others

More to say.

Environment of it:
  UNKNOT_ODD=N   how odd

Exit status: the program's own.
`

// shown is a page as mandoc shows it, which must have nothing to say about it.
func shown(t *testing.T, p Page) string {
	t.Helper()
	var text strings.Builder
	if err := p.Write(&text, Edition{"1.2.3", time.Date(2026, 11, 27, 23, 0, 0, 0, time.UTC)}); err != nil {
		t.Fatal(err)
	}
	for _, as := range []string{"lint", "utf8"} {
		cmd := exec.Command("mandoc", "-T", as, "-W", "warning", "-O", "width=90")
		cmd.Stdin = strings.NewReader(text.String())
		out, err := cmd.CombinedOutput()
		switch {
		case err != nil, as == "lint" && len(out) > 0:
			t.Fatalf("mandoc -T %s: %v\n%s\nof\n%s", as, err, out, &text)
		case as == "utf8":
			return regexp.MustCompile(".\x08").ReplaceAllString(string(out), "") // bold and slanted letters
		}
	}
	return ""
}

func TestAPageHasThePartsOfTheHelp(t *testing.T) {
	got := shown(t, Page{Name: "unknot-odd", About: "show what is odd", Help: help,
		Related: []string{"unknot", "unknot-run"}})
	const want = `UNKNOT-ODD(1)                     General Commands Manual                    UNKNOT-ODD(1)

NAME
       unknot-odd - show what is odd

SYNOPSIS
       unknot odd [options] FILE …
       unknot odd --all

DESCRIPTION
       'Quoted' text ends in a sentence that is so long that it needs more than one line
       of source, and names .unknotrc, C:\new, a ~ and a ^, ` + "`unknot help`" + ` and "words".

           printf '.%s\n' "$HOME" | unknot odd -o ~/out
           .hidden --x

OPTIONS
       -o, --output FILE
              where to put it

       --a-very-long-option=of|many|words
              what it does

       and others

NOTES
       More to say.

ENVIRONMENT
       Environment of it:

       UNKNOT_ODD=N
              how odd

EXIT STATUS
       The program's own.

SEE ALSO
       unknot(1), unknot-run(1)

unknot 1.2.3                            2026-11-27                           UNKNOT-ODD(1)
`
	if got != want {
		t.Errorf("the page is\n%s\nwant\n%s", got, want)
	}
}

func TestAPageListsCommands(t *testing.T) {
	got := shown(t, Page{Name: "unknot", About: "find errors", Help: "usage: unknot COMMAND …\n\nFinds errors.\n",
		Commands: []Command{{"unknot run COMMAND …", "run a job"}}})
	if want := "\nCOMMANDS\n       unknot run COMMAND …\n              run a job\n"; !strings.Contains(got, want) {
		t.Errorf("the page is\n%s\nwhich lacks\n%s", got, want)
	}
}
