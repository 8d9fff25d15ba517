package upc

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"unknot/internal/upc/layout"
	"unknot/internal/vocab/finding"
)

// Around is what was around the two accesses of a race.
type Around struct{ First, Second Side }

// Side is what a thread did around its access.
type Side struct {
	Thread        int
	Task          bool   // the access continues beside the thread
	Seq           uint64 // of the last step before it
	Before, After []Step
	From, To      *Step // the barriers, or halves of them, between which the access is
}

// Step is a step of synchronisation.
type Step struct {
	Seq    uint64 // orders the steps of all threads
	Kind   uint8  // of its record
	Site   layout.SiteText
	Number uint64 // of a barrier, from 0
	Again  int    // how often it was made once more, with nothing between
}

// moments are those of one side, the access among them.
func (s *Side) moments(v *party) (moments []moment) {
	add := func(steps []Step) {
		for i := range steps {
			if m, ok := steps[i].moment(s.Thread); ok {
				moments = append(moments, m)
			}
		}
		moments = joinHalves(moments)
	}
	add(s.Before)
	access := moment{seq: s.Seq, task: s.Task, Moment: finding.Moment{Ranks: []int{s.Thread}, Did: v.did(),
		Frame: v.place().Frame, Racing: true}}
	moments = append(moments, access)
	add(s.After)
	return moments
}

// moment is one of a time line.
type moment struct {
	finding.Moment
	seq     uint64 // of the step, of an access of the one before it
	kind    uint8
	barrier uint64 // its number from 1, if it is one or a half of one
	whole   bool   // both halves, with nothing between
	task    bool   // an access that runs beside its thread
}

// moment says what a step is, in the words of the program. Halves of what is in one statement of it are shown once, by
// joinHalves.
func (x *Step) moment(thread int) (moment, bool) {
	s := &x.Site
	m := moment{seq: x.Seq, kind: x.Kind, Moment: finding.Moment{Ranks: []int{thread}, Did: s.Text,
		Frame: finding.Frame{Function: s.Function, File: Located(s.File), Line: s.Line}}}
	switch x.Kind {
	case layout.RecordNotify, layout.RecordWait:
		m.barrier = x.Number + 1
		m.Did = fmt.Sprintf("%s, barrier %d", cmp.Or(s.Text, "synchronisation"), m.barrier)
	case layout.RecordLock:
		m.Did = cmp.Or(s.Text, "takes a lock")
	case layout.RecordUnlock:
		m.Did = cmp.Or(s.Text, "gives a lock back")
	case layout.RecordStrictRead:
		m.Did = fmt.Sprintf("reads %s, strictly", s.Text)
		if x.Again > 0 {
			m.Did += fmt.Sprintf(", %d times", x.Again+1)
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

// ofOne is the time line of a thread that races with one of its transfers.
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
func (x *Around) epoch() string {
	a, b := &x.First, &x.Second
	first, second := a.between(), b.between()
	switch {
	case first == "" || second == "":
		return ""
	case a.Thread == b.Thread || first == second:
		return "both accesses are " + first
	}
	return fmt.Sprintf("the access of thread %d is %s, that of thread %d %s", a.Thread, first, b.Thread, second)
}

// between are the barriers before and after an access; "" if there are none.
func (s *Side) between() string {
	var words []string
	if s.From != nil {
		words = append(words, "after "+s.From.barrier())
	}
	if s.To != nil {
		words = append(words, "before "+s.To.barrier())
	}
	return strings.Join(words, " and ")
}

// barrier names a barrier or a half of one. Those of collective functions are counted too.
func (x *Step) barrier() string {
	s := &x.Site
	where := cmp.Or(s.Text, "at an unknown place")
	if s.File != "" {
		where += fmt.Sprintf(", %s:%d", filepath.Base(s.File), s.Line)
	}
	return fmt.Sprintf("barrier %d (%s)", x.Number+1, where)
}
