package agent

import (
	"slices"

	"unknot/internal/finding"
	"unknot/internal/message"
	"unknot/internal/op"
	"unknot/internal/waitfor"
	"unknot/internal/waitstate"
)

// view is one of the ways to look at a run.
type view uint8

const (
	necessary view = iota // what has happened, and what calls cannot do without
	standing              // what has happened, in a job in which nothing moves: whatever calls wait for counts
	strict                // MPI at its most restrictive
)

// state is what all agents together reported.
type state struct {
	size    int
	threads []*message.Wait
	byRank  [][]int // indices into threads
	present int     // ranks with threads
	waves   map[waveKey]*message.Wave
	groups  map[op.CommID][]op.Rank
	locks   []message.Held
	users   map[op.Rank]bool
	murky   map[op.Rank]bool
}

func merge(size int, reports []*message.Report) *state {
	s := &state{size: size, byRank: make([][]int, size), waves: make(map[waveKey]*message.Wave),
		groups: make(map[op.CommID][]op.Rank), users: make(map[op.Rank]bool), murky: make(map[op.Rank]bool)}
	for _, rep := range reports {
		for i := range rep.Threads {
			s.threads = append(s.threads, &rep.Threads[i])
		}
		for i := range rep.Waves {
			s.addWave(&rep.Waves[i])
		}
		for k, v := range rep.Groups {
			s.groups[k] = v
		}
		for k := range rep.Users {
			s.users[k] = true
		}
		for _, k := range rep.Murky {
			s.murky[k] = true
		}
		s.locks = append(s.locks, rep.Locks...)
	}
	slices.SortFunc(s.threads, func(a, b *message.Wait) int { return message.CompareKeys(a.Key(false), b.Key(false)) })
	s.index()
	return s
}

// index says for each rank which threads are its own: they stand next to each other.
func (s *state) index() {
	all := make([]int, len(s.threads))
	for from, i := 0, 0; i < len(all); i++ {
		all[i] = i
		r := s.threads[i].Rank
		if i+1 == len(all) || s.threads[i+1].Rank != r {
			s.byRank[r] = all[from : i+1]
			s.present++
			from = i + 1
		}
	}
}

// threadsOf are the indices of a rank's threads; of a rank outside of MPI_COMM_WORLD none are known.
func (s *state) threadsOf(r op.Rank) []int {
	if r < 0 || int(r) >= len(s.byRank) {
		return nil
	}
	return s.byRank[r]
}

func (s *state) addWave(w *message.Wave) {
	k := waveKey{w.Ctx, w.Seq}
	e := s.waves[k]
	if e == nil {
		s.waves[k] = w
		return
	}
	e.Arrived = append(e.Arrived, w.Arrived...)
	e.Active = append(e.Active, w.Active...)
	for _, v := range w.Voices {
		e.Voices = waitstate.AddVoice(e.Voices, v)
	}
	slices.Sort(e.Arrived)
	slices.Sort(e.Active)
}

// build makes the wait-for graph of a view: its processes are the threads.
type build struct {
	*state
	view  view
	g     *waitfor.Graph
	rank  []waitfor.Node // by rank, where made says that it is known
	made  []bool
	anyOf map[op.CommID]waitfor.Node
	allOf map[waveKey]waitfor.Node
	nodes []waitfor.Node // reused by needs
	open  []waitfor.Node
}

func (s *state) graph(v view) *build {
	b := &build{state: s, view: v, g: waitfor.New(len(s.threads)), rank: make([]waitfor.Node, s.size), made: make([]bool, s.size),
		anyOf: make(map[op.CommID]waitfor.Node), allOf: make(map[waveKey]waitfor.Node)}
	for i, w := range s.threads {
		if wakers := b.wakers(w); len(wakers) > 0 {
			b.g.BlockAny(waitfor.Node(i), wakers)
			continue
		}
		wait, ok := b.waiting(w)
		if !ok || v == standing && wait.Barred() != nil {
			continue // of the latter the plan is to blame; what else the call waits for may have been met without a trace
		}
		nodes := b.needs(w, wait)
		if wait.Any {
			b.g.BlockAny(waitfor.Node(i), nodes)
		} else {
			b.g.Block(waitfor.Node(i), nodes)
		}
	}
	return b
}

// needs are the nodes that a thread waits for. Where one of several needs holds it up, but it is not known which, the
// thread waits at least for any of them. The list is good until the next call.
func (b *build) needs(w *message.Wait, wait *waitstate.Wait) []waitfor.Node {
	nodes, open := b.nodes[:0], b.open[:0]
	doubt := false
	for k := range wait.Needs {
		n := &wait.Needs[k]
		node := b.need(w, n)
		open = append(open, node)
		if n.Doubt && b.view == necessary {
			doubt = true
			continue
		}
		nodes = append(nodes, node)
	}
	if doubt {
		nodes = append(nodes, b.g.Any(open))
	}
	b.nodes, b.open = nodes, open
	return nodes
}

// waiting is what a thread waits for in the view; false if it can go on, or is out of the picture.
func (b *build) waiting(w *message.Wait) (*waitstate.Wait, bool) {
	if b.view == strict {
		return &w.Strict, w.HasStrict && !w.Strict.Terminal
	}
	return &w.Real, w.State == message.Blocked || w.State == message.Polling
}

// wakers are the threads of its rank that may wake a thread which sleeps. Those that sleep themselves have to be woken first. With
// none left, it is not known what it waits for. What strict rules would have made of its sleep is not known either.
func (b *build) wakers(w *message.Wait) []waitfor.Node {
	if w.State != message.Asleep || b.view == strict || b.users[w.Rank] {
		return nil
	}
	var nodes []waitfor.Node
	for _, i := range b.threadsOf(w.Rank) {
		if t := b.threads[i]; t.State != message.Asleep && !b.over(t) {
			nodes = append(nodes, waitfor.Node(i))
		}
	}
	return nodes
}

// over says whether a thread will do nothing any more that another could wait for. In the strict view that is so once it
// has reached MPI_Finalize there: a thread that does not wait can still go on, if only when transitions are let go again.
func (b *build) over(w *message.Wait) bool {
	if b.view == strict {
		return w.HasStrict && w.Strict.Terminal
	}
	return w.State == message.Finished || w.State == message.Dead
}

// of is the node that is live while a rank may still do something.
func (b *build) of(r op.Rank) waitfor.Node {
	if r < 0 || int(r) >= b.size {
		return b.rankNode(r)
	}
	if !b.made[r] {
		b.rank[r], b.made[r] = b.rankNode(r), true
	}
	return b.rank[r]
}

func (b *build) rankNode(r op.Rank) waitfor.Node {
	list := b.threadsOf(r)
	if len(list) == 0 || b.users[r] {
		return b.g.Running()
	}
	if w := b.threads[list[0]]; len(list) == 1 && w.State != message.Asleep && !b.over(w) {
		return waitfor.Node(list[0])
	}
	var nodes []waitfor.Node
	sleepers := 0
	for _, i := range list {
		switch w := b.threads[i]; {
		case b.over(w):
		case b.view != strict && w.State == message.Asleep:
			sleepers++ // does nothing unless one of the others does first
		default:
			nodes = append(nodes, waitfor.Node(i))
		}
	}
	switch len(nodes) {
	case 0:
		if sleepers == len(list) {
			return b.g.Running() // what they wait for is not known
		}
		return b.g.Never()
	case 1:
		return nodes[0]
	}
	return b.g.Any(nodes)
}

func (b *build) need(w *message.Wait, n *waitstate.Need) waitfor.Node {
	if n.Free || n.Barred || n.Weak && b.view == necessary {
		return b.g.Running()
	}
	switch n.Kind {
	case waitstate.NeedMessage:
		if n.Rank == op.AnySource {
			return b.anyMember(n.Ctx)
		}
		return b.of(n.Rank)
	case waitstate.NeedReceive, waitstate.NeedSelf:
		return b.of(n.Rank)
	case waitstate.NeedMembers:
		return b.members(w, n)
	case waitstate.NeedUnlock:
		return b.holders(w, n)
	case waitstate.NeedThread:
		for _, i := range b.threadsOf(w.Rank) {
			if int32(b.threads[i].Thread) == n.Tag {
				return waitfor.Node(i)
			}
		}
	}
	return b.g.Running()
}

func (b *build) anyMember(ctx op.CommID) waitfor.Node {
	if n, ok := b.anyOf[ctx]; ok {
		return n
	}
	members, known := b.groups[ctx]
	if !known {
		return b.g.Running()
	}
	nodes := make([]waitfor.Node, 0, len(members))
	for _, m := range members {
		nodes = append(nodes, b.of(m))
	}
	set := b.g.Set(nodes)
	b.anyOf[ctx] = set
	return set
}

// members is what a collective waits for at one member.
func (b *build) members(w *message.Wait, n *waitstate.Need) waitfor.Node {
	k := waveKey{n.Ctx, n.Seq}
	v := b.waves[k]
	if v == nil && !n.Clash {
		return b.g.Running() // complete
	}
	if n.Clash || len(v.Voices) > 1 {
		// Members made calls that do not belong together: nobody can say what the library makes of it.
		if b.view == standing {
			return b.g.Never()
		}
		return b.g.Running()
	}
	sync := n.Sync
	if b.view != necessary {
		sync = op.SyncAll
	}
	switch sync {
	case op.SyncAll:
		return b.allMissing(k, v)
	case op.SyncFromRoot:
		if n.Root != w.Rank && b.isMissing(v, n.Root) {
			return b.of(n.Root)
		}
	case op.SyncToRoot:
		if n.Root == w.Rank {
			return b.allMissing(k, v)
		}
	case op.SyncLower:
		var nodes []waitfor.Node
		for _, m := range b.groups[n.Ctx] {
			if m == w.Rank {
				break
			}
			if b.isMissing(v, m) {
				nodes = append(nodes, b.of(m))
			}
		}
		if len(nodes) > 0 {
			return b.g.All(nodes)
		}
	}
	return b.g.Running()
}

func (b *build) isMissing(v *message.Wave, r op.Rank) bool {
	here := v.Arrived
	if b.view == strict {
		here = v.Active
	}
	_, found := slices.BinarySearch(here, r)
	return !found
}

// missing are the members of a collective that have not come.
func (b *build) missing(k waveKey, v *message.Wave) []op.Rank {
	var out []op.Rank
	for _, m := range b.groups[k.ctx] {
		if b.isMissing(v, m) {
			out = append(out, m)
		}
	}
	return out
}

func (b *build) allMissing(k waveKey, v *message.Wave) waitfor.Node {
	if n, ok := b.allOf[k]; ok {
		return n
	}
	var nodes []waitfor.Node
	for _, m := range b.missing(k, v) {
		nodes = append(nodes, b.of(m))
	}
	n := b.g.Running()
	if len(nodes) > 0 {
		n = b.g.All(nodes)
	}
	b.allOf[k] = n
	return n
}

// holders is live while some rank that may hold a conflicting lock can still release it.
func (b *build) holders(w *message.Wait, n *waitstate.Need) waitfor.Node {
	if b.computes(n.Rank) {
		return b.g.Running() // it may have to see to the lock, and holds may not have been taken yet (MPI-4.0, 12.5.3)
	}
	var nodes []waitfor.Node
	for _, r := range b.lockHolders(w.Rank, n) {
		nodes = append(nodes, b.of(r))
	}
	if len(nodes) == 0 {
		return b.g.Running()
	}
	return b.g.Any(nodes)
}

// computes says whether a rank has threads and none of them is inside MPI.
func (s *state) computes(r op.Rank) bool {
	list := s.threadsOf(r)
	for _, i := range list {
		if t := s.threads[i].State; t != message.Running && t != message.Asleep {
			return false
		}
	}
	return len(list) > 0
}

func (s *state) lockHolders(self op.Rank, n *waitstate.Need) []op.Rank {
	var out []op.Rank
	for _, h := range s.locks {
		same := h.Win == n.Ctx && (h.Target == n.Rank || h.Target == op.AnySource || n.Rank == op.AnySource)
		if same && h.Rank != self && (h.Exclusive || n.Tag == 1) {
			out = append(out, h.Rank)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// still says whether nothing moves in the whole job: every thread is in a call that waits, with evidence, or over.
func (s *state) still() bool {
	for _, w := range s.threads {
		switch w.State {
		case message.Running:
			return false
		case message.Blocked, message.Polling:
			if !w.Evidence {
				return false
			}
		case message.Asleep:
			if s.computes(w.Rank) {
				return false // all of its rank do, for what is not known
			}
		}
	}
	return s.present == s.size && len(s.users) == 0
}

// maxCores bounds the unsafe exchanges told in one round; what is left is found in later ones. Of deadlocks there is no later
// round: what is beyond maxReal is told as stuck because of them.
const (
	maxCores = 16
	maxReal  = 1024
)

// arrivals is for how many rounds a deadlock is kept back while other ranks still move: some of them may be about to come to
// the same call, and belong into the report.
const arrivals = 10

// detect looks for deadlocks in what the agents reported, and decides what to ask about them.
func (r *root) detect() {
	s := merge(r.size, r.reports)
	r.state = s
	r.log(s)
	lag := 0
	for _, w := range s.threads {
		if !w.HasStrict {
			lag += w.Lag
		}
	}
	r.progressed = r.progressed || lag > 0 && lag != r.lag // they go on when the agents do, unless they have not since the last round
	r.lag = lag
	if !r.ending {
		if r.askReal(s, necessary) || s.still() && (r.askReal(s, standing) || r.askDiverged(s)) || r.askStranded(s) {
			return
		}
	}
	r.askStrict(s)
	if r.ending && len(r.asked) == 0 && !r.progressed {
		r.askAbsent(s)
	}
}

// askReal looks for manifest deadlocks; true if there is one.
func (r *root) askReal(s *state, v view) bool {
	b := s.graph(v)
	deadNodes := b.g.Dead()
	if len(deadNodes) == 0 {
		return false
	}
	if !s.still() && r.awaited < arrivals {
		r.awaited++
		r.soon()
		return true
	}
	found := false
	var inCore = make(map[waitfor.Node]bool)
	for _, core := range b.g.Cores(maxReal) {
		q := question{code: finding.Deadlock, real: true, build: b, nodes: core}
		firm := true
		for _, n := range core {
			w := s.threads[n]
			firm = firm && w.Evidence
			if w.State == message.Polling {
				q.code = finding.Livelock
			}
			q.core = append(q.core, w.Key(false))
			inCore[n] = true
		}
		if !firm {
			continue
		}
		found = true
		if b.clash(r, core) {
			r.stopAfter = true
			continue
		}
		q.culprits = b.culprits(core)
		for _, c := range q.culprits {
			for _, i := range b.threadsOf(c) {
				if s.threads[i].State != message.Asleep {
					q.witness = append(q.witness, s.threads[i].Key(false))
				}
			}
		}
		r.asked = append(r.asked, q)
	}
	if !found {
		r.soon()
		return false
	}
	if len(r.asked) == 0 {
		return true
	}
	q := &r.asked[0]
	for _, n := range deadNodes {
		if !inCore[n] {
			q.others = append(q.others, s.threads[n].Key(false))
		}
	}
	return true
}

// clash finds a collective whose members disagree among what a core waits for, and sees to it that it is told.
func (b *build) clash(r *root, core []nodeID) bool {
	for _, n := range core {
		wait, _ := b.waiting(b.threads[n])
		for i := range wait.Needs {
			need := &wait.Needs[i]
			if need.Kind != waitstate.NeedMembers {
				continue
			}
			if need.Clash {
				r.tellKept(need.Ctx)
				return true // told when the last member came
			}
			if v := b.waves[waveKey{need.Ctx, need.Seq}]; v != nil && len(v.Voices) > 1 {
				r.askClash(waitstate.Clash{Ctx: v.Ctx, Seq: v.Seq, Voices: v.Voices})
				return true
			}
		}
	}
	return false
}

// soon makes the next round come early: something is likely to be told then.
func (r *root) soon() { r.pause = firstLook / 2 }

// askStrict looks for deadlocks that only buffering hid: some member of the core got past its call in the run.
func (r *root) askStrict(s *state) {
	b := s.graph(strict)
	if len(b.g.Dead()) > 0 {
		for _, core := range b.g.Cores(maxCores) {
			q := question{code: finding.DeadlockUnsafe, build: b, nodes: core}
			past := false
			for _, n := range core {
				w := s.threads[n]
				past = past || w.Strict.Returned
				q.core = append(q.core, w.Key(true))
			}
			if past {
				r.asked = append(r.asked, q)
			}
		}
	}
	if len(r.asked) == 0 {
		r.followMatches(s)
	}
}

// followMatches lets receives go on whose observed match the strict view cannot reach, if that is all that holds them up:
// an unexpected match (paper, section 3.3). It must have held them up for two rounds, unless the run is over.
func (r *root) followMatches(s *state) {
	now := make(map[message.Key]bool)
	var keys []message.Key
	for _, w := range s.threads {
		if !w.HasStrict || !w.Strict.Returned {
			continue
		}
		for _, n := range w.Strict.Needs {
			if n.Decided {
				k := w.Key(true)
				now[k] = true
				if r.ending || r.decided[k] {
					keys = append(keys, k)
				}
				break
			}
		}
	}
	r.decided = now
	if len(keys) > 0 {
		r.progressed = true
		r.net.Broadcast(message.Relax{Keys: keys, Once: true})
	}
}
