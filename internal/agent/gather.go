package agent

import (
	"slices"
	"time"

	"unknot/internal/mpi"
	"unknot/internal/op"
	"unknot/internal/tree"
	"unknot/internal/waitstate"
)

// consistency is an agent's part in making a consistent state (paper, section 5).
type consistency struct {
	round   int
	pongs   int // still to come
	phase   int
	holding bool // rings are not read
	quit    bool
}

// messages handles what has arrived.
func (a *Agent) messages() {
	a.inbox = a.net.Box(a.id).Take(a.inbox)
	for i := range a.inbox {
		a.message(&a.inbox[i])
	}
}

func (a *Agent) message(m *message) {
	switch m.kind {
	case kWaitState:
		a.node.Handle(m.ws)
		a.flush()
	case kAdopt:
		a.adopt(m.adopt)
	case kConsistent:
		a.consistent(m.round)
	case kPing:
		a.net.Send(m.from, message{kind: kPong, from: a.id, round: m.round, phase: m.phase})
	case kPong:
		a.pong(m)
	case kGather:
		r := a.gather()
		a.sync.holding = false
		a.node.Thaw()
		a.flush()
		a.net.Send(tree.Root, message{kind: kWaits, from: a.id, round: m.round, report: r})
	case kDescribe:
		a.net.Send(tree.Root, message{kind: kPlaces, from: a.id, round: m.round, places: a.describeAll(m.keys)})
	case kOrigins:
		a.net.Send(tree.Root, message{kind: kPlaces, from: a.id, round: m.round, places: a.describeOrigins(m.origins)})
	case kNote:
		a.hearNote(m.note)
	case kRelax:
		a.relax(m)
	case kFinish:
		a.ended = true
	case kQuit:
		a.sync.quit = true
	}
}

// consistent stops reading and all transitions, and flushes the links by a double ping-pong: a send, the word that its
// receive is active and the acknowledgement are three messages in a row.
func (a *Agent) consistent(round int) {
	a.now = time.Now()
	a.readPresent()
	a.flush()
	a.catchUp()
	a.node.Freeze()
	a.flush()
	a.sync.round, a.sync.holding, a.sync.phase = round, true, 0
	a.ping()
}

// readPresent reads what the rings hold now: ranks that go on writing must not keep the agent here for ever.
func (a *Agent) readPresent() {
	most := uint64(0)
	for _, r := range a.order {
		for _, s := range r.sources {
			most = max(most, s.ring.Pending())
		}
	}
	for rounds := most/batchSize + 1; a.readRings() && rounds > 0; rounds-- {
	}
}

func (a *Agent) ping() {
	others := a.net.Agents() - 1
	if a.sync.phase == 2 || others == 0 {
		a.net.Send(tree.Root, message{kind: kAck, from: a.id, round: a.sync.round})
		return
	}
	a.sync.phase++
	a.sync.pongs = others
	for i := range a.net.Agents() {
		if i != a.id {
			a.net.Send(i, message{kind: kPing, from: a.id, round: a.sync.round, phase: a.sync.phase})
		}
	}
}

func (a *Agent) pong(m *message) {
	if m.round != a.sync.round || m.phase != a.sync.phase {
		return
	}
	if a.sync.pongs--; a.sync.pongs == 0 {
		a.ping()
	}
}

// gather tells what all threads wait for.
func (a *Agent) gather() *report {
	a.now = time.Now()
	rep := &report{groups: make(map[op.CommID][]op.Rank), peers: make(map[op.CommID]bool), users: make(map[op.Rank]bool)}
	for _, r := range a.order {
		for _, t := range r.threads {
			w := a.waitsOf(t)
			if t.ended && !w.hasStrict {
				continue
			}
			a.addGroups(rep, r, &w)
			rep.threads = append(rep.threads, w)
		}
		if r.usersFree(a.now) || a.noRoom != nil && a.noRoom() {
			rep.users[r.world] = true
		}
		if r.murky() || a.noRoom != nil && a.noRoom() {
			rep.murky = append(rep.murky, r.world)
		}
		r.forgetSleepers(a.now)
		for k, h := range r.locks {
			if h.held() {
				rep.locks = append(rep.locks, heldBy{k, r.world, h.exclusive})
			}
		}
	}
	a.node.OpenWaves(func(w *waitstate.Wave) {
		v := wave{ctx: w.Group.Ctx, seq: w.Seq, voices: w.Voices()}
		for _, p := range w.Parts {
			v.arrived = append(v.arrived, p.Origin.Rank)
			if p.Active() {
				v.active = append(v.active, p.Origin.Rank)
			}
		}
		slices.Sort(v.arrived)
		slices.Sort(v.active)
		rep.waves = append(rep.waves, v)
		rep.groups[v.ctx] = w.Group.Members
	})
	return rep
}

// waitsOf tells where one thread stands.
func (a *Agent) waitsOf(t *thread) waits {
	w := waits{rank: t.rank.world, thread: t.ws.Index, pid: t.rank.pid}
	w.strict, w.hasStrict = a.node.StrictWait(t.ws)
	w.lag = t.ws.Lag()
	if w.strict.Terminal && t.rank.callbacks {
		w.strict.Terminal, w.strict.Needs = false, []waitstate.Need{{Free: true}}
	}
	var in bool
	w.real, in = a.realWait(t)
	switch {
	case !t.rank.alive():
		w.state = dead
		if t.rank.final() {
			w.state = finished
		}
	case w.real.Terminal && t.rank.callbacks && !t.rank.final(): // it may be in one of them, whose calls are not seen
	case w.real.Terminal || t.rank.final():
		w.state = finished
	case in:
		w.state = blocked
		t.watch(a.now)
		w.evidence = t.blocks.firm && a.now.Sub(t.blocks.since) >= carrying(w.real.Needs)
	case t.polls.active() && !t.polls.mute && a.now.Sub(t.polls.since) >= a.opts.LivelockTimeout && t.pollsOn(a.now):
		w.state, w.evidence = polling, true
		w.real = t.pollWait(a.node)
	case t.sleeps(a.now):
		w.state, w.evidence = asleep, true
		w.real.TS = uint64(t.stamp)
	}
	w.stranded = a.stranded(t, &w)
	return w
}

// carrying is how long MPI may take to carry over the messages that a call waits for, on a slow network.
func carrying(needs []waitstate.Need) time.Duration {
	sum := int64(0)
	for i := range needs {
		sum += max(needs[i].Carried, 0)
	}
	return carryingBytes(sum)
}

func carryingBytes(n int64) time.Duration {
	const bytesPerSecond = 50e6
	return time.Duration(float64(n) / bytesPerSecond * float64(time.Second))
}

// realWait is what a thread waits for in the run, with the conditions that the wait-state system leaves to the agent.
func (a *Agent) realWait(t *thread) (waitstate.Wait, bool) {
	if w, in := a.node.RealWait(t.ws); in {
		return w, true
	}
	o := t.op
	if o == nil || o.Returned() || !o.Opaque {
		return waitstate.Wait{}, false
	}
	w := waitstate.Wait{Rank: t.rank.world, Thread: t.ws.Index, TS: o.TS, Stamp: o.Stamp, Fn: o.Fn, Site: o.Site}
	if t.joins >= 0 {
		w.Needs = []waitstate.Need{{Kind: waitstate.NeedThread, Rank: t.rank.world, Tag: int32(t.joins), Index: -1, Origin: o.Origin}}
		return w, true
	}
	switch t.fn.Class {
	case mpi.WinLock, mpi.WinUnlock: // a flush may only wait for its target to make progress
		e := call{a: a, t: t, r: t.rank, f: t.fn, words: o.Words[:o.NWords], op: o}
		k, ok := e.lock()
		if !ok {
			return waitstate.Wait{}, false
		}
		need := waitstate.Need{Kind: waitstate.NeedUnlock, Ctx: k.win, Rank: k.target, Index: -1, Origin: o.Origin}
		if h := t.rank.locks[k]; h != nil && h.exclusive {
			need.Tag = 1
		}
		w.Needs = []waitstate.Need{need}
		return w, true
	}
	return waitstate.Wait{}, false
}

func (t *thread) pollWait(n *waitstate.Node) waitstate.Wait {
	o := t.polls.op
	w := waitstate.Wait{Rank: t.rank.world, Thread: t.ws.Index, TS: o.TS, Stamp: t.stamp, Fn: t.polls.fn.ID, Site: t.polls.site, Any: true}
	w.Needs = n.PollNeeds(t.polls.parts)
	return w
}

// addGroups puts the members of every context that a wait names into the report.
func (a *Agent) addGroups(rep *report, r *rank, w *waits) {
	for _, needs := range [][]waitstate.Need{w.real.Needs, w.strict.Needs} {
		for _, n := range needs {
			if n.Kind != waitstate.NeedMessage || n.Rank != op.AnySource || rep.groups[n.Ctx] != nil {
				continue
			}
			if c := commByID(r, n.Ctx); c != nil {
				rep.groups[n.Ctx] = c.all()
			}
		}
	}
}

// relax lets threads follow what was observed.
func (a *Agent) relax(m *message) {
	for _, k := range m.keys {
		r := a.ranks[k.rank]
		if r == nil {
			continue
		}
		for _, t := range r.threads {
			o := t.ws.Strict()
			if t.ws.Index != k.thread || o == nil || o.TS != k.ts {
				continue
			}
			if m.once {
				a.node.RelaxOnce(t.ws)
			} else {
				a.node.Relax(t.ws)
			}
		}
	}
	a.flush()
}
