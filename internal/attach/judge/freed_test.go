package judge

import (
	"testing"

	"unknot/internal/attach/call"
	"unknot/internal/attach/job"
	"unknot/internal/attach/look"
	"unknot/internal/observe/record"
	"unknot/internal/say/explain"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
)

// TestACommunicatorThatOthersHaveFreed keeps nobody in its call to free it: what others wait for in the next collective
// can come.
func TestACommunicatorThatOthersHaveFreed(t *testing.T) {
	table, err := mpi.Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, known := range []bool{true, false} {
		group := record.Group{Size: 2, Ranks: []int32{0, 1}}
		host := look.Host{Name: "a", Seconds: 1}
		for rank, name := range []string{"MPI_Comm_free", "MPI_Barrier"} {
			f := table.ByName(name)
			comm, _ := f.Param(mpi.RComm)
			in := &record.Call{Func: f, Order: 9, Args: make([]uint64, len(f.Params))}
			r := &record.Rank{PID: 7 + rank, Rank: rank, Ranks: 2, State: record.Alive,
				Constants: record.Constants{World: 1},
				Comms:     []record.Comm{{Serial: 1, Handle: 1, Kind: record.Intra, Identity: 1, Rank: rank, Local: group}},
				Threads:   []record.Thread{{TID: 7 + rank, Calls: 9, In: in}}}
			last := []record.Collective{{Func: f, Root: -1}}
			if in.Args[comm] = 1; rank == 0 {
				in.Args[comm] = 2
				r.Comms = append(r.Comms, record.Comm{Serial: 2, Handle: 2, Kind: record.Intra, Identity: 5, Local: group,
					Collectives: 1, Last: last})
			} else {
				r.Comms[0].Collectives, r.Comms[0].Last = 1, last
			}
			if rank == 1 && known {
				r.Freed, r.Gone = []uint64{2}, []uint64{5}
			}
			host.Ranks = append(host.Ranks, look.Rank{
				Rank: job.Rank{PID: 7 + rank, Job: "j", Rank: rank, Size: 2, Local: 2}, Recording: true, Record: r,
				Threads: []look.Thread{{TID: 7 + rank, Own: true, Alone: true, Kept: look.Stays, Ran: true, Recorded: in,
					Call: &look.Call{Call: call.Call{Function: f}}}}})
		}
		likely := false
		for _, f := range New([]look.Host{host}).Findings(&explain.Attached{Seconds: 1, Hosts: 1}) {
			likely = likely || f.Code == finding.DeadlockLikely || f.Code == finding.Deadlock
		}
		if likely == known {
			t.Errorf("known to be freed: %t, said to hang: %t", known, likely)
		}
	}
}
