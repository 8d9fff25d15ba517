package supervise

import (
	"os"
	"slices"
	"sync"
	"time"

	"unknot/internal/agent/proto"
	"unknot/internal/say/report"
	"unknot/internal/upc/reports"
	"unknot/internal/vocab/finding"
)

// An error is reported when it is found: the program may hang because of it, or be killed. What is new is printed while
// the job runs, and the reports are written anew as they grow.

// told takes in a finding of the agent, or what stands instead of it if a rule leaves it out.
func (r *run) told(m *proto.Message) {
	if r.account.told(m, r.notTheirs) {
		r.grown()
	}
}

// found takes in a finding that the agent does not know.
func (r *run) found(f finding.Finding) {
	if r.account.found(0, f) {
		r.grown()
	}
}

// grown is called when there is something new to be printed and written.
func (r *run) grown() {
	r.progress.Found(r.account.latest, &r.account.result.Findings[r.account.latest])
	if !r.end.ended && !r.end.stopping {
		r.growing.expect()
	}
}

// notTheirs says whether a finding is the death of a rank that was ended with the job: the ranks of a job that is
// ended, or of one without its launcher, die of that; or what is no rank at all.
func (r *run) notTheirs(f *finding.Finding) bool {
	switch f.Code {
	case finding.RankDied:
		return r.end.interrupted || r.end.stopping || r.headless() || r.endsItself()
	// threads of UPC wait in their run-time, of which the agent sees nothing
	case finding.Stall, finding.StalledInLibrary, finding.Interrupted:
		return r.o.Whole || reports.Threads(r.session.Dir) > 0
	}
	return false
}

// show prints what has not been printed yet; open says that the closing line comes later.
func (r *run) show(open bool) {
	r.o.Files.mark(&r.account.result)
	so := r.account.result
	so.Schema, so.Complete, so.Findings = finding.Schema, true, r.unshown()
	if r.o.Quiet || open && len(so.Findings) == 0 {
		return
	}
	for i := range r.account.heard {
		if r.account.heard[i].shown == nil {
			f := r.account.result.Findings[i]
			r.account.heard[i].shown = &f
		}
	}
	whole := r.account.result
	opt := r.screen.text(r.o.Files.editor)
	opt.Open, opt.Whole, opt.Shown = open, &whole, &r.growing.shown
	_ = report.Terminal(r.streams.Err, &so, opt)
}

// unshown are the findings that have not been printed.
func (r *run) unshown() []finding.Finding {
	out := []finding.Finding{}
	for i := range r.account.heard {
		if r.account.heard[i].shown == nil {
			out = append(out, r.account.result.Findings[i])
		}
	}
	return out
}

// growing is what becomes of findings while the job runs.
type growing struct {
	fresh   bool             // something is new
	soon    <-chan time.Time // when it is printed and written; nil if nothing is new, or reports are being written
	written chan time.Duration
	writing bool
	next    time.Time // when reports may be written again
	shown   report.Shown

	mu   sync.Mutex // held while reports are written
	last bool       // guarded by mu: no more are to be written on the way
}

// together is for how long what is found is collected before it is printed, so that it stands in order.
const together = 100 * time.Millisecond

// expect sees to it that what is new is printed soon.
func (g *growing) expect() {
	g.fresh = true
	if g.soon == nil && !g.writing {
		g.soon = time.After(max(together, time.Until(g.next)))
	}
}

// grow prints and writes what is new. The reports of many ranks take long to write, which must not keep the main loop.
func (r *run) grow() {
	g := &r.growing
	g.soon, g.fresh = nil, false
	if r.end.ended || r.end.stopping {
		return
	}
	r.screen.erase()
	r.show(true)
	so := r.soFar("the job has not ended yet")
	files := r.o.Files.again()
	if len(files) == 0 {
		return
	}
	if g.written == nil {
		g.written = make(chan time.Duration, 1)
	}
	g.writing = true
	r.end.tasks.Go(func() {
		start := time.Now()
		g.mu.Lock()
		defer g.mu.Unlock()
		if !g.last {
			_, _ = write(files, &so, r.formatting()) // what is wrong with their paths is said in the end
		}
		g.written <- time.Since(start)
	})
}

// rest is called when reports have been written, which took so long.
func (r *run) rest(took time.Duration) {
	const share = 20 // of the time goes into writing, at most
	g := &r.growing
	g.writing, g.next = false, time.Now().Add(share*took)
	if g.fresh {
		g.expect()
	}
}

// soFar is the result as it stands.
func (r *run) soFar(why string) finding.Run {
	r.o.Files.mark(&r.account.result)
	so := r.account.result
	r.label(&so)
	so.Findings, so.Notes = slices.Clone(so.Findings), slices.Clone(r.account.notes)
	so.Complete, so.Why = false, why
	return so
}

// writeNow writes the reports of a job that is left as it is.
func (r *run) writeNow(why string) ([]string, error) {
	g := &r.growing
	g.mu.Lock()
	defer g.mu.Unlock()
	g.last = true
	so := r.soFar(why)
	return write(r.o.Files.chosen, &so, r.formatting())
}

// ordinary is a path if what it names can be written more than once: a file, not a pipe or a terminal.
func ordinary(path string) string {
	info, err := os.Stat(path)
	if path == "" || report.Stream(path) != nil || err == nil && !info.Mode().IsRegular() || err != nil &&
		!os.IsNotExist(err) {
		return ""
	}
	return path
}
