package races

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"unknot/internal/observe/rendezvous"
	"unknot/internal/say/explain"
	"unknot/internal/upc/layout"
	"unknot/internal/upc/streams"
	"unknot/internal/vocab/finding"
)

// Options are what the user chooses.
type Options struct {
	Memory   uint64 // bytes that may be taken to remember the accesses of a program
	Sampling Sampling
	Asked    string // the text of the user's choice of that, "" if there was none
	Meet     string // the file of a Meet: nothing is recorded, and the threads are made to meet; "" for none
	Confirm  bool   // afterwards have the threads of each race meet
}

// DefaultOptions are those that hold if the user chooses none.
func DefaultOptions() Options {
	s, _ := ParseSampling(DefaultSampling) // it is one
	return Options{Memory: DefaultMemory, Sampling: s}
}

// DefaultMemory is how much memory the accesses of a program may take.
const DefaultMemory = 512 << 20

// Reader reads the streams of the programs of one session. Its methods are for one goroutine at a time.
type Reader struct {
	session string
	options Options
	found   *streams.Found
	jobs    map[uint64]*job
	of      map[*streams.Stream]*thread
}

// Recording is what has the threads of other hosts record; "" if they are not to.
func (o *Options) Recording() string {
	if o.Meet != "" {
		return "" // that needs all threads on one host
	}
	return o.Sampling.text()
}

// Prepare makes programs of a session record what they do, and returns the reader.
func Prepare(session string, o Options) (*Reader, error) {
	if err := streams.Mark(session, o.Sampling.text()); err != nil {
		return nil, err
	}
	if o.Meet != "" {
		if err := rendezvous.Copy(filepath.Join(session, layout.MeetName), o.Meet); err != nil {
			return nil, err
		}
	}
	return &Reader{session: session, options: o, found: streams.Find(session, layout.StreamPrefix),
		jobs: make(map[uint64]*job), of: make(map[*streams.Stream]*thread)}, nil
}

// Run reads until the context ends.
func (r *Reader) Run(ctx context.Context) {
	r.found.Follow(ctx, r.discover, func() bool { return r.turn(false) })
}

// discover takes in the streams that have appeared; it says whether some is not complete yet.
func (r *Reader) discover() (incomplete bool) {
	return r.found.Discover(func(name string, s *streams.Stream) {
		j := r.jobOf(s)
		j.apart = j.apart || streams.Copied(name)
		r.of[s] = &j.threads[s.Thread()]
		r.of[s].there = true
	})
}

func (r *Reader) jobOf(s *streams.Stream) *job {
	j := r.jobs[s.Job()]
	if j == nil || len(j.threads) != s.Threads() {
		j = newJob(s.Threads(), r.options.Memory)
		r.jobs[s.Job()] = j
	}
	return j
}

// turn takes what has come and follows it; it says whether anything has come.
func (r *Reader) turn(end bool) (some bool) {
	for s, t := range r.of {
		before := len(t.next)
		t.closed = s.Closed()
		t.next = s.Take(t.next)
		some = some || len(t.next) > before
	}
	if some || end {
		for _, j := range r.jobs {
			j.advance(end)
		}
	}
	return some
}

// Finish reads what is left, once no program writes any more, and says what was found, and what keeps it from being
// all.
func (r *Reader) Finish() (findings []finding.Finding, notes []string) {
	r.discover()
	for r.turn(true) {
	}
	defer r.found.Close()
	if r.options.Meet != "" {
		if err := rendezvous.Copy(r.options.Meet, filepath.Join(r.session, layout.MeetName)); err != nil {
			notes = append(notes, fmt.Sprintf("races: %v", err))
		}
		// What is not there was not written, as no threads have met, or the program is another one.
		_ = rendezvous.Copy(r.options.Meet+layout.MeetStacks, filepath.Join(r.session, layout.MeetName+layout.MeetStacks))
		_ = rendezvous.Copy(r.options.Meet+layout.MeetSites, sitesOf(r.session))
		return nil, notes
	}
	for _, err := range r.found.Bad {
		notes = append(notes, err.Error())
	}
	if len(r.jobs) == 0 {
		return nil, notes
	}
	p, err := readProgram(sitesOf(r.session))
	if err != nil {
		notes = append(notes, fmt.Sprintf("races: %v", err))
	}
	for _, j := range r.jobs {
		findings = append(findings, j.findings(p)...)
		if n := j.detector.Dropped(); n > 0 {
			notes = append(notes, explain.Forgotten(n, r.options.Memory))
		}
	}
	slices.Sort(notes)
	return findings, notes
}

// Counts are those of all programs of the session.
func (r *Reader) Counts() (all Counts) {
	for _, j := range r.jobs {
		all.Records += j.counts.Records
		all.Accesses += j.counts.Accesses
	}
	return all
}
