package waitstate

import (
	"testing"

	"unknot/internal/vocab/op"
)

// TestAnIsolatedNodeKeepsNothingOfWhatIsOver has a rank exchange messages with one of another node that tells nothing
// any more, in collectives and by receives of all kinds. What the node holds does not grow, and its ledger counts what
// the run has shown.
func TestAnIsolatedNodeKeepsNothingOfWhatIsOver(t *testing.T) {
	const ctx, steps, early = 1, 1000, 3
	n := NewNode(0, func(r op.Rank) int { return int(r) })
	n.Count()
	th := n.NewThread(0, 0)
	member := n.Join(0, ctx, op.Between(0, 1))
	call := func(posts ...*Part) {
		o := n.NewOp()
		o.Blocking = true
		for _, p := range posts {
			p.Origin = o.Origin
			o.Post(p)
			o.Wait(p)
		}
		n.Enter(th, o)
		for _, p := range posts {
			if p.Wildcard() {
				n.Seen(p)
				n.Decide(p, 1, 6)
				n.Settle(p.Dst, p.Ctx)
			}
		}
		n.Return(th)
		n.Out = n.Out[:0]
	}
	part := func(kind op.PartKind, src, dst op.Rank, tag int32) *Part {
		p := n.NewPart()
		p.Kind, p.Src, p.Dst, p.Ctx, p.Tag, p.Bytes = kind, src, dst, ctx, tag, 4
		return p
	}
	for i := range steps {
		if i == early { // what was not sent before is open then
			n.Isolate([]*Thread{th}, func(r op.Rank) bool { return r != 0 })
		}
		call(part(op.Send, 0, 1, 5), part(op.Recv, 1, 0, 5))
		call(part(op.Recv, op.AnySource, 0, 6))
		call(part(op.Recv, 1, 0, op.AnyTag))
		c := n.NewPart()
		c.Kind, c.Bytes, c.Collective = op.Coll, -1, &Collective{Member: member, Sync: op.SyncAll, Root: op.AnySource}
		call(c)
	}
	l := n.Ledger()
	if len(n.parts) > 0 || len(n.chosen) > 64 || th.Lag() > 0 || len(l.Posted) > 0 || len(n.groups[ctx].waves) > 0 ||
		len(n.unseen) > 0 {
		t.Errorf("%d sends, %d receives, %d operations, %d open receives, %d collectives, %d to be looked at",
			len(n.parts), len(n.chosen), th.Lag(), len(l.Posted), len(n.groups[ctx].waves), len(n.unseen))
	}
	want := map[Channel]int{{1, 0, ctx, 5}: steps, {1, 0, ctx, 6}: steps, {1, 0, ctx, op.AnyTag}: steps}
	for _, k := range l.Known {
		if want[k.Channel] != k.Count {
			t.Errorf("%+v, want %d", k, want[k.Channel])
		}
		delete(want, k.Channel)
	}
	if len(want) > 0 || len(l.Sent) != 1 || l.Sent[0].Count != steps || len(l.Arrivals) != 1 ||
		l.Arrivals[0].Seq != steps {
		t.Errorf("missing %v, sent %+v, arrivals %+v", want, l.Sent, l.Arrivals)
	}
}
