package detect

import (
	"fmt"
	"slices"
	"time"

	"unknot/internal/agent/proto"
	"unknot/internal/check/leaks"
	"unknot/internal/check/messages"
	"unknot/internal/say/explain"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// findings are those that the root has heard of, each once: what ranks do alike is one finding.
type findings struct {
	*job
	out   *proto.Writer
	byID  map[string]*grouped
	order []*grouped          // as they were heard of
	forms map[string][]string // see identity
	freed []op.Rank           // ranks that have freed info objects after MPI_Finalize
	late  []int               // ranks that have freed other objects after MPI_Finalize, which is an error
}

func newFindings(j *job, out *proto.Writer) findings {
	return findings{job: j, out: out, byID: make(map[string]*grouped), forms: make(map[string][]string)}
}

// tell reports a finding; one with the same cause takes it in.
func (l *findings) tell(f finding.Finding) {
	m := message.Finding(f)
	l.hear(&m)
}

// hear takes in a finding of calls.
func (l *findings) hear(m *message.Misuse) {
	f := m.Finding
	f.Count = max(f.Count, 1)
	slices.Sort(f.Ranks)
	id := l.identity(m)
	if old := l.byID[id]; old != nil {
		old.merge(&f)
		old.touch(l.now)
		return
	}
	t := &grouped{Finding: f, number: len(l.order) + 1, first: l.now, changed: l.now, scope: m.Scope,
		speaks: slices.Clone(f.Ranks)}
	l.byID[id] = t
	l.order = append(l.order, t)
}

// maxForms bounds the forms of words in which one mistake at one place is reported: beyond that the first speaks for
// all.
const maxForms = 8

// identity is what makes findings one: the code, the severity, the call sites, the parameter, and the form of the
// words. Of unsafe exchanges the words depend on which of their ranks come first, so they do not count.
func (l *findings) identity(m *message.Misuse) string {
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
	if l.byID[worded] != nil {
		return worded
	}
	if forms := l.forms[id]; len(forms) == maxForms {
		return forms[0]
	}
	l.forms[id] = append(l.forms[id], worded)
	return worded
}

// What is certain is handed over when nothing has been added to it for a moment, as other ranks may be about to do the
// same; in any case after a while.
const (
	settleFor = 300 * time.Millisecond
	settleIn  = 2 * time.Second
)

// saidTooLong says whether a finding is such an error, at each of whose ranks a message is reported as too long. What
// members of a collective send and expect is reported of one pair of them: the others that call it there fail for the
// same reason.
func (l *findings) saidTooLong(t *grouped) bool {
	return t.cutShort() && !slices.ContainsFunc(t.Ranks, func(n int) bool {
		return !slices.ContainsFunc(l.order, func(o *grouped) bool {
			return (o.Code == messages.MessageTruncated || o.Code == messages.UnevenData) &&
				slices.Contains(o.Ranks, n) ||
				o.Code == messages.UnevenData && o.sameCalls(t)
		})
	})
}

// freedLate says whether a finding is about objects that its ranks never freed, and some of these free objects after
// MPI_Finalize, which is reported. Most libraries end a rank at the first such call: it may have been about to free the
// others, too. How many info objects were freed later, as they may be, is not known.
func (l *findings) freedLate(t *grouped) bool {
	kind := leaks.Kind(t.Code)
	return kind != mpi.NoObject && slices.ContainsFunc(t.Ranks, func(n int) bool {
		return slices.Contains(l.late, n) || kind == mpi.OInfo && slices.Contains(l.freed, op.Rank(n))
	})
}

// handOver gives the supervisor what is certain.
func (l *findings) handOver() {
	for _, t := range l.order {
		if !t.sent && t.certain() && (l.now.Sub(t.changed) >= settleFor || l.now.Sub(t.first) >= settleIn) {
			t.send(l.out)
		}
	}
}

// sendRest hands over all that has not been handed over as it is.
func (l *findings) sendRest() {
	for _, t := range l.order {
		if t.sent || l.freedLate(t) || l.saidTooLong(t) {
			continue
		}
		t.send(l.out)
	}
}

// foldLost makes one finding of a message that nobody receives and of the wait for its receiver that buffering spared
// the sender.
func (l *findings) foldLost() {
	l.order = slices.DeleteFunc(l.order, func(u *grouped) bool {
		if u.Code != finding.DeadlockUnsafe {
			return false
		}
		var lost *grouped
		for i := range u.Places {
			p := &u.Places[i]
			if p.State != "returned" {
				continue
			}
			if lost = l.lostAt(p); lost == nil {
				return false
			}
		}
		if lost == nil {
			return false
		}
		lost.Notes = append(lost.Notes, finding.Remark(explain.Buffered))
		lost.touch(l.now)
		return true
	})
}

// lostAt is the finding about messages that nobody receives and that are sent by a rank's call.
func (l *findings) lostAt(p *finding.Place) *grouped {
	for _, t := range l.order {
		if t.Code == messages.MessageLost && slices.Contains(t.Ranks, p.Rank) && t.Places[0].Call == p.Call &&
			t.Places[0].Frame == p.Frame {
			return t
		}
	}
	return nil
}

// foldEarly makes one finding of a ready send that comes before its receive and of the wait for that receive which
// buffering spared the sender: with the receive posted first, as it must be, nobody waits. An exploration predicts that
// wait from the calls themselves.
func (l *findings) foldEarly() {
	l.order = slices.DeleteFunc(l.order, func(u *grouped) bool {
		if u.Code != finding.DeadlockUnsafe {
			return false
		}
		for i := range u.Places {
			p := &u.Places[i]
			if p.State != "returned" || len(p.WaitsFor) != 1 || len(p.Meaning.Sends) != 1 {
				continue
			}
			if early := l.earlyAt(p.Rank, &p.Meaning.Sends[0]); early != nil {
				note := finding.Remark(explain.Buffered)
				if !slices.Contains(early.Notes, note) {
					early.Notes = append(early.Notes, note)
					early.touch(l.now)
				}
				return true
			}
		}
		return false
	})
}

// earlyAt is the finding about a ready send that a rank has started by a call before its receive was posted.
func (l *findings) earlyAt(rank int, by *finding.Origin) *grouped {
	for _, t := range l.order {
		if t.Code == messages.ReadyEarly && slices.ContainsFunc(t.Places, func(p finding.Place) bool {
			return p.Rank == rank && p.Call == by.Call && p.Frame == by.At
		}) {
			return t
		}
	}
	return nil
}

// has says whether there is a finding of a code.
func (l *findings) has(code finding.Code) bool {
	return slices.ContainsFunc(l.order, func(t *grouped) bool { return t.Code == code })
}
