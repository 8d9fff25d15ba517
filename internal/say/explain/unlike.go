package explain

import (
	"fmt"
	"slices"

	"unknot/internal/check"
	"unknot/internal/check/messages"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/message"
)

// UnlikeWords says what is wrong with data that one call gives and another expects, and with which code.
func UnlikeWords(p *message.Pair) (finding.Code, check.Words) {
	if p.Early.Send != "" {
		return p.Early.Words(int(p.Give.Rank), int(p.Take.Rank))
	}
	return messages.Unlike(p.Given, p.Expected, int(p.Give.Rank), int(p.Take.Rank), p.Call, p.Via, p.Fields)
}

// eitherOf are the notes on a message that was too long for a receive from any source, as the MPI library has said,
// where it may have been another one.
func eitherOf(p *message.Pair) (notes []finding.Note) {
	if len(p.Long)+len(p.Fit) == 0 {
		return nil
	}
	if len(p.Long) > 0 {
		notes = append(notes,
			finding.Remarkf("the receive takes a message of any rank: %s %s one that is too long, too, and this "+
				"may be the one",
				finding.Ranks(p.Long), inflect(len(p.Long), "sends", "send")))
	}
	if len(p.Fit) > 0 {
		notes = append(notes, finding.Remarkf("the %s of %s %s", inflect(len(p.Fit), "message", "messages"),
			finding.Ranks(p.Fit), inflect(len(p.Fit), "fits", "fit")))
	}
	return notes
}

// Unlike puts data that do not fit into a finding.
func (s *Story) Unlike(p *message.Pair) finding.Finding {
	code, w := UnlikeWords(p)
	f := finding.Finding{Code: code, Severity: w.Severity, Standing: finding.Manifest, Notes: w.Notes,
		Hint: w.Hint, Count: 1}
	f.Say(w.Sentence)
	f.Notes = append(f.Notes, eitherOf(p)...)
	for i := range s.Members {
		m := &s.Members[i]
		f.Places = append(f.Places, m.Described.Place)
		f.Ranks = append(f.Ranks, int(m.Described.Key.Rank))
	}
	slices.Sort(f.Ranks)
	f.Ranks = slices.Compact(f.Ranks)
	switch code {
	case messages.ByteMismatch:
		pickled(&f, int(p.Give.Rank), int(p.Take.Rank))
	case messages.MessageTruncated:
		unpickled(&f, int(p.Take.Rank), p.Expected.Count)
	}
	s.aside(&f)
	if code == messages.UnevenData {
		f.Hint += apart(f.Places)
	}
	return f
}

// apart adds to the hint about the data of a collective that its calls at different places need not have been meant for
// each other.
func apart(calls []finding.Place) string {
	for i := range calls {
		if one, other := calls[0].Where(), calls[i].Where(); one != "" && other != "" && one != other {
			return fmt.Sprintf("; or, if the calls at %s and %s are not meant to match, look for a collective that a "+
				"rank has left out, or made once more, before", one, other)
		}
	}
	return ""
}
