package finding

import (
	"fmt"
	"strings"
)

// Note is a further sentence of a finding. Its label says what it is about, if that is more than a remark: a report
// that labels its sentences shows it in place of its own.
type Note struct {
	Label string // one of those below, which may go on with whom it is about; "" for a remark
	Text  string
}

// Labels of notes.
const (
	NearestMiss = "nearest miss" // a message that almost matched
	NotChecked  = "not checked"
	Epoch       = "epoch"   // between which barriers something was
	OfThread    = "thread"  // and its number: where it was
	SentBy      = "sent by" // and ranks: the call
	OtherCall   = "the other call"
)

func noteLabels() [6]string {
	return [...]string{NearestMiss, NotChecked, Epoch, OfThread, SentBy, OtherCall}
}

// Remark is a note without a label.
func Remark(text string) Note { return Note{Text: text} }

// Remarks are notes without labels.
func Remarks(texts ...string) []Note {
	var notes []Note
	for _, text := range texts {
		notes = append(notes, Remark(text))
	}
	return notes
}

// Remarkf is a remark put together as by fmt.Sprintf.
func Remarkf(format string, args ...any) Note { return Remark(fmt.Sprintf(format, args...)) }

const afterLabel = ": "

// String is the note with its label.
func (n Note) String() string {
	if n.Label == "" {
		return n.Text
	}
	return n.Label + afterLabel + n.Text
}

// Sentences are notes with their labels.
func Sentences(notes []Note) []string {
	out := make([]string, len(notes))
	for i, n := range notes {
		out[i] = n.String()
	}
	return out
}

// MarshalText gives the one string that a note is in JSON.
func (n Note) MarshalText() ([]byte, error) { return []byte(n.String()), nil }

// UnmarshalText reads that string. In JSON only its beginning says whether a note has a label, so this is the one place
// that looks there.
func (n *Note) UnmarshalText(text []byte) error {
	*n = Remark(string(text))
	for _, label := range noteLabels() {
		rest, is := strings.CutPrefix(n.Text, label)
		if whom, said, labelled := strings.Cut(rest, afterLabel); is && labelled && (whom == "" || whom[0] == ' ') {
			*n = Note{Label: label + whom, Text: said}
			break
		}
	}
	return nil
}
