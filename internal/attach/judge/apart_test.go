package judge

import (
	"math/rand/v2"
	"testing"

	"unknot/internal/attach/call"
	"unknot/internal/attach/job"
	"unknot/internal/attach/look"
	"unknot/internal/observe/record"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
)

// simulated is a rank of a random program whose sends do not block.
type simulated struct {
	ops            []int // to whom it sends: 0, 1, …; or from whom it receives: -1, -2, …
	at             int
	sent, received []uint32 // by rank
	looked         int      // where it was when it was looked at, -1 before
}

// source is from whom a rank receives where it is; -1 if it is not in a receive.
func (s *simulated) source() int {
	if s.at == len(s.ops) || s.ops[s.at] >= 0 {
		return -1
	}
	return -1 - s.ops[s.at]
}

// step has a rank make its next call, if that can be complete.
func step(all []simulated, rank int) bool {
	s := &all[rank]
	switch from := s.source(); {
	case s.at == len(s.ops):
		return false
	case from < 0:
		s.sent[s.ops[s.at]]++
	case all[from].sent[rank] == s.received[from]:
		return false
	default:
		s.received[from]++
	}
	s.at++
	return true
}

// record is what is seen of a rank now.
func (s *simulated) record(table *mpi.T, rank, size int) look.Host {
	receive := table.ByName("MPI_Recv")
	world := record.Group{Size: size}
	r := look.Rank{Rank: job.Rank{PID: 7, Job: "j", Rank: rank, Size: size, Local: 1}, Recording: true,
		Record: &record.Rank{PID: 7, Rank: rank, Ranks: size, State: record.Alive,
			Constants: record.Constants{AnySource: -1, AnyTag: -1, ProcNull: -2}}}
	for k := range size {
		world.Ranks = append(world.Ranks, int32(k))
		if s.sent[k]+s.received[k] > 0 {
			r.Record.Channels = append(r.Record.Channels,
				record.Channel{Comm: 1, Peer: int32(k), Sent: s.sent[k], Received: s.received[k]})
		}
	}
	r.Record.Comms = []record.Comm{{Serial: 1, Kind: record.Intra, Identity: 5, Rank: rank, Local: world}}
	t := look.Thread{TID: 7, Own: true, Alone: true, Kept: look.Alike, Ran: true}
	if from := s.source(); from >= 0 {
		in := &record.Call{Func: receive, Order: uint64(s.at) + 1, Args: make([]uint64, len(receive.Params))}
		peer, _ := receive.Param(mpi.RPeer)
		in.Args[peer] = uint64(from)
		t.Kept, t.Recorded, t.Call = look.Stays, in, &look.Call{Call: call.Call{Function: receive}}
		r.Record.Threads = []record.Thread{{TID: 7, Calls: in.Order, In: in}}
	}
	r.Threads = []look.Thread{t}
	return look.Host{Name: string(rune('a' + rank)), Seconds: 1, Ranks: []look.Rank{r}}
}

// TestWhatRecordsOfDifferentTimesProveIsTrue looks at the ranks of random programs at different times, and then has
// them run to the end.
func TestWhatRecordsOfDifferentTimesProveIsTrue(t *testing.T) {
	table, err := mpi.Load()
	if err != nil {
		t.Fatal(err)
	}
	const programs = 5_000
	proofs, innocent := 0, 0
	for seed := range uint64(programs) {
		random := rand.New(rand.NewPCG(seed, 0))
		size := 2 + random.IntN(3)
		all := make([]simulated, size)
		for r := range all {
			all[r] = simulated{sent: make([]uint32, size), received: make([]uint32, size), looked: -1}
			for range 1 + random.IntN(6) {
				other := (r + 1 + random.IntN(size-1)) % size
				if random.IntN(2) == 0 {
					other = -1 - other
				}
				all[r].ops = append(all[r].ops, other)
			}
		}
		hosts := make([]look.Host, size)
		for left := size; left > 0; {
			r := random.IntN(size)
			if random.IntN(3) > 0 {
				step(all, r)
			} else if all[r].looked < 0 {
				all[r].looked, hosts[r] = all[r].at, all[r].record(table, r, size)
				left--
			}
		}
		for moved := true; moved; {
			moved = false
			for r := range all {
				moved = step(all, r) || moved
			}
		}
		hangs := false
		for r := range all {
			hangs = hangs || all[r].at < len(all[r].ops)
		}
		found, _ := judged(hosts)
		for _, f := range found {
			if f.Code != finding.Deadlock {
				continue
			}
			proofs++
			for _, r := range f.Ranks {
				if all[r].at != all[r].looked || all[r].at == len(all[r].ops) {
					t.Fatalf("seed %d: rank %d continues: %s", seed, r, f.Sentence)
				}
			}
		}
		if !hangs {
			innocent++
		}
	}
	if proofs < programs/100 || innocent < programs/100 {
		t.Errorf("%d proofs, %d programs that end", proofs, innocent)
	}
}
