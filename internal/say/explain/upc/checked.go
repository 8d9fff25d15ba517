package upc

import (
	"fmt"

	"unknot/internal/vocab/finding"
)

// Lock is a lock that a thread waits for.
type Lock struct {
	Name   string // "" if that is not known
	Holder int
	Taken  *finding.Frame // where; nil if that is not known, without a file if it was through a pointer
}

// Reason says that a thread waits for the lock.
func (l *Lock) Reason() string {
	text := "a lock of thread " + fmt.Sprint(l.Holder)
	if l.Name != "" {
		text = fmt.Sprintf("the lock `%s` of thread %d", l.Name, l.Holder)
	}
	switch {
	case l.Taken != nil && l.Taken.File == "":
		text += ", taken by a call through a pointer"
	case l.Taken != nil:
		text += fmt.Sprintf(", taken at %s:%d", l.Taken.File, l.Taken.Line)
	}
	return text
}

// Nearer says that a thread waits until another one has come nearer to it.
func Nearer(thread int) string { return fmt.Sprintf("thread %d to come nearer", thread) }

// Declared are notes of where variables are declared, in the words of the program's checks.
func Declared(list []string) []finding.Note { return finding.Remarks(list...) }

// Unchecked is a note of what the checks cannot see.
func Unchecked(what string) finding.Note {
	return finding.Note{Label: finding.NotChecked, Text: what + " (compiled without upc-check)"}
}
