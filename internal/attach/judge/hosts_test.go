package judge

import (
	"slices"
	"strings"
	"testing"

	"unknot/internal/attach/call"
	"unknot/internal/attach/callsite"
	"unknot/internal/attach/handle"
	"unknot/internal/attach/job"
	"unknot/internal/attach/look"
	"unknot/internal/observe/record"
	"unknot/internal/say/explain"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
)

// cycle is a job of so many ranks, each of which waits for a message from the next one, with a host for each that was
// looked at in a round.
func cycle(t *testing.T, rounds ...string) (hosts []look.Host) {
	t.Helper()
	table, err := mpi.Load()
	if err != nil {
		t.Fatal(err)
	}
	for r, round := range rounds {
		f := table.ByName("MPI_Recv")
		c := &look.Call{Call: call.Call{Function: f, Arguments: make([]callsite.Value, len(f.Params))},
			Constants: make([]string, len(f.Params))}
		peer, _ := f.Param(mpi.RPeer)
		tag, _ := f.Param(mpi.RTag)
		comm, _ := f.Param(mpi.RComm)
		c.Arguments[peer] = callsite.Value{Bits: uint64((r + 1) % len(rounds)), Known: true}
		c.Arguments[tag].Known, c.Arguments[comm].Known, c.Constants[comm] = true, true, "MPI_COMM_WORLD"
		hosts = append(hosts, look.Host{Name: string(rune('a' + r)), Seconds: 1, Round: round, Ranks: []look.Rank{{
			Rank:    job.Rank{PID: 7, Job: "j", Rank: r, Size: len(rounds), Local: 1},
			Library: &handle.Library{AnySource: -1, ProcNull: -2, AnyTag: -1},
			Threads: []look.Thread{{TID: 7, Own: true, Alone: true, Call: c, Kept: look.Stays, Ran: true}},
		}}})
	}
	return hosts
}

// recorded has the ranks of such a job record their calls. Rank r has sent so many messages to the one before it, which
// have all been taken but of the last rank.
func recorded(hosts []look.Host, sent ...uint32) {
	var world record.Group
	for i := range hosts {
		world.Ranks = append(world.Ranks, int32(i))
	}
	world.Size = len(hosts)
	for i := range hosts {
		r := &hosts[i].Ranks[0]
		t := &r.Threads[0]
		in := &record.Call{Func: t.Call.Function, Order: 9}
		for _, v := range t.Call.Arguments {
			in.Args = append(in.Args, v.Bits)
		}
		const comm = 0
		next, before := int32((i+1)%len(hosts)), int32((i+len(hosts)-1)%len(hosts))
		r.Recording, t.Recorded = true, in
		r.Record = &record.Rank{PID: 7, Rank: i, Ranks: len(hosts), State: record.Alive,
			Constants: record.Constants{AnySource: -1, AnyTag: -1, ProcNull: -2},
			Comms:     []record.Comm{{Serial: 1, Handle: comm, Kind: record.Intra, Identity: 5, Rank: i, Local: world}},
			Channels: []record.Channel{{Comm: 1, Peer: before, Sent: sent[i]},
				{Comm: 1, Peer: next, Received: min(sent[next], 1)}},
			Threads: []record.Thread{{TID: 7, Calls: 9, In: in}}}
	}
}

// judged are the codes of what is found, with the ranks at fault, and all notes.
func judged(hosts []look.Host) (found []finding.Finding, notes string) {
	j := New(hosts)
	found = j.Findings(&explain.Attached{Seconds: 1, Hosts: len(hosts)})
	for _, f := range found {
		notes += strings.Join(finding.Sentences(f.Notes), "\n")
	}
	return found, notes
}

// TestHostsThatWereWatchedAtOneTimeProveADeadlock and others do not.
func TestHostsThatWereWatchedAtOneTimeProveADeadlock(t *testing.T) {
	for _, c := range []struct {
		name   string
		rounds []string
		code   finding.Code
		note   string
	}{
		{"together", []string{"x", "x", "x"}, finding.Deadlock, "if the MPI library and the network work"},
		{"alone", []string{"", "", ""}, finding.DeadlockLikely,
			"it is not known whether ranks on different hosts were in these calls at the same time; hint: `unknot dump --host`"},
		{"twice", []string{"x", "x", "y"}, finding.DeadlockLikely, "in these calls at the same time"},
	} {
		found, notes := judged(cycle(t, c.rounds...))
		if len(found) != 1 || found[0].Code != c.code || !slices.Equal(found[0].Ranks, []int{0, 1, 2}) ||
			!strings.Contains(notes, c.note) {
			t.Errorf("%s: %+v\nwant %s, %q", c.name, found, c.code, c.note)
		}
		if len(found) == 1 && found[0].Places[1].Host != "b" {
			t.Errorf("%s: rank 1 is on %q", c.name, found[0].Places[1].Host)
		}
	}
}

// TestADeadlockOfOneHostIsProvedWhateverTheOthersDo has ranks 0 and 1 wait for each other, and rank 2 for rank 1.
func TestADeadlockOfOneHostIsProvedWhateverTheOthersDo(t *testing.T) {
	hosts := cycle(t, "", "", "")
	peer, _ := hosts[1].Ranks[0].Threads[0].Call.Function.Param(mpi.RPeer)
	hosts[1].Ranks[0].Threads[0].Call.Arguments[peer].Bits = 0
	hosts[0].Ranks = append(hosts[0].Ranks, hosts[1].Ranks...)
	hosts[0].Ranks[1].Local, hosts[0].Ranks[0].Local = 2, 2
	found, _ := judged([]look.Host{hosts[0], hosts[2]})
	if len(found) != 1 || found[0].Code != finding.Deadlock || !slices.Equal(found[0].Ranks, []int{0, 1}) {
		t.Errorf("%+v", found)
	}
}

// TestRecordsProveADeadlockOfHostsThatWereLookedAtApart unless a record has a message that another has not.
func TestRecordsProveADeadlockOfHostsThatWereLookedAtApart(t *testing.T) {
	hosts := cycle(t, "", "", "")
	recorded(hosts, 1, 1, 0)
	if found, notes := judged(hosts); len(found) != 1 || found[0].Code != finding.Deadlock ||
		!strings.Contains(notes, "by the records of the ranks") {
		t.Errorf("%+v", found)
	}
	recorded(hosts, 2, 1, 0) // the second message has come after its receiver was looked at
	for _, f := range first(judged(hosts)) {
		if f.Code == finding.Deadlock {
			t.Errorf("%+v", f)
		}
	}
	recorded(hosts, 1, 1, 0)
	hosts[1].Ranks[0].Threads[0].Recorded = nil // its record went on while it was read
	for _, f := range first(judged(hosts)) {
		if f.Code == finding.Deadlock {
			t.Errorf("rank 1 has no record: %+v", f)
		}
	}
}

func first(found []finding.Finding, _ string) []finding.Finding { return found }

// TestARankOfNoHostHasEndedIfAllHostsWereLookedAt has rank 2 of three missing.
func TestARankOfNoHostHasEndedIfAllHostsWereLookedAt(t *testing.T) {
	hosts := cycle(t, "x", "x", "x")[:2]
	if New(hosts).here {
		t.Error("its host was not looked at")
	}
	hosts[1].Ranks[0].Local = 2
	if found, _ := judged(hosts); len(found) != 1 || found[0].Code != finding.Deadlock ||
		!strings.Contains(found[0].Sentence, "Rank 1 waits in MPI_Recv for a message from rank 2, which has died") {
		t.Errorf("%+v", found)
	}
}
