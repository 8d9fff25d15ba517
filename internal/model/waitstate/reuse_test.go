package waitstate

import (
	"testing"

	"unknot/internal/vocab/op"
)

// reused is two ranks of a node whose calls and parts come from its slabs.
type reused struct {
	n       *Node
	threads [2]*Thread
}

func newReused() *reused {
	n := NewNode(0, func(op.Rank) int { return 0 })
	return &reused{n, [2]*Thread{n.NewThread(0, 0), n.NewThread(1, 0)}}
}

// call enters a call of a rank that starts a part of a message from rank 0 to rank 1.
func (r *reused) call(rank int, kind op.PartKind, blocking bool) (*Op, *Part) {
	o, p := r.n.NewOp(), r.n.NewPart()
	p.Kind, p.Dst, p.Tag, p.Ctx, p.Origin = kind, 1, 5, 1, o.Origin
	o.Blocking = blocking
	o.Post(p)
	if blocking {
		o.Wait(p)
	}
	r.n.Enter(r.threads[rank], o)
	return o, p
}

// next enters another call, which leaves the last one behind.
func (r *reused) next(rank int) { r.n.Enter(r.threads[rank], NewOp()) }

// isFree says whether a part has been taken back, which leaves nothing in it.
func isFree(p *Part) bool { return p.Origin == nil }

func TestPartsAreUsedAgainWhenBothSidesAreOver(t *testing.T) {
	r := newReused()
	o, send := r.call(0, op.Send, true)
	origin := o.Origin
	_, recv := r.call(1, op.Recv, true)
	r.next(1)
	if !isFree(recv) || isFree(send) {
		t.Errorf("free are: receive %v, send %v; want the receive, whose call is over", isFree(recv), isFree(send))
	}
	r.next(0)
	if !isFree(send) || r.n.NewOp() != o {
		t.Error("a call that is over and its send are not used again")
	}
	if origin.Rank != 0 || o.Origin == origin {
		t.Error("the description of a call is used again")
	}
}

// A request keeps its part beyond the call that started it.
func TestAPartThatIsKeptIsNotUsedAgain(t *testing.T) {
	r := newReused()
	_, send := r.call(0, op.Send, false)
	send.Keep()
	r.call(1, op.Recv, true)
	r.next(0)
	r.next(1)
	if isFree(send) {
		t.Fatal("the send of a request that has not been completed is taken back")
	}
	r.n.Seen(send)
	r.n.Drop(send)
	if !isFree(send) {
		t.Error("a send that nobody has any more is not taken back")
	}
}

// A call that the strict view has not passed is still there for who asks what its thread waits for.
func TestACallThatTheStrictViewIsInIsNotUsedAgain(t *testing.T) {
	r := newReused()
	o, _ := r.call(0, op.Send, true)
	r.n.Return(r.threads[0])
	r.next(0)
	if w, waits := r.n.StrictWait(r.threads[0]); !waits || w.TS != 0 || r.threads[0].Strict() != o {
		t.Fatalf("the strict view waits: %v, in call %d; want in the send", waits, w.TS)
	}
	r.call(1, op.Recv, true)
	if r.threads[0].Strict() == o || r.n.NewOp() != o {
		t.Error("the call is not used again after the strict view has passed it")
	}
}

// A probe that was posted before a receive may turn out to see the message that the receive took.
func TestAMessageThatAProbeMaySeeIsNotUsedAgain(t *testing.T) {
	r := newReused()
	other := r.n.NewThread(1, 1)
	o, probe := r.n.NewOp(), r.n.NewPart()
	probe.Kind, probe.Src, probe.Dst, probe.Tag, probe.Ctx, probe.Origin = op.Probe, op.AnySource, 1, 5, 1, o.Origin
	o.Blocking = true
	o.Post(probe)
	o.Wait(probe)
	r.n.Enter(other, o)
	_, recv := r.call(1, op.Recv, true)
	_, send := r.call(0, op.Send, true)
	r.next(0)
	r.next(1)
	if !recv.Matched() && isFree(send) {
		t.Fatal("a message is taken back that no receive has taken")
	}
	if r.n.Decide(probe, 0, 5) {
		r.n.Settle(1, 1)
	}
	if !probe.Matched() || !probe.Satisfied() {
		t.Errorf("the probe is matched: %v, satisfied: %v; want both", probe.Matched(), probe.Satisfied())
	}
}

// A wildcard receive stays among the chosen ones until it is satisfied.
func TestAChosenReceiveIsKept(t *testing.T) {
	r := newReused()
	o, recv := r.n.NewOp(), r.n.NewPart()
	recv.Kind, recv.Src, recv.Dst, recv.Tag, recv.Ctx, recv.Origin = op.Recv, op.AnySource, 1, 5, 1, o.Origin
	o.Blocking = true
	o.Post(recv)
	o.Wait(recv)
	r.n.Enter(r.threads[1], o)
	if r.n.Decide(recv, 0, 5) {
		r.n.Settle(1, 1)
	}
	r.n.Return(r.threads[1])
	r.call(0, op.Send, true)
	r.next(0)
	r.next(1)
	if isFree(recv) || len(r.n.chosen) != 1 {
		t.Fatalf("%d receives are chosen, one is free: %v; want one that is not", len(r.n.chosen), isFree(recv))
	}
	for r.n.chosen[0] == recv {
		r.n.choose(&Part{life: life{sat: true}})
	}
	if !isFree(recv) {
		t.Error("a receive that is no longer among the chosen ones is not taken back")
	}
}

// Whoever asks later whether a call has returned keeps it.
func TestACallThatIsKeptIsNotUsedAgain(t *testing.T) {
	r := newReused()
	o, _ := r.call(0, op.Send, true)
	o.Keep()
	r.call(1, op.Recv, true)
	r.next(1)
	r.next(0)
	if r.n.NewOp() == o {
		t.Error("a call that somebody keeps is used again")
	}
}
