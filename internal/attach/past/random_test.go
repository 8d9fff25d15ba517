package past

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	attached "unknot/internal/attach/job"
	"unknot/internal/attach/look"
	"unknot/internal/observe/record"
	"unknot/internal/trace"
	"unknot/internal/trace/pairing"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// action is a call of a random program.
type action struct {
	name      string
	comm      uint32 // serial: 1 for MPI_COMM_WORLD, 2 for the even ranks, or the odd ones
	peer, tag int    // of a send and a receive, -1 for any source
	waits     []int  // the calls of the rank that it completes
}

// simulated is a rank of a random program.
type simulated struct {
	rank       int
	acts       []action
	next       int  // the call that is next
	in         bool // it has entered that
	open       map[int]bool
	number     map[int]uint32 // of messages
	sent, got  map[[2]int]uint32
	posted     map[[2]int]uint32
	collective map[uint32]uint64
}

// random has the ranks of a program of random calls, none of which waits forever for what comes before it.
func random(rng *rand.Rand, ranks, steps int) (all []*simulated) {
	pending := make([][]int, ranks)
	for r := range ranks {
		all = append(all, &simulated{rank: r, open: make(map[int]bool), number: make(map[int]uint32),
			sent: make(map[[2]int]uint32), got: make(map[[2]int]uint32), posted: make(map[[2]int]uint32),
			collective: make(map[uint32]uint64)})
	}
	add := func(r int, a action) {
		if a.name == "MPI_Isend" || a.name == "MPI_Irecv" {
			pending[r] = append(pending[r], len(all[r].acts))
		}
		all[r].acts = append(all[r].acts, a)
	}
	early := make(map[[2]int]int) // receives by the ranks of sends that come later
	for range steps {
		a, tag := rng.IntN(ranks), rng.IntN(2)
		b := (a + 1 + rng.IntN(ranks-1)) % ranks
		switch rng.IntN(10) {
		case 8, 9:
			add(a, action{name: "MPI_Send", comm: 1, peer: b, tag: 3})
			add(b, action{name: "MPI_Recv", comm: 1, peer: -1, tag: 3})
		case 6, 7:
			key := [2]int{a, b}
			if at, posted := early[key]; posted {
				add(a, action{name: "MPI_Send", comm: 1, peer: b, tag: 2})
				pending[b] = append(pending[b], at)
				delete(early, key)
				continue
			}
			early[key] = len(all[b].acts)
			all[b].acts = append(all[b].acts, action{name: "MPI_Irecv", comm: 1, peer: a, tag: 2})
		case 0, 1, 2:
			add(a, action{name: []string{"MPI_Send", "MPI_Isend"}[rng.IntN(2)], comm: 1, peer: b, tag: tag})
			add(b, action{name: []string{"MPI_Recv", "MPI_Irecv"}[rng.IntN(2)], comm: 1, peer: a, tag: tag})
		case 3:
			comm := uint32(1 + rng.IntN(2))
			for r := range ranks {
				if comm == 1 || r%2 == a%2 {
					add(r, action{name: "MPI_Allreduce", comm: comm})
				}
			}
		default:
			n := len(pending[a])
			if n == 0 {
				continue
			}
			if rng.IntN(2) == 0 {
				add(a, action{name: "MPI_Waitall", waits: pending[a]})
				pending[a] = nil
				continue
			}
			i := rng.IntN(n)
			add(a, action{name: "MPI_Wait", waits: []int{pending[a][i]}})
			pending[a] = slices.Delete(slices.Clone(pending[a]), i, i+1)
		}
	}
	return all
}

// there says whether the message that a call receives was sent.
func (s *simulated) there(all []*simulated, call int) bool {
	a := &s.acts[call]
	if a.peer < 0 {
		return s.source(all) >= 0
	}
	return a.name != "MPI_Irecv" && a.name != "MPI_Recv" || all[a.peer].sent[[2]int{s.rank, a.tag}] >= s.number[call]
}

// source is who has sent a message that a receive from any source may take, -1 if there is none.
func (s *simulated) source(all []*simulated) int {
	return slices.IndexFunc(all, func(o *simulated) bool {
		return o.sent[[2]int{s.rank, 3}] > s.got[[2]int{o.rank, 3}]
	})
}

// can says whether the call that a rank is in has all that it needs.
func (s *simulated) can(all []*simulated) bool {
	a := &s.acts[s.next]
	for _, w := range a.waits {
		if !s.there(all, w) {
			return false
		}
	}
	if a.name == "MPI_Allreduce" {
		for _, o := range all {
			if (a.comm == 1 || o.rank%2 == s.rank%2) && o.collective[a.comm] < s.collective[a.comm] {
				return false
			}
		}
	}
	return s.there(all, s.next)
}

// step has a rank enter its next call, or leave it.
func (s *simulated) step(all []*simulated) bool {
	if s.next == len(s.acts) {
		return false
	}
	a := &s.acts[s.next]
	key := [2]int{a.peer, a.tag}
	if !s.in {
		s.in = true
		switch a.name {
		case "MPI_Send", "MPI_Isend":
			s.sent[key]++
		case "MPI_Recv", "MPI_Irecv":
			s.posted[key]++
			s.number[s.next] = s.posted[key]
		case "MPI_Allreduce":
			s.collective[a.comm]++
		}
		s.open[s.next] = a.name == "MPI_Isend" || a.name == "MPI_Irecv"
		if !s.open[s.next] {
			return true
		}
	} else if !s.can(all) {
		return false
	}
	if a.name == "MPI_Recv" {
		if a.peer < 0 {
			key[0] = s.source(all)
		}
		s.got[key]++
	}
	for _, w := range a.waits {
		s.open[w] = false
		if o := &s.acts[w]; o.name == "MPI_Irecv" {
			s.got[[2]int{o.peer, o.tag}]++
		}
	}
	s.next, s.in = s.next+1, false
	return true
}

// seen is what is seen of a rank whose record has so many of the last calls.
func (s *simulated) seen(table *mpi.T, ranks, window int) look.Rank {
	world, half := record.Group{Size: ranks}, record.Group{}
	for r := range ranks {
		world.Ranks = append(world.Ranks, int32(r))
		if r%2 == s.rank%2 {
			half.Ranks, half.Size = append(half.Ranks, int32(r)), half.Size+1
		}
	}
	n := s.next
	if s.in {
		n++
	}
	r := &record.Rank{Rank: s.rank, Ranks: ranks, State: record.Alive, Noted: uint64(n),
		Constants: record.Constants{AnySource: -1, AnyTag: -1, ProcNull: -2, World: 1},
		Comms: []record.Comm{{Serial: 1, Handle: 1, Kind: record.Intra, Identity: 11, Collectives: s.collective[1],
			Local: world},
			{Serial: 2, Handle: 2, Kind: record.Intra, Identity: 22, Collectives: s.collective[2], Local: half}}}
	for peer := range ranks {
		for tag := range 4 {
			key := [2]int{peer, tag}
			if s.sent[key]+s.got[key] > 0 {
				r.Channels = append(r.Channels, record.Channel{Comm: 1, Peer: int32(peer), Tag: int32(tag), Sent: s.sent[key],
					Received: s.got[key]})
			}
		}
	}
	thread := record.Thread{}
	for i := range n {
		a, f := &s.acts[i], table.ByName(s.acts[i].name)
		site := uint64(0x1000 + 16*i)
		isIn := i == s.next
		if i >= n-window {
			p := record.Past{Func: f, Site: site, Comm: a.comm, Peer: int32(a.peer), Tag: int32(a.tag), Count: 1, Open: isIn}
			if len(a.waits) > 0 {
				p.Count = int64(len(a.waits))
			}
			r.Calls = append(r.Calls, p)
		}
		if s.open[i] {
			r.Requests = append(r.Requests, record.Request{Handle: uint64(100 + i), Func: f, Site: site, Order: uint64(i),
				Comm: a.comm, Peer: int32(a.peer), Tag: int32(a.tag), Count: 1, Active: true, Waiting: -1})
		}
		if isIn {
			thread.In = &record.Call{Func: f, Site: site, Order: uint64(i), Whole: true}
			for _, w := range a.waits {
				thread.In.Requests = append(thread.In.Requests, uint64(100+w))
			}
		}
	}
	r.Threads = []record.Thread{thread}
	return look.Rank{Rank: attached.Rank{Job: "j", Rank: s.rank, Size: ranks}, Recording: true, Record: r}
}

// ends runs a log with sends that do not block. It gives the calls that did not end, by rank; nil for one of which all
// did.
func ends(l *trace.Log) []*trace.Op {
	at, started := make([]int, len(l.Threads)), make([]int, len(l.Threads))
	message := func(t *trace.Thread, from op.Rank, tag int32, before int) bool {
		n := 0 // receives of this way up to this one
		for k := range t.Parts[:before+1] {
			q := &t.Parts[k]
			if peer, its := pairing.Envelope(q); q.Kind == op.Recv && (peer == from || k == before) && its == tag {
				n++
			}
		}
		for k := range l.Threads[from].Parts[:started[from]] {
			if q := &l.Threads[from].Parts[k]; q.Kind == op.Send && q.Peer == t.Rank && q.Tag == tag {
				n--
			}
		}
		return n <= 0
	}
	done := func(t *trace.Thread, k int) bool {
		p := &t.Parts[k]
		switch p.Kind {
		case op.Recv:
			from, tag := pairing.Envelope(p)
			for other := range l.Threads {
				if (from < 0 || int(from) == other) && message(t, op.Rank(other), tag, k) {
					return true
				}
			}
			return false
		case op.Coll:
			for _, m := range l.Comms[p.Comm].Members {
				if !slices.ContainsFunc(l.Threads[m].Parts[:started[m]], func(q trace.Part) bool {
					return q.Kind == op.Coll && q.Comm == p.Comm && q.Seq == p.Seq
				}) {
					return false
				}
			}
		}
		return true
	}
	for moved := true; moved; {
		moved = false
		for i := range l.Threads {
			t := &l.Threads[i]
			for at[i] < len(t.Ops) {
				o := &t.Ops[at[i]]
				started[i] = int(o.First + o.Started)
				if slices.ContainsFunc(t.WaitsOf(o), func(w trace.Wait) bool { return !done(t, int(w.Part)) }) {
					break
				}
				at[i]++
				moved = true
			}
		}
	}
	out := make([]*trace.Op, len(at))
	for i := range at {
		if at[i] < len(l.Threads[i].Ops) {
			out[i] = &l.Threads[i].Ops[at[i]]
		}
	}
	return out
}

// TestCallsOfRandomProgramsEndInTheLogAsInTheRun compares a log of the last calls with the run: calls that have
// returned there end in the log, whatever of the run is not in the records, and the one that a rank is in ends if it
// has all that it needs.
func TestCallsOfRandomProgramsEndInTheLogAsInTheRun(t *testing.T) {
	table, err := mpi.Load()
	if err != nil {
		t.Fatal(err)
	}
	open, parts, wild := 0, 0, 0
	for seed := range uint64(3000) {
		rng := rand.New(rand.NewPCG(seed, 1))
		ranks := 2 + rng.IntN(4)
		all := random(rng, ranks, 5+rng.IntN(150))
		for range rng.IntN(600) {
			if !all[rng.IntN(ranks)].step(all) && rng.IntN(50) == 0 {
				break
			}
		}
		host := look.Host{}
		window := 1 + rng.IntN(60)
		for _, s := range all {
			host.Ranks = append(host.Ranks, s.seen(table, ranks, window))
		}
		if !slices.ContainsFunc(host.Ranks, func(r look.Rank) bool { return len(r.Record.Calls) > 0 }) {
			continue
		}
		l, err := Log([]look.Host{host})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for i, o := range ends(l) {
			s := all[i]
			parts += len(l.Threads[i].Parts)
			for _, p := range l.Threads[i].Parts {
				if p.Wild && p.Matched >= 0 {
					wild++
				}
			}
			if o != nil {
				open++
			}
			if stays := s.in && !s.can(all); stays != (o != nil) || o != nil && o.Returned {
				what := "it ends"
				if o != nil {
					what = fmt.Sprintf("it waits in %s, returned %t", l.Funcs[o.Fn], o.Returned)
				}
				t.Errorf("seed %d, rank %d of %d: the run stays in %v: %t, in the log %s", seed, i, ranks, s.acts[min(s.next,
					len(s.acts)-1)], stays, what)
			}
		}
	}
	if open < 1000 || parts < 10_000 || wild < 1000 {
		t.Errorf("%d calls are open, of %d with %d from any source", open, parts, wild)
	}
}
