package upc

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"unknot/internal/upc/layout"
	"unknot/internal/vocab/finding"
)

// Meeting is what came of a run in which two threads were to meet at a race.
type Meeting struct {
	layout.Meet
	Unrecorded bool // the program records no accesses
	Changed    bool // it is not the program in which the race was found
	Stacks     []Stack
	A, B, Spin layout.SiteText  // where SiteA, SiteB and SpinSite are
	SpinObject *layout.SiteText // what SpinThread reads there; nil if that is not known
}

// Stack is where a thread was that has met the other one.
type Stack struct {
	Thread int
	Frames []finding.Frame // the first is the access
}

// Met says whether the two threads met.
func (o *Meeting) Met() bool { return o.State >= layout.MeetDecided }

// Conclude says in a finding about a program of so many threads what came of the runs in which two of them were to
// meet.
func Conclude(f *finding.Finding, threads int, outcomes []Meeting) {
	if len(outcomes) > 0 {
		if why := outcomes[0].other(); why != "" {
			f.Notes = append(f.Notes, finding.Remark("run again, the two threads could not be made to meet: "+why))
			return
		}
	}
	met := false
	for i := range outcomes {
		o := &outcomes[i]
		if !o.Met() {
			continue
		}
		if !met {
			met = true
			f.Notes = append(f.Notes,
				finding.Remark("run again, two threads were about to make these accesses at the same moment"))
			f.Notes = append(f.Notes, o.stacks()...)
		}
		f.Notes = append(f.Notes, finding.Remark(o.words()))
	}
	if met {
		f.Standing, f.Severity = finding.Confirmed, finding.Error
		return
	}
	if len(outcomes) > 0 {
		f.Notes = append(f.Notes, finding.Remark("run again, the two threads could not be made to meet: "+
			outcomes[0].reason(threads)))
	}
}

// other says in what the program of a run is not the one in which the race was found; "" if nothing shows that.
func (o *Meeting) other() string {
	switch {
	case o.Unrecorded:
		return "the program records no accesses; hint: compile it with `unknot upcc --check=race`"
	case o.Changed:
		return "the program has been changed since the race was found; hint: look for races in it again"
	}
	return ""
}

// stacks say where the two threads were.
func (o *Meeting) stacks() (all []finding.Note) {
	for _, m := range o.Stacks {
		var places []string // the first is the access
		for _, f := range m.Frames[:min(len(m.Frames), mostFrames)] {
			place := f.Function
			if f.File != "" {
				place += fmt.Sprintf(" (%s:%d)", filepath.Base(f.File), f.Line)
			}
			places = append(places, place)
		}
		if n := len(m.Frames) - mostFrames; n > 0 {
			places = append(places, fmt.Sprintf("and %d more", n))
		}
		if len(places) > 0 {
			n := finding.Note{Label: fmt.Sprintf("%s %d", finding.OfThread, m.Thread), Text: "in " + places[0]}
			if len(places) > 1 {
				n.Text += ", called from " + strings.Join(places[1:], ", ")
			}
			all = append(all, n)
		}
	}
	slices.SortFunc(all, func(a, b finding.Note) int { return strings.Compare(a.String(), b.String()) })
	return all
}

// mostFrames bounds the frames of a stack that are shown.
const mostFrames = 8

// words are the values of an outcome.
func (o *Meeting) words() string {
	m := &o.Meet
	second := m.Waiter
	if m.Ahead == m.Waiter {
		second = m.Other
	}
	text := fmt.Sprintf("with thread %d first, the value was %s", m.Ahead-1, value(m.Before, m.Bytes))
	if m.State >= layout.MeetFirst {
		text += fmt.Sprintf(", then %s", value(m.Between, m.Bytes))
	}
	if m.State >= layout.MeetBoth {
		text += fmt.Sprintf(", and %s after thread %d", value(m.After, m.Bytes), second-1)
	}
	return text
}

// value is a value of so many bytes: a small number in decimal, all else in hexadecimal.
func value(v, bytes uint64) string {
	shift := 64 - 8*min(max(bytes, 1), 8)
	n := int64(v<<shift) >> shift
	if const32 := int64(1) << 31; n >= -const32 && n < const32 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%#x", v)
}

// reason says why threads did not meet.
func (o *Meeting) reason(threads int) string {
	m := &o.Meet
	switch {
	case m.ReachedA+m.ReachedB == 0:
		return fmt.Sprintf("none came to %s or %s with this memory; the program takes another way each time",
			siteAt(&o.A), siteAt(&o.B))
	case m.SpinThread > 0:
		return fmt.Sprintf("thread %d waits in a loop at %s until another thread has changed %s, which orders the "+
			"two accesses, though UPC does not promise that; hint: declare what it reads strict",
			m.SpinThread-1, siteAt(&o.Spin), o.spins(threads))
	case m.SiteA != m.SiteB && m.ReachedA == 0:
		return "none came to " + siteAt(&o.A) + " with this memory"
	case m.SiteA != m.SiteB && m.ReachedB == 0:
		return "none came to " + siteAt(&o.B) + " with this memory"
	}
	return fmt.Sprintf("%d times a thread was held before its access, and no other thread came to the other one "+
		"meanwhile; something that is not seen may order them", m.Expired)
}

// siteAt is where a site is.
func siteAt(s *layout.SiteText) string {
	if s.File == "" {
		return "an unknown place"
	}
	return fmt.Sprintf("%s:%d", filepath.Base(s.File), s.Line)
}

// spins is what the program calls what a thread reads in a loop.
func (o *Meeting) spins(threads int) string {
	if s := o.SpinObject; s != nil {
		return "`" + element(s, int(o.SpinOwner), threads, o.SpinOffset) + "`"
	}
	return "what it reads"
}
