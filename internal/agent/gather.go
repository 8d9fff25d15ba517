package agent

import (
	"slices"
	"time"

	"unknot/internal/message"
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
	a.words = a.process.Take(a.words)
	for _, w := range a.words {
		if w.adopt != nil {
			a.adopt(w.adopt)
		} else {
			a.ended = true
		}
	}
	a.inbox = a.net.Take(a.inbox)
	for _, m := range a.inbox {
		a.message(m)
	}
}

func (a *Agent) message(m message.Message) {
	switch m := m.(type) {
	case message.WaitStates:
		for i := range m.Messages {
			a.node.Handle(m.Messages[i])
		}
		a.flush()
	case message.Consistent:
		a.consistent(m.Round)
	case message.Ping:
		a.net.Send(m.From, message.Pong{Round: m.Round, Phase: m.Phase})
	case message.Pong:
		a.pong(m)
	case message.Gather:
		report := a.gather()
		report.Round = m.Round
		a.sync.holding = false
		a.node.Thaw()
		a.flush()
		a.net.Send(tree.Root, *report)
	case message.Describe:
		a.net.Send(tree.Root, message.Places{Round: m.Round, Places: a.describeAll(m.Keys)})
	case message.Locate:
		a.net.Send(tree.Root, message.Places{Round: m.Round, Places: a.describeOrigins(m.Calls)})
	case message.Note:
		a.hearNote(&m.Note.Note)
	case message.Relax:
		a.relax(m)
	case message.Quit:
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
		a.net.Send(tree.Root, message.Settled{Round: a.sync.round})
		return
	}
	a.sync.phase++
	a.sync.pongs = others
	for i := range a.net.Agents() {
		if i != a.id {
			a.net.Send(i, message.Ping{From: a.id, Round: a.sync.round, Phase: a.sync.phase})
		}
	}
}

func (a *Agent) pong(m message.Pong) {
	if m.Round != a.sync.round || m.Phase != a.sync.phase {
		return
	}
	if a.sync.pongs--; a.sync.pongs == 0 {
		a.ping()
	}
}

// gather tells what all threads wait for.
func (a *Agent) gather() *message.Report {
	a.now = time.Now()
	rep := &message.Report{Groups: make(map[op.CommID][]op.Rank), Users: make(map[op.Rank]bool)}
	for _, r := range a.order {
		for _, t := range r.threads {
			w := a.waitsOf(t)
			if t.ended && !w.HasStrict {
				continue
			}
			a.addGroups(rep, r, &w)
			rep.Threads = append(rep.Threads, w)
		}
		if r.usersFree(a.now) || a.noRoom != nil && a.noRoom() {
			rep.Users[r.world] = true
		}
		if r.murky() || a.noRoom != nil && a.noRoom() {
			rep.Murky = append(rep.Murky, r.world)
		}
		r.forgetSleepers(a.now)
		for k, h := range r.locks {
			if h.held() {
				rep.Locks = append(rep.Locks, message.Held{Lock: k, Rank: r.world, Exclusive: h.exclusive})
			}
		}
	}
	a.node.OpenWaves(func(w *waitstate.Wave) {
		v := message.Wave{Ctx: w.Group.Ctx, Seq: w.Seq, Voices: w.Voices()}
		for _, p := range w.Parts {
			v.Arrived = append(v.Arrived, p.Origin.Rank)
			if p.Active() {
				v.Active = append(v.Active, p.Origin.Rank)
			}
		}
		slices.Sort(v.Arrived)
		slices.Sort(v.Active)
		rep.Waves = append(rep.Waves, v)
		rep.Groups[v.Ctx] = w.Group.Members
	})
	return rep
}

// waitsOf tells where one thread stands.
func (a *Agent) waitsOf(t *thread) message.Wait {
	w := message.Wait{Rank: t.rank.world, Thread: t.ws.Index, PID: t.rank.pid}
	w.Strict, w.HasStrict = a.node.StrictWait(t.ws)
	w.Lag = t.ws.Lag()
	if w.Strict.Terminal && t.rank.callbacks {
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
	case w.Real.Terminal && t.rank.callbacks && !t.rank.final(): // it may be in one of them, whose calls are not seen
	case w.Real.Terminal || t.rank.final():
		w.State = message.Finished
	case in:
		w.State = message.Blocked
		t.watch(a.now)
		w.Evidence = t.blocks.firm && a.now.Sub(t.blocks.since) >= carrying(w.Real.Needs)
	case t.polls.active() && !t.polls.mute && a.now.Sub(t.polls.since) >= a.opts.LivelockTimeout && t.pollsOn(a.now):
		w.State, w.Evidence = message.Polling, true
		w.Real = t.pollWait(a.node)
	case t.sleeps(a.now):
		w.State, w.Evidence = message.Asleep, true
		w.Real.TS = uint64(t.stamp)
	}
	w.Stranded = a.stranded(t, &w)
	return w
}

// carrying is how long MPI may take to carry over the messages that a call waits for, on a slow network.
func carrying(needs []waitstate.Need) time.Duration {
	sum := int64(0)
	for i := range needs {
		sum += max(needs[i].Carried, 0)
	}
	return message.Carrying(sum)
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
		need := waitstate.Need{Kind: waitstate.NeedUnlock, Ctx: k.Win, Rank: k.Target, Index: -1, Origin: o.Origin}
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
func (a *Agent) addGroups(rep *message.Report, r *rank, w *message.Wait) {
	for _, needs := range [][]waitstate.Need{w.Real.Needs, w.Strict.Needs} {
		for _, n := range needs {
			if n.Kind != waitstate.NeedMessage || n.Rank != op.AnySource || rep.Groups[n.Ctx] != nil {
				continue
			}
			if c := r.objects.CommByID(n.Ctx); c != nil {
				rep.Groups[n.Ctx] = c.All()
			}
		}
	}
}

// relax lets threads follow what was observed.
func (a *Agent) relax(m message.Relax) {
	for _, k := range m.Keys {
		r := a.ranks[k.Rank]
		if r == nil {
			continue
		}
		for _, t := range r.threads {
			o := t.ws.Strict()
			if t.ws.Index != k.Thread || o == nil || o.TS != k.TS {
				continue
			}
			if m.Once {
				a.node.RelaxOnce(t.ws)
			} else {
				a.node.Relax(t.ws)
			}
		}
	}
	a.flush()
}
