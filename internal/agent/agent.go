// Package agent is the loop of one node: it reads the rings of its ranks, turns their records into operations, lets the
// wait-state system follow them, and tells the root (package detect) what it asks.
//
// An Agent owns its ranks alone; all that it knows of others comes through the tree. The root is one of the process's
// goroutines. The protocol is in detect/round.go, and the agent's part of it in gather.go.
package agent

import (
	"fmt"
	"slices"
	"time"

	"unknot/internal/agent/kernel"
	"unknot/internal/agent/log"
	"unknot/internal/check"
	"unknot/internal/check/messages"
	"unknot/internal/check/registry"
	"unknot/internal/decode"
	"unknot/internal/fold"
	"unknot/internal/message"
	"unknot/internal/mpi"
	"unknot/internal/objects"
	"unknot/internal/op"
	"unknot/internal/ring"
	"unknot/internal/slab"
	"unknot/internal/symbol"
	"unknot/internal/tree"
	"unknot/internal/waitstate"
)

// Agent holds the state of some ranks.
type Agent struct {
	id      int
	node    *waitstate.Node
	net     *tree.Member[message.Message]
	process *tree.Box[Instruction]
	table   *mpi.T
	resolve Symbols
	// declarations is what arguments point to, by place; nil until a check asks.
	declarations map[declaredKey]check.Written
	// formats are the elements of arrays of Python by their formats, nil of one that is not known.
	formats   map[string]*symbol.Declared
	processes kernel.Processes
	opts      Options
	clock     func() time.Time
	now       time.Time

	ranks    map[op.Rank]*rank
	order    []*rank // in the order of their world ranks
	calls    uint64
	idles    uint64 // of these, those that show no progress
	remade   uint64 // of these, those that made something again in a way that was judged before
	sync     consistency
	toldAt   time.Time
	rested   time.Time // begin of the last nap
	ended    bool      // the launcher has ended
	final    bool      // it need not have, as all ranks have returned from MPI_Finalize and wait
	endedAt  time.Time
	quiet    bool // no rank waits for long
	idle     bool
	heard    bool // what the checks of other agents had to tell has been heard
	judged   bool // what ranks have done in all has been judged
	records  []ring.Record
	statuses []status
	more     bool // some ring held more records than were taken at once
	crowded  bool // somebody is behind with what it has sent, so rings are not read
	inbox    []message.Message
	words    []Instruction
	out      map[int][]waitstate.Message // to be sent, by member
	outTo    []int                       // those members, in the order of their first messages
	home     func(op.Rank) int
	colls    slab.Slab[waitstate.Collective]
	reqs     slab.Slab[objects.Request]
	broken   *message.Broken // why some rank could not be followed to the end
	noRoom   func() bool     // whether some thread could not be given a ring; nil if nobody knows
	log      *log.Log        // nil if no trace is recorded
	basics   objects.Basics  // of its ranks
	models   objects.Models
	uniform  uniforms
	same     objects.Known // in all of its ranks
	follow   *objects.Follower
	checks   *check.Watch   // nil if no usage check is on
	misused  []misusedOften // told so far
	will     bequest
	folding  folding

	upward uint64 // messages to the root that may tell of something found

	reaches map[*waitstate.Origin]check.Filling // of receives whose counts go on behind the ends of their buffers
}

// New is an agent of a job, as a member of the network of its agents.
func New(net *tree.Member[message.Message], table *mpi.T, world World, ranks Ranks, o Options) *Agent {
	a := &Agent{
		id:        net.ID,
		net:       net,
		process:   tree.NewBox[Instruction](),
		table:     table,
		resolve:   world.Symbols,
		processes: world.Processes,
		opts:      o,
		home:      ranks.Home,
		ranks:     make(map[op.Rank]*rank),
		out:       make(map[int][]waitstate.Message),
		sync:      newConsistency(),
		basics:    make(objects.Basics),
		models:    make(objects.Models),
		uniform:   make(uniforms),
		follow:    objects.Follow(table),
		clock:     world.Now,
	}
	if a.clock == nil {
		a.clock = time.Now
	}
	a.now = a.clock()
	net.Up = a.goesUp
	a.node = waitstate.NewNode(a.id, ranks.Home)
	a.node.Spread = ranks.Spread
	a.node.Observed = o.Sends == "observed"
	a.folding.on = o.Fold() > 0
	if !o.Checks.None() {
		a.checks = registry.New(table, a.follow, o.Checks)
		if a.checks.Enabled(messages.MessageRace) {
			a.node.WatchRaces(net.Agents() > 1)
		}
	}
	return a
}

// Bounds of the time that an agent sleeps when its rings are empty. The longer it sleeps the less it disturbs ranks
// that share its core; a ring that fills up meanwhile wakes it.
const (
	minNap   = 200 * time.Microsecond
	maxNap   = 20 * time.Millisecond
	quietNap = 100 * time.Millisecond // while no rank waits for long
)

// nap is how long the agent may sleep until the busiest ring, filled as fast as since the last nap, is filled to a
// part.
func (a *Agent) nap() time.Duration {
	const part = 8
	elapsed := float64(a.now.Sub(a.rested))
	a.rested = a.now
	nap := maxNap
	if a.quiet {
		nap = quietNap
	}
	for _, r := range a.order {
		for _, s := range r.sources {
			taken := s.ring.Taken()
			if n := taken - s.rested; n > 0 {
				nap = min(nap, time.Duration(elapsed*float64(s.ring.Capacity())/part/float64(n)))
			}
			s.rested = taken
		}
	}
	return max(minNap, nap)
}

// Run is the main loop: rings and messages in, messages out, sleep when there is nothing to do.
func (a *Agent) Run() {
	timer := time.NewTimer(minNap)
	for !a.turn() {
		if a.more {
			continue
		}
		timer.Reset(a.nap())
		select {
		case <-a.net.Wake():
		case <-a.process.Wake():
		case <-timer.C:
		}
	}
}

// turn does what there is to do now; true if nothing is left to do ever.
func (a *Agent) turn() (over bool) {
	a.now = a.clock()
	a.messages()
	if a.sync.quit {
		a.finishLog()
		a.logPrepared()
		return true
	}
	a.crowded = a.net.Crowded()
	if a.more = false; !a.sync.holding && !a.crowded {
		a.readRings()
	}
	a.flush()
	a.tickLog()
	a.tell()
	a.formGroups()
	a.bestow()
	return false
}

// batchSize is how many records of a ring are taken at once. With few, partners are never far from each other: what
// they share is still in the processor's cache, and their windows stay short.
const batchSize = 32

// readRings handles what has been published in the rings; false if there was nothing.
func (a *Agent) readRings() bool {
	a.more = false
	busy := a.skim()
	for _, r := range a.order {
		if a.readRank(r) {
			busy = true
		}
	}
	return busy
}

func (a *Agent) readRank(r *rank) bool {
	if r.lost {
		return false
	}
	for _, s := range r.sources {
		if s.ring.Left() {
			a.giveUp(r, fmt.Errorf("ring %s: its probe has detached", s.ring.Of().Path))
			return false
		}
	}
	if a.handOn(r.sources[0]) {
		return true
	}
	if r.sources[0].promised() {
		return false
	}
	// What another thread did between two calls of this one may be in a ring that has not been found yet.
	if len(r.sources) > 1 || r.level > funneled {
		return a.readThreads(r)
	}
	s := r.sources[0]
	if s.repeats.stream.Phase() == fold.Repeating {
		return false // skim reads it
	}
	records, err := s.ring.Read(a.records[:0], batchSize)
	a.records = records
	a.more = a.more || len(records) == batchSize
	for i := range records {
		a.takeRecord(s, &records[i])
	}
	if n := len(records); n > 0 {
		// Should a second thread come, its records follow on these.
		r.merge.next, r.merge.known = records[n-1].Stamp+1, true
	}
	s.ring.Commit()
	if err != nil {
		a.giveUp(r, err)
	}
	return len(records) > 0
}

// readThreads reads the rings of a process with several MPI-calling threads in the order of the stamps.
func (a *Agent) readThreads(r *rank) bool {
	busy := false
	for _, s := range r.sources {
		if s.at == len(s.records) {
			s.ring.Commit()
			var err error
			s.at = 0
			if s.records, err = s.ring.Read(s.records[:0], 4096); err != nil {
				a.giveUp(r, err)
			}
		}
		busy = busy || s.at < len(s.records)
	}
	if !busy {
		r.merge.since = time.Time{}
		return false
	}
	return r.merge.order(r.sources, a.now, func() bool { return r.stampLost(a.now) }, a.record)
}

// giveUp lets the program run on when the content of a ring is not what a probe writes: something has overwritten it.
// Nobody reads the rank's rings any more.
func (a *Agent) giveUp(r *rank, err error) {
	r.untold, r.lost = true, true
	r.use.LoseTrack()
	for _, s := range r.sources {
		s.ring.Refuse()
	}
	if a.broken == nil {
		a.broken = &message.Broken{Rank: r.world, Why: err.Error()}
	}
}

// record handles one record of a ring.
func (a *Agent) record(s *source, rec *ring.Record) {
	t, words := s.thread, rec.Words
	switch rec.Kind {
	case ring.Enter:
		a.calls++
		t.entered = a.now
		f := a.table.ByID(rec.Func)
		if f != nil && (f.Asks || isPoll(f)) {
			a.idles++
		}
		if f == nil || f.Class == mpi.Opaque {
			a.countPassed(t, rec.Func, f, rec.Site)
		}
		a.enter(t, f, rec.Stamp, rec.Site, words)
		t.forget()
	case ring.Exit:
		t.left = t.stamp
		if f := a.table.ByID(rec.Func); f != nil && f == t.fn {
			t.gave = true
			a.exit(t, f, int32(rec.Site), words)
			a.endCall(t, f, int32(rec.Site) != 0, rec.Stamp, words)
		}
	case ring.Data:
		if ring.DataID(rec.Func) == ring.DataThreadBegin {
			a.pass(s, words)
			return
		}
		a.data(t, ring.DataID(rec.Func), rec.Site, words)
	}
}

// flush sends what the wait-state system has to tell others; what is for this agent itself goes in at once.
func (a *Agent) flush() {
	for len(a.node.Out) > 0 {
		out := a.node.Out
		a.node.Out = nil
		for _, m := range out {
			if m.To == a.id {
				a.node.Handle(m)
				continue
			}
			a.post(m)
		}
		a.mail()
	}
	for _, c := range a.node.Clashes {
		a.net.SendUp(message.Clash{Clash: c})
	}
	a.node.Clashes = a.node.Clashes[:0]
	a.tellPairs()
	a.received()
	a.pairUp()
}

// post keeps a message for another member until all that are to be sent now are there.
func (a *Agent) post(m waitstate.Message) {
	list := a.out[m.To]
	if len(list) == 0 {
		a.outTo = append(a.outTo, m.To)
	}
	a.out[m.To] = append(list, m)
}

// mail sends what was kept. Messages for one member keep their order.
func (a *Agent) mail() {
	for _, to := range a.outTo {
		if to == tree.Root {
			a.net.SendUp(message.WaitStates{Messages: a.out[to]})
		} else {
			a.net.Send(to, message.WaitStates{Messages: a.out[to]})
		}
		delete(a.out, to)
		a.sync.wrote(to)
	}
	a.outTo = a.outTo[:0]
}

// adopt takes a new ring in.
func (a *Agent) adopt(ad *Adoption) {
	r := a.ranks[ad.Hello.Rank]
	if ad.Ring == nil {
		a.giveUp(r, ad.Damage)
		return
	}
	if r == nil {
		r = newRank(ad.Hello.Rank, a.processes)
		r.size, r.level = ad.Hello.Size, ad.Hello.Level
		r.library, r.pid = ad.Hello.Library, ad.Ring.Of().PID
		a.know(r, &ad.Hello)
		r.above = a.processes.Above(r.pid)
		a.ranks[r.world] = r
		a.logs(r)
		a.insert(r)
	}
	if r.lost {
		ad.Ring.Refuse()
	}
	of := ad.Ring.Of()
	if of.Thread == 0 {
		r.first = ad.Ring
	}
	s := &source{ring: ad.Ring}
	s.repeats.stream.Least = a.opts.FoldAfter
	r.sources = append(r.sources, s)
	a.begin(r, s, of.TID, op.Thread(of.Thread))
}

// begin makes a ring that of a new thread.
func (a *Agent) begin(r *rank, s *source, tid int, index op.Thread) {
	next := &thread{rank: r, ring: s.ring, tid: tid, joins: -1, waiting: waiting{entered: a.now}}
	if s.thread != nil { // whose ring it was
		a.heed(s.thread)
		next.echoes = s.thread.echoes
	}
	s.thread = next
	s.thread.ws = a.node.NewThread(r.world, index)
	s.thread.log = a.log.Begin(r.log, index)
	s.thread.track = a.newTrack(r, index)
	r.threads = append(r.threads, s.thread)
}

// pass hands the ring of a thread that has ended to another one.
func (a *Agent) pass(s *source, data []uint64) {
	next := decode.ReadThread(data)
	r := s.thread.rank
	r.threads = slices.DeleteFunc(r.threads, func(t *thread) bool {
		return t.ended && t.ws.Strict() == nil &&
			t.ring != r.first
	})
	a.begin(r, s, next.TID, next.Index)
}

func (a *Agent) insert(r *rank) {
	i := len(a.order)
	a.order = append(a.order, r)
	for i > 0 && a.order[i-1].world > r.world {
		a.order[i] = a.order[i-1]
		i--
	}
	a.order[i] = r
}

// join notes that a thread waits for the end of another one of its process.
func (a *Agent) join(t *thread, other op.Thread) {
	a.settle(t)
	t.joins = other
	o := waitstate.NewOp()
	o.Blocking, o.Opaque = true, true
	t.op = o
	a.log.Join(t.log, o)
	a.node.Enter(t.ws, o)
}

// catchUp says of every thread whether its last call has returned, as its ring's header tells.
func (a *Agent) catchUp() {
	for _, r := range a.order {
		for _, t := range r.threads {
			if t.op != nil && !t.op.Returned() && t.joins < 0 && t.ring.Returned() == t.stamp {
				a.node.Return(t.ws)
			}
		}
	}
}
