// Package follow feeds what was seen of a random program to wait-state nodes, the way agents do: each rank's events in
// order, those of different ranks and messages between nodes in any order.
package follow

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"unknot/internal/model/waitstate"
	"unknot/internal/test/testkit/oracle"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/op"
)

// Run is a watched program.
type Run struct {
	Prog    *oracle.Program
	Nodes   []*waitstate.Node
	Threads []*waitstate.Thread // by rank
	Parts   [][]*waitstate.Part // by rank, in the order of their start

	rng     *rand.Rand
	links   [][]*link // from node (the last is the root) to node
	tallies map[wave]int
	clocks  map[wave]*waitstate.Clock
	members map[member]*waitstate.Member
	cut     bool               // nothing is delivered any more
	alone   map[int]bool       // nodes that know it
	left    func(oracle.Event) // is called for each call that has returned, if there is one
}

// link carries messages from one node to another, as bytes, as if the two were on different hosts.
type link struct {
	to      int
	queue   [][]byte
	encoder *message.Encoder
	decoder *message.Decoder
}

func (l *link) send(m waitstate.Message) {
	l.queue = append(l.queue, l.encoder.Append(nil, message.WaitStates{Messages: []waitstate.Message{m}}))
}

func (l *link) receive() waitstate.Message {
	m, err := l.decoder.Decode(l.queue[0])
	if err != nil {
		panic(err) // what was written cannot be read
	}
	l.queue = l.queue[1:]
	return m.(message.WaitStates).Messages[0]
}

type wave struct {
	ctx op.CommID
	seq uint64
}

type member struct{ rank, comm int }

// Context is the identity of a communicator.
func Context(comm int) op.CommID { return op.CommID(comm + 1) }

// Ranks are the members of a communicator.
func Ranks(p *oracle.Program, comm int) op.Ranks {
	var out []op.Rank
	for _, m := range p.Comms[comm] {
		out = append(out, op.Rank(m))
	}
	return op.RanksOf(out...)
}

// Watch hands events to so many nodes, delivers all messages between them and makes a consistent state.
func Watch(p *oracle.Program, events []oracle.Event, nodes int, rng *rand.Rand) *Run {
	r := feed(p, events, nodes, rng)
	for r.deliver() {
	}
	r.freeze()
	return r
}

// Glance is Watch for somebody who does not wait for the messages: transitions stop while some are under way.
func Glance(p *oracle.Program, events []oracle.Event, nodes int, rng *rand.Rand) *Run {
	r := feed(p, events, nodes, rng)
	r.freeze()
	return r
}

// Races is Watch for message races: what so many nodes say of them at the end, by receiver.
func Races(p *oracle.Program, events []oracle.Event, nodes int, rng *rand.Rand) (all []waitstate.Race) {
	r := start(p, nodes, rng)
	for _, n := range r.Nodes {
		n.WatchRaces(nodes > 1)
	}
	r.take(events)
	for r.deliver() {
	}
	for _, n := range r.Nodes {
		all = append(all, n.Races()...)
	}
	slices.SortStableFunc(all, func(a, b waitstate.Race) int { return cmp.Compare(a.Recv.Rank, b.Recv.Rank) })
	return all
}

// Moments is Watch for moments: by rank, that after each call. After some calls a rank learns more, as imprecise says.
func Moments(p *oracle.Program, events []oracle.Event, nodes int, imprecise func(oracle.Event) bool,
	rng *rand.Rand) [][]*waitstate.Moment {
	r := start(p, nodes, rng)
	for _, n := range r.Nodes {
		n.WatchMoments()
	}
	all := make([][]*waitstate.Moment, len(p.Ranks))
	r.left = func(e oracle.Event) {
		n, t := r.Node(e.Rank), r.Threads[e.Rank]
		if imprecise(e) {
			n.MakeImprecise(t)
		}
		all[e.Rank] = append(all[e.Rank], n.Now(t))
	}
	r.take(events)
	for r.deliver() {
	}
	return all
}

func feed(p *oracle.Program, events []oracle.Event, nodes int, rng *rand.Rand) *Run {
	r := start(p, nodes, rng)
	r.take(events)
	return r
}

// start makes the nodes before anything has happened.
func start(p *oracle.Program, nodes int, rng *rand.Rand) *Run {
	r := &Run{Prog: p, rng: rng, tallies: make(map[wave]int), clocks: make(map[wave]*waitstate.Clock),
		members: make(map[member]*waitstate.Member),
		Parts:   make([][]*waitstate.Part, len(p.Ranks))}
	format := message.NewFormat(nil)
	r.links = make([][]*link, nodes+1)
	for from := range r.links {
		for to := range nodes + 1 {
			r.links[from] = append(r.links[from], &link{to: to, encoder: format.Encoder(), decoder: format.Decoder()})
		}
	}
	for id := range nodes {
		r.Nodes = append(r.Nodes, waitstate.NewNode(id, func(rank op.Rank) int { return int(rank) % nodes }))
	}
	for rank := range p.Ranks {
		r.Threads = append(r.Threads, r.Node(rank).NewThread(op.Rank(rank), 0))
	}
	for comm, members := range p.Comms {
		for _, rank := range members {
			r.members[member{rank, comm}] = r.Node(rank).Join(op.Rank(rank), Context(comm), Ranks(p, comm))
		}
	}
	return r
}

func (r *Run) take(events []oracle.Event) {
	for _, e := range events {
		if e.Leaves {
			r.leave(e)
			if r.left != nil {
				r.left(e)
			}
		} else {
			r.enter(e)
		}
		r.post(r.Node(e.Rank))
		for r.rng.IntN(3) == 0 && r.deliver() {
		}
	}
}

// freeze stops the nodes at different times and flushes the links (paper, section 5).
func (r *Run) freeze() {
	for _, at := range r.rng.Perm(len(r.Nodes)) {
		r.Nodes[at].Freeze()
		r.post(r.Nodes[at])
		for r.rng.IntN(3) > 0 && r.deliver() {
		}
	}
	for r.deliver() {
	}
}

// Node is the node of a rank.
func (r *Run) Node(rank int) *waitstate.Node { return r.Nodes[rank%len(r.Nodes)] }

func (r *Run) enter(e oracle.Event) {
	o := waitstate.NewOp()
	o.Site = uint64(e.Call)
	calls := r.Prog.Ranks[e.Rank]
	if e.Call == len(calls) {
		o.Blocking, o.Terminal = true, true
		r.Node(e.Rank).Enter(r.Threads[e.Rank], o)
		return
	}
	c := &calls[e.Call]
	for range e.Starts {
		var p *waitstate.Part
		if c.Kind == oracle.Collective {
			p = r.collective(e.Rank, c)
		} else {
			p = part(e.Rank, c, len(o.Posts))
		}
		p.Origin = o.Origin
		r.Parts[e.Rank] = append(r.Parts[e.Rank], p)
		o.Post(p)
	}
	for _, n := range e.Waits {
		o.Wait(r.Parts[e.Rank][n])
	}
	started := len(o.Posts) > 0
	o.Blocking = !started || len(o.Waits) > 0
	o.Any = c.Kind == oracle.Waitany || c.Kind == oracle.Waitsome
	r.Node(e.Rank).Enter(r.Threads[e.Rank], o)
}

func part(rank int, c *oracle.Call, i int) *waitstate.Part {
	from := &c.Parts[i]
	p := &waitstate.Part{Tag: int32(from.Tag), Ctx: Context(from.Comm), Bytes: 4}
	if from.Send {
		p.Kind, p.Mode = op.Send, from.Mode
		p.Src, p.Dst = op.Rank(rank), op.Rank(from.Peer)
		return p
	}
	p.Kind, p.Src, p.Dst = op.Recv, op.Rank(from.Peer), op.Rank(rank)
	if c.Kind == oracle.Probe {
		p.Kind = op.Probe
	}
	return p
}

func (r *Run) collective(rank int, c *oracle.Call) *waitstate.Part {
	m := r.members[member{rank, c.Comm}]
	w := r.Prog.Wave(c.Comm, int(m.Seq()))
	sync := [...]op.Sync{oracle.Barrier: op.SyncAll, oracle.Bcast: op.SyncFromRoot,
		oracle.Reduce: op.SyncToRoot, oracle.Scan: op.SyncLower, oracle.Empty: op.SyncNone}[w.Gather]
	root := op.AnySource
	if w.Gather == oracle.Bcast || w.Gather == oracle.Reduce || w.Gather == oracle.Empty {
		root = op.Rank(w.Root)
	}
	return &waitstate.Part{Kind: op.Coll, Bytes: -1, Collective: &waitstate.Collective{Member: m,
		Nonblock: w.Nonblocking, Root: root, Sync: sync,
		Everybody: sync == op.SyncAll && len(r.Prog.Comms[c.Comm]) == len(r.Prog.Ranks),
		Sig:       waitstate.Signature{Op: uint32(w.Gather), Root: root, Side: op.AnySource}}}
}

// leave tells what a call gave back, and that it returned.
func (r *Run) leave(e oracle.Event) {
	n := r.Node(e.Rank)
	for _, d := range e.Done {
		p := r.Parts[e.Rank][d.N]
		n.Seen(p)
		if p.Kind == op.Recv || p.Kind == op.Probe {
			n.Decide(p, op.Rank(d.Source), int32(d.Tag))
			n.Settle(p.Dst, p.Ctx)
		}
	}
	n.Return(r.Threads[e.Rank])
}

// post puts a node's messages on their links.
func (r *Run) post(n *waitstate.Node) {
	for _, m := range n.Out {
		to := m.To
		if to == waitstate.Root {
			to = len(r.Nodes)
		}
		r.links[n.ID][to].send(m)
	}
	n.Out = n.Out[:0]
	if r.cut {
		for _, l := range r.links[n.ID] {
			l.queue = nil
		}
	}
}

// deliver takes the first message of some link to its destination; false if all links are empty.
func (r *Run) deliver() bool {
	var full []*link
	for from := range r.links {
		for _, l := range r.links[from] {
			if len(l.queue) > 0 {
				full = append(full, l)
			}
		}
	}
	if len(full) == 0 {
		return false
	}
	l := full[r.rng.IntN(len(full))]
	m := l.receive()
	if l.to == len(r.Nodes) {
		r.root(m)
		return true
	}
	n := r.Nodes[l.to]
	n.Handle(m)
	r.post(n)
	return true
}

// root counts the members of a collective that are active, and tells all nodes when it is complete (paper, section
// 4.1).
func (r *Run) root(m waitstate.Message) {
	k := wave{m.Ctx, m.Seq}
	for _, v := range m.Voices {
		r.tallies[k] += v.Ranks.Len()
	}
	c := r.clocks[k].Join(m.Clock)
	if r.clocks[k] = c; r.tallies[k] < m.Size {
		return
	}
	delete(r.tallies, k)
	delete(r.clocks, k)
	root := len(r.Nodes)
	for to := range r.Nodes {
		r.links[root][to].send(waitstate.Message{Kind: waitstate.CollectiveAck, To: to, Ctx: m.Ctx,
			Gathered: waitstate.Gathered{Seq: m.Seq}, Clock: c})
	}
}

// Isolated is Watch for nodes that lose each other: from some event on nothing is delivered any more, and what is under
// way is lost. Each node notices it at another event, or at the end.
func Isolated(p *oracle.Program, events []oracle.Event, nodes int, rng *rand.Rand) *Run {
	r := start(p, nodes, rng)
	for _, n := range r.Nodes {
		n.Count()
	}
	cut := rng.IntN(len(events) + 1)
	r.take(events[:cut])
	r.cut = true
	for _, n := range r.Nodes {
		r.post(n)
	}
	for _, l := range r.links[nodes] {
		l.queue = nil
	}
	for _, e := range events[cut:] {
		if rng.IntN(4) == 0 {
			r.isolate(rng.IntN(nodes))
		}
		r.take([]oracle.Event{e})
	}
	for id := range nodes {
		r.isolate(id)
	}
	return r
}

// isolate tells a node that it is alone, if it does not know.
func (r *Run) isolate(id int) {
	if r.alone[id] {
		return
	}
	if r.alone == nil {
		r.alone = make(map[int]bool)
	}
	r.alone[id] = true
	var threads []*waitstate.Thread
	for rank, t := range r.Threads {
		if rank%len(r.Nodes) == id {
			threads = append(threads, t)
		}
	}
	n := r.Nodes[id]
	n.Isolate(threads, func(rank op.Rank) bool { return int(rank)%len(r.Nodes) != id })
	r.post(n)
}
