package exact

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"unknot/internal/test/testkit"
	"unknot/internal/test/testkit/oracle"
	"unknot/internal/trace"
	"unknot/internal/vocab/op"
)

// named is like pairs, with a last message of each sender that has its own tag, so that no two do the same.
func named(senders int) *trace.Log {
	var each [][]int32
	for i := range senders {
		each = append(each, []int32{0, 1, int32(i + 10)})
	}
	return sorted(each, 0, 1)
}

// sorted has senders with messages of these tags, and a receiver who takes the given tags in turn from anybody, as many
// as there are, and then what is left, by sender.
func sorted(each [][]int32, turn ...int32) *trace.Log {
	s := newScript(len(each) + 1)
	left := make(map[int32]int)
	for i, tags := range each {
		for _, tag := range tags {
			s.send(i+1, 0, tag)
			left[tag]++
		}
	}
	for again := true; again; {
		again = false
		for _, tag := range turn {
			if left[tag] > 0 {
				left[tag]--
				again = true
				s.recv(0, any, tag)
			}
		}
	}
	for i, tags := range each {
		for _, tag := range tags {
			if !slices.Contains(turn, tag) {
				s.recv(0, i+1, tag)
			}
		}
	}
	return s.log
}

func TestSumsCertifyPairsAndNames(t *testing.T) {
	for _, senders := range []int{3, 5, 7, 9, 11, 13, 15, 17, 20, 32, 64} {
		for _, b := range []Buffering{BufferAny, BufferNone, BufferAll} {
			r := predict(t, named(senders), Options{Buffering: b, Budget: Budget{States: 1}})
			if r.Verdict != Free || r.Stats.Method != MethodProof {
				t.Errorf("%d senders, buffering %d: %v by %s because %s, want free by counting", senders, b, r.Verdict,
					r.Stats.Method, r.Why)
			}
		}
	}
}

func TestSumsOverSeveralTags(t *testing.T) {
	for _, c := range []struct {
		name string
		each [][]int32
		turn []int32
		want Verdict
	}{
		{"three tags in a row", [][]int32{{0, 1, 2, 10}, {0, 1, 2, 11}, {0, 1, 2, 12}}, []int32{0, 1, 2}, Free},
		{"two tags before the same", [][]int32{{0, 1, 10}, {2, 1, 11}, {0, 1, 12}, {2, 1, 13}},
			[]int32{0, 1, 2, 1}, Free},
		{"some have less to say", [][]int32{{0, 1, 10}, {0, 11}, {0, 1, 12}, {1, 13}}, []int32{1, 0, 1}, Deadlocks},
		{"one says it the other way round", [][]int32{{0, 1, 10}, {0, 1, 11}, {1, 0, 12}}, []int32{0, 1}, Deadlocks},
		{"the receiver asks the other way round", [][]int32{{0, 1, 10}, {0, 1, 11}}, []int32{1, 0}, Deadlocks},
		{"one more before than is asked for", [][]int32{{0, 0, 1, 10}, {0, 0, 1, 11}, {0, 0, 1, 12}},
			[]int32{0, 0, 1}, Deadlocks},
	} {
		l, o := sorted(c.each, c.turn...), Options{Buffering: BufferNone}
		r := predict(t, l, o)
		if r.Verdict != c.want || c.want == Free && r.Stats.Method != MethodProof {
			t.Errorf("%s: %v by %s, want %v", c.name, r.Verdict, r.Stats.Method, c.want)
		}
		for i := range r.Deadlocks {
			if err := verify(l, o, &r.Deadlocks[i]); err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
		}
	}
}

func TestSumsTellTagsApartThatALaterReceiveDoesNot(t *testing.T) {
	s := &script{log: pairs(9), nth: make(map[[2]int]uint32)}
	for i := 1; i <= 9; i++ {
		s.send(i, 0, int32(i+10))
	}
	for range 9 {
		s.recv(0, any, int32(op.AnyTag))
	}
	if r := predict(t, s.log, Options{Buffering: BufferNone}); r.Verdict != Free || r.Stats.Method != MethodProof {
		t.Errorf("%v by %s, want free by counting", r.Verdict, r.Stats.Method)
	}
}

// crowd is a program in which several ranks send messages of three tags to rank 0, each in a different order, and
// rank 0 receives them in an order in which it can, mostly from anybody. Now and then something else is between.
func crowd(seed uint64) *oracle.Program {
	x := rand.New(rand.NewPCG(seed, 3))
	senders, tags := 2+x.IntN(3), 2+x.IntN(2)
	p := &oracle.Program{Comms: [][]int{{}}, Waves: [][]oracle.Wave{{{}}}, Ranks: make([][]oracle.Call, senders+1)}
	open := make([][]int, senders+1)
	add := func(r int, c oracle.Call) {
		c.ID = len(p.Ranks[r])
		if c.Nonblocking {
			open[r] = append(open[r], c.ID)
		}
		p.Ranks[r] = append(p.Ranks[r], c)
	}
	wait := func(r int) {
		if len(open[r]) > 0 {
			add(r, oracle.Call{Kind: oracle.Waitall, Requests: open[r]})
			open[r] = nil
		}
	}
	left := make([][]int, senders+1)
	for r := range p.Ranks {
		p.Comms[0] = append(p.Comms[0], r)
		for n := 1 + x.IntN(4); r > 0 && n > 0; n-- {
			left[r] = append(left[r], x.IntN(tags))
		}
		if x.IntN(3) > 0 {
			slices.Sort(left[r])
		}
	}
	rare := 2 + x.IntN(20)
	for {
		able := slices.DeleteFunc(slices.Clone(p.Comms[0]), func(r int) bool { return len(left[r]) == 0 })
		if len(able) == 0 {
			break
		}
		r := able[x.IntN(len(able))]
		tag := left[r][0]
		left[r] = left[r][1:]
		source := oracle.Any
		if x.IntN(rare) == 0 {
			source = r
		}
		part := oracle.Part{Peer: source, Tag: tag}
		if x.IntN(rare) == 0 {
			add(0, oracle.Call{Kind: oracle.Probe, Parts: []oracle.Part{part}})
		}
		add(0, oracle.Call{Kind: oracle.Talk, Nonblocking: x.IntN(rare) == 0, Parts: []oracle.Part{part}})
		add(r, oracle.Call{Kind: oracle.Talk, Nonblocking: x.IntN(rare) == 0,
			Parts: []oracle.Part{{Send: true, Tag: tag}}})
		if x.IntN(3) == 0 {
			wait(0)
			wait(r)
		}
	}
	for r := range p.Ranks {
		wait(r)
		if r > 0 && x.IntN(2) == 0 {
			add(r, oracle.Call{Kind: oracle.Talk, Parts: []oracle.Part{{Send: true, Tag: r + 10}}})
			add(0, oracle.Call{Kind: oracle.Talk, Parts: []oracle.Part{{Peer: r, Tag: r + 10}}})
		}
	}
	return p
}

// TestSumsAgreeWithASearchWithoutProofs holds what counting certifies, with sums and without, against all runs.
func TestSumsAgreeWithASearchWithoutProofs(t *testing.T) {
	programs := uint64(2000)
	if testkit.Nightly() {
		programs = 100_000
	}
	table := load(t)
	var free, dead, bySums int
	for seed := range programs {
		p, o := crowd(seed), Options{Buffering: Buffering(seed % 3), Max: 1, Budget: Budget{States: 1 << 30}}
		m, err := build(p.Log(), table, o)
		if err != nil {
			t.Fatal(err)
		}
		if !m.choices {
			continue
		}
		found := newHarvest(m)
		x := newSearch(context.Background(), m, time.Now().Add(time.Hour), nil, found)
		x.from(m.start())
		rivals := m.rivalry()
		safe := rivals.safe(m.start(), x.late)
		switch {
		case found.dead:
			if dead++; safe {
				t.Fatalf("seed %d, buffering %d: counting certifies what deadlocks\n%s\n%+v", seed, o.Buffering,
					p, found.found)
			}
		case x.cut != "":
			t.Fatalf("seed %d: %s", seed, x.cut)
		default:
			free++
			rivals.mixed = make([][]int32, len(m.end))
			if safe && !rivals.safe(m.start(), x.late) {
				bySums++
			}
		}
	}
	t.Logf("%d free, %d of them by sums, %d with deadlocks", free, bySums, dead)
	if min(free, dead) < int(programs)/5 || bySums < int(programs)/100 {
		t.Errorf("the programs are too much alike: %d free, %d of them by sums, %d with deadlocks", free, bySums, dead)
	}
}
