package predict

import (
	"slices"

	"unknot/internal/model/waitfor"
	"unknot/internal/predict/exact"
	"unknot/internal/predict/screen"
	"unknot/internal/say/explain/unobserved"
	"unknot/internal/trace"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// maxFlags is how many flagged calls are reported.
const maxFlags = 20

// screened puts what the screening of a log says into the run: what is certain as findings, what is only possible as
// notes.
func screened(run *finding.Run, l *trace.Log, table *mpi.T) {
	r := screen.Log(l)
	flagged, definite := 0, false
	for i := range r.Flags {
		f := &r.Flags[i]
		if f.Reason == screen.Lost {
			continue
		}
		definite = definite || f.Definite
		if flagged++; flagged <= maxFlags {
			run.Notes = append(run.Notes, unobserved.Flag(l, f))
		}
	}
	if n := flagged - maxFlags; n > 0 {
		run.Notes = append(run.Notes, unobserved.MoreFlags(n))
	}
	beyond := exact.Beyond(l)
	if definite && beyond == "" {
		run.Findings = append(run.Findings, certain(l, table)...)
	}
	free := r.Certificate() && beyond == ""
	run.Verdict, run.Why = unobserved.Screened(run.Findings, &r, flagged, beyond)
	switch {
	case len(run.Findings) > 0:
		run.Claim = finding.Broken
	case free:
		run.Claim = finding.FreeAsTried
	default:
		run.Complete, run.Judged, run.Claim = false, true, finding.NotDecided
	}
}

// certain tells the deadlocks in which the recorded run itself must have ended, whatever MPI buffers.
func certain(l *trace.Log, table *mpi.T) []finding.Finding {
	if !known(l) {
		return nil
	}
	r, rows := screen.AsRecorded(l), table.Rows(l.Funcs)
	var stuck []exact.Stuck
	for i := range r.Flags {
		f := &r.Flags[i]
		if f.Reason == screen.Lost {
			continue
		}
		t := &l.Threads[f.At.Thread]
		in := &l.Threads[f.In.Thread].Ops[f.In.Op]
		if !f.Definite || f.At.Part < 0 || open(&t.Parts[f.At.Part]) || in.Any || rows[in.Fn].Poll {
			return nil // what is stuck may depend on this one
		}
		stuck = append(stuck, exact.Stuck{Thread: uint32(f.In.Thread), Op: f.In.Op,
			Waits: []exact.Blocked{{Part: exact.Ref{Thread: uint32(f.At.Thread), Part: uint32(f.At.Part)}}}})
	}
	slices.SortFunc(stuck, func(a, b exact.Stuck) int { return int(a.Thread) - int(b.Thread) })
	var all []exact.Deadlock
	for _, core := range cores(l, stuck) {
		d := exact.Deadlock{Stuck: stuck, Certain: true}
		for _, n := range core {
			d.Core = append(d.Core, uint32(n))
		}
		all = append(all, d)
	}
	list := unobserved.Findings(l, &exact.Result{Deadlocks: all})
	for i := range list {
		list[i].Story = nil // there is nothing to force
	}
	return list
}

// known says whether the log tells of each receive from anybody whom it met, and of each call that may report one of
// several requests which it reported.
func known(l *trace.Log) bool {
	for i := range l.Threads {
		t := &l.Threads[i]
		for k := range t.Parts {
			if p := &t.Parts[k]; (p.Kind == op.Recv || p.Kind == op.Probe) && (p.Wild || p.Peer == op.AnySource) &&
				!p.Gone && p.Matched < 0 {
				return false
			}
		}
		for k := range t.Ops {
			o := &t.Ops[k]
			if o.Any && o.Waiting > 1 && !slices.ContainsFunc(t.WaitsOf(o), func(w trace.Wait) bool { return w.Done }) {
				return false
			}
		}
	}
	return true
}

// open says whether a part might be complete although the simulation takes it for incomplete: a collective that need
// not wait for all, or a receive from anybody of which it is not known whom it met.
func open(p *trace.Part) bool {
	if p.Kind == op.Coll {
		return p.Sync != op.SyncAll
	}
	return p.Kind != op.Send && (p.Wild || p.Peer == op.AnySource) && p.Matched < 0
}

// cores finds out who holds whom up, and fills that in.
func cores(l *trace.Log, stuck []exact.Stuck) [][]waitfor.Node {
	threads := make(map[op.Rank][]uint32) // that are stuck
	type gathering struct {
		comm uint32
		seq  uint64
	}
	here := make(map[gathering]map[op.Rank]bool)
	of := func(s *exact.Stuck) *trace.Part {
		return &l.Threads[s.Waits[0].Part.Thread].Parts[s.Waits[0].Part.Part]
	}
	for i := range stuck {
		r := l.Threads[stuck[i].Thread].Rank
		threads[r] = append(threads[r], stuck[i].Thread)
		if p := of(&stuck[i]); p.Kind == op.Coll {
			at := gathering{p.Comm, p.Seq}
			if here[at] == nil {
				here[at] = make(map[op.Rank]bool)
			}
			here[at][r] = true
		}
	}
	g := waitfor.New(len(l.Threads))
	any := func(r op.Rank) waitfor.Node {
		var nodes []waitfor.Node
		for _, t := range threads[r] {
			nodes = append(nodes, waitfor.Node(t))
		}
		return g.Any(nodes)
	}
	type absence struct {
		ranks []op.Rank
		on    []uint32
		node  waitfor.Node
	}
	absent := make(map[gathering]*absence)
	for i := range stuck {
		s := &stuck[i]
		p, w := of(s), &s.Waits[0]
		if p.Kind != op.Coll {
			w.On = threads[p.Peer]
			g.Block(waitfor.Node(s.Thread), []waitfor.Node{any(p.Peer)})
			continue
		}
		at := gathering{p.Comm, p.Seq}
		a := absent[at]
		if a == nil {
			a = &absence{}
			var nodes []waitfor.Node
			for _, r := range slices.Concat(l.Comms[p.Comm].Members, l.Comms[p.Comm].Remote) {
				if !here[at][r] {
					a.ranks, a.on, nodes = append(a.ranks, r), append(a.on, threads[r]...), append(nodes, any(r))
				}
			}
			a.node, absent[at] = g.All(nodes), a
		}
		w.Missing, w.On = a.ranks, a.on
		g.Block(waitfor.Node(s.Thread), []waitfor.Node{a.node})
	}
	return g.Cores(0)
}
