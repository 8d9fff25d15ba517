package supervise

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/term"

	"unknot/internal/say/report"
	"unknot/internal/vocab/finding"
)

// screen is where we speak to the user: standard error. If that is a terminal, one line of it may show how the run is
// getting on. The line is written so that the cursor stays at its start: output of the program overwrites it.
type screen struct {
	mu       sync.Mutex
	to       *os.File
	terminal bool
	color    bool
	shown    bool
}

func newScreen(to *os.File, color string) *screen {
	s := &screen{to: to, terminal: columns(to) > 0}
	s.color = color == "always" || color != "never" && s.terminal && os.Getenv("NO_COLOR") == "" &&
		os.Getenv("TERM") != "dumb"
	return s
}

// linked says whether a terminal shows links in its text (OSC 8). Those that do say who they are, in one way or another;
// FORCE_HYPERLINK decides where it is set.
func linked(getenv func(string) string) bool {
	if force := getenv("FORCE_HYPERLINK"); force != "" {
		return force != "0"
	}
	if getenv("TERM") == "dumb" || getenv("TMUX") != "" || getenv("STY") != "" {
		return false
	}
	for _, name := range []string{"WT_SESSION", "KONSOLE_VERSION", "KITTY_WINDOW_ID", "GHOSTTY_RESOURCES_DIR"} {
		if getenv(name) != "" {
			return true
		}
	}
	const firstVTE = 5000 // 0.50
	version, err := strconv.Atoi(getenv("VTE_VERSION"))
	return err == nil && version >= firstVTE ||
		slices.Contains([]string{"iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper"}, getenv("TERM_PROGRAM"))
}

// links makes links of places in the source, where the screen is a terminal that shows them: by the editor, or else to
// the file.
func (s *screen) links(editor report.Editor) report.Editor {
	if !s.terminal || !linked(os.Getenv) {
		return ""
	}
	host, _ := os.Hostname() // without one the file is on this host, too
	return cmp.Or(editor, report.Editor("file://"+host+"{file}"))
}

// text is how text is shown on the screen.
func (s *screen) text(editor report.Editor) report.TerminalOptions {
	return report.TerminalOptions{Color: s.color, Width: columns(s.to), Links: s.links(editor)}
}

// columns is the width of a terminal, 0 if f is none.
func columns(f *os.File) int {
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	const usual = 80
	return cmp.Or(width, usual)
}

// status shows the line; it does nothing unless on a terminal.
func (s *screen) status(line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.terminal {
		return
	}
	line = report.Shortened("unknot: "+finding.Clean(line), columns(s.to)-1)
	fmt.Fprintf(s.to, "\r\x1b[K%s\r", line)
	s.shown = true
}

// erase removes the line.
func (s *screen) erase() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clear()
}

func (s *screen) clear() {
	if s.shown {
		fmt.Fprint(s.to, "\r\x1b[K")
		s.shown = false
	}
}

// lines is text that unknot has put on several lines itself.
type lines string

// say prints one sentence. Text in it that the program chose stays on its line.
func (s *screen) say(format string, args ...any) {
	for i, a := range args {
		switch a := a.(type) {
		case string:
			args[i] = finding.Clean(a)
		case error:
			args[i] = finding.Clean(strings.ReplaceAll(a.Error(), "\n", "; "))
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clear()
	fmt.Fprintf(s.to, "unknot: "+format+"\n", args...)
}

// complain prints an error.
func (s *screen) complain(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clear()
	fmt.Fprintln(s.to, Complaint(err))
}

// abridged leaves out the middle of a sentence that quotes more of a file than anybody would read.
func abridged(s string) string {
	const most, kept = 4096, 1024
	if len(s) <= most {
		return s
	}
	return s[:kept] + fmt.Sprintf(" … %d bytes … ", len(s)-2*kept) + s[len(s)-kept:]
}

// Complaint is an error as the user reads it: errors that were joined are a sentence each, on lines of their own.
func Complaint(err error) string {
	sentences := strings.Split(err.Error(), "\n")
	for i, s := range sentences {
		sentences[i] = "unknot: " + finding.Clean(abridged(s))
	}
	return strings.Join(sentences, "\n")
}

// Status is a line on a terminal that says how something is getting on; nothing is shown if to is no terminal.
type Status struct{ screen *screen }

// NewStatus is a status line on a terminal.
func NewStatus(to *os.File) *Status { return &Status{newScreen(to, "auto")} }

// Show shows a line in place of the last one.
func (s *Status) Show(line string) { s.screen.status(line) }

// Say prints a sentence, also if there is no terminal.
func (s *Status) Say(sentence string) { s.screen.say("%s", sentence) }

// Erase removes the line.
func (s *Status) Erase() { s.screen.erase() }
