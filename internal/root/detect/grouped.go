package detect

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"unknot/internal/agent/proto"
	"unknot/internal/check/errors"
	"unknot/internal/check/leaks"
	"unknot/internal/check/messages"
	"unknot/internal/say/explain"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// grouped is a finding together with all that have the same cause: it grows as other ranks make the same mistake, stand
// still or die because of it.
type grouped struct {
	finding.Finding
	number  int // by which the supervisor knows it
	first   time.Time
	changed time.Time
	sent    bool             // the supervisor has it as it is
	scope   message.Scope    // what its calls belong to
	speaks  []int            // the ranks of the case that the words are about
	alike   [][]int          // those of further cases at the same places
	death   string           // of a rank that died of it, in words; "" if none did
	instead *finding.Finding // the death as a finding, if a rule leaves this one out
	// stranded says who does not return from a call because of it; "" if all do
	stranded string
}

// touch notes that the finding has changed.
func (t *grouped) touch(now time.Time) { t.changed, t.sent = now, false }

// MaxAlikePlaces bounds the ranks whose calls a finding shows that other ranks cause too.
const MaxAlikePlaces = 64

// merge takes in a finding with the same cause.
func (t *grouped) merge(f *finding.Finding) {
	t.Count += f.Count
	fresh := slices.ContainsFunc(f.Ranks, func(n int) bool {
		_, known := slices.BinarySearch(t.Ranks, n)
		return !known
	})
	if !fresh || len(t.Ranks) == 0 {
		return
	}
	t.Ranks = slices.Compact(slices.Sorted(slices.Values(append(t.Ranks, f.Ranks...))))
	other := f.Ranks
	if slices.Compare(f.Ranks, t.speaks) < 0 { // the lowest ranks speak for all, in whatever order they are heard
		other, t.speaks = t.speaks, slices.Clone(f.Ranks)
		t.Sentence, t.Hint, t.Notes, t.Related, t.Meeting = f.Sentence, f.Hint, f.Notes, f.Related, f.Meeting
	}
	if len(f.Ranks) > 1 {
		t.alike = append(t.alike, other)
		slices.SortFunc(t.alike, slices.Compare)
	}
	if len(t.Places) < MaxAlikePlaces {
		t.Places = append(t.Places, f.Places...)
		slices.SortStableFunc(t.Places, func(a, b finding.Place) int {
			return cmp.Or(cmp.Compare(a.Rank, b.Rank), cmp.Compare(a.Thread, b.Thread), cmp.Compare(a.Moment, b.Moment))
		})
		t.Others = slices.DeleteFunc(append(t.Others, f.Others...), func(p finding.Place) bool {
			_, member := slices.BinarySearch(t.Ranks, p.Rank)
			return member
		})
	}
}

// whole is the finding with notes on its further cases and on what came of it.
func (t *grouped) whole() finding.Finding {
	f := t.Finding
	f.Notes = slices.Clone(f.Notes)
	if len(t.alike) > 0 {
		f.Notes = append(f.Notes, finding.Remark(explain.SameCases(t.alike)))
	}
	if t.death != "" {
		f.Notes = append(f.Notes, finding.Remark(t.death))
	}
	if t.stranded != "" {
		f.Notes = append(f.Notes, finding.Remark(t.stranded))
	}
	return f
}

// certain says whether nothing that is still to come can take a finding back.
func (t *grouped) certain() bool {
	return t.Standing == finding.Manifest && t.Code != finding.RankDied && leaks.Kind(t.Code) == mpi.NoObject &&
		t.Code != messages.MessageLost && !t.cutShort()
}

// cutShort says whether a finding is that a call has returned the error of a message that was too long.
func (t *grouped) cutShort() bool {
	return t.Code == errors.CallFailed && strings.Contains(strings.ToLower(t.Sentence), "message truncated")
}

// sameCalls says whether all calls of another finding are at lines of this one.
func (t *grouped) sameCalls(o *grouped) bool {
	return !slices.ContainsFunc(o.Places, func(p finding.Place) bool {
		return !slices.ContainsFunc(t.Places, func(q finding.Place) bool {
			return q.Call == p.Call && q.File == p.File && q.Line == p.Line
		})
	})
}

// names says whether a call of a rank is one of a finding's; moment 0 stands for any.
func (t *grouped) names(rank op.Rank, moment uint64) bool {
	return slices.ContainsFunc(t.Places, func(p finding.Place) bool {
		return op.Rank(p.Rank) == rank &&
			(moment == 0 || p.Moment == moment)
	})
}

// aboutCalls says whether a finding is about wrong calls, not about what becomes of ranks.
func (t *grouped) aboutCalls() bool {
	switch t.Code {
	case finding.Deadlock, finding.DeadlockUnsafe, finding.Livelock, finding.RankDied, finding.ReplayDiverged,
		finding.NotModelled:
		return false
	}
	return true
}

func (t *grouped) send(to *proto.Writer) {
	f := t.whole()
	t.sent = true
	_ = to.Send(proto.Message{Type: proto.Found,
		Report: proto.Report{Number: t.number, Finding: &f, Instead: t.instead}})
}
