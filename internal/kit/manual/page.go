// Package manual makes manual pages, in the language man(7), of the help texts that unknot prints. It knows no command:
// it takes the text as a user sees it, and finds its parts by their layout, so that a page says what the help says.
package manual

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"time"
)

// Page is a manual page of section 1.
type Page struct {
	// Name is that of the page and of its file, as unknot-run.
	Name string
	// About says in a few words what it describes.
	About string
	// Help is the text that the command prints.
	Help string
	// Commands are listed below their own heading, if there are any.
	Commands []Command
	// Related are the names of pages of section 1 to see.
	Related []string
}

// Command is one that a page lists.
type Command struct{ Use, About string }

// Edition is what all pages of a version have in common.
type Edition struct {
	Version string
	Date    time.Time
}

// File is the name of the page's file.
func (p Page) File() string { return p.Name + ".1" }

// Write writes the page.
func (p Page) Write(w io.Writer, e Edition) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, ".TH %s 1 %s %s\n", strings.ToUpper(p.Name), e.Date.UTC().Format(time.DateOnly),
		quoted("unknot "+e.Version))
	fmt.Fprintf(b, ".SH NAME\n%s \\- %s\n", escape(p.Name), prose(p.About))
	out := writer{Writer: b}
	for _, part := range split(p.Help) {
		out.part(part)
	}
	if len(p.Commands) > 0 {
		out.heading("COMMANDS")
		for _, c := range p.Commands {
			out.entry(entry{c.Use, c.About})
		}
	}
	if len(p.Related) > 0 {
		out.heading("SEE ALSO")
		for i, name := range p.Related {
			mark := ","
			if i == len(p.Related)-1 {
				mark = ""
			}
			fmt.Fprintf(b, ".BR %s (1)%s\n", escape(name), mark)
		}
	}
	return b.Flush()
}
