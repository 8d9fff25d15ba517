package races

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"unknot/internal/upc/layout"
	"unknot/internal/vocab/finding"
)

// lineOf are the moments of one side, the access among them.
func (p *program) lineOf(s *side, v *party) (moments []moment) {
	add := func(steps []step) {
		for i := range steps {
			if m, ok := p.moment(s.thread, &steps[i]); ok {
				moments = append(moments, m)
			}
		}
		moments = joinHalves(moments)
	}
	add(s.before)
	access := moment{seq: s.seq, task: s.task, Moment: finding.Moment{Ranks: []int{s.thread}, Did: v.did(),
		Frame: v.place().Frame, Racing: true}}
	moments = append(moments, access)
	add(s.after)
	return moments
}

// moment is one of a time line.
type moment struct {
	finding.Moment
	seq     uint64 // of the step, of an access of the one before it
	kind    uint8
	barrier uint64 // its number from 1, if it is one or a half of one
	whole   bool   // both halves, with nothing between
	task    bool   // an access that goes on beside its thread
}

// moment says what a step is, in the words of the program. Halves of what is in one statement of it are told once, by
// joinHalves.
func (p *program) moment(thread int, x *step) (moment, bool) {
	s := p.sites[x.site]
	m := moment{seq: x.seq, kind: x.kind, Moment: finding.Moment{Ranks: []int{thread}, Did: s.Text,
		Frame: finding.Frame{Function: s.Function, File: located(s.File), Line: s.Line}}}
	switch x.kind {
	case layout.RecordNotify, layout.RecordWait:
		m.barrier = x.number + 1
		m.Did = fmt.Sprintf("%s, barrier %d", cmp.Or(s.Text, "synchronisation"), m.barrier)
	case layout.RecordLock:
		m.Did = cmp.Or(s.Text, "takes a lock")
	case layout.RecordUnlock:
		m.Did = cmp.Or(s.Text, "gives a lock back")
	case layout.RecordStrictRead:
		m.Did = fmt.Sprintf("reads %s, strictly", s.Text)
		if x.again > 0 {
			m.Did += fmt.Sprintf(", %d times", x.again+1)
		}
	case layout.RecordStrictWrite:
		m.Did = fmt.Sprintf("writes %s, strictly", s.Text)
	default: // of tasks: those that the program begins and completes by a call
		if s.Text == "" || !strings.Contains(s.Text, "(") {
			return m, false
		}
	}
	return m, true
}

// joinHalves makes one moment of the two halves of a upc_barrier, or of a collective function's.
func joinHalves(moments []moment) (joined []moment) {
	for _, m := range moments {
		if n := len(joined); n > 0 && m.barrier > 0 && joined[n-1].kind == layout.RecordNotify &&
			m.kind == layout.RecordWait && joined[n-1].at(&m) {
			joined[n-1].whole, joined[n-1].seq = true, m.seq
			continue
		}
		joined = append(joined, m)
	}
	return joined
}

// at says whether two moments are of one barrier at one place.
func (m *moment) at(o *moment) bool {
	return m.barrier == o.barrier && m.Did == o.Did && m.Frame == o.Frame
}

// timeline is what both threads did around a race, in an order in which it can have been: barriers that both pass are
// one moment.
func timeline(a, b []moment) (all []finding.Moment) {
	if len(a) > 0 && len(b) > 0 && a[0].Ranks[0] == b[0].Ranks[0] {
		return ofOne(append(a, b...))
	}
	passed := func(m *moment, by []moment) bool {
		return m.whole && slices.ContainsFunc(by, func(o moment) bool { return o.whole && o.at(m) })
	}
	for len(a) > 0 && len(b) > 0 {
		x, y := &a[0], &b[0]
		together, elsewhere := passed(x, b), passed(y, a)
		switch {
		case together && elsewhere:
			m := x.Moment
			m.Ranks = ranks(x.Ranks[0], y.Ranks[0])
			all, a, b = append(all, m), a[1:], b[1:]
		case elsewhere || !together && x.seq <= y.seq:
			all, a = append(all, x.Moment), a[1:]
		default:
			all, b = append(all, y.Moment), b[1:]
		}
	}
	for _, m := range slices.Concat(a, b) {
		all = append(all, m.Moment)
	}
	return all
}

// ofOne is the time line of a thread that races with a transfer of its own.
func ofOne(moments []moment) (all []finding.Moment) {
	slices.SortStableFunc(moments, func(a, b moment) int {
		if c := cmp.Compare(a.seq, b.seq); c != 0 || a.task == b.task {
			return c
		}
		if a.task {
			return -1 // it stands for its beginning too
		}
		return 1
	})
	told := make(map[uint64]bool)
	for _, m := range moments {
		if m.Racing || !told[m.seq] {
			all = append(all, m.Moment)
		}
		told[m.seq] = true
	}
	return all
}

// epoch says between which barriers the accesses are.
func (p *program) epoch(a, b *side) string {
	first, second := p.between(a), p.between(b)
	switch {
	case first == "" || second == "":
		return ""
	case a.thread == b.thread || first == second:
		return "both accesses are " + first
	}
	return fmt.Sprintf("the access of thread %d is %s, that of thread %d %s", a.thread, first, b.thread, second)
}

// between are the barriers before and after an access; "" if there are none.
func (p *program) between(s *side) string {
	var words []string
	if s.from != nil {
		words = append(words, "after "+p.barrier(s.from))
	}
	if s.to != nil {
		words = append(words, "before "+p.barrier(s.to))
	}
	return strings.Join(words, " and ")
}

// barrier names a barrier or a half of one. Those of collective functions are counted too.
func (p *program) barrier(x *step) string {
	s := p.sites[x.site]
	where := cmp.Or(s.Text, "at an unknown place")
	if s.File != "" {
		where += fmt.Sprintf(", %s:%d", filepath.Base(s.File), s.Line)
	}
	return fmt.Sprintf("barrier %d (%s)", x.number+1, where)
}
