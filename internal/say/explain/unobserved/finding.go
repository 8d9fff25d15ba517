// Package unobserved says in words what happens in runs other than the one that was observed: deadlocks that package
// predict finds in a recorded run, and what package explore has seen in runs that it made. It has the data of a
// deadlock from package exact and from the log, and makes the finding and its story, with the message diagram.
package unobserved

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"unknot/internal/kit/symbol"
	"unknot/internal/predict/exact"
	"unknot/internal/trace"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/op"
)

// Findings tells each deadlock of a prediction. One that is certain is an error. One that only needs MPI not to buffer,
// or a collective to synchronise, is a warning, as at run time; and so is one that supposes that the program makes the
// recorded calls after it has received something else. Deadlocks of other ranks at the same places of the program are
// one finding, described by its first and counted; those that wait alike in one collective are one deadlock.
func Findings(l *trace.Log, r *exact.Result) []finding.Finding {
	var out []finding.Finding
	at := make(map[string]int)
	for _, d := range gathered(l, r.Deadlocks) {
		f := Finding(l, &d)
		places := Places(&f)
		if k, told := at[places]; told {
			out[k].Count++
			continue
		}
		at[places] = len(out)
		out = append(out, f)
	}
	return out
}

// gathered puts deadlocks together that each are one thread in the same collective, which the same ranks do not call.
func gathered(l *trace.Log, all []exact.Deadlock) []exact.Deadlock {
	var out []exact.Deadlock
	at := make(map[string]int)
	for _, d := range all {
		s := d.Of(d.Core[0])
		if len(d.Core) > 1 || len(s.Waits) != 1 || len(s.Waits[0].Missing) == 0 {
			out = append(out, d)
			continue
		}
		p := &l.Threads[s.Waits[0].Part.Thread].Parts[s.Waits[0].Part.Part]
		key := fmt.Sprint(p.Comm, p.Seq, s.Waits[0].Missing, d.Certain, d.Decisions)
		k, told := at[key]
		if !told {
			at[key] = len(out)
			out = append(out, d)
			continue
		}
		first := &out[k]
		if first.Of(s.Thread) != nil {
			first.Core = append(slices.Clone(first.Core), s.Thread)
			slices.Sort(first.Core)
		}
	}
	return out
}

// Places is what two findings share that are the same mistake of different ranks: the calls and where they stand.
// Without debug information, or in a log without places, ranks count.
func Places(f *finding.Finding) string {
	var list []string
	for i := range f.Places {
		p := &f.Places[i]
		text := fmt.Sprintf("%s %s:%d", p.Call, p.File, p.Line)
		if p.File == "" {
			text = fmt.Sprintf("%s %d.%d %s+%d %s", p.Call, p.Rank, p.Thread, p.Module, p.Offset, p.Args)
		}
		list = append(list, text)
	}
	slices.Sort(list)
	return strings.Join(slices.Compact(list), "; ")
}

// Finding tells one deadlock.
func Finding(l *trace.Log, d *exact.Deadlock) finding.Finding {
	w := words{log: l, deadlock: d, stuck: make(map[uint32]*exact.Stuck)}
	for i := range d.Stuck {
		w.stuck[d.Stuck[i].Thread] = &d.Stuck[i]
	}
	f := finding.Finding{Code: finding.Deadlock, Severity: finding.Error, Standing: finding.Predicted, Count: 1}
	switch {
	case w.unsafe():
		f.Code, f.Severity = finding.DeadlockUnsafe, finding.Warning
	case !d.Certain:
		f.Severity = finding.Warning
	}
	for i := range d.Stuck {
		s := &d.Stuck[i]
		if slices.Contains(d.Core, s.Thread) {
			f.Places = append(f.Places, w.place(s))
			f.Ranks = append(f.Ranks, int(l.Threads[s.Thread].Rank))
		} else {
			f.Others = append(f.Others, w.place(s))
		}
	}
	for _, list := range [][]finding.Place{f.Places, f.Others} {
		slices.SortStableFunc(list, func(a, b finding.Place) int {
			return cmp.Or(cmp.Compare(a.Rank, b.Rank), cmp.Compare(a.Thread, b.Thread))
		})
	}
	slices.Sort(f.Ranks)
	f.Ranks = slices.Compact(f.Ranks)
	f.Sentence, f.Hint = w.sentence(&f)
	f.Story = w.story()
	switch {
	case d.Replies:
		f.Notes = append(f.Notes, finding.Remark("this assumes that a rank answers the rank recorded, not the one "+
			"that it receives from here; if the program answers the sender, it takes another path"))
	case !d.Certain:
		f.Notes = append(f.Notes, finding.Remark(w.supposition()))
	}
	if len(d.Together()) > 0 {
		f.Notes = append(f.Notes,
			finding.Remark("a collective call waits for all its members here, which MPI allows (MPI-4.0, 6.1)"))
	}
	return f
}

// words knows how to speak of one deadlock.
type words struct {
	log      *trace.Log
	deadlock *exact.Deadlock
	stuck    map[uint32]*exact.Stuck
}

// chosen says whether the deadlock needs a choice that the recorded run did not make.
func (w *words) chosen() bool { return len(w.deadlock.Decisions) > 0 || w.reported() }

// reported says whether a call that ends with any of its requests reports others than in the recorded run.
func (w *words) reported() bool {
	return slices.ContainsFunc(w.deadlock.Exits, func(x exact.Exit) bool {
		_, differs := w.left(x)
		return differs && w.log.Threads[x.Thread].Ops[x.Op].Waiting > 1
	})
}

// unsafe says whether the deadlock only needs MPI not to buffer, or a collective to synchronise.
func (w *words) unsafe() bool {
	return !w.chosen() && len(w.deadlock.Held())+len(w.deadlock.Together()) > 0
}

// supposition is what a deadlock supposes that is not certain.
func (w *words) supposition() string {
	c := w.deadlock.Supposes
	t := &w.log.Threads[c.Thread]
	o := &t.Ops[c.Op]
	at := ""
	if f := w.frame(o); f.File != "" {
		at = fmt.Sprintf(" (%s:%d)", filepath.Base(f.File), f.Line)
	}
	if s := w.stuck[c.Thread]; s != nil && s.Op == c.Op {
		if slices.ContainsFunc(w.log.Threads, func(u trace.Thread) bool {
			return u.Rank == t.Rank &&
				u.Index != t.Index
		}) {
			return "this assumes that the threads of a rank may make their calls in any order; synchronisation " +
				"between them is not recorded"
		}
		return fmt.Sprintf("rank %d only polls in %s%s: it is a deadlock if the rank does nothing else while "+
			"the poll fails", t.Rank, w.name(o), at)
	}
	return fmt.Sprintf("it is a deadlock if rank %d's calls after its %s call, %s%s, stay the same whatever it returns",
		t.Rank, finding.Ordinal(int(c.Op)+1), w.name(o), at)
}

func (w *words) part(r exact.Ref) *trace.Part { return &w.log.Threads[r.Thread].Parts[r.Part] }

func (w *words) rank(thread uint32) op.Rank { return w.log.Threads[thread].Rank }

// call is the call that started a part.
func (w *words) call(r exact.Ref) *trace.Op {
	t := &w.log.Threads[r.Thread]
	i := t.Starter(r.Part)
	if i == len(t.Ops) || t.Ops[i].First > r.Part {
		return nil
	}
	return &t.Ops[i]
}

func (w *words) name(o *trace.Op) string {
	if o == nil || int(o.Fn) >= len(w.log.Funcs) {
		return "a call"
	}
	return w.log.Funcs[o.Fn]
}

func (w *words) frame(o *trace.Op) finding.Frame { return Frame(w.log, o) }

// Frame is the place of a call; empty if it is not known.
func Frame(l *trace.Log, o *trace.Op) finding.Frame {
	if o == nil || o.Site == 0 || int(o.Site) >= len(l.Sites) {
		return finding.Frame{}
	}
	if stack := l.Stack(o.Site); len(stack) > 0 {
		return symbol.Written(stack)
	}
	s := l.Sites[o.Site]
	f := finding.Frame{Function: s.Function, File: s.File, Line: s.Line}
	if f.File == "" {
		f.Module, f.Offset = s.Module, s.Offset
	}
	return f
}

func (w *words) comm(p *trace.Part) string {
	if int(p.Comm) >= len(w.log.Comms) {
		return ""
	}
	if name := w.log.Comms[p.Comm].Name; name != "" {
		return name
	}
	if p.Comm == 0 {
		return "MPI_COMM_WORLD"
	}
	return "a communicator"
}
