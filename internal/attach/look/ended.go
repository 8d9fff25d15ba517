package look

import (
	"slices"

	"unknot/internal/attach/call"
	"unknot/internal/attach/callsite"
	"unknot/internal/attach/job"
	"unknot/internal/kit/symbol"
	"unknot/internal/observe/record"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
)

// Ended is a rank that has ended, as its record shows it: the calls that its threads were in at the end.
func (l *Looker) Ended(r *record.Rank) Rank {
	maps := symbol.ParseMaps(0, r.Modules) // by their names, as the process is gone
	at := func(site uint64) finding.Frame { return symbol.Written(l.Resolver.Frames(maps, site, true)) }
	out := Rank{Rank: job.Rank{PID: r.PID, Rank: r.Rank, Size: r.Ranks}, Record: r, Recording: true,
		Sites: make(map[uint64]finding.Frame)}
	out.Library, out.File = libraryOf(maps)
	for i := range r.Threads {
		th := &r.Threads[i]
		t := Thread{TID: th.TID, Own: true, Alone: len(r.Threads) == 1, Kept: Stays, Ran: true}
		if c := th.In; c != nil {
			t.Recorded = c
			t.Call = &Call{Call: call.Call{Function: c.Func}, Frame: at(c.Site)}
			for k, v := range c.Args {
				t.Call.Arguments = append(t.Call.Arguments, callsite.Value{Bits: v, Known: true})
				t.Call.Constants = append(t.Call.Constants, predefined(r, c.Func, k, v))
			}
		} else if last, made := r.Last(th.Index); made {
			t.After, t.AfterAt = last.Func.Name, at(last.Site)
		}
		out.Threads = append(out.Threads, t)
	}
	slices.SortStableFunc(out.Threads, func(a, b Thread) int { return first(b.TID == r.PID) - first(a.TID == r.PID) })
	for i := range r.Requests {
		out.Sites[r.Requests[i].Site] = at(r.Requests[i].Site)
	}
	return out
}

func first(is bool) int {
	if is {
		return 1
	}
	return 0
}

// predefined names the communicators that all records know.
func predefined(r *record.Rank, f *mpi.Func, param int, v uint64) string {
	switch {
	case param >= len(f.Params) || f.Params[param].Role != mpi.RComm:
	case v == r.Constants.World:
		return "MPI_COMM_WORLD"
	case v == r.Constants.Self:
		return "MPI_COMM_SELF"
	}
	return ""
}
