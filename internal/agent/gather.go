package agent

import (
	"maps"
	"slices"
	"time"

	"unknot/internal/agent/kernel"
	"unknot/internal/agent/repeat"
	"unknot/internal/model/waitstate"
	"unknot/internal/root/tree"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// consistency is an agent's part in making a consistent state (paper, section 5).
type consistency struct {
	round   int
	pongs   map[int]bool // agents whose pongs are still to come
	written map[int]bool // agents that were sent something since the last consistent state began
	peers   map[int]bool // agents whose links are flushed for this one
	gone    map[int]bool // agents that cannot be reached any more
	phase   int
	holding bool // rings are not read
	quit    bool
	// kept is the state that the root has not asked for yet, if the agent continues meanwhile; nil if it does not.
	// interrupted says that it has gone on before it was settled, and is to begin again; try counts such beginnings.
	kept        *message.Report
	interrupted bool
	try         int
}

func newConsistency() consistency {
	return consistency{pongs: make(map[int]bool), written: make(map[int]bool), peers: make(map[int]bool),
		gone: make(map[int]bool)}
}

// wrote notes that an agent was sent something.
func (c *consistency) wrote(to int) {
	if to != tree.Root {
		c.written[to] = true
	}
}

// messages handles what has arrived.
func (a *Agent) messages() {
	a.words = a.process.Take(a.words)
	for _, w := range a.words {
		switch {
		case w.Adopt != nil:
			a.adopt(w.Adopt)
		case w.Alone != nil:
			a.setAlone(*w.Alone)
		case w.Away != nil:
			a.loseRoot(w.Away)
		case w.Share != nil:
			a.rootLoss.asked = w.Share
		default:
			a.ended, a.final = true, w.Final
		}
	}
	a.takeMessages()
}

// takeMessages handles what other members have sent.
func (a *Agent) takeMessages() {
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
		a.sync.try = 0
		a.consistent(m.Round)
	case message.Ping:
		a.net.Send(m.From, message.Pong{From: a.id, Round: m.Round, Phase: m.Phase, Try: m.Try})
	case message.Pong:
		a.pong(m)
	case message.Gather:
		report := a.sync.kept
		if report == nil {
			report = a.gather(m.Processes)
			a.release()
		}
		a.sync.kept = nil
		if !m.Processes {
			report.Processes = nil
		}
		if m.Last {
			a.judgeCutShort()
			report.Told = a.checks.HeardAll()
		}
		report.Agent, report.Round = a.id, m.Round
		a.net.SendUp(*report)
	case message.Describe:
		places := message.Places{Agent: a.id, Round: m.Round, Moved: a.moved(m.Stay)}
		if m.Survey {
			places.Places = a.survey(m.Keys, m.Going)
		} else {
			places.Places = a.describeAll(m.Keys)
		}
		a.net.SendUp(places)
	case message.Locate:
		a.net.SendUp(message.Places{Agent: a.id, Round: m.Round, Places: a.describeOrigins(&m),
			Strays: a.strays(m.Sought)})
	case message.Remains:
		a.checks.Conclude()
		left := a.left()
		left.Round = m.Round
		a.net.SendUp(left)
	case message.Note:
		a.checks.Hear(&m.Note.Note)
	case message.Relax:
		a.relax(m)
	case message.Halt:
		a.halt(m.Host)
	case message.Gone:
		a.sync.gone[m.Agent] = true
		a.folding.Lost(m.Agent)
		a.answered(m.Agent)
		if a.net.Lose(m.Agent) {
			a.sayAgain()
		}
	case message.Quit:
		a.sync.quit = true
	default:
		a.folding.Message(m)
	}
}

// consistent stops reading and all transitions, and flushes the links by a double ping-pong: a send and the word that
// its receive is active are two messages in a row. (The paper's acknowledgement is a third one; see
// waitstate.SendActive.)
//
// An agent flushes the links to those agents alone that it has sent something since the last consistent state: what may
// be under way is from somebody who has. A ping brings such a message to its receiver, whose answer stands before the
// pong, and what follows from the answer stands before the second ping; so whoever has sent the first has all of them
// arrive.
//
// What is promised to a group over agents (package repeat) is left out first, so that all of the group have left out
// the same.
func (a *Agent) consistent(round int) {
	if a.folding.Defer(round) {
		return
	}
	a.readClock()
	a.readPresent()
	a.flush()
	a.catchUp()
	a.node.Freeze()
	a.flush()
	a.sync.round, a.sync.holding, a.sync.phase = round, true, 0
	a.sync.kept, a.sync.interrupted = nil, false
	maps.Copy(a.sync.peers, a.sync.written) // which has those of a round that came to nothing
	clear(a.sync.written)
	a.ping()
}

// release ends what consistent has begun, once the state is taken.
func (a *Agent) release() {
	a.sync.holding = false
	clear(a.sync.peers)
	a.node.Thaw()
	a.flush()
}

// letGo has an agent that is held for a consistent state go on while the root is out of reach, which may never ask for
// the state: the ranks would wait for room in their rings, and nobody would know what becomes of them. One that is
// settled keeps its state for the root. One that is not begins again when the root is there: for the others, which
// stand still until then, it is as if it had been slow to begin.
func (a *Agent) letGo() {
	if a.sync.phase == 2 && len(a.sync.pongs) == 0 {
		a.sync.kept = a.gather(true)
		a.release()
		return
	}
	a.sync.interrupted, a.sync.holding = true, false
	a.node.Thaw()
	a.flush()
}

// setAlone takes in whether the root is out of reach.
func (a *Agent) setAlone(alone bool) {
	a.rootLoss.alone = alone
	if a.sync.interrupted && !alone {
		a.sync.try++
		a.consistent(a.sync.round)
	}
}

// readPresent reads what the rings hold now: ranks that continue to write must not keep the agent here forever.
func (a *Agent) readPresent() {
	most := uint64(0)
	for _, r := range a.order {
		for _, s := range r.sources {
			most = max(most, s.ring.Pending())
		}
	}
	for rounds := most/repeat.BatchSize + 1; a.readRings() && rounds > 0; rounds-- {
		a.folding.HandOnAll() // so that each round takes as many from the ring
	}
	a.folding.HandOnAll()
}

func (a *Agent) ping() {
	if a.sync.phase == 2 {
		a.net.SendUp(message.Settled{Agent: a.id, Round: a.sync.round})
		return
	}
	a.sync.phase++
	clear(a.sync.pongs)
	for _, i := range slices.Sorted(maps.Keys(a.sync.peers)) {
		if !a.sync.gone[i] {
			a.sync.pongs[i] = true
			a.net.Send(i, message.Ping{From: a.id, Round: a.sync.round, Phase: a.sync.phase, Try: a.sync.try})
		}
	}
	if len(a.sync.pongs) == 0 {
		a.ping()
	}
}

func (a *Agent) pong(m message.Pong) {
	if m.Round == a.sync.round && m.Phase == a.sync.phase && m.Try == a.sync.try {
		a.answered(m.From)
	}
}

// answered notes that an agent's pong has come, or never will.
func (a *Agent) answered(agent int) {
	if !a.sync.pongs[agent] {
		return
	}
	delete(a.sync.pongs, agent)
	if len(a.sync.pongs) == 0 && !a.sync.interrupted {
		a.ping()
	}
}

// gather tells what all threads wait for, and which processes the ranks are if that is asked for.
func (a *Agent) gather(processes bool) *message.Report {
	a.readClock()
	rep := &message.Report{Groups: make(map[op.CommID]op.Ranks)}
	var threads message.Folder
	var users, murky []op.Rank
	for _, r := range a.order {
		for _, t := range r.threads {
			w := a.waitsOf(t)
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

// halt stops the processes of its ranks if they are on that host: ranks that poll would leave the supervisor and the
// launcher a small share of the cores. A stopped process can be killed like any other.
func (a *Agent) halt(host string) {
	if host != kernel.Hostname() {
		return
	}
	for _, r := range a.order {
		if r.PID > 0 && r.alive() {
			a.processes.Halt(r.PID)
		}
	}
}

// waitsOf tells where one thread stands.
func (a *Agent) waitsOf(t *thread) message.Wait {
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
		w.Early = a.now.Sub(t.Polls.Since) < a.opts.LivelockTimeout
		w.Real = t.pollWait(a.node)
	case t.sleeps(a.now):
		w.State, w.Evidence = message.Asleep, true
		w.Real.TS = uint64(t.Stamp)
	}
	if w.Stranded = a.stranded(t, &w); w.Stranded != nil && w.State == message.Running && t.Op != nil {
		w.Real.TS = t.Op.TS // of a call that is not modelled, by which it is asked about
	}
	nameOrigins(&w.Real)
	nameOrigins(&w.Strict)
	return w
}

// nameOrigins leaves of the calls that started what a thread waits for only what names them, and of the call itself in
// which it waits nothing: nobody asks for that.
func nameOrigins(w *waitstate.Wait) {
	for i := range w.Needs {
		n := &w.Needs[i]
		if o := n.Origin; o == nil || o.TS == w.TS {
			n.Origin = nil
		} else {
			n.Origin = &waitstate.Origin{Rank: o.Rank, Thread: o.Thread, TS: o.TS}
		}
	}
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
func (a *Agent) addGroups(rep *message.Report, r *rank, w *message.Wait) {
	for _, needs := range [][]waitstate.Need{w.Real.Needs, w.Strict.Needs} {
		for _, n := range needs {
			if n.Kind != waitstate.NeedMessage || n.Rank != op.AnySource {
				continue
			}
			if _, known := rep.Groups[n.Ctx]; known {
				continue
			}
			if c := r.Objects.CommByID(n.Ctx); c != nil {
				rep.Groups[n.Ctx] = c.All()
			}
		}
	}
}

// sayAgain tells what the relay that was lost may not have handed on.
func (a *Agent) sayAgain() {
	a.node.ReadyAgain()
	a.flush()
	if a.idle {
		a.tellIdle()
	}
}

// relax lets threads follow what was observed.
func (a *Agent) relax(m message.Relax) {
	a.foldedThreads(m.Keys, func(t *thread, k message.Key) {
		o := t.WS.Strict()
		switch {
		case o == nil || o.TS != k.TS:
		case m.Once:
			a.node.RelaxOnce(t.WS)
		default:
			a.node.Relax(t.WS)
		}
	})
	a.flush()
}
