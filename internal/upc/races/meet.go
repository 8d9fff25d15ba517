package races

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"unsafe"

	"unknot/internal/finding"
	"unknot/internal/race"
	"unknot/internal/upc/layout"
)

// Candidate is a race that was found, whose threads can be made to meet in another run.
type Candidate struct {
	race     race.Race
	program  *program
	threads  int
	apart    bool   // the program's threads are on several hosts
	sentence string // of its finding
}

// Candidates are the races that were found.
func (r *Reader) Candidates() []Candidate { return r.candidates }

// Is says whether a finding is about it.
func (c *Candidate) Is(f *finding.Finding) bool {
	return f.Code == finding.UPCRace && f.Sentence == c.sentence
}

// BetweenThreads says whether it has two threads, which can be held: a thread that races with a transfer of its own cannot.
func (c *Candidate) BetweenThreads() bool { return c.race.First.Thread != c.race.Second.Thread }

// Apart says whether the program's threads are on several hosts: only those of one can be made to meet.
func (c *Candidate) Apart() bool { return c.apart }

// Prepare writes the file for a run in which the threads meet, and the second of its parties goes first or not.
func (c *Candidate) Prepare(path string, second bool) error {
	m := layout.Meet{Mark: layout.MeetMark, SiteA: uint64(c.race.First.Site), SiteB: uint64(c.race.Second.Site), Owner: uint64(c.race.Owner),
		Start: c.race.Start, End: c.race.End}
	if second {
		m.First = 1
	}
	return os.WriteFile(path, unsafe.Slice((*byte)(unsafe.Pointer(&m)), unsafe.Sizeof(m)), 0o600)
}

// Outcome is what came of such a run.
type Outcome struct {
	meet layout.Meet
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
	return o, nil
}

// Met says whether the two threads met.
func (o *Outcome) Met() bool { return o.meet.State >= layout.MeetDecided }

// Conclude says in a finding what came of the runs in which its threads were to meet.
func (c *Candidate) Conclude(f *finding.Finding, outcomes []Outcome) {
	met := false
	for i := range outcomes {
		o := &outcomes[i]
		if !o.Met() {
			continue
		}
		if !met {
			met = true
			f.Notes = append(f.Notes, "run again, the two threads were about to make these accesses at the same moment")
		}
		f.Notes = append(f.Notes, o.words())
	}
	if met {
		f.Standing, f.Severity = finding.Confirmed, finding.Error
		return
	}
	if len(outcomes) > 0 {
		f.Notes = append(f.Notes, "run again, the two threads could not be made to meet: "+c.reason(&outcomes[0]))
	}
}

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
func (c *Candidate) reason(o *Outcome) string {
	m := &o.meet
	at := func(site uint64) string { return c.program.at(uint32(site)) }
	switch {
	case m.ReachedA+m.ReachedB == 0:
		return fmt.Sprintf("none came to %s or %s with this memory; the program takes another way each time", at(m.SiteA), at(m.SiteB))
	case m.SpinThread > 0:
		return fmt.Sprintf("thread %d waits in a loop at %s until another thread has changed %s, which orders the two accesses, though UPC does not promise that; hint: declare what it reads strict",
			m.SpinThread-1, at(m.SpinSite), c.named(int(m.SpinOwner), m.SpinOffset))
	case m.SiteA != m.SiteB && m.ReachedA == 0:
		return "none came to " + at(m.SiteA) + " with this memory"
	case m.SiteA != m.SiteB && m.ReachedB == 0:
		return "none came to " + at(m.SiteB) + " with this memory"
	}
	return fmt.Sprintf("%d times a thread was held before its access, and no other thread came to the other one meanwhile; something that is not seen may order them", m.Expired)
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
func (c *Candidate) named(owner int, offset uint64) string {
	if o := c.program.object(offset); o != nil {
		return "`" + element(o, owner, c.threads, offset) + "`"
	}
	return "what it reads"
}

func copyFile(to, from string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o600)
}
