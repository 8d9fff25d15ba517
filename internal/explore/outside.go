package explore

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"unknot/internal/observe/ring"
	"unknot/internal/say/explain/unobserved"
	"unknot/internal/trace"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/op"
	"unknot/internal/vocab/plan"
)

// outside is what a run shows of what its ranks may act on besides MPI.
type outside struct {
	log   *trace.Log
	wrote map[alias][]*trace.Interaction // by what others may know a file by
}

// alias is what ranks may know a file by: where it is on a device, or its path.
type alias struct {
	dev, ino uint64
	path     string
}

// names are all of these of a file.
func names(n *trace.Interaction) []alias {
	var list []alias
	if n.Ino != 0 {
		list = append(list, alias{dev: n.Dev, ino: n.Ino})
	}
	// as the kernel says of a file that has no name any more
	if n.Path != "" && !strings.HasSuffix(n.Path, " (deleted)") {
		list = append(list, alias{path: n.Path})
	}
	return list
}

// external says what a rank may have heard of others, or of the world, by other ways than MPI's, in a sentence for the
// first; "" if there is nothing. Files that were there before the run, and that no rank of it changes, are input.
func external(l *trace.Log) string {
	o := outside{log: l, wrote: make(map[alias][]*trace.Interaction)}
	for i := range l.Interactions {
		if n := &l.Interactions[i]; n.Kind&^ring.InteractionDir == ring.InteractionWrote {
			for _, at := range names(n) {
				o.wrote[at] = append(o.wrote[at], n)
			}
			if n.Path != "" {
				at := alias{path: path.Dir(n.Path) + "/"}
				o.wrote[at] = append(o.wrote[at], n)
			}
		}
	}
	type subject struct {
		rank op.Rank
		what string
	}
	first, all := "", make(map[subject]bool)
	byRank := slices.Clone(l.Interactions)
	slices.SortStableFunc(byRank, func(a, b trace.Interaction) int { return int(a.Rank) - int(b.Rank) })
	for i := range byRank {
		n := &byRank[i]
		said := o.judge(n)
		if said == "" {
			continue
		}
		if first == "" {
			first = said
		}
		s := subject{n.Rank, n.Path}
		if n.Path == "" {
			s.what = n.Func
		}
		all[s] = true
	}
	if len(all) > 1 {
		first += fmt.Sprintf(" (and %d more of the kind)", len(all)-1)
	}
	return first
}

// judge says what a rank may have heard by one note; "" if nothing.
func (o *outside) judge(n *trace.Interaction) string {
	name := fmt.Sprintf("the file %s", filepath.Base(n.Path))
	switch n.Kind {
	case ring.InteractionProcess:
		return fmt.Sprintf("rank %d %s by %s", n.Rank, hears(n.Func), o.call(n))
	case ring.InteractionFull:
		return fmt.Sprintf("rank %d has to do with more files than are noted", n.Rank)
	case ring.InteractionRead, ring.InteractionMissing:
		if ofPython(n.Path) {
			return ""
		}
		does := "looks at"
		if n.Kind == ring.InteractionMissing {
			does = "looks for"
		}
		other, own := o.writer(n, names(n))
		switch {
		case other != nil:
			return fmt.Sprintf("rank %d %s %s by %s, which rank %d changes by %s", n.Rank, does, name, o.call(n),
				other.Rank, o.call(other))
		case n.Changed && !own:
			return fmt.Sprintf("rank %d %s %s by %s, which has changed since the run began", n.Rank, does,
				name, o.call(n))
		}
	case ring.InteractionRead | ring.InteractionDir:
		if other, _ := o.writer(n, []alias{{path: strings.TrimSuffix(n.Path, "/") + "/"}}); other != nil &&
			strings.HasPrefix(n.Func, "open") {
			return fmt.Sprintf("rank %d looks at the files in %s by %s, which rank %d changes by %s", n.Rank,
				filepath.Base(n.Path), o.call(n), other.Rank, o.call(other))
		}
	}
	return ""
}

// hears is what a rank does by a function that has to do with no file.
func hears(name string) string {
	switch name {
	case "kill", "sigqueue":
		return "signals another process"
	case "process_vm_writev":
		return "changes the memory of another process"
	case "alarm", "setitimer":
		return "lets the time interrupt it"
	}
	return "may hear of other processes"
}

// writer is a note that another rank changes a file, by one of its names; and whether the same rank does.
func (o *outside) writer(n *trace.Interaction, by []alias) (other *trace.Interaction, own bool) {
	for _, at := range by {
		for _, w := range o.wrote[at] {
			switch {
			case w.Rank == n.Rank:
				own = true
			case other == nil && !ofPython(w.Path):
				other = w
			}
		}
	}
	return other, own
}

// ofPython says whether a file is one that Python keeps compiled modules in, which say the same as the modules.
func ofPython(name string) bool {
	return strings.Contains(name, "/__pycache__") || strings.Contains(path.Base(name), ".pyc")
}

// call names a call of the C library, and its line where that is known.
func (o *outside) call(n *trace.Interaction) string {
	if s := o.log.Sites[n.Site]; s.File != "" {
		return fmt.Sprintf("%s (%s:%d)", n.Func, path.Base(s.File), s.Line)
	}
	return n.Func
}

// unchanged says that the program has not seen other clocks although the run was made for that.
func unchanged(l *trace.Log) bool {
	return slices.ContainsFunc(l.Interactions, func(n trace.Interaction) bool {
		return (n.Kind == ring.InteractionTime || n.Kind == ring.InteractionRandom) && !n.Changed
	})
}

// asks says whether a rank of a run asks for the time or for random numbers.
func asks(l *trace.Log) bool {
	for i := range l.Interactions {
		if k := l.Interactions[i].Kind; k == ring.InteractionTime || k == ring.InteractionRandom {
			return true
		}
	}
	return false
}

// otherClocks queues runs in which the program sees other clocks and random numbers, once, if it would be called free
// otherwise and asks for them. It says whether there are any.
func (x *explorer) otherClocks(ctx context.Context) bool {
	if x.clocksQueued || x.o.OtherClocks <= 0 || ctx.Err() != nil || !x.state.wantsClocks() ||
		x.conclude(ctx).Claim != finding.Free {
		return false
	}
	x.clocksQueued = true
	n := x.o.OtherClocks - x.state.clockRuns()
	if x.o.MaxRuns > 0 {
		n = min(n, x.o.MaxRuns-x.runs)
	}
	for range n {
		x.state.hold(&item{Parent: 0, Purpose: clocks, Finding: -1, Clocks: x.state.nextClock(),
			whole: &plan.Plan{Ranks: x.first.Ranks}})
	}
	return n > 0
}

// wantsClocks says whether a rank asks for what is different in runs with other clocks.
func (s *state) wantsClocks() bool {
	for _, r := range s.done {
		if r.Asks {
			return true
		}
	}
	return false
}

// clockRuns counts the runs with other clocks that were made.
func (s *state) clockRuns() (n int) {
	for _, r := range s.done {
		if r.Clocks > 0 {
			n++
		}
	}
	return n
}

// nextClock is the least number of other clocks that there is no run with.
func (s *state) nextClock() int {
	used := make(map[int]bool)
	for _, r := range s.done {
		used[r.Clocks] = true
	}
	for _, it := range s.queue {
		used[it.Clocks] = true
	}
	n := 1
	for used[n] {
		n++
	}
	return n
}

// acted says by what the program does not act on MPI alone, as far as a run with other clocks has shown; "" if it did
// as before. Contrary is how ranks' calls do not follow from MPI, after that run.
func acted(it *item, r *result, l *trace.Log, contrary string) string {
	switch {
	case it.Clocks == 0:
		return ""
	case contrary != "":
		return unobserved.OtherClocksShow(contrary)
	case r.TimedOut:
		return unobserved.ClocksLate.Words()
	case l != nil && unchanged(l):
		return unobserved.ClocksOther.Words()
	case l == nil || r.Calls == 0 || r.Crashed:
		return unobserved.ClocksCut.Words()
	}
	return ""
}

// hangsByClocks says whether a run with other clocks has shown that ranks never get on.
func (s *state) hangsByClocks() bool {
	for _, r := range s.done {
		if r.Clocks > 0 && r.Hung {
			return true
		}
	}
	return false
}

// beside says what keeps the program from being called free besides MPI.
func (x *explorer) beside() (why []string) {
	for _, said := range []func(*result) string{func(r *result) string { return r.External }, func(r *result) string {
		return r.Shared
	}} {
		for _, id := range x.state.order {
			if s := said(x.state.done[id]); s != "" && len(why) == 0 {
				why = append(why, s)
			}
		}
	}
	for _, id := range x.state.order {
		if r := x.state.done[id]; r.Acted != "" {
			why = append(why, r.Acted)
			break
		}
	}
	if len(why) == 0 && (x.stopped != "" || x.spent()) && x.state.wantsClocks() && x.state.clockRuns() < x.o.OtherClocks {
		why = append(why, unobserved.MissingClocks(x.o.OtherClocks-x.state.clockRuns(), x.o.OtherClocks))
	}
	return why
}
