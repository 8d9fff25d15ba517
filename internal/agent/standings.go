package agent

import (
	"unknot/internal/agent/kernel"
	"unknot/internal/model/waitstate"
	"unknot/internal/observe/decode"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// standings says for the root where threads stand: what they wait for, and whether they are stuck there.
type standings struct{ *job }

// gather tells what all threads wait for, and which processes the ranks are if that is asked for.
func (a *standings) gather(round int, processes bool) *message.Report {
	a.readClock()
	rep := &message.Report{Groups: make(map[op.CommID]op.Ranks)}
	var threads message.Folder
	var users, murky []op.Rank
	for _, r := range a.order {
		for _, t := range r.threads {
			w := a.waitsOf(t)
			if w.State == message.Blocked {
				w.Since, w.Shown = t.stayed(round, a.now)
			}
			if t.Ended && !w.HasStrict {
				continue
			}
			a.addGroups(rep, r, &w)
			threads.Add(w)
		}
		if r.usersFree(a.now) || a.follow.NoRoom != nil && a.follow.NoRoom() {
			users = append(users, r.World)
		}
		if r.Incomplete() || a.follow.NoRoom != nil && a.follow.NoRoom() {
			murky = append(murky, r.World)
		}
		r.forgetSleepers(a.now)
		if processes {
			rep.Processes = append(rep.Processes, message.Process{Rank: r.World, PID: r.PID, Host: kernel.Hostname()})
		}
		for k, h := range r.Locks {
			if h.Held() {
				rep.Locks = append(rep.Locks, message.Held{Lock: k, Rank: r.World, Exclusive: h.Exclusive})
			}
		}
	}
	rep.Threads, rep.Users, rep.Murky = threads.Folds, op.RanksOf(users...), op.RanksOf(murky...)
	a.node.OpenWaves(func(w *waitstate.Wave) {
		v := message.Wave{Ctx: w.Group.Ctx, Seq: w.Seq, Voices: w.Voices()}
		v.Arrived, v.Active = w.Here()
		rep.Waves = append(rep.Waves, v)
		rep.Groups[v.Ctx] = w.Group.Members
	})
	return rep
}

// waitsOf tells where one thread stands.
func (a *standings) waitsOf(t *thread) message.Wait {
	w := message.Wait{Rank: t.rank.World, Thread: t.WS.Index}
	w.Strict, w.HasStrict = a.node.StrictWait(t.WS)
	w.Lag = t.WS.Lag()
	if w.Strict.Terminal && t.rank.Callbacks {
		w.Strict.Terminal, w.Strict.Needs = false, []waitstate.Need{{Free: true}}
	}
	var in bool
	w.Real, in = a.realWait(t)
	switch {
	case !t.rank.alive():
		w.State = message.Dead
		if t.rank.final() {
			w.State = message.Finished
		}
	case w.Real.Terminal && t.rank.Callbacks && !t.rank.final(): // it may be in one of them, whose calls are not seen
	case w.Real.Terminal || t.rank.final():
		w.State = message.Finished
	case a.leaves(t):
		w.State = message.Leaving
	case in:
		w.State, w.Begins = message.Blocked, t.Func.OfGroup()
		t.watch(a.now)
		w.Evidence = t.blocks.firm && a.now.Sub(t.blocks.since) >= carrying(w.Real.Needs)
	case t.Polls.Active() && !t.Polls.Mute && a.pollsLong(t) && t.pollsOn(a.now):
		w.State, w.Evidence = message.Polling, true
		w.Early = t.Polls.Polling < a.opts.LivelockTimeout
		w.Real = t.pollWait(a.node)
	case t.sleeps(a.now):
		w.State, w.Evidence = message.Asleep, true
		w.Real.TS = uint64(t.Stamp)
	}
	w.Inside = w.State == message.Running && a.inside(t)
	if w.Stranded = a.stranded(t, &w); w.Stranded != nil && w.State == message.Running && t.Op != nil {
		w.Real.TS = t.Op.TS // of a call that is not modelled, by which it is asked about
	}
	if n, ok := t.TargetWait(); ok && w.Inside {
		w.Real.TS, w.Real.Needs = t.Op.TS, []waitstate.Need{n}
	}
	a.callsBack(t.rank, &w.Real)
	nameOrigins(&w.Real)
	nameOrigins(&w.Strict)
	return w
}

// callsBack takes needs for open that MPI may not complete as it is in a function of the program: an operator that is not
// predefined, or whatever else the program has given MPI to call.
func (a *standings) callsBack(r *rank, w *waitstate.Wait) {
	for i := range w.Needs {
		n := &w.Needs[i]
		if n.Met && (r.Objects.Callbacks || a.ownOperator(r, n.Origin)) {
			n.Met = false
		}
	}
}

// ownOperator says whether a call has an operator that the program has made.
func (a *standings) ownOperator(r *rank, o *waitstate.Origin) bool {
	if o == nil {
		return false
	}
	f := a.table.ByID(o.Fn)
	if f == nil || f.EnterAt[mpi.ROp] < 0 {
		return false
	}
	c := decode.Call{Func: f, Words: o.First()}
	return r.Objects.Fold(c.Word(mpi.ROp)) == 0
}

// realWait is what a thread waits for in the run, with the conditions that the wait-state system leaves to the agent.
func (a *job) realWait(t *thread) (waitstate.Wait, bool) {
	o := t.Op
	if w, in := a.node.RealWait(t.WS); in {
		if leader := t.Leader(); leader != op.Unknown && len(w.Needs) > 0 {
			at := &w.Needs[0]
			w.Needs = append(w.Needs, waitstate.Need{Kind: waitstate.NeedLeader, Rank: leader, Ctx: at.Ctx, Seq: at.Seq,
				Index: -1, Weak: true, Origin: o.Origin})
		}
		return w, true
	}
	if o == nil || o.Returned() || !o.Opaque {
		return waitstate.Wait{}, false
	}
	w := waitstate.Wait{Rank: t.rank.World, Thread: t.WS.Index, TS: o.TS, Stamp: o.Stamp, Fn: o.Fn, Site: o.Site}
	if t.Joins >= 0 {
		w.Needs = []waitstate.Need{{Kind: waitstate.NeedThread, Rank: t.rank.World, Tag: int32(t.Joins), Index: -1,
			Origin: o.Origin}}
		return w, true
	}
	switch t.Func.Class {
	case mpi.WinLock, mpi.WinUnlock: // a flush may only wait for its target to make progress
		need, ok := t.LockWait()
		if !ok {
			return waitstate.Wait{}, false
		}
		w.Needs = []waitstate.Need{need}
		return w, true
	// until all messages have left the buffer (MPI-4.0, 3.6): at least one has not, and which one only MPI knows
	case mpi.BufferDetach, mpi.BufferFlush:
		if w.Needs, w.Any = a.node.Buffered(t.rank.World), true; len(w.Needs) > 0 {
			w.Needs[0].Carried = t.rank.Buffered
			return w, true
		}
	}
	return waitstate.Wait{}, false
}

func (t *thread) pollWait(n *waitstate.Node) waitstate.Wait {
	o := t.Polls.Op
	w := waitstate.Wait{Rank: t.rank.World, Thread: t.WS.Index, TS: o.TS, Stamp: t.Stamp, Fn: t.Polls.Func.ID,
		Site: t.Polls.Site, Any: true}
	w.Needs = n.PollNeeds(t.Polls.Parts)
	return w
}

// addGroups puts the members of every context that a wait names into the report.
func (a *standings) addGroups(rep *message.Report, r *rank, w *message.Wait) {
	for _, needs := range [][]waitstate.Need{w.Real.Needs, w.Strict.Needs} {
		for _, n := range needs {
			if _, known := rep.Groups[n.Ctx]; known {
				continue
			}
			switch n.Kind {
			case waitstate.NeedMessage:
				if c := r.Objects.CommByID(n.Ctx); c != nil && n.Rank == op.AnySource {
					rep.Groups[n.Ctx] = c.All()
				}
			case waitstate.NeedMembers, waitstate.NeedTarget, waitstate.NeedUnlock:
				if g := a.node.Group(n.Ctx); g != nil && (n.Met || n.Rank == op.AnySource) {
					rep.Groups[n.Ctx] = g.Members
				}
			}
		}
	}
}

// heed takes in that a thread has repeated calls.
func (a *job) heed(t *thread) {
	seen, left := t.ring.Echoes()
	if seen != t.echoes.seen {
		t.entered, t.blocks = a.now, evidence{}
	}
	untold := t.ring.Untold()
	more := left - t.echoes.left + untold - t.echoes.untold
	t.Calls, a.follow.Calls, a.folding.Calls = t.Calls+more, a.follow.Calls+more, a.folding.Calls+more
	a.follow.Idles += more // it spins
	t.echoes = echoes{left, seen, untold}
}

// inside says whether a thread is in a call, and takes in what calls it has repeated: it may be in another one than
// before, but not for long then.
func (a *job) inside(t *thread) bool {
	in := t.inCall()
	a.heed(t)
	return in
}
