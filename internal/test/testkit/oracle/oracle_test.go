package oracle

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"unknot/internal/vocab/op"
)

// TestConclusionsAreTrue holds what a watcher concludes about who met whom against what the run really did.
func TestConclusionsAreTrue(t *testing.T) {
	ForEach(t, func(p *Program, seed uint64) error {
		trace, _, end := Run(p, seed)
		events := trace.Shuffle(len(trace.Events), rand.New(rand.NewPCG(seed, 5)))
		// Some of the events are as good as all of them for what is said to be certain.
		for _, n := range []int{len(events) / 2, len(events)} {
			seen := trace.Watch(events[:n])
			whole := n == len(events) && !seen.Undecided()
			for r := range seen.Pieces {
				for i := range seen.Pieces[r] {
					have, real := seen.Pieces[r][i].Matched, end.Pieces[r][i].Matched
					switch {
					case have != nil && (real == nil || *have != *real):
						return fmt.Errorf("after %d events rank %d, piece %d is said to have met %v, but met %v", n, r,
							i, *have, real)
					case have == nil && real != nil && whole:
						return fmt.Errorf("rank %d, piece %d met %v, which is not concluded", r, i, *real)
					}
				}
			}
		}
		return nil
	})
}

// TestProgramsAreOfAllKinds keeps the generator from making programs that prove nothing.
func TestProgramsAreOfAllKinds(t *testing.T) {
	count := make(map[string]int)
	words := []string{"any", "Probe", "Waitany", "Waitsome", "Start", "ssend", "bsend", "Isend", "Irecv",
		")+recv", "comm 2",
		"Barrier", "Ibarrier", "Scan", "Ireduce", "Bcast of nothing"}
	const programs = 1000
	for seed := uint64(1); seed <= programs; seed++ {
		p := Generate(seed)
		trace, _, end := Run(p, seed)
		seen := trace.Watch(trace.Events)
		stuck, behind := false, false
		for r, at := range seen.Strict() {
			stuck = stuck || end.At[r] < len(p.Ranks[r])
			behind = behind || at < len(p.Ranks[r]) && seen.Left(r, at)
		}
		for what, is := range map[string]bool{"stuck": stuck, "over": !stuck, "strictly behind": behind,
			"undecided": seen.Undecided()} {
			if is {
				count[what]++
			}
		}
		for _, w := range words {
			if strings.Contains(p.String(), w) {
				count[w]++
			}
		}
	}
	for _, what := range append([]string{"stuck", "over", "strictly behind", "undecided"}, words...) {
		if count[what] < programs/20 {
			t.Errorf("%q in %d of %d programs, want at least %d", what, count[what], programs, programs/20)
		}
	}
}

func sendTo(peer int, mode op.SendMode) Call {
	return Call{Parts: []Part{{Send: true, Mode: mode, Peer: peer}}}
}

func recvFrom(peer int) Call { return Call{Parts: []Part{{Peer: peer}}} }

func TestWhatIsKnownOfPlainPrograms(t *testing.T) {
	barrier := Call{Kind: Collective}
	for _, c := range []struct {
		name   string
		wave   Gather
		ranks  [][]Call
		ends   []int // where ranks may end: the furthest that any run gets them
		strict []int
	}{
		{"send and receive", Barrier, [][]Call{{sendTo(1, op.Standard)}, {recvFrom(0)}}, []int{1, 1}, []int{1, 1}},
		{"both receive first", Barrier, [][]Call{{recvFrom(1), sendTo(1, op.Standard)},
			{recvFrom(0), sendTo(0, op.Standard)}}, []int{0, 0}, []int{0, 0}},
		{"both send first", Barrier, [][]Call{{sendTo(1, op.Standard), recvFrom(1)},
			{sendTo(0, op.Standard), recvFrom(0)}}, []int{2, 2}, []int{0, 0}},
		{"both send synchronously first", Barrier, [][]Call{{sendTo(1, op.Synchronous), recvFrom(1)},
			{sendTo(0, op.Synchronous), recvFrom(0)}}, []int{0, 0}, []int{0, 0}},
		{"both send buffered first", Barrier, [][]Call{{sendTo(1, op.Buffered), recvFrom(1)},
			{sendTo(0, op.Buffered), recvFrom(0)}}, []int{2, 2}, []int{2, 2}},
		{"a barrier that one misses", Barrier, [][]Call{{barrier}, {}}, []int{0, 0}, []int{0, 0}},
		{"a reduction across a send", Reduce, [][]Call{{barrier, recvFrom(1)}, {sendTo(0, op.Standard), barrier}},
			[]int{2, 2}, []int{0, 0}},
		{"a broadcast that the root misses", Bcast, [][]Call{{}, {barrier}}, []int{0, 0}, []int{0, 0}},
		{"a broadcast that another misses", Bcast, [][]Call{{barrier}, {}}, []int{1, 0}, []int{0, 0}},
		{"a wildcard and one message too few", Barrier, [][]Call{{recvFrom(Any), recvFrom(Any)},
			{sendTo(0, op.Standard)}}, []int{1, 1}, []int{1, 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := &Program{Comms: [][]int{{0, 1}}, Waves: [][]Wave{{{Gather: c.wave}}}, Ranks: c.ranks}
			furthest := []int{0, 0}
			for seed := range uint64(50) {
				trace, _, end := Run(p, seed)
				for r, at := range end.At {
					furthest[r] = max(furthest[r], at)
				}
				// Where nothing is buffered, the run is the strict one.
				at := trace.Watch(trace.Events).Strict()
				for r := range at {
					at[r] = min(at[r], len(p.Ranks[r]))
				}
				if !slices.Equal(at, c.strict) {
					t.Fatalf("strict %v, want %v", at, c.strict)
				}
				left, exact := NewMachine(p, nil).withAll().Movable()
				if want := []bool{c.ends[0] > 0, c.ends[1] > 0}; !exact || !slices.Equal(left, want) {
					t.Fatalf("movable %v exact %v, want %v", left, exact, want)
				}
			}
			if !slices.Equal(furthest, c.ends) {
				t.Errorf("runs got to %v, want %v", furthest, c.ends)
			}
		})
	}
}

// withAll lets every rank enter its first call, leniently.
func (m *Machine) withAll() *Machine {
	m.Lenient = true
	for r := range m.At {
		m.Do(Move{Rank: r})
	}
	return m
}

func TestShrinkKeepsWhatFails(t *testing.T) {
	p := Generate(4)
	small, err := Shrink(p, func(p *Program) error {
		if strings.Contains(p.String(), "Ibarrier") {
			return fmt.Errorf("it has a barrier")
		}
		return nil
	})
	calls := 0
	for _, c := range small.Ranks {
		calls += len(c)
	}
	if err == nil || calls != 1 {
		t.Errorf("%d calls are left: %v\n%s", calls, err, small)
	}
}
