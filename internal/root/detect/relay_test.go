package detect

import (
	"testing"
	"time"

	"unknot/internal/model/waitstate"
	"unknot/internal/root/tree"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/op"
)

// canopy is a tree whose relays and root are real, and whose agents are the test.
type canopy struct {
	net    *tree.Network[message.Message]
	relays []*Relay
}

func newCanopy(agents, fanIn int) *canopy {
	c := &canopy{net: tree.New(tree.NewShape(agents, fanIn), func(int, int) tree.Link[message.Message] {
		return format.Link()
	})}
	for id := agents; id < c.net.Shape().Members(); id++ {
		c.relays = append(c.relays, NewRelay(c.net.Member(id), c.net.Shape().Level(id)))
	}
	return c
}

// pass has all relays hand on what there is.
func (c *canopy) pass() {
	for range c.net.Shape().Members() {
		for _, r := range c.relays {
			r.Turn(time.Now())
		}
	}
}

// hear has the root take in what there is.
func hear(r *Root) {
	for _, m := range r.net.Take(nil) {
		r.message(m)
	}
}

// gathered is what arrives at the root of these agents' reports.
func gathered(reports []*message.Report, fanIn int) []*message.Report {
	c := newCanopy(len(reports), fanIn)
	c.net.Member(tree.Root).Broadcast(message.Gather{Round: 1})
	c.pass()
	for i, rep := range reports {
		rep.Agent, rep.Round = i, 1
		c.net.Member(i).SendUp(*rep)
	}
	c.pass()
	var out []*message.Report
	for _, m := range c.net.Member(tree.Root).Take(nil) {
		rep := m.(message.Report)
		out = append(out, &rep)
	}
	return out
}

// ready is an agent's word that one member of a collective of so many is active.
func ready(agents, agent int, shape *tree.Shape) message.WaitStates {
	m := waitstate.Message{Kind: waitstate.CollectiveReady, To: waitstate.Root, Ctx: 5,
		Gathered: waitstate.Gathered{Size: agents}}
	m.Voices = []waitstate.Voice{{Ranks: op.Between(op.Rank(agent), op.Rank(agent)),
		Origin: &waitstate.Origin{Rank: op.Rank(agent)}}}
	for id := shape.Parent(agent); id != tree.Root; id = shape.Parent(id) {
		n := 0
		for a := range agents {
			for up := a; up != tree.Root; up = shape.Parent(up) {
				if up == id {
					n++
				}
			}
		}
		m.Below = append(m.Below, n)
	}
	return message.WaitStates{Messages: []waitstate.Message{m}}
}

// TestARelayTellsOfACollectiveOnce: when all members below it are in, for all of them; and the answer reaches all
// agents.
func TestARelayTellsOfACollectiveOnce(t *testing.T) {
	const agents = 8
	c := newCanopy(agents, 2)
	root := New(c.net.Member(tree.Root), nil, agents, Options{}, nil)
	for a := range agents {
		c.net.Member(a).SendUp(ready(agents, a, c.net.Shape()))
		c.pass()
		list := c.net.Member(tree.Root).Take(nil)
		if want := (a + 1) % 4 / 4; len(list) > 1 || len(list) == 1 != ((a+1)%4 == 0) {
			t.Errorf("agent %d: the root gets %d messages, want %d", a, len(list), want)
		}
		for _, m := range list {
			root.message(m)
		}
	}
	c.pass()
	for a := range agents {
		list := c.net.Member(a).Take(nil)
		if len(list) != 1 || list[0].(message.WaitStates).Messages[0].Kind != waitstate.CollectiveAck {
			t.Errorf("agent %d has got %v", a, list)
		}
	}
	if len(root.collectives.waves) != 0 || len(c.relays[0].waves) != 0 {
		t.Error("what is over is kept")
	}
}

// TestALostRelayLosesNoCollective: what it may not have handed on is said again, and counted once.
func TestALostRelayLosesNoCollective(t *testing.T) {
	const agents = 8
	c := newCanopy(agents, 2)
	root := New(c.net.Member(tree.Root), nil, agents, Options{}, nil)
	say := func(a int) { c.net.Member(a).SendUp(ready(agents, a, c.net.Shape())) }
	for a := range agents - 1 {
		say(a)
	}
	c.pass()
	lost := 12 // above the first four, which it has reported to the root
	hear(root)
	c.net.Member(tree.Root).Lose(lost)
	for a := range 4 {
		c.net.Member(a).Lose(lost)
		say(a)
	}
	for _, r := range c.relays {
		r.gone(message.Gone{Agent: lost})
	}
	say(agents - 1)
	c.pass()
	hear(root)
	c.pass()
	for a := range agents {
		if n := acknowledged(c.net.Member(a).Take(nil)); n != 1 {
			t.Errorf("agent %d has got %d acknowledgements", a, n)
		}
	}
}

// TestALostRelayLosesNoAcknowledgement: one that it had and did not hand on reaches those who then say again that they
// are ready, from the member above that has it.
func TestALostRelayLosesNoAcknowledgement(t *testing.T) {
	const agents = 8
	for _, where := range []struct {
		name        string
		fanIn, lost int
		below       int // agents that are below the lost relay, from 0 on
	}{{"below the root", 4, 8, 4}, {"below a relay", 2, 8, 2}} {
		t.Run(where.name, func(t *testing.T) {
			c := newCanopy(agents, where.fanIn)
			root := New(c.net.Member(tree.Root), nil, agents, Options{}, nil)
			say := func(a int) { c.net.Member(a).SendUp(ready(agents, a, c.net.Shape())) }
			for a := range agents {
				say(a)
			}
			c.pass()
			hear(root)
			c.relays = c.relays[1:] // the first has the acknowledgement before it, and never turns again
			c.pass()
			c.net.Member(tree.Root).Lose(where.lost)
			for _, r := range c.relays {
				r.gone(message.Gone{Agent: where.lost})
			}
			for a := range where.below {
				c.net.Member(a).Lose(where.lost)
				say(a)
			}
			c.pass()
			hear(root)
			c.pass()
			for a := range agents {
				if acknowledged(c.net.Member(a).Take(nil)) == 0 {
					t.Errorf("agent %d has got no acknowledgement", a)
				}
			}
			for _, r := range c.relays {
				if len(r.waves) != 0 {
					t.Error("a relay keeps what is over")
				}
			}
			if len(root.collectives.waves) != 0 {
				t.Error("the root keeps what is over")
			}
		})
	}
}

// acknowledged counts the acknowledgements among messages.
func acknowledged(list []message.Message) (n int) {
	for _, m := range list {
		if w, is := m.(message.WaitStates); is && w.Messages[0].Kind == waitstate.CollectiveAck {
			n++
		}
	}
	return n
}

// TestAcknowledgementsAreKeptWithinBounds: the last ones, each once.
func TestAcknowledgementsAreKeptWithinBounds(t *testing.T) {
	var kept acks
	for seq := range uint64(maxAcks + 10) {
		for range 2 {
			kept.keep(&waitstate.Message{Ctx: 5, Gathered: waitstate.Gathered{Seq: seq}})
		}
	}
	for seq, want := range map[uint64]bool{9: false, 10: true, maxAcks + 9: true, maxAcks + 10: false} {
		if got := kept.of(&waitstate.Message{Ctx: 5, Gathered: waitstate.Gathered{Seq: seq}}) != nil; got != want {
			t.Errorf("%d is kept: %v, want %v", seq, got, want)
		}
	}
	if len(kept.by) != maxAcks {
		t.Errorf("%d are kept, want %d", len(kept.by), maxAcks)
	}
}

// TestARelayAnswersOnce: when all below it have, and for one that is lost.
func TestARelayAnswersOnce(t *testing.T) {
	c := newCanopy(4, 2)
	c.net.Member(tree.Root).Broadcast(message.Consistent{Round: 3})
	c.pass()
	answers := func() (n int) {
		c.pass()
		for _, m := range c.net.Member(tree.Root).Take(nil) {
			if s, is := m.(message.Settled); is && s.Round == 3 {
				n++
			}
		}
		return n
	}
	for a, want := range []int{0, 1, 0} {
		c.net.Member(a).SendUp(message.Settled{Agent: a, Round: 3})
		if got := answers(); got != want {
			t.Errorf("agent %d has answered: %d answers, want %d", a, got, want)
		}
	}
	for _, r := range c.relays {
		r.gone(message.Gone{Agent: 3})
	}
	if got := answers(); got != 1 {
		t.Errorf("agent 3 is lost: %d answers, want 1", got)
	}
	c.net.Member(0).SendUp(message.Progress{Agent: 0, Calls: 3, Stuck: 1})
	c.pass()
	for a := range 3 {
		c.net.Member(a).SendUp(message.Idle{Agent: a})
	}
	c.pass()
	calls, idle := uint64(0), 0
	for _, m := range c.net.Member(tree.Root).Take(nil) {
		switch m := m.(type) {
		case message.Progress:
			calls += m.Calls
		case message.Idle:
			idle++
		}
	}
	if calls != 3 || idle != 2 {
		t.Errorf("%d calls are told, and %d relays are idle", calls, idle)
	}
}
