package supervise

import (
	"os"
	"slices"
	"sync"
	"time"

	"unknot/internal/agent/proto"
	"unknot/internal/finding"
	"unknot/internal/report"
)

// An error is told when it is found: the program may hang because of it, or be killed. What is new is printed while the job
// runs, and the reports are written anew as they grow.

// heard is what is known of a finding of the result besides its words.
type heard struct {
	number int              // by which the agent knows it, 0 for none
	shown  *finding.Finding // as it was printed; nil if it was not
}

// told takes in a finding of the agent, or what stands instead of it if a rule leaves it out.
func (r *run) told(m *proto.Message) {
	if r.found(m.Number, *m.Finding) || m.Instead == nil || r.notTheirs(m.Instead) {
		return
	}
	r.found(-m.Number, *m.Instead)
}

// found takes a finding in, or what it has become; false if a rule leaves it out.
func (r *run) found(number int, f finding.Finding) bool {
	if _, ok := r.rules.Match(&f); ok {
		if r.firstOf(number) {
			r.suppressed++
		}
		return false
	}
	for i := range r.known {
		if _, ok := r.known[i].Match(&f); ok {
			if r.firstOf(number) {
				r.leftOut(r.known[i].Library)
			}
			return false
		}
	}
	i := -1
	if number != 0 {
		i = slices.IndexFunc(r.heard, func(h heard) bool { return h.number == number })
	}
	if i < 0 {
		r.heard = append(r.heard, heard{number: number})
		r.result.Findings = append(r.result.Findings, f)
	} else {
		r.result.Findings[i] = f
	}
	if !r.ended && !r.stopping {
		r.growing.expect()
	}
	return true
}

// notTheirs says whether a finding is the death of a rank that was ended with the job: the ranks of a job that is ended, or of one
// without its launcher, die of that.
func (r *run) notTheirs(f *finding.Finding) bool {
	return f.Code == finding.RankDied && (r.interrupted || r.stopping || r.headless() || r.endsItself())
}

// firstOf says whether a finding that is left out comes for the first time.
func (r *run) firstOf(number int) bool {
	if number > 0 && slices.Contains(r.omitted, number) {
		return false
	}
	r.omitted = append(r.omitted, number)
	return true
}

// leftOut counts a known finding of a library.
func (r *run) leftOut(library string) {
	for i := range r.result.Known {
		if k := &r.result.Known[i]; k.Library == library {
			k.Findings++
			return
		}
	}
	r.result.Known = append(r.result.Known, finding.Left{Library: library, Findings: 1})
}

// show prints what has not been printed yet; open says that the closing line comes later.
func (r *run) show(open bool) {
	so := r.result
	so.Schema, so.Complete, so.Findings = finding.Schema, true, r.unshown()
	if r.o.Quiet || open && len(so.Findings) == 0 {
		return
	}
	for i := range r.heard {
		if r.heard[i].shown == nil {
			f := r.result.Findings[i]
			r.heard[i].shown = &f
		}
	}
	whole := r.result
	_ = report.Terminal(r.streams.Err, &so, report.TerminalOptions{Color: r.screen.color, Width: columns(r.streams.Err), Open: open, Whole: &whole})
}

// unshown are the findings that have not been printed.
func (r *run) unshown() []finding.Finding {
	out := []finding.Finding{}
	for i := range r.heard {
		if r.heard[i].shown == nil {
			out = append(out, r.result.Findings[i])
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
	if r.ended || r.stopping {
		return
	}
	r.screen.erase()
	r.show(true)
	so := r.soFar("the job has not ended yet")
	html, json := ordinary(r.o.HTML), ordinary(r.o.JSON)
	if html == "" && json == "" {
		return
	}
	if g.written == nil {
		g.written = make(chan time.Duration, 1)
	}
	g.writing = true
	r.tasks.Go(func() {
		start := time.Now()
		g.mu.Lock()
		defer g.mu.Unlock()
		if !g.last {
			_, _ = writeReports(&so, html, json, r.o.document()) // what is wrong with their paths is said in the end
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
	so := r.result
	r.label(&so)
	so.Findings, so.Notes = slices.Clone(so.Findings), slices.Clone(r.notes)
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
	return writeReports(&so, r.o.HTML, r.o.JSON, r.o.document())
}

// ordinary is a path if what it names can be written more than once: a file, not a pipe or a terminal.
func ordinary(path string) string {
	info, err := os.Stat(path)
	if path == "" || err == nil && !info.Mode().IsRegular() || err != nil && !os.IsNotExist(err) {
		return ""
	}
	return path
}
