package host

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"unknot/internal/root/tree"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// TestEachRankHasOneAgentInItsProcess gives ranks to the agents of random processes.
func TestEachRankHasOneAgentInItsProcess(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size, most := rapid.IntRange(1, 40).Draw(t, "size"), rapid.IntRange(-1, 6).Draw(t, "ranks an agent")
		processes, of := make([][]op.Rank, 5), make([]int, size)
		for r := range of {
			of[r] = rapid.IntRange(0, 4).Draw(t, "process")
			processes[of[r]] = slices.Insert(processes[of[r]], 0, op.Rank(r)) // they come in any order
		}
		l := spread(size, most, processes)
		l.FanIn = rapid.IntRange(2, 4).Draw(t, "fan-in")
		if !l.valid() {
			t.Fatalf("%+v cannot be used", l)
		}
		home, seen := l.homes(), 0
		for r := range size {
			a := l.Agents[home(op.Rank(r))]
			if !a.Ranks.Has(op.Rank(r)) || a.Process != of[r] {
				t.Fatalf("rank %d of process %d has the agent %+v", r, of[r], a)
			}
		}
		lowest := op.Rank(-1)
		for _, a := range l.Agents {
			seen += a.Ranks.Len()
			if most > 0 && a.Ranks.Len() > most {
				t.Fatalf("an agent has %d ranks, want %d at most", a.Ranks.Len(), most)
			}
			if a.Ranks.Lowest() <= lowest {
				t.Fatalf("agents are not in the order of their lowest ranks: %+v", l.Agents)
			}
			lowest = a.Ranks.Lowest()
		}
		if seen != size {
			t.Fatalf("agents have %d ranks of %d", seen, size)
		}
		shape := l.shape()
		some := op.RanksOf(0, op.Rank(size-1))
		for i := range l.Agents {
			counts := l.spread(i)(some)
			levels := 0
			for id := i; id != tree.Root; id = shape.Parent(id) {
				levels++
			}
			if len(counts) != levels || counts[0] != some.Count(l.Agents[i].Ranks) || !slices.IsSorted(counts) {
				t.Fatalf("agent %d and the relays above have %v of %v", i, counts, some.List())
			}
		}
	})
}

func TestARankThatNobodyNamedHasTheFirstAgent(t *testing.T) {
	l := spread(4, 1, [][]op.Rank{{1}, {3}})
	home := l.homes()
	for rank, want := range map[op.Rank]int{0: 0, 1: 0, 2: 0, 3: 1, 4: 0, -1: 0} {
		if got := home(rank); got != want {
			t.Errorf("rank %d has agent %d, want %d", rank, got, want)
		}
	}
}

// TestALayoutThatCannotBeUsedIsRefused changes one that can, as something else than unknot might send it.
func TestALayoutThatCannotBeUsedIsRefused(t *testing.T) {
	run := func(first, last, step op.Rank) op.Ranks {
		return op.Ranks{Runs: []op.Run{{First: first, Last: last,
			Step: step}}}
	}
	for _, c := range []struct {
		what   string
		change func(l *layout)
		valid  bool
	}{
		{"nothing", func(*layout) {}, true},
		{"the widest tree", func(l *layout) { l.FanIn = tree.MostFanIn }, true},
		{"the last process", func(l *layout) { l.Agents[0].Process = maxProcesses - 1 }, true},
		{"as many agents as ranks", func(l *layout) { *l = spread(4, 1, [][]op.Rank{{0, 1, 2, 3}}) }, true},
		{"no ranks", func(l *layout) { l.Size = 0 }, false},
		{"no agents", func(l *layout) { l.Agents = nil }, false},
		{"more agents than ranks", func(l *layout) { l.Size, l.Agents = 1, append(l.Agents, l.Agents[0]) }, false},
		{"a tree that widens too much", func(l *layout) { l.FanIn = tree.MostFanIn + 1 }, false},
		{"a tree that does not widen", func(l *layout) { l.FanIn = -1 }, false},
		{"a negative process", func(l *layout) { l.Agents[0].Process = -1 }, false},
		{"a process beyond the last", func(l *layout) { l.Agents[0].Process = maxProcesses }, false},
		{"an agent without ranks", func(l *layout) { l.Agents[0].Ranks = op.Ranks{} }, false},
		{"a rank beyond the last", func(l *layout) { l.Agents[0].Ranks = run(0, 4, 1) }, false},
		{"a negative rank", func(l *layout) { l.Agents[0].Ranks = run(-1, -1, 1) }, false},
		{"a run without steps", func(l *layout) { l.Agents[0].Ranks = run(0, 3, 0) }, false},
	} {
		l := spread(4, 0, [][]op.Rank{{0, 1, 2, 3}})
		if c.change(&l); l.valid() != c.valid {
			t.Errorf("%s: valid: %v", c.what, !c.valid)
		}
	}
}

// TestMessagesAreHandedOnInTheOrderOfTheirNumbers takes in numbers as they may come, and says which are handed on.
func TestMessagesAreHandedOnInTheOrderOfTheirNumbers(t *testing.T) {
	for _, c := range []struct {
		come, want []uint64
	}{
		{[]uint64{0, 1, 2}, []uint64{0, 1, 2}}, {[]uint64{2, 1, 0}, []uint64{0, 1, 2}},
		{[]uint64{0, 0, 1, 0, 1, 2}, []uint64{0, 1, 2}}, {[]uint64{1, 1, 3, 0}, []uint64{0, 1}}, {[]uint64{1, 2}, nil},
	} {
		var a arriving
		var got []uint64
		for _, n := range c.come {
			if err := a.take(n, []byte{byte(n)}, func(_ *message.Decoder, text []byte) error {
				got = append(got, uint64(text[0]))
				return nil
			}); err != nil {
				t.Fatal(err)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("of %v are handed on %v, want %v", c.come, got, c.want)
		}
		if a.close(); a.take(a.next, nil, nil) != nil || len(a.early) > 0 {
			t.Error("something is taken in after the end")
		}
	}
	var a arriving
	broken := errors.New("broken")
	if err := a.take(0, nil, func(*message.Decoder, []byte) error { return broken }); err != broken {
		t.Errorf("a message that cannot be read: %v", err)
	}
}

// TestWhatIsNoMessageIsNotTaken has a process receive what nobody sends.
func TestWhatIsNoMessageIsNotTaken(t *testing.T) {
	table, err := mpi.Load()
	if err != nil {
		t.Fatal(err)
	}
	l := spread(2, 0, [][]op.Rank{nil, {0}, {1}})
	var handed []int
	c := newCarrier(table, func(process int, _ []byte) { handed = append(handed, process) })
	if err := c.receive([]byte{carriesMessage, 1, 1, 0, 0}); err == nil {
		t.Error("a message comes before it is known who there is")
	}
	c.begin(&l, 1)
	var waits []int
	c.room = func(process int) { waits = append(waits, process) }
	for what, text := range map[string][]byte{
		"no receiver": {}, "an endless number": {0x80}, "a receiver beyond the last": {3, 0, 0, 0},
		"no sender": {1}, "a sender beyond the last": {1, 3, 0, 0}, "no number": {1, 2}, "no member": {1, 2, 0},
		"no message": {1, 0, 0, 0},
	} {
		if err := c.receive(append([]byte{carriesMessage}, text...)); err == nil {
			t.Errorf("%s: it is taken", what)
		}
	}
	for _, process := range []byte{0, 2} {
		if err := c.receive([]byte{carriesMessage, process, 9, 9}); err != nil { // of others nothing is read
			t.Error(err)
		}
	}
	if fmt.Sprint(handed, waits) != "[0 2] [0 2]" {
		t.Errorf("handed on to %v, after room was waited for at %v", handed, waits)
	}
	c.close()
	c.forget(-1)
	c.forget(3)
	if !c.in[0].closed || !c.in[2].closed {
		t.Error("something may come after the end")
	}
}

// TestAControlIsReadAsItWasSent also reads invalid ones.
func TestAControlIsReadAsItWasSent(t *testing.T) {
	c, err := readControl((&control{NoWay: &noWay{Process: 3, Why: "firewall"}, Gone: 7}).bytes())
	if err != nil || c.NoWay == nil || *c.NoWay != (noWay{3, "firewall"}) || c.Gone != 7 || c.Ended || c.Here != nil {
		t.Errorf("%+v, %v", c, err)
	}
	for _, text := range [][]byte{nil, {}, {carriesControl}, {carriesControl, 1, 2, 3}, {carriesMessage, 0, 0},
		[]byte("GET /")} {
		if _, err := readControl(text); !errors.Is(err, errUnreadable) {
			t.Errorf("%q: %v", text, err)
		}
	}
	g := greeting{Host: "a", ID: "b", Died: "c", Addresses: []string{"d"}}
	if got, err := readGreeting(g.text()); err != nil || fmt.Sprint(got) != fmt.Sprint(g) {
		t.Errorf("%+v, %v; want %+v", got, err, g)
	}
	if _, err := readGreeting([]byte("{")); err == nil {
		t.Error("what is no greeting is read")
	}
}
