package agent

import (
	"slices"

	"unknot/internal/model/objects"
	"unknot/internal/model/waitstate"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// newTrack begins to keep what a thread calls; nil if that is not asked for.
func (a *job) newTrack(r *rank, index op.Thread) *track {
	n := keeps(r.Size)
	if !a.opts.History || n == 0 {
		return nil
	}
	a.node.Pairing = true
	t := &track{index: index, steps: circle[step]{most: n}, met: circle[received]{most: 2 * n},
		over: circle[finished]{most: 2 * n}}
	if len(r.tracks) == mostTracks {
		r.tracks = slices.Delete(r.tracks, 1, 2) // the first thread is the one that has initialised MPI
	}
	r.tracks = append(r.tracks, t)
	return t
}

// pairUp takes in which messages were matched.
func (a *Agent) pairUp() {
	for _, p := range a.node.Pairs {
		r := a.ranks[p.Recv.Rank]
		if r == nil {
			continue
		}
		for _, k := range r.tracks {
			if k.index == p.Recv.Thread {
				k.met.add(received{p.Recv.TS, p.Send.Rank, p.Send.Thread, p.Send.TS})
			}
		}
	}
	a.node.Pairs = a.node.Pairs[:0]
}

// arranged takes in a communicator that the thread's last call has made, if it has a Cartesian topology.
func (a *describer) arranged(t *thread, c *objects.Comm) {
	r := t.rank
	if !a.opts.History || keeps(r.Size) == 0 || t.Func == nil || t.Func.Topology != mpi.Cartesian || c.Foreign ||
		len(r.grids) == mostGrids {
		return
	}
	if topo := r.Objects.Arranged(c.Handle); topo != nil && len(topo.Dims) > 0 && len(topo.Dims) <= finding.MostDims {
		r.grids = append(r.grids, grid{c, topo})
	}
}

// topologies are the Cartesian topologies of an agent's ranks, each once.
func (a *describer) topologies() (out []message.Topology) {
	known := make(map[op.CommID]bool)
	for _, r := range a.order {
		for _, g := range r.grids {
			places := int64(1)
			for _, d := range g.topo.Dims {
				places *= d
			}
			if known[g.comm.ID] || places != int64(g.comm.Size()) || len(g.topo.Periods) != len(g.topo.Dims) {
				continue
			}
			known[g.comm.ID] = true
			out = append(out, message.Topology{Comm: g.comm.ID, Name: a.CommName(&r.Process, g.comm), Dims: g.topo.Dims,
				Periodic: g.topo.Periods, Members: g.comm.Members})
		}
	}
	return out
}

// tracks is what the threads of an agent's ranks called last; nothing if that was not kept.
func (a *describer) tracks() []message.History {
	w := trackWriter{a: a, numbers: make(map[finding.PastCall]uint32), seen: make(map[calling]uint32)}
	for _, r := range a.order {
		for _, k := range r.tracks {
			w.h.Kept = max(w.h.Kept, k.steps.most)
			w.h.Tracks = append(w.h.Tracks, w.track(r, k))
		}
	}
	if len(w.h.Tracks) == 0 {
		return nil
	}
	return []message.History{w.h}
}

// trackWriter puts tracks into words.
type trackWriter struct {
	a       *describer
	h       message.History
	numbers map[finding.PastCall]uint32
	seen    map[calling]uint32
}

// calling is what the words of a call follow from, as long as no handle is given out again.
type calling struct {
	rank  op.Rank
	fn    uint16
	site  uint64
	words [12]uint64
}

func (w *trackWriter) track(r *rank, k *track) message.Track {
	out := message.Track{Rank: r.World, Thread: k.index}
	// Places of the calls that completed what others of a number started, and of all calls by their numbers in the
	// track. What was started and not completed yet has not been received.
	places, at := make(map[uint64]uint32), make(map[uint64]uint32)
	kept := uint64(0)
	for n := k.steps.first(); n < k.steps.n; n++ {
		s := k.steps.at(n)
		call, known := w.call(r, s.origin)
		if !known {
			continue
		}
		place := uint32(len(out.Steps))
		at[n] = place
		if s.matches && s.blocks {
			places[s.origin.TS] = place
		}
		kept += 1 + s.calls
		out.Steps = append(out.Steps, message.Step{Call: call, Matches: s.matches, TS: s.origin.TS, Wave: s.wave,
			Sync: s.sync, Root: s.root, Calls: s.calls, Times: s.times})
	}
	for n := k.over.first(); n < k.over.n; n++ {
		over := k.over.at(n)
		if place, still := at[over.by]; still {
			places[over.recv] = place
		}
	}
	for n := k.met.first(); n < k.met.n; n++ {
		m := k.met.at(n)
		if place, still := places[m.recv]; still {
			out.Matched = append(out.Matched, message.Matched{Rank: m.rank, Thread: m.thread, TS: m.sent, Step: place})
		}
	}
	for _, t := range r.threads {
		if t.track != k {
			continue
		}
		if t.Calls > kept && k.steps.first() > 0 {
			out.Earlier = t.Calls - kept
		}
		last := k.steps.last()
		out.Open = last != nil && t.inCall() && last.origin.Stamp == t.Stamp
	}
	return out
}

// call is the number of a call's words; false if its function is not known.
func (w *trackWriter) call(r *rank, o *waitstate.Origin) (uint32, bool) {
	key := calling{r.World, o.Fn, o.Site, o.Words}
	n, known := w.seen[key]
	if known {
		return n, true
	}
	f := w.a.table.ByID(o.Fn)
	if f == nil {
		return 0, false
	}
	c := finding.PastCall{Call: f.Name, Args: w.a.Args(&r.Process, f, o.First(), o.Stamp).Text,
		Frame: w.a.Frame(&r.Process, o.Site)}
	if n, known = w.numbers[c]; !known {
		n = uint32(len(w.h.Calls))
		w.numbers[c], w.h.Calls = n, append(w.h.Calls, c)
	}
	w.seen[key] = n
	return n, true
}
