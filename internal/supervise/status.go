package supervise

import "os"

// Status is a line on a terminal that says how something is getting on; nothing is shown if to is no terminal.
type Status struct{ screen *screen }

// NewStatus is a status line on a terminal.
func NewStatus(to *os.File) *Status { return &Status{newScreen(to, "auto")} }

// Show shows a line in place of the last one.
func (s *Status) Show(line string) { s.screen.status(line) }

// Erase removes the line.
func (s *Status) Erase() { s.screen.erase() }
