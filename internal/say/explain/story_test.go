package explain

import (
	"fmt"
	"slices"
	"testing"

	"unknot/internal/model/waitstate"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// waiting is a rank in a call that waits for others.
func waiting(rank op.Rank, call string, class mpi.Class, needs ...waitstate.Need) Member {
	m := Member{Described: &message.Described{Key: message.Key{Rank: rank}, Still: true,
		Place: finding.Place{Rank: int(rank), Call: call},
		Shape: message.Shape{Class: class, Name: call, Comm: finding.Wordf("MPI_COMM_WORLD")}}, State: message.Blocked,
		Wait: &waitstate.Wait{Rank: rank, Needs: needs}}
	for i := range needs {
		needs[i].Index = -1
		m.Needs = append(m.Needs, Need{Need: &needs[i], Ranks: needs[i].Ranks})
		if needs[i].Kind == waitstate.NeedMembers {
			m.Peers = append(m.Peers, needs[i].Ranks...)
		} else {
			m.Peers = append(m.Peers, needs[i].Rank)
		}
	}
	return m
}

// Words follow from the data alone.
func TestWordsFollowFromData(t *testing.T) {
	message1 := waitstate.Need{Kind: waitstate.NeedMessage, Rank: 1}
	message0 := waitstate.Need{Kind: waitstate.NeedMessage, Rank: 0}
	receive0 := waitstate.Need{Kind: waitstate.NeedReceive, Rank: 0, Bytes: 8}
	elsewhere := waitstate.Need{Kind: waitstate.NeedMessage, Rank: 0, Ctx: 7}
	sentWith := func(m Member, tags ...int32) Member {
		for _, tag := range tags {
			m.Described.Shape.Misses = append(m.Described.Shape.Misses, message.Miss{Src: 1, Dst: 0, Sent: tag,
				Wanted: 2112})
		}
		return m
	}
	barrier := waitstate.Need{Kind: waitstate.NeedMembers, Ranks: []op.Rank{1, 2}}
	for _, c := range []struct {
		name           string
		story          Story
		sentence, hint string
		reasons        []string
		ranks          string
	}{
		{"both receive", Story{Code: finding.Deadlock, Members: []Member{waiting(0, "MPI_Recv", mpi.Recv, message1),
			waiting(1, "MPI_Recv", mpi.Recv, message0)}},
			"Ranks 0 and 1 wait for each other: each receives before it sends.",
			"let one side send first, or use MPI_Sendrecv, or start the receives with MPI_Irecv",
			[]string{"a message from rank 1", "a message from rank 0"}, "[0 1]"},
		{"both wait for what they send as well", Story{Code: finding.Deadlock, Members: []Member{
			waiting(0, "MPI_Waitall", mpi.Wait, message1, waitstate.Need{Kind: waitstate.NeedReceive, Rank: 2}),
			waiting(1, "MPI_Recv", mpi.Recv, message0)}},
			"Ranks 0 and 1 wait for each other: each waits for a message that was not sent.",
			"look for the send that each of the receives is for: its destination, tag and communicator have to be " +
				"those that the receive names",
			[]string{"a message from rank 1 and rank 2 to receive", "a message from rank 0"}, "[0 1]"},
		{"one has died", Story{Code: finding.Deadlock, Members: []Member{waiting(0, "MPI_Recv", mpi.Recv, message1)},
			Culprits: []op.Rank{1}, Died: []op.Rank{1}},
			"Rank 0 waits in MPI_Recv for a message from rank 1, which has died.",
			"a rank finishes early: look for a missing call on its path to MPI_Finalize",
			[]string{"a message from rank 1, which has died"}, "[0 1]"},
		{"some have finished",
			Story{Code: finding.Deadlock, Members: []Member{waiting(0, "MPI_Barrier", mpi.Coll, barrier)},
				Culprits: []op.Rank{1, 2}},
			"Rank 0 waits in MPI_Barrier for MPI_Barrier by ranks 1 and 2, which are in MPI_Finalize.",
			"a rank finishes early: look for a missing call on its path to MPI_Finalize",
			[]string{"ranks 1 and 2 to call MPI_Barrier"}, "[0 1 2]"},
		{"a send and a collective",
			Story{Code: finding.Deadlock, Members: []Member{waiting(0, "MPI_Barrier", mpi.Coll, barrier),
				waiting(1, "MPI_Send", mpi.Send, receive0)}},
			"Ranks 0 and 1 wait for each other: rank 0 is in MPI_Barrier on MPI_COMM_WORLD and rank 1 is in MPI_Send.",
			"rank 0 is in a collective while rank 1 still sends to it: receive that message before the collective, " +
				"or remove the send",
			[]string{"ranks 1 and 2 to call MPI_Barrier", "rank 0 to receive"}, "[0 1]"},
		{"a receive and a collective of another communicator",
			Story{Code: finding.Deadlock, Members: []Member{waiting(0, "MPI_Barrier", mpi.Coll, barrier),
				waiting(1, "MPI_Recv", mpi.Recv, elsewhere)}},
			"Ranks 0 and 1 wait for each other: rank 0 is in MPI_Barrier on MPI_COMM_WORLD and rank 1 is in MPI_Recv.",
			"rank 0 is in a collective while rank 1 still expects a message from it: send that message before the " +
				"collective, or remove the receive; the two calls are on different communicators: check that both " +
				"use the intended one",
			[]string{"ranks 1 and 2 to call MPI_Barrier", "a message from rank 0"}, "[0 1]"},
		{"both have sent with other tags", Story{Code: finding.Deadlock, Members: []Member{
			sentWith(waiting(0, "MPI_Recv", mpi.Recv, message1), 2111, 2113),
			waiting(1, "MPI_Recv", mpi.Recv, message0)}},
			"Ranks 0 and 1 wait for each other: each is in a receive that no message matches.",
			"compare the tag and the communicator of the nearest miss with those of the receive",
			[]string{"a message from rank 1", "a message from rank 0"}, "[0 1]"},
	} {
		f := c.story.Finding()
		if f.Sentence != c.sentence || f.Hint != c.hint || fmt.Sprint(f.Ranks) != c.ranks {
			t.Errorf("%s: %s (%s), ranks %v\nwant %s (%s), ranks %s", c.name, f.Sentence, f.Hint, f.Ranks, c.sentence,
				c.hint, c.ranks)
		}
		for i, p := range f.Places {
			if p.Reason != c.reasons[i] {
				t.Errorf("%s: rank %d waits for %q, want %q", c.name, p.Rank, p.Reason, c.reasons[i])
			}
		}
	}
}

// TestWhatNearlyFitsIsWordedFromData has a send of another tag, of another communicator, of both, one that fits, and a
// message that a receive from any source took.
func TestWhatNearlyFitsIsWordedFromData(t *testing.T) {
	at := finding.Frame{Function: "main", File: "/home/ada/a.c", Line: 12}
	origin := &waitstate.Origin{Rank: 1, TS: 7}
	m := waiting(0, "MPI_Wait", mpi.Wait, waitstate.Need{Kind: waitstate.NeedMessage, Rank: 1,
		Origin: &waitstate.Origin{TS: 3}})
	m.Described.Shape.Misses = []message.Miss{
		{Src: 1, Dst: 0, Origin: origin, Sent: 5, Wanted: 4},
		{Src: 1, Dst: 0, Sent: 5, Wanted: op.AnyTag, On: "rows", NotOn: "columns"},
		{Src: 1, Dst: 0, Sent: 5, Wanted: 4, On: "rows", NotOn: "columns"},
		{Src: 1, Dst: 0, Sent: 4, Wanted: 4},
	}
	m.Described.Shape.Posted = map[message.Key]message.Posted{{TS: 3, Call: true}: {Call: "MPI_Irecv", At: at}}
	m.Described.Shape.Ate = &message.Eaten{Src: 1, Tag: 4, At: at}
	s := Story{Code: finding.Deadlock, Members: []Member{m},
		Located: map[message.Key]finding.Place{message.CallKey(origin): {Frame: at}}}
	f := s.Finding()
	want := []string{
		"nearest miss: rank 1 sent rank 0 a message at main (a.c:12), but with tag 5, not tag 4",
		"nearest miss: rank 1 sent rank 0 a message, but on rows, not on columns",
		"nearest miss: rank 1 sent rank 0 a message, but with tag 5, not tag 4 and on rows, not on columns",
		"nearest miss: rank 1 sent rank 0 a message, but an earlier receive may have taken it",
		"the receive from any source on rank 0 at main (a.c:12) took the message with tag 4 from rank 1",
	}
	if got := finding.Sentences(f.Notes); !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if got := f.Places[0].Reason; got != "a message from rank 1 (MPI_Irecv at main (a.c:12))" {
		t.Error(got)
	}
}

// TestMessagesWithOtherTagsAreOneNote if they are of one rank and one call, and differ in nothing else.
func TestMessagesWithOtherTagsAreOneNote(t *testing.T) {
	m := waiting(0, "MPI_Recv", mpi.Recv, waitstate.Need{Kind: waitstate.NeedMessage, Rank: 1})
	m.Described.Shape.Misses = []message.Miss{{Src: 1, Sent: 2111, Wanted: 2112}, {Src: 1, Sent: 2113, Wanted: 2112}}
	s := Story{Code: finding.Deadlock,
		Members: []Member{m, waiting(1, "MPI_Recv", mpi.Recv, waitstate.Need{Kind: waitstate.NeedMessage, Rank: 0})}}
	f := s.Finding()
	if want := "rank 0 waits for tag 2112 of rank 1, which has sent it tags 2111 and 2113"; len(f.Notes) != 1 ||
		f.Notes[0].Text != want {
		t.Errorf("notes %v, want %s", f.Notes, want)
	}
	s.Members[0].Described.Shape.Misses[1].On = "other"
	if f := s.Finding(); len(f.Notes) != 2 {
		t.Errorf("on another communicator: %v", f.Notes)
	}
}
