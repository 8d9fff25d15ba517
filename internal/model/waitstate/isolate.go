package waitstate

import "unknot/internal/vocab/op"

// A node that nobody answers any more cannot know how far strict rules would let its threads get. It continues to
// follow the run, so that it knows where each thread stands and what that waits for, in memory that does not grow with
// the length of the run: its strict view is where the run is, and it forgets what the run shows to be over.

// Isolate takes in that the root and the ranks for which away is true cannot be reached any more. Threads are all those
// of the node.
func (n *Node) Isolate(threads []*Thread, away func(op.Rank) bool) {
	n.away, n.races.isolated = away, true
	n.frozen = false
	clear(n.told)
	clear(n.parts) // nobody refers to them any more
	for _, s := range n.remotes {
		n.begin(s, nil)
	}
	for _, t := range threads {
		for _, o := range t.window[t.head:] {
			if o.returned {
				n.past(o)
			}
		}
		n.enqueue(t)
	}
	n.settleUnseen()
	n.run()
}

// past notes the receives that a call has completed, as it has returned.
func (n *Node) past(o *Op) {
	if n.away == nil || o.Any {
		return
	}
	for _, p := range o.Waits {
		n.ends(p)
	}
}

// ends notes that the run has completed a receive: its message may be one that nobody could tell of.
func (n *Node) ends(p *Part) {
	if n.away != nil && p.Kind == op.Recv && !p.paired {
		n.unseen = append(n.unseen, p)
	}
}

// settleUnseen lets the receives go that the run has completed with messages of ranks that are away.
func (n *Node) settleUnseen() {
	for i := 0; i < len(n.unseen); i++ {
		p := n.unseen[i]
		if p.paired || p.gone || p.recv == nil {
			continue
		}
		src := p.source()
		if src < 0 || !n.away(src) {
			continue
		}
		n.countKnown(Channel{src, p.Dst, p.Ctx, p.recv.Tag}, 1)
		p.gone = true
		q := n.queue(p.Dst, p.Ctx)
		q.Drop(p.recv)
		n.satisfy(p)
		n.settle(q)
	}
	n.unseen = n.unseen[:0]
}
