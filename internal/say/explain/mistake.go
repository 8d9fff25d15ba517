package explain

import (
	"strings"

	"unknot/internal/check"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
)

// Mistake is what the record of a rank that has ended shows to be wrong with its last call.
type Mistake struct {
	Place finding.Place
	Func  *mpi.Func
	Param string
	Value int64
	// Comm is the communicator, which has Ranks, of an intercommunicator (Inter) in the remote group.
	Comm  finding.Wording
	Ranks int
	Inter bool
}

// Rank is that a communicator has not the rank that the call names.
func (m *Mistake) Rank() finding.Finding {
	return m.finding("rank-invalid", check.NoSuchRank(m.Place.Rank, m.Func, m.Param, finding.Wordf("%d", m.Value), m.Comm,
		m.Inter, int64(m.Ranks)), check.AtTheEnd(m.Param, m.Value, int64(m.Ranks)))
}

// Tag is that a tag is negative.
func (m *Mistake) Tag() finding.Finding {
	return m.finding("tag-invalid", check.NegativeTag(m.Place.Rank, m.Func, m.Param, finding.Wordf("%d", m.Value)), "")
}

// Count is that a count is negative.
func (m *Mistake) Count() finding.Finding {
	return m.finding("count-negative", check.NegativeCount(m.Place.Rank, m.Func, m.Param, m.Value), check.Wrapped(m.Value))
}

// Freed is that a communicator has been freed.
func (m *Mistake) Freed() finding.Finding {
	return m.finding("comm-invalid", check.IsGone(m.Place.Rank, m.Func, m.Param, mpi.OComm, "that has been freed"),
		"free a communicator after its last use; this may be a copy of the handle that was freed")
}

func (m *Mistake) finding(code finding.Code, words finding.Wording, hint string) finding.Finding {
	f := finding.Finding{Code: code, Severity: finding.Error, Standing: finding.Manifest, Hint: hint,
		Ranks: []int{m.Place.Rank}, Places: []finding.Place{m.Place}, Count: 1}
	f.Say(words)
	f.Sentence = strings.NewReplacer("{", "", "}", "").Replace(f.Sentence)
	f.Notes = append(f.Notes, finding.Remark("by the record of the rank: it has ended in this call"))
	return f
}
