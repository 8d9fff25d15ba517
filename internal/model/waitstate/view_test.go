package waitstate

import (
	"testing"

	"unknot/internal/vocab/op"
)

// pair is two ranks on one node or on two, whose messages to each other are delivered after every step.
type pair struct {
	nodes   []*Node
	threads [2]*Thread
}

func newPair(nodes int) *pair {
	p := &pair{}
	home := func(r op.Rank) int { return int(r) % nodes }
	for id := range nodes {
		p.nodes = append(p.nodes, NewNode(id, home))
	}
	for r := range p.threads {
		p.threads[r] = p.node(r).NewThread(op.Rank(r), 0)
	}
	return p
}

func (p *pair) node(rank int) *Node { return p.nodes[rank%len(p.nodes)] }

func (p *pair) deliver() {
	for again := true; again; {
		again = false
		for _, n := range p.nodes {
			out := n.Out
			n.Out = nil
			for _, m := range out {
				again = true
				p.nodes[m.To].Handle(m)
			}
		}
	}
}

func (p *pair) enter(rank int, o *Op) {
	o.Origin = new(Origin)
	for _, part := range o.Posts {
		part.Origin = o.Origin
	}
	p.node(rank).Enter(p.threads[rank], o)
	p.deliver()
}

func (p *pair) freeze() {
	for _, n := range p.nodes {
		n.Freeze()
	}
	p.deliver()
}

func (p *pair) thaw() {
	for _, n := range p.nodes {
		n.Thaw()
	}
	p.deliver()
}

func message(src, dst op.Rank, mode op.SendMode) *Part {
	return &Part{Kind: op.Send, Mode: mode, Src: src, Dst: dst, Tag: 5, Ctx: 1}
}

func receive(src, dst op.Rank) *Part { return &Part{Kind: op.Recv, Src: src, Dst: dst, Tag: 5, Ctx: 1} }

func nonblocking(parts ...*Part) *Op { return &Op{Posts: parts} }

func blocking(parts ...*Part) *Op { return &Op{Blocking: true, Posts: parts, Waits: parts} }

func waiting(parts ...*Part) *Op { return &Op{Blocking: true, Waits: parts} }

func onOneAndTwoNodes(t *testing.T, test func(t *testing.T, p *pair)) {
	for nodes := 1; nodes <= 2; nodes++ {
		t.Run([]string{1: "one node", 2: "two nodes"}[nodes], func(t *testing.T) { test(t, newPair(nodes)) })
	}
}

// real is the only need of a rank in the run, and strict that in the strict view.
func (p *pair) needs(t *testing.T, rank int) (real, strict Need) {
	t.Helper()
	r, ok := p.node(rank).RealWait(p.threads[rank])
	s, ok2 := p.node(rank).StrictWait(p.threads[rank])
	if !ok || !ok2 || len(r.Needs) != 1 || len(s.Needs) != 1 {
		t.Fatalf("rank %d waits for %+v and strictly for %+v, want one need each", rank, r, s)
	}
	return r.Needs[0], s.Needs[0]
}

func TestSendThatAnUndecidedReceiveCouldTake(t *testing.T) {
	onOneAndTwoNodes(t, func(t *testing.T, p *pair) {
		p.enter(1, nonblocking(receive(op.AnySource, 1)))
		p.enter(0, blocking(message(0, 1, op.Synchronous)))
		p.freeze()
		// it has to, as there is no other message: that the receiver's node knows
		known := len(p.nodes) == 1
		if real, strict := p.needs(t, 0); !real.Weak || real.Free != known || real.Met != known || !strict.Free {
			t.Errorf("needs %+v and strictly %+v, want a weak one and a free one", real, strict)
		}
	})
}

// TestWhatMPIChoosesAmongCountsAsMetWhenThereIsEnough: of two receives from any source the second has a message for
// certain if there are two, and not if there is one.
func TestWhatMPIChoosesAmongCountsAsMetWhenThereIsEnough(t *testing.T) {
	for messages := range 3 {
		onOneAndTwoNodes(t, func(t *testing.T, p *pair) {
			for range messages {
				p.enter(1, nonblocking(message(1, 0, op.Standard)))
			}
			p.enter(0, nonblocking(receive(op.AnySource, 0)))
			p.enter(0, blocking(receive(op.AnySource, 0)))
			p.freeze()
			r, _ := p.node(0).RealWait(p.threads[0])
			if n := r.Needs[0]; n.Met != (messages == 2) || n.Free != n.Met || n.Met && n.There != 1 {
				t.Errorf("with %d messages the second of two receives needs %+v", messages, n)
			}
		})
	}
}

// TestASendAmongMoreMessagesThanReceivesIsNotMet: MPI may choose another one.
func TestASendAmongMoreMessagesThanReceivesIsNotMet(t *testing.T) {
	for receives := range 3 {
		p := newPair(1)
		for range receives {
			p.enter(1, nonblocking(receive(op.AnySource, 1)))
		}
		p.enter(1, nonblocking(message(1, 1, op.Standard)))
		p.enter(0, blocking(message(0, 1, op.Synchronous)))
		p.freeze()
		r, _ := p.node(0).RealWait(p.threads[0])
		if n := r.Needs[0]; n.Met != (receives == 2) || n.Free != n.Met {
			t.Errorf("with %d receives for two messages one of them needs %+v", receives, n)
		}
	}
}

func TestSendThatAnUndecidedReceiveCouldTakeLaterInTheStrictView(t *testing.T) {
	onOneAndTwoNodes(t, func(t *testing.T, p *pair) {
		p.enter(1, blocking(message(1, 0, op.Standard))) // buffered: the run continues
		p.enter(1, nonblocking(receive(op.AnySource, 1)))
		p.enter(0, blocking(message(0, 1, op.Synchronous)))
		p.freeze()
		if real, strict := p.needs(t, 0); !real.Weak || strict.Free {
			t.Errorf("needs %+v and strictly %+v, want a weak one and one that is not free", real, strict)
		}
	})
}

func TestOutlookOfASendIsForgottenWhenTheRunGoesOn(t *testing.T) {
	onOneAndTwoNodes(t, func(t *testing.T, p *pair) {
		recv := receive(op.AnySource, 1)
		p.enter(1, nonblocking(recv))
		p.enter(1, nonblocking(message(1, 1, op.Synchronous)))
		p.enter(0, blocking(message(0, 1, op.Synchronous)))
		p.freeze()
		p.thaw()
		p.node(1).Decide(recv, 1, 5) // it took the message of the rank itself
		p.node(1).Settle(1, 1)
		p.freeze()
		if real, strict := p.needs(t, 0); real.Weak || strict.Free {
			t.Errorf("needs %+v and strictly %+v, want them to be firm", real, strict)
		}
	})
}

// The run of the paper's figure 4, in which a collective that did not synchronise let a message overtake another.
func TestSendThatAnUnexpectedMatchLeftOut(t *testing.T) {
	onOneAndTwoNodes(t, func(t *testing.T, p *pair) {
		for r := range op.Rank(2) {
			p.node(int(r)).Join(r, 1, op.FirstRanks(2))
		}
		wild := receive(op.AnySource, 1)
		p.enter(1, nonblocking(wild))
		p.node(1).Decide(wild, 1, 5) // a message that it sent itself, which it has not reached in the strict view
		p.node(1).Settle(1, 1)
		p.enter(1, blocking(message(1, 0, op.Standard))) // buffered
		p.enter(1, nonblocking(message(1, 1, op.Standard)))
		p.enter(0, blocking(message(0, 1, op.Standard)))
		p.freeze()
		w, ok := p.node(0).StrictWait(p.threads[0])
		if !ok || !w.Needs[0].Free || !w.Needs[0].Decided {
			t.Errorf("strictly waits %v for %+v, want what the wildcard would have taken", ok, w)
		}
		p.thaw()
		p.node(0).RelaxOnce(p.threads[0])
		p.deliver()
		if at := p.threads[0].Strict(); at == nil || at.Returned() {
			t.Errorf("the strict view is at %+v, want the call that is in progress", at)
		}
	})
}

func TestSendWithoutAReceiveIsNeeded(t *testing.T) {
	onOneAndTwoNodes(t, func(t *testing.T, p *pair) {
		p.enter(0, blocking(message(0, 1, op.Standard)))
		p.freeze()
		if real, strict := p.needs(t, 0); real.Weak || real.Free || strict.Free {
			t.Errorf("needs %+v and strictly %+v, want them to be firm", real, strict)
		}
	})
}

func TestAMessageThatMPIMayBeCarryingOverHasASize(t *testing.T) {
	onOneAndTwoNodes(t, func(t *testing.T, p *pair) {
		large := message(0, 1, op.Standard)
		large.Bytes = 2 << 30
		p.enter(1, blocking(receive(op.AnySource, 1)))
		p.enter(0, blocking(large))
		p.freeze()
		for rank := range 2 {
			if real, _ := p.needs(t, rank); real.Carried != 2<<30 {
				t.Errorf("rank %d: %d bytes may be carried over, want 2 GiB", rank, real.Carried)
			}
		}
	})
}

func TestStandardSendNextToAnotherNeedMayHaveBeenBuffered(t *testing.T) {
	for _, c := range []struct {
		name  string
		op    *Op
		doubt []bool
	}{
		{"with a receive", blocking(message(0, 1, op.Standard), receive(1, 0)), []bool{true, false}},
		{"with another send", blocking(message(0, 1, op.Standard), message(0, 1, op.Standard)), []bool{true, true}},
		{"synchronous", blocking(message(0, 1, op.Synchronous), receive(1, 0)), []bool{false, false}},
		{"with what the model takes for served", blocking(message(0, 1, op.Standard), message(0, 1, op.Buffered)),
			[]bool{true, false}},
		{"alone", blocking(message(0, 1, op.Standard)), []bool{false}},
		{"one of several", &Op{Blocking: true, Any: true, Waits: []*Part{message(0, 1, op.Standard),
			message(0, 1, op.Standard)}}, []bool{false, false}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newPair(1)
			p.enter(0, c.op)
			w, _ := p.node(0).RealWait(p.threads[0])
			for i, n := range w.Needs {
				if n.Doubt != c.doubt[i] {
					t.Errorf("need %d: in doubt %v, want %v", i, n.Doubt, c.doubt[i])
				}
			}
		})
	}
}

func TestCompletionWithoutActiveRequestsIsNoWait(t *testing.T) {
	for _, any := range []bool{true, false} {
		p := newPair(1)
		o := waiting()
		o.Any = any
		p.enter(0, o)
		if w, waits := p.node(0).RealWait(p.threads[0]); waits {
			t.Errorf("any %v: waits for %+v", any, w)
		}
		if w, waits := p.node(0).StrictWait(p.threads[0]); waits {
			t.Errorf("any %v: strictly waits for %+v", any, w)
		}
	}
}

func TestCancelledReceiveLeavesItsMessageToTheNext(t *testing.T) {
	onOneAndTwoNodes(t, func(t *testing.T, p *pair) {
		first := receive(0, 1)
		p.enter(1, nonblocking(first))
		p.node(1).Suspend(first) // MPI_Cancel
		p.enter(0, blocking(message(0, 1, op.Synchronous)))
		second := receive(0, 1)
		p.enter(1, blocking(second))
		if second.Matched() {
			t.Fatal("the second receive is matched while the first may still complete")
		}
		p.node(1).Cancelled(first)
		p.deliver()
		if !second.Matched() || p.threads[0].Strict() != nil || p.threads[1].Strict() != nil {
			t.Errorf("matched %v, strict views at %v and %v", second.Matched(), p.threads[0].Strict(),
				p.threads[1].Strict())
		}
	})
}

// TestWhatIsToBeCancelledIsNotWaitedFor: MPI-4.0, 3.8.4.
func TestWhatIsToBeCancelledIsNotWaitedFor(t *testing.T) {
	for what, part := range map[string]func() *Part{"a send": func() *Part { return message(0, 1, op.Synchronous) },
		"a receive": func() *Part { return receive(1, 0) }} {
		onOneAndTwoNodes(t, func(t *testing.T, p *pair) {
			marked := part()
			p.enter(0, nonblocking(marked))
			p.node(0).Suspend(marked)
			p.enter(0, waiting(marked))
			p.freeze()
			if real, strict := p.needs(t, 0); !real.Free || !strict.Free {
				t.Errorf("%s: needs %+v and strictly %+v, want nothing", what, real, strict)
			}
		})
	}
}

func TestCancelledSendIsTakenBack(t *testing.T) {
	onOneAndTwoNodes(t, func(t *testing.T, p *pair) {
		cancelled := message(0, 1, op.Synchronous)
		p.enter(0, nonblocking(cancelled))
		p.node(0).Cancelled(cancelled)
		p.deliver()
		p.enter(0, waiting(cancelled))
		recv := receive(0, 1)
		p.enter(1, blocking(recv))
		if recv.Matched() || p.threads[0].Strict() != nil {
			t.Errorf("matched %v, the sender's strict view at %v", recv.Matched(), p.threads[0].Strict())
		}
		p.enter(0, blocking(message(0, 1, op.Synchronous)))
		if !recv.Matched() || p.threads[1].Strict() != nil {
			t.Errorf("the next message: matched %v, the receiver's strict view at %v", recv.Matched(),
				p.threads[1].Strict())
		}
	})
}
