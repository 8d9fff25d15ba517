package judge

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"time"

	"unknot/internal/say/explain/shmem"
	"unknot/internal/shmem/layout"
	"unknot/internal/upc/streams"
	"unknot/internal/vocab/finding"
)

// Options are what the user chooses.
type Options struct {
	Memory   uint64 // bytes that may be taken to remember the accesses of a program
	Accesses string // which of the program's own are looked at (layout.MarkText)
	Slowdown uint32 // by how many thousandths that may slow it down, 0 for no bound
}

// Reader reads the streams of the programs of one session. Its methods are for one goroutine at a time.
type Reader struct {
	session string
	options Options
	found   *streams.Found
	jobs    map[uint64]*job
	clock   func() time.Time
	looked  time.Time
	mpi     bool // the program communicates by MPI, too
}

// Prepare makes programs of a session record what they do, and returns the reader.
func Prepare(session string, o Options) (*Reader, error) {
	if err := os.WriteFile(filepath.Join(session, layout.MarkName), []byte(layout.MarkText(o.Accesses, o.Slowdown)),
		0o600); err != nil {
		return nil, err
	}
	return &Reader{session: session, options: o, found: streams.Find(session, layout.PEPrefix),
		jobs: make(map[uint64]*job), clock: time.Now}, nil
}

// Run reads until the context ends. If PEs of a job wait forever, it says so once.
func (r *Reader) Run(ctx context.Context, stuck func(finding.Finding)) {
	r.found.Follow(ctx, r.discover, func() bool {
		some := r.turn(false)
		if now := r.clock(); now.Sub(r.looked) >= interval {
			r.looked = now
			r.look(stuck)
		}
		return some
	})
}

// discover takes in the streams that have appeared; it says whether some is not complete yet.
func (r *Reader) discover() (incomplete bool) {
	return r.found.Discover(func(_ string, s *streams.Stream) {
		j := r.jobs[s.Job()]
		if j == nil {
			j = newJob(s.Job(), s.Threads(), r.options.Memory)
			r.jobs[s.Job()] = j
		}
		j.add(s)
	})
}

// turn takes what has come and follows it; it says whether anything has come.
func (r *Reader) turn(end bool) (some bool) {
	for _, j := range r.jobs {
		if j.take(end) {
			some = true
		}
		j.advance(r.clock(), end)
	}
	return some
}

// look judges whether PEs wait forever.
func (r *Reader) look(stuck func(finding.Finding)) {
	for _, j := range r.jobs {
		if j.looksStuck() {
			p := newProgram(r.session, j.number)
			stuck(r.why(j, p))
			p.close()
		}
	}
}

// why is the finding of PEs that wait forever: calls that differ, else a PE that has died and keeps them waiting, where
// the launcher does not end the job for it, else a deadlock.
func (r *Reader) why(j *job, p *program) finding.Finding {
	if d := j.hangsIn(j.since.dead); d != nil {
		return j.hang(p, d)
	}
	if !r.mpi && j.hasDied() {
		if f := j.death(p); f != nil {
			return *f
		}
	}
	return j.deadlock(p)
}

// Finish reads what is left, once no program writes any more, and says what was found, and what keeps it from being
// all.
func (r *Reader) Finish() (findings []finding.Finding, notes []string) {
	r.discover()
	for r.turn(true) {
	}
	defer r.found.Close()
	for _, err := range r.found.Bad {
		notes = append(notes, err.Error())
	}
	for _, j := range r.jobs {
		missed := j.notFollowed(r.options.Memory)
		if r.mpi {
			j.doubt(shmem.Doubt{Why: shmem.UsesMPI})
		}
		p := newProgram(r.session, j.number)
		findings = append(findings, j.findings(p)...)
		if f := j.death(p); f != nil && !r.mpi { // of ranks of MPI it is known otherwise how they end
			findings = append(findings, *f)
		}
		notes = append(notes, missed.Notes()...)
		if p.bad != nil {
			notes = append(notes, p.bad.Error())
		}
		p.close()
	}
	slices.Sort(notes)
	return findings, notes
}

// PEs is how many the program has, 0 if none with OpenSHMEM was seen.
func (r *Reader) PEs() (n int) {
	for _, j := range r.jobs {
		n = max(n, len(j.pes))
	}
	return n
}

// findings are what was found, mistakes of single calls first.
func (j *job) findings(p *program) (all []finding.Finding) {
	all = append(all, j.mistakes(p)...)
	all = append(all, j.disagreements(p)...)
	return append(all, j.races(p)...)
}

// notFollowed is what was not followed, or forgotten for lack of memory.
func (j *job) notFollowed(memory uint64) shmem.Missed {
	m := shmem.Missed{Absent: j.doubtAbsent(), Forgotten: j.detector.Dropped(), Memory: memory, Strange: j.strange,
		Again: j.again}
	if j.missing > uint64(len(j.pes)) { // each may have been killed in the middle of one
		m.Missing = j.missing
	}
	return m
}
