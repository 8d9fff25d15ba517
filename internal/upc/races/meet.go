package races

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unsafe"

	"unknot/internal/upc/layout"
	"unknot/internal/upc/reports"
	"unknot/internal/vocab/finding"
)

// PrepareMeeting writes the file for a run in which two threads meet at a race, and the one at its second place goes
// first or not.
func PrepareMeeting(r *finding.Meeting, path string, second bool) error {
	m := layout.Meet{Mark: layout.MeetMark, SiteA: uint64(r.Sites[0]), SiteB: uint64(r.Sites[1]),
		Owner: uint64(r.Owner), Start: r.Start, End: r.End}
	if second {
		m.First = 1
	}
	return os.WriteFile(path, unsafe.Slice((*byte)(unsafe.Pointer(&m)), unsafe.Sizeof(m)), 0o600)
}

// Outcome is what came of such a run.
type Outcome struct {
	meet    layout.Meet
	met     []reports.Met
	program *program
}

// ReadOutcome reads the file of a run that is over.
func ReadOutcome(path string) (o Outcome, err error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return o, err
	}
	if len(data) != int(unsafe.Sizeof(o.meet)) || binary.NativeEndian.Uint64(data) != layout.MeetMark {
		return o, fmt.Errorf("%s: it is no meeting of threads", path)
	}
	copy(unsafe.Slice((*byte)(unsafe.Pointer(&o.meet)), unsafe.Sizeof(o.meet)), data)
	if o.program, err = readProgram(path + layout.MeetSites); err != nil {
		return o, err
	}
	if o.Met() {
		o.met, err = reports.ReadMet(path + layout.MeetStacks)
	}
	return o, err
}

// Forget removes what a run has left.
func Forget(path string) {
	for _, name := range []string{path, path + layout.MeetStacks, path + layout.MeetSites} {
		_ = os.Remove(name) // it may not be there
	}
}

// Met says whether the two threads met.
func (o *Outcome) Met() bool { return o.meet.State >= layout.MeetDecided }

// Conclude says in a finding about a program of so many threads what came of the runs in which two of them were to
// meet.
func Conclude(f *finding.Finding, threads int, outcomes []Outcome) {
	if len(outcomes) > 0 {
		if why := outcomes[0].other(f); why != "" {
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

// other says in what the program of a run is not the one in which a race was found; "" if nothing shows that.
func (o *Outcome) other(f *finding.Finding) string {
	if len(o.program.sites) == 0 {
		return "the program records no accesses; hint: compile it with `unknot upcc --check=race`"
	}
	for _, site := range f.Meeting.Sites {
		s := o.program.sites[site]
		if site > 0 && !slices.ContainsFunc(f.Places, func(p finding.Place) bool {
			return p.Line == s.Line &&
				filepath.Base(p.File) == filepath.Base(s.File)
		}) {
			return "the program has been changed since the race was found; hint: look for races in it again"
		}
	}
	return ""
}

// stacks say where the two threads were.
func (o *Outcome) stacks() (all []finding.Note) {
	for _, m := range o.met {
		var places []string // the first is the access
		for _, f := range m.Stack[:min(len(m.Stack), mostFrames)] {
			place := f.Function
			if f.File != "" {
				place += fmt.Sprintf(" (%s:%d)", filepath.Base(f.File), f.Line)
			}
			places = append(places, place)
		}
		if n := len(m.Stack) - mostFrames; n > 0 {
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

// mostFrames bounds the frames of a stack that are told.
const mostFrames = 8

// words are the values of an outcome.
func (o *Outcome) words() string {
	m := &o.meet
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
func (o *Outcome) reason(threads int) string {
	m := &o.meet
	at := func(site uint64) string { return o.program.at(uint32(site)) }
	switch {
	case m.ReachedA+m.ReachedB == 0:
		return fmt.Sprintf("none came to %s or %s with this memory; the program takes another way each time",
			at(m.SiteA), at(m.SiteB))
	case m.SpinThread > 0:
		return fmt.Sprintf("thread %d waits in a loop at %s until another thread has changed %s, which orders the "+
			"two accesses, though UPC does not promise that; hint: declare what it reads strict",
			m.SpinThread-1, at(m.SpinSite), o.program.named(int(m.SpinOwner), threads, m.SpinOffset))
	case m.SiteA != m.SiteB && m.ReachedA == 0:
		return "none came to " + at(m.SiteA) + " with this memory"
	case m.SiteA != m.SiteB && m.ReachedB == 0:
		return "none came to " + at(m.SiteB) + " with this memory"
	}
	return fmt.Sprintf("%d times a thread was held before its access, and no other thread came to the other one "+
		"meanwhile; something that is not seen may order them", m.Expired)
}

// at is where a site is.
func (p *program) at(site uint32) string {
	s := p.sites[site]
	if s.File == "" {
		return "an unknown place"
	}
	return fmt.Sprintf("%s:%d", filepath.Base(s.File), s.Line)
}

// named is what the program calls a place of shared memory.
func (p *program) named(owner, threads int, offset uint64) string {
	if o := p.object(offset); o != nil {
		return "`" + element(o, owner, threads, offset) + "`"
	}
	return "what it reads"
}
