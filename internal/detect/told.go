package detect

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"unknot/internal/agent/proto"
	"unknot/internal/check/errors"
	"unknot/internal/check/leaks"
	"unknot/internal/check/messages"
	"unknot/internal/explain"
	"unknot/internal/finding"
	"unknot/internal/message"
	"unknot/internal/mpi"
	"unknot/internal/op"
)

// told is a finding as the root keeps it: it grows as other ranks make the same mistake, stand still or die because of
// it.
type told struct {
	finding.Finding
	number  int // by which the supervisor knows it
	heard   time.Time
	changed time.Time
	sent    bool          // the supervisor has it as it is
	scope   message.Scope // what its calls belong to
	speaks  []int         // the ranks of the case that it is told of
	alike   [][]int       // those of further cases at the same places
	death   string        // of a rank that died of it, in words; "" if none did
	instead *finding.Finding
	// stranded says who does not return from a call because of it; "" if all do
	stranded string
}

// tell reports a finding; one with the same cause takes it in.
func (r *Root) tell(f finding.Finding) {
	m := message.Finding(f)
	r.hear(&m)
}

// hear takes in a finding of calls.
func (r *Root) hear(m *message.Misuse) {
	f := m.Finding
	f.Count = max(f.Count, 1)
	slices.Sort(f.Ranks)
	id := r.identity(m)
	if old := r.told[id]; old != nil {
		old.merge(&f)
		old.touch(r.now)
		return
	}
	t := &told{Finding: f, number: len(r.order) + 1, heard: r.now, changed: r.now, scope: m.Scope,
		speaks: slices.Clone(f.Ranks)}
	r.told[id] = t
	r.order = append(r.order, t)
}

// touch notes that the finding has changed.
func (t *told) touch(now time.Time) { t.changed, t.sent = now, false }

// maxForms bounds in how many forms of words one mistake at one place is told: beyond that the first speaks for all.
const maxForms = 8

// identity is what makes findings one: the code, the severity, the call sites, the parameter, and the form of the
// words. What unsafe exchanges are told with depends on which of their ranks come first.
func (r *Root) identity(m *message.Misuse) string {
	f := &m.Finding
	sites := make([]string, 0, len(f.Places))
	for i := range f.Places {
		p := &f.Places[i]
		sites = append(sites, fmt.Sprintf("%s@%s:%d+%s+%d", p.Call, p.File, p.Line, p.Module, p.Offset))
	}
	slices.Sort(sites)
	id := fmt.Sprint(f.Code, f.Severity, m.Param, slices.Compact(sites))
	if m.Pair && len(f.Related) > 0 {
		o := &f.Related[0]
		id += fmt.Sprintf("%s:%d+%s+%d", o.File, o.Line, o.Module, o.Offset)
	}
	if f.Code == finding.DeadlockUnsafe {
		return id
	}
	worded := id + f.Form
	if r.told[worded] != nil {
		return worded
	}
	if forms := r.forms[id]; len(forms) == maxForms {
		return forms[0]
	}
	r.forms[id] = append(r.forms[id], worded)
	return worded
}

// MaxAlikePlaces bounds the ranks whose calls a finding shows that other ranks cause too.
const MaxAlikePlaces = 64

// merge takes in a finding with the same cause.
func (t *told) merge(f *finding.Finding) {
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
func (t *told) whole() finding.Finding {
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

// What is certain is handed over when nothing has been added to it for a moment, as other ranks may be about to do the
// same; in any case after a while.
const (
	settleFor = 300 * time.Millisecond
	settleIn  = 2 * time.Second
)

// certain says whether nothing that is still to come can take a finding back.
func (t *told) certain() bool {
	return t.Standing == finding.Manifest && t.Code != finding.RankDied && leaks.Kind(t.Code) == mpi.NoObject &&
		t.Code != messages.MessageLost && !t.cutShort()
}

// cutShort says whether a finding is that a call has returned the error of a message that was too long.
func (t *told) cutShort() bool {
	return t.Code == errors.CallFailed && strings.Contains(strings.ToLower(t.Sentence), "message truncated")
}

// saidTooLong says whether a finding is such an error, at each of whose ranks a message is reported as too long. What
// members of a collective send and expect is reported of one pair of them: the others that call it there fail for the
// same reason.
func (r *Root) saidTooLong(t *told) bool {
	return t.cutShort() && !slices.ContainsFunc(t.Ranks, func(n int) bool {
		return !slices.ContainsFunc(r.order, func(o *told) bool {
			return (o.Code == messages.MessageTruncated || o.Code == messages.UnevenData) &&
				slices.Contains(o.Ranks, n) ||
				o.Code == messages.UnevenData && o.sameCalls(t)
		})
	})
}

// sameCalls says whether all calls of another finding are at lines of this one.
func (t *told) sameCalls(o *told) bool {
	return !slices.ContainsFunc(o.Places, func(p finding.Place) bool {
		return !slices.ContainsFunc(t.Places, func(q finding.Place) bool {
			return q.Call == p.Call && q.File == p.File && q.Line == p.Line
		})
	})
}

// freedLate says whether a finding is about objects that its ranks never freed, and some of these free objects after
// MPI_Finalize, which is reported. Most libraries end a rank at the first such call: it may have been about to free the
// others, too. How many info objects were freed later, as they may be, is not known.
func (r *Root) freedLate(t *told) bool {
	kind := leaks.Kind(t.Code)
	return kind != mpi.NoObject && slices.ContainsFunc(t.Ranks, func(n int) bool {
		return slices.Contains(r.late, n) || kind == mpi.OInfo && slices.Contains(r.freed, op.Rank(n))
	})
}

// handOver gives the supervisor what is certain.
func (r *Root) handOver() {
	for _, t := range r.order {
		if !t.sent && t.certain() && (r.now.Sub(t.changed) >= settleFor || r.now.Sub(t.heard) >= settleIn) {
			t.send(r.out)
		}
	}
}

func (t *told) send(to *proto.Writer) {
	f := t.whole()
	t.sent = true
	_ = to.Send(proto.Message{Type: proto.Found, Number: t.number, Finding: &f, Instead: t.instead})
}

// send hands over all that has not been handed over as it is.
func (r *Root) send() {
	for _, t := range r.order {
		if t.sent || r.freedLate(t) || r.saidTooLong(t) {
			continue
		}
		t.send(r.out)
	}
}
