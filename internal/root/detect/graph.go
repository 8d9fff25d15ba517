package detect

import (
	"math"
	"slices"

	"unknot/internal/model/waitfor"
	"unknot/internal/model/waitstate"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/op"
)

// view is one of the ways to look at a run.
type view uint8

const (
	necessary view = iota // what has happened, and what calls cannot do without
	standing              // what has happened, in a job in which nothing moves: whatever calls wait for counts
	strict                // MPI at its most restrictive
)

type nodeID = waitfor.Node

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

// graph makes a state's graph in a view.
func (j *job) graph(s *state, v view) *build {
	j.stage(Building)
	defer j.stage(Checking)
	return s.graph(v)
}

func (s *state) graph(v view) *build {
	b := &build{state: s, view: v, g: waitfor.New(len(s.threads)), rank: make([]waitfor.Node, s.size),
		made:  make([]bool, s.size),
		anyOf: make(map[op.CommID]waitfor.Node), allOf: make(map[waveKey]waitfor.Node)}
	for i, w := range s.threads {
		if wakers := b.wakers(w); len(wakers) > 0 {
			b.g.BlockAny(waitfor.Node(i), wakers)
			continue
		}
		wait, ok := b.waiting(w)
		if !ok || v == standing && wait.Barred() != nil {
			// of the latter the plan is to blame; what else the call waits for may have been met without a trace
			continue
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
	return &w.Real, w.State == message.Blocked || w.State == message.Polling && (!w.Early || b.inVain(w))
}

// inVain says whether all whom a thread that polls waits for are in MPI_Finalize, or have ended: none of them will ever
// do anything about it.
func (b *build) inVain(w *message.Wait) bool {
	some := false
	for i := range w.Real.Needs {
		n := &w.Real.Needs[i]
		if n.Free || n.Barred || n.Kind != waitstate.NeedMessage && n.Kind != waitstate.NeedReceive &&
			n.Kind != waitstate.NeedMembers {
			return false
		}
		for _, r := range b.waitsFor(w, n) {
			if !b.gone(r) {
				return false
			}
			some = true
		}
	}
	return some
}

// wakers are the threads of its rank that may wake a thread which sleeps. Those that sleep themselves have to be woken
// first. With none left, it is not known what it waits for. What strict rules would have made of its sleep is not known
// either.
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

// over says whether a thread will do nothing any more that another could wait for. In the strict view that is so once
// it has reached MPI_Finalize there: a thread that does not wait can still go on, if only when transitions are let go
// again.
func (b *build) over(w *message.Wait) bool {
	if b.view == strict {
		return w.HasStrict && w.Strict.Terminal
	}
	return w.State == message.Finished || w.State == message.Dead || w.State == message.Leaving
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
	case waitstate.NeedReceive, waitstate.NeedSelf, waitstate.NeedOwnUnlock:
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
	case waitstate.NeedLeader:
		return b.leading(n)
	}
	return b.g.Running()
}

// leading is the thread of a leader in the call of those that it leads. One that is past it keeps nobody.
func (b *build) leading(n *waitstate.Need) waitfor.Node {
	for _, i := range b.threadsOf(n.Rank) {
		t := b.threads[i]
		same := func(o waitstate.Need) bool {
			return o.Kind == waitstate.NeedMembers && o.Ctx == n.Ctx && o.Seq == n.Seq
		}
		if t.State == message.Blocked && slices.ContainsFunc(t.Real.Needs, same) {
			return waitfor.Node(i)
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
	nodes := make([]waitfor.Node, 0, members.Len())
	for m := range members.All() {
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
	if n.Clash || waitstate.Disagree(v.Voices) {
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
		return b.allMissing(w, k, v)
	case op.SyncFromRoot:
		if n.Root != w.Rank && b.isMissing(v, n.Root) {
			return b.of(n.Root)
		}
	case op.SyncToRoot:
		if n.Root == w.Rank {
			return b.allMissing(w, k, v)
		}
	case op.SyncLower:
		var nodes []waitfor.Node
		for m := range b.groups[n.Ctx].All() {
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
	return !here.Has(r)
}

// missing are the members of a collective that have not come.
func (b *build) missing(k waveKey, v *message.Wave) []op.Rank {
	var out []op.Rank
	for m := range b.groups[k.ctx].All() {
		if b.isMissing(v, m) {
			out = append(out, m)
		}
	}
	return out
}

func (b *build) allMissing(w *message.Wait, k waveKey, v *message.Wave) waitfor.Node {
	if n, ok := b.allOf[k]; ok {
		return n
	}
	var nodes []waitfor.Node
	for _, m := range b.missing(k, v) {
		if b.view == necessary && w.Begins && b.leaving(m) {
			nodes = append(nodes, b.g.Running())
			continue
		}
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

// culprits are the finished and dead ranks that a core waits for.
func (b *build) culprits(core []nodeID) []op.Rank {
	var out []op.Rank
	seen := make(map[waveKey]bool)
	for _, n := range core {
		w := b.threads[n]
		wait, _ := b.waiting(w)
		for k := range wait.Needs {
			// What all members of a core wait for together is looked at once. They are not among the culprits
			// themselves.
			if at, together := ofAll(&wait.Needs[k]); together && seen[at] {
				continue
			} else if together {
				seen[at] = true
			}
			for _, r := range b.waitsFor(w, &wait.Needs[k]) {
				if b.gone(r) {
					out = append(out, r)
				}
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// ofAll names what is needed by all threads that need it together; false if that depends on the thread.
func ofAll(n *waitstate.Need) (waveKey, bool) {
	const messages = math.MaxUint64
	switch {
	case n.Kind == waitstate.NeedMessage && n.Rank == op.AnySource && !n.Barred:
		return waveKey{n.Ctx, messages}, true
	case n.Kind == waitstate.NeedMembers && n.Sync != op.SyncFromRoot:
		return waveKey{n.Ctx, n.Seq}, true
	}
	return waveKey{}, false
}

// leaving says whether a rank may do no more than begin another session.
func (b *build) leaving(r op.Rank) bool {
	return slices.ContainsFunc(b.threadsOf(r), func(i int) bool { return b.threads[i].State == message.Leaving })
}

// gone says whether all threads of a rank have ended, except for those that sleep until another one wakes them.
func (b *build) gone(r op.Rank) bool {
	over := false
	for _, i := range b.threadsOf(r) {
		w := b.threads[i]
		if !b.over(w) && (b.view == strict || w.State != message.Asleep) {
			return false
		}
		over = over || b.over(w)
	}
	return over && !b.users[r]
}

// waitsFor are the ranks that a need names.
func (b *build) waitsFor(w *message.Wait, n *waitstate.Need) []op.Rank {
	switch n.Kind {
	case waitstate.NeedMessage:
		if n.Barred {
			return []op.Rank{n.Forced.Src}
		}
		if n.Rank != op.AnySource {
			return []op.Rank{n.Rank}
		}
		var out []op.Rank
		for m := range b.groups[n.Ctx].All() {
			if m != w.Rank {
				out = append(out, m)
			}
		}
		return out
	case waitstate.NeedReceive, waitstate.NeedSelf, waitstate.NeedOwnUnlock, waitstate.NeedLeader:
		return []op.Rank{n.Rank}
	case waitstate.NeedThread:
		return []op.Rank{w.Rank}
	case waitstate.NeedUnlock:
		return b.lockHolders(w.Rank, n)
	case waitstate.NeedMembers:
		v := b.waves[waveKey{n.Ctx, n.Seq}]
		if v == nil {
			return nil
		}
		missing := b.missing(waveKey{n.Ctx, n.Seq}, v)
		if b.view == necessary && n.Sync == op.SyncFromRoot && slices.Contains(missing, n.Root) {
			return []op.Rank{n.Root}
		}
		return missing
	}
	return nil
}
