package past

import (
	"strings"
	"testing"

	attached "unknot/internal/attach/job"
	"unknot/internal/attach/look"
	"unknot/internal/observe/record"
	"unknot/internal/trace"
	"unknot/internal/trace/text"
	"unknot/internal/vocab/mpi"
)

// made is a rank of a job of two with a record of some calls on MPI_COMM_WORLD, each in its line with the number of its
// call, and of messages with the other one by tag.
func made(t *testing.T, rank int, calls []record.Past, channels ...record.Channel) look.Rank {
	t.Helper()
	r := &record.Rank{Rank: rank, Ranks: 2, State: record.Alive, Noted: uint64(len(calls)), Library: "MPICH Version: 4.0",
		Constants: record.Constants{AnySource: -2, AnyTag: -1, ProcNull: -1, World: 9}, Calls: calls, Channels: channels,
		Comms: []record.Comm{{Serial: 1, Handle: 9, Kind: record.Intra, Identity: 3,
			Local: record.Group{Size: 2, Ranks: []int32{0, 1}}}}, Threads: []record.Thread{{}}}
	return look.Rank{Rank: attached.Rank{Job: "j", Rank: rank, Size: 2}, Recording: true, Record: r}
}

// logged is a log as text, without its head and places.
func logged(t *testing.T, l *trace.Log) string {
	t.Helper()
	var out strings.Builder
	if err := text.Write(&out, l); err != nil {
		t.Fatal(err)
	}
	var lines []string
	for line := range strings.Lines(out.String()) {
		if strings.HasPrefix(line, "P") {
			// That is all but what is the same everywhere.
			same := strings.NewReplacer(",bytes=?", "", ",nth=0", "", ",what=0x24", "", ",what=0x26", "")
			lines = append(lines, same.Replace(strings.TrimSpace(line)))
		}
	}
	return strings.Join(lines, "\n")
}

func TestCallsThatBelongTogetherAreInTheLog(t *testing.T) {
	table, err := mpi.Load()
	if err != nil {
		t.Fatal(err)
	}
	call := func(name string, peer, tag int32) record.Past {
		return record.Past{Func: table.ByName(name), Comm: 1, Peer: peer, Tag: tag, Count: 2}
	}
	open := func(p record.Past) record.Past {
		p.Open = true
		return p
	}
	sent := func(peer, tag int32, n uint32) record.Channel {
		return record.Channel{Comm: 1, Peer: peer, Tag: tag, Sent: n}
	}
	got := func(peer, tag int32, n uint32) record.Channel {
		return record.Channel{Comm: 1, Peer: peer, Tag: tag, Received: n}
	}
	const any = -2
	inside := func(p record.Past) record.Past {
		p.Comm = 7
		return p
	}
	send, receive := table.ByName("MPI_Send_init"), table.ByName("MPI_Recv_init")
	for _, c := range []struct {
		what     string
		calls    [2][]record.Past
		channels [2][]record.Channel
		change   func(ranks []look.Rank)
		want     string
	}{
		{"a receive whose send is older than the record is left out, and numbers have gone around",
			[2][]record.Past{{call("MPI_Send", 1, 5), call("MPI_Ssend", 1, 5)},
				{call("MPI_Recv", 0, 5), call("MPI_Recv", 0, 5), call("MPI_Recv", 0, 5), open(call("MPI_Recv", 0, 6))}},
			[2][]record.Channel{{sent(1, 5, 1)}, {got(0, 5, 1)}}, nil,
			"P0: Send(1,5,bytes=16) Ssend(1,5,bytes=16)\nP1: Recv(0,5) Recv(0,5) Recv(0,6)..."},
		{"sends that were received before the record are left out, and those under way are not",
			[2][]record.Past{{call("MPI_Send", 1, 5), call("MPI_Send", 1, 5), call("MPI_Send", 1, 5), call("MPI_Send", 1, 7)},
				{call("MPI_Recv", 0, 5), open(call("MPI_Recv", 0, 6))}},
			[2][]record.Channel{{sent(1, 5, 3), sent(1, 7, 1)}, {got(0, 5, 2)}}, nil,
			"P0: Send(1,5,bytes=16) Send(1,5,bytes=16) Send(1,7,bytes=16)\nP1: Recv(0,5) Recv(0,6)..."},
		{"a message under way that is older than the record is there, with another size",
			[2][]record.Past{{open(call("MPI_Barrier", -1, 0))}, {open(call("MPI_Recv", 0, 6))}},
			[2][]record.Channel{{sent(1, 5, 3)}, {got(0, 5, 2)}}, func(ranks []look.Rank) {
				ranks[0].Record.Comms[0].Collectives = 7
				ranks[1].Record.Comms[0].Collectives = 6
			},
			"P0: Isend(1,5,bytes=0) Barrier(bytes=16,seq=6)...\nP1: Recv(0,6)..."},
		{"both halves of MPI_Sendrecv belong to others; one that has lost its receive at the beginning is left out",
			[2][]record.Past{{call("MPI_Sendrecv", 1, 2), call("MPI_Sendrecv", 1, 3), call("MPI_Sendrecv", 1, 2)},
				{call("MPI_Recv", 0, 2), call("MPI_Send", 0, 3), call("MPI_Recv", 0, 4)}},
			[2][]record.Channel{{sent(1, 2, 2), got(1, 3, 2)}, {got(0, 2, 2), sent(0, 3, 2)}}, nil,
			"P0: Sendrecv{send(1,2,bytes=16)=r0 recv(1,3)=r1 wait(r0!,r1!)}\nP1: Recv(0,2) Send(0,3,bytes=16)"},
		{"a receive from any source took the message of the only rank that has sent one",
			[2][]record.Past{{call("MPI_Send", 1, 5)}, {call("MPI_Recv", any, -1), open(call("MPI_Recv", 0, 6))}},
			[2][]record.Channel{{sent(1, 5, 1)}, {got(0, 5, 1)}}, nil,
			"P0: Send(1,5,bytes=16)\nP1: Recv(*,*)<-0:5 Recv(0,6)..."},
		{"a receive that may have taken one of several messages takes one that others do not",
			[2][]record.Past{{call("MPI_Send", 1, 5), call("MPI_Send", 1, 4), call("MPI_Send", 1, 4)},
				{call("MPI_Recv", 0, 5), call("MPI_Recv", 0, -1), call("MPI_Recv", 0, 4)}},
			[2][]record.Channel{{sent(1, 5, 1), sent(1, 4, 2)}, {got(0, 5, 1), got(0, 4, 2)}}, nil,
			"P0: Send(1,5,bytes=16) Send(1,4,bytes=16) Send(1,4,bytes=16)\nP1: Recv(0,5)<-0 Recv(0,*)<-0:4 Recv(0,4)"},
		{"persistent requests were started at the same place before",
			[2][]record.Past{{call("MPI_Startall", 0, 0), call("MPI_Waitall", 0, 0), call("MPI_Startall", 0, 0),
				open(call("MPI_Waitall", 0, 0))},
				{call("MPI_Sendrecv", 0, 2), call("MPI_Sendrecv", 0, 3), open(call("MPI_Barrier", 0, 0))}},
			[2][]record.Channel{{sent(1, 2, 2), got(1, 3, 1)}, {got(0, 2, 1), sent(0, 3, 1)}}, func(ranks []look.Rank) {
				r := ranks[0].Record
				for i, f := range []*mpi.Func{receive, send} {
					r.Requests = append(r.Requests, record.Request{Handle: uint64(50 + i), Func: f, Order: 2, Comm: 1, Peer: 1,
						Tag: int32(3 - i), Count: 2, Active: true, Persistent: true, Waiting: -1})
				}
				r.Threads[0].In = &record.Call{Func: table.ByName("MPI_Waitall"), Order: 3, Requests: []uint64{50, 51},
					Whole: true}
				ranks[1].Record.Comms[0].Collectives = 4
			},
			"P0: Startall{recv(1,3)=r0 send(1,2,bytes=16)=r1} Waitall(r0,r1) Startall{recv(1,3)=r2 send(1,2,bytes=16)=r3}\n" +
				"P0: Waitall(r2,r3)...\n" +
				"P1: Sendrecv{send(0,3,bytes=16)=r0 recv(0,2)=r1 wait(r0!,r1!)} Barrier(bytes=16,seq=3)..."},
		{"calls on windows and on communicators that were freed are named, and others that are not needed are not",
			[2][]record.Past{{call("MPI_Type_vector", 0, 0), inside(call("MPI_Send", 1, 4)), inside(call("MPI_Win_fence", 0, 0)),
				open(call("MPI_Recv", 1, 3))}, {open(call("MPI_Finalize", 0, 0))}}, [2][]record.Channel{}, nil,
			"P0: Send{} Win_fence{} Recv(1,3)..."},
		{"a rank that stays outside of MPI makes no more calls",
			[2][]record.Past{{open(call("MPI_Recv", 1, 3))}, {call("MPI_Bcast", 0, 0)}}, [2][]record.Channel{},
			func(ranks []look.Rank) {
				ranks[1].Record.Comms[0].Collectives = 1
				ranks[1].Threads = []look.Thread{{Kept: look.Alike}}
			},
			"P0: Recv(1,3)...\nP1: Bcast(0,bytes=16) \"pause\"()..."},
		{"what a record has lost belongs to nobody, other than what is open",
			[2][]record.Past{{call("MPI_Send", 1, 5), open(call("MPI_Ssend", 1, 5))}, {call("MPI_Recv", 0, 5)}},
			[2][]record.Channel{{sent(1, 5, 2)}, {got(0, 5, 1)}}, func(ranks []look.Rank) {
				ranks[1].Record.Lost.Receives = true
			},
			"P0: Ssend(1,5,bytes=16)..."},
	} {
		ranks := []look.Rank{made(t, 0, c.calls[0], c.channels[0]...), made(t, 1, c.calls[1], c.channels[1]...)}
		if c.change != nil {
			c.change(ranks)
		}
		l, err := Log([]look.Host{{Ranks: ranks}})
		if err != nil {
			t.Errorf("%s: %v", c.what, err)
			continue
		}
		if got := logged(t, l); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.what, got, c.want)
		}
	}
}

func TestWhatCannotBeALogIsSaid(t *testing.T) {
	table, err := mpi.Load()
	if err != nil {
		t.Fatal(err)
	}
	calls := func() []record.Past { return []record.Past{{Func: table.ByName("MPI_Barrier"), Comm: 1}} }
	for _, c := range []struct {
		change func(ranks []look.Rank) []look.Rank
		want   string
	}{
		{func(ranks []look.Rank) []look.Rank { return nil }, "has no ranks; hint: make another dump"},
		{func(ranks []look.Rank) []look.Rank { return ranks[:1] }, "does not have rank 1 of 2; hint: "},
		{func(ranks []look.Rank) []look.Rank {
			for i := range ranks {
				ranks[i].Record, ranks[i].Recording = nil, false
			}
			return ranks
		}, "has no calls, as its ranks were not recorded; hint: start the job with unknot record"},
		{func(ranks []look.Rank) []look.Rank {
			ranks[1].Record, ranks[1].Recording = nil, false
			return ranks
		}, "has no calls of rank 1, which was not recorded; hint: "},
		{func(ranks []look.Rank) []look.Rank {
			ranks[1].Record = nil
			return ranks
		}, "has no calls of rank 1, which made some while it was looked at"},
		{func(ranks []look.Rank) []look.Rank {
			for i := range ranks {
				ranks[i].Record.Calls = nil
			}
			return ranks
		}, "has no calls: its ranks have made none, or an older unknot has made it; hint: make another dump"},
		{func(ranks []look.Rank) []look.Rank {
			ranks[0].Record.Calls = append(ranks[0].Record.Calls, record.Past{Func: table.ByName("MPI_Barrier"), Thread: 1})
			return ranks
		}, "has a rank 0 that calls MPI in more than one thread: such a program cannot be made"},
	} {
		ranks := c.change([]look.Rank{made(t, 0, calls()), made(t, 1, calls())})
		if _, err := Log([]look.Host{{Ranks: ranks}}); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}
