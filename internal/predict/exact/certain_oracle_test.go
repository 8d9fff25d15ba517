package exact

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"unknot/internal/test/testkit"
	"unknot/internal/test/testkit/oracle"
	"unknot/internal/trace"
	"unknot/internal/vocab/op"
)

// recordedRun lets a program run in the reference machine as chance has it, and writes down what it met, or something
// else. The run must come to its end.
func recordedRun(p *oracle.Program, seed uint64) (l *trace.Log, met map[Ref]Ref, ok bool) {
	r := rand.New(rand.NewPCG(seed, 1))
	m := oracle.NewMachine(p, r)
	l, met = p.Log(), make(map[Ref]Ref)
	for moves := m.Moves(); len(moves) > 0; moves = m.Moves() {
		v := moves[r.IntN(len(moves))]
		switch {
		case v.IsMatch:
			recv, send := Ref{uint32(v.Recv.Rank), uint32(v.Recv.N)}, Ref{uint32(v.Send.Rank), uint32(v.Send.N)}
			met[recv] = send
			recv.part(l).Matched, recv.part(l).MatchedTag = op.Rank(send.Thread), send.part(l).Tag
			if r.IntN(4) == 0 {
				// It is said to have met what does not exist, so that it differs whatever it meets.
				recv.part(l).MatchedTag = 99
				delete(met, recv)
			}
		case v.Leaves && m.At[v.Rank] < len(l.Threads[v.Rank].Ops):
			t := &l.Threads[v.Rank]
			waits := t.WaitsOf(&t.Ops[m.At[v.Rank]])
			for i := range waits {
				waits[i].Done = slices.Contains(v.Done, int(waits[i].Part))
			}
		}
		m.Do(v)
	}
	for rank, at := range m.At {
		ok = at >= len(p.Ranks[rank]) && (ok || rank == 0)
	}
	return l, met, ok
}

// lessons finds, for each thread, the first call of a story with which it has learnt something, from the definition and
// not from the order of events; math.MaxInt where there is none.
func lessons(l *trace.Log, met map[Ref]Ref, d *Deadlock, o Options) []int {
	first := make([]int, len(l.Threads))
	for t := range first {
		first[t] = math.MaxInt
	}
	again := true
	learn := func(t uint32, at int) {
		if at < first[t] {
			first[t], again = at, true
		}
	}
	end := func(t uint32) int {
		if s := d.Of(t); s != nil {
			return int(s.Op)
		}
		return len(l.Threads[t].Ops) - 1
	}
	strange := func(r Ref) bool { return l.Threads[r.Thread].Starter(r.Part) > first[r.Thread] }
	// over is the call that is left with a part, if one is.
	over := func(r Ref) (int, bool) {
		t := &l.Threads[r.Thread]
		for i := range end(r.Thread) {
			o := &t.Ops[i]
			waits := slices.ContainsFunc(t.WaitsOf(o), func(w trace.Wait) bool { return w.Part == r.Part })
			if waits && o.Any {
				waits = slices.ContainsFunc(d.Exits, func(x Exit) bool {
					return x.Thread == r.Thread &&
						int(x.Op) == i && slices.Contains(x.Done, r)
				})
			}
			if waits {
				return i, true
			}
		}
		return 0, false
	}
	for again {
		again = false
		for _, x := range d.Exits {
			t := &l.Threads[x.Thread]
			for _, w := range t.WaitsOf(&t.Ops[x.Op]) {
				if w.Done != slices.Contains(x.Done, Ref{w.Thread, w.Part}) {
					learn(x.Thread, int(x.Op))
				}
			}
		}
		for _, m := range d.Matches {
			if was, known := met[m.Recv]; !known || was != m.Send || strange(m.Recv) || strange(m.Send) {
				if at, is := over(m.Recv); is {
					learn(m.Recv.Thread, at)
				}
			}
			if mode := m.Send.part(l).Mode; strange(m.Recv) && m.Recv.part(l).Kind == op.Recv &&
				(mode == op.Synchronous || mode == op.Standard && o.Buffering == BufferNone) {
				if at, is := over(m.Send); is {
					learn(m.Send.Thread, at)
				}
			}
		}
		for t := range l.Threads {
			for n := range l.Threads[t].Parts {
				p := &l.Threads[t].Parts[n]
				at, is := over(Ref{uint32(t), uint32(n)})
				if p.Kind != op.Coll || !is {
					continue
				}
				for u := range l.Threads {
					for k := range l.Threads[u].Parts {
						q := &l.Threads[u].Parts[k]
						if q.Kind == op.Coll && q.Comm == p.Comm && q.Seq == p.Seq && (o.Collectives == CollectStrict ||
							needs(l, p, op.Rank(t), op.Rank(u))) && l.Threads[u].Starter(uint32(k)) <= end(uint32(u)) &&
							strange(Ref{uint32(u), uint32(k)}) {
							learn(uint32(t), at)
						}
					}
				}
			}
		}
	}
	return first
}

// needs says whether a collective cannot be over at one member before another has entered it (MPI-4.0, 6.1).
func needs(l *trace.Log, p *trace.Part, here, other op.Rank) bool {
	switch p.Sync {
	case op.SyncAll:
		return true
	case op.SyncFromRoot:
		return other == p.Peer
	case op.SyncToRoot:
		return here == p.Peer
	case op.SyncLower:
		members := l.Comms[p.Comm].Members
		return slices.Index(members, other) < slices.Index(members, here)
	}
	return false
}

// another is the program that does something else from the moment on at which a thread has learnt something: it ends
// there, after messages to everybody with every tag.
func another(l *trace.Log, first []int, noise bool) *trace.Log {
	out := *l
	out.Threads = slices.Clone(l.Threads)
	for t := range out.Threads {
		if first[t] >= len(l.Threads[t].Ops) {
			continue
		}
		u := &out.Threads[t]
		o := u.Ops[first[t]]
		u.Ops, u.Parts = slices.Clone(u.Ops[:first[t]+1]), slices.Clone(u.Parts[:o.First+o.Started])
		for r := range l.Threads {
			for tag := range int32(4) {
				if r == t || !noise {
					continue
				}
				u.Ops = append(u.Ops, trace.Op{Returned: true, First: uint32(len(u.Parts)), Started: 1,
					WaitAt: uint32(len(u.Waits))})
				u.Parts = append(u.Parts, trace.Part{Kind: op.Send, Mode: op.Buffered, Peer: op.Rank(r), Tag: tag,
					Bytes: -1, Matched: op.Unknown})
			}
		}
	}
	return &out
}

// TestWhatIsCertainDoesNotDependOnWhatIsLearnt makes other programs of random ones, which make other calls wherever a
// control flow could have answered: a certain deadlock is there, too.
func TestWhatIsCertainDoesNotDependOnWhatIsLearnt(t *testing.T) {
	testkit.TakesLong(t)
	programs := uint64(20_000)
	if testkit.Nightly() {
		programs = 500_000
	}
	table := load(t)
	certain, changed, possible := 0, 0, 0
	for seed := uint64(1); seed <= programs; seed++ {
		p := oracle.Generate(seed)
		way := ways[seed%uint64(len(ways))].o
		way.Max = 10_000
		l, met, ok := recordedRun(p, seed)
		if !ok {
			continue
		}
		r, err := Predict(context.Background(), l, table, way)
		if err != nil {
			t.Fatal(err)
		}
		for i := range r.Deadlocks {
			d := &r.Deadlocks[i]
			if !d.Certain {
				possible++
				continue
			}
			certain++
			first := lessons(l, met, d, way)
			if slices.Min(first) == math.MaxInt {
				continue
			}
			changed++
			for _, n := range d.Core {
				if s := d.Of(n); int(s.Op) > first[n] {
					t.Errorf("seed %d: rank %d learns something in call %d and is certain to be stuck in call "+
						"%d\n%+v\n%s", seed, n, first[n], s.Op, d, p)
				}
			}
			for _, noise := range []bool{false, true} {
				q, err := Predict(context.Background(), another(l, first, noise), table, way)
				if err != nil {
					t.Fatal(err)
				}
				// The core may be smaller where a rank that has ended keeps a collective from all others; of several
				// ways to a core, one is kept.
				same := slices.ContainsFunc(q.Deadlocks, func(e Deadlock) bool {
					return !slices.ContainsFunc(e.Core, func(n uint32) bool {
						return !slices.Contains(d.Core, n) ||
							e.Of(n).Op != d.Of(n).Op
					})
				})
				if !same && q.Complete {
					t.Errorf("seed %d, noise %v: the certain deadlock of %v is not there if ranks do something else "+
						"after %v\n%+v\n%s", seed, noise, d.Core, first, d, p)
				}
			}
		}
	}
	t.Logf("%d certain deadlocks, %d of them with others who have learnt something; %d possible ones", certain,
		changed, possible)
	if min(certain, changed, possible) < int(programs)/1000 {
		t.Errorf("too few to say anything: %d certain, %d with lessons, %d possible", certain, changed, possible)
	}
}
