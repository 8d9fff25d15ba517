package unobserved

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"unknot/internal/predict/exact"
	"unknot/internal/trace"
	"unknot/internal/trace/text"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/plan"
)

func judged(t *testing.T, lines string) (*trace.Log, []finding.Finding) {
	t.Helper()
	l, err := text.Read(strings.NewReader(lines), "log")
	if err != nil {
		t.Fatal(err)
	}
	table, err := mpi.Load()
	if err != nil {
		t.Fatal(err)
	}
	r, err := exact.Predict(context.Background(), l, table, exact.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return l, Findings(l, r)
}

// shown is what a user reads first of a finding: code, ranks, sentence and steps.
func shown(f *finding.Finding) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s %v\n%s\n", f.Severity, f.Code, f.Ranks, f.Sentence)
	for _, s := range f.Story.Steps {
		b.WriteString(s.Sentence + "\n")
	}
	return b.String()
}

func TestWhatIsToldOfADeadlock(t *testing.T) {
	for _, x := range []struct{ name, log, want string }{
		{"a wildcard takes another receive's message", `
P0: Send(2,0)
P1: Send(2,0)
P2: Recv(*,0)<-0 Recv(1,0)`, `warning deadlock [2]
Rank 2 may wait forever in MPI_Recv for a message from rank 1, which an earlier receive took, with other matches of the wildcard receives.
Rank 2's 1st receive from any source (MPI_Recv) matches the message from rank 1 (in the recorded run, the one from rank 0).
`},
		{"the dependence transition group needs a match and no buffering", `
P0: Recv(*,0)<-1 Send(3,0) Recv(*,0)<-2
P1: Send(0,0) Send(3,0)
P2: Recv(*,0)<-4 Send(0,0)
P3: Recv(1,0) Recv(0,0)
P4: Send(2,0)`, `warning deadlock [0 1 3]
Ranks 0, 1 and 3 may wait for each other forever, with other matches of the wildcard receives, if MPI does not buffer: rank 0 in MPI_Send, rank 1 in MPI_Send and rank 3 in MPI_Recv.
Rank 0's 1st receive from any source (MPI_Recv) matches the message from rank 2 (in the recorded run, the one from rank 1).
MPI does not buffer rank 0's message to rank 3 (MPI_Send, tag 0).
MPI does not buffer rank 1's message to rank 0 (MPI_Send, tag 0).
`},
		{"buffering alone is a warning", `
P0: Send(1,0) Recv(1,0)
P1: Send(0,0) Recv(0,0)`, `warning deadlock-unsafe [0 1]
Ranks 0 and 1 would wait for each other forever, if MPI does not buffer: rank 0 in MPI_Send and rank 1 in MPI_Send.
MPI does not buffer rank 0's message to rank 1 (MPI_Send, tag 0).
MPI does not buffer rank 1's message to rank 0 (MPI_Send, tag 0).
`},
	} {
		_, list := judged(t, x.log)
		if len(list) != 1 {
			t.Errorf("%s: %d findings, want 1", x.name, len(list))
			continue
		}
		if got := shown(&list[0]); got != x.want {
			t.Errorf("%s:\n%s\nwant\n%s", x.name, got, x.want)
		}
		if list[0].Standing != finding.Predicted {
			t.Errorf("%s: %s, want predicted", x.name, list[0].Standing)
		}
	}
}

func TestTheDiagramShowsTheDecisionsAndWhatIsLeftOver(t *testing.T) {
	_, list := judged(t, `
P0: Send(2,7)
P1: Send(2,7)
P2: Recv(*,7)<-0 Recv(1,7)`)
	s := list[0].Story
	var ranks []int
	for _, l := range s.Lines {
		ranks = append(ranks, l.Rank)
		if l.Rank == 2 && (l.End != "MPI_Recv from rank 1" || !l.Stuck) {
			t.Errorf("rank 2 ends in %q, stuck %v", l.End, l.Stuck)
		}
	}
	if !slices.Equal(ranks, []int{1, 2}) {
		t.Errorf("life lines of ranks %v, want 1 and 2", ranks)
	}
	if len(s.Messages) != 1 || !s.Messages[0].Decisive || s.Messages[0].From != 1 || s.Messages[0].Label != "tag 7" {
		t.Errorf("messages are %+v", s.Messages)
	}
}

func TestALongDiagramKeepsItsDecisionsAndTheEnd(t *testing.T) {
	log := "P0: Send(2,0) " + strings.Repeat("Send(2,1) ", 100) + "\nP1: Send(2,0)\nP2: Recv(*,0)<-0 " +
		strings.Repeat("Recv(0,1) ", 100) + "Recv(1,0)"
	_, list := judged(t, log)
	s := list[0].Story
	decisive := slices.ContainsFunc(s.Messages, func(m finding.Message) bool { return m.Decisive })
	if len(s.Messages) > maxMessages+2 || !decisive {
		t.Errorf("%d messages, a decisive one among them: %v", len(s.Messages), decisive)
	}
}

func TestTheSameMistakeOfOtherRanksIsOneFinding(t *testing.T) {
	_, list := judged(t, `
P0: Send(1,0)@a.c:3 Recv(1,0)@a.c:4
P1: Send(0,0)@a.c:3 Recv(0,0)@a.c:4
P2: Send(3,0)@a.c:3 Recv(3,0)@a.c:4
P3: Send(2,0)@a.c:3 Recv(2,0)@a.c:4`)
	if len(list) != 1 || list[0].Count != 2 {
		t.Errorf("%d findings, the first seen %d times; want one seen twice", len(list), list[0].Count)
	}
}

func TestAStoryIsWrittenAsAPlanAndRead(t *testing.T) {
	l, list := judged(t, `
P0: Recv(*,0)<-1 Send(3,0) Recv(*,0)<-2
P1: Send(0,0) Send(3,0)
P2: Recv(*,0)<-4 Send(0,0)
P3: Recv(1,0) Recv(0,0)
P4: Send(2,0)`)
	p := plan.Of(&list[0].Story.Forced, l.Head.Ranks)
	if err := p.Check(); err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprint(p.Decisions)
	for _, s := range p.Sends {
		got += fmt.Sprintf(" %d.%d#%d", s.Rank, s.Thread, s.Nth)
	}
	const want = "[{0 0 0 2 -1} {2 0 0 4 -1}] 0.0#0 1.0#0"
	if got != want {
		t.Errorf("the plan is %s, want %s", got, want)
	}
}

func TestADeadlockOfEachBufferingNamesIt(t *testing.T) {
	for _, x := range []struct{ name, log, want string }{
		{"nobody sends that tag", "P0: Recv(1,0)\nP1: Send(0,0) Recv(0,5)",
			"error deadlock: Rank 1 would wait forever in MPI_Recv for a message from rank 0, whatever MPI buffers."},
		{"nobody receives", "P0: Ssend(1,0)\nP1:",
			"error deadlock: Rank 0 would wait forever in MPI_Ssend for rank 1 to receive, whatever MPI buffers."},
		{"nobody receives what may be kept", "P0: Send(1,0)\nP1:",
			"warning deadlock-unsafe: Rank 0 would wait forever in MPI_Send for rank 1 to receive, if MPI does " +
				"not buffer."},
		{"one of a circle may be kept", "P0: Send(1,0) Recv(1,0)\nP1: Ssend(0,0) Recv(0,0)",
			"warning deadlock-unsafe: Ranks 0 and 1 would wait for each other forever, if MPI does not buffer: rank " +
				"0 in MPI_Send and rank 1 in MPI_Ssend."},
		{"a buffered circle in front of one that nothing helps", "P0: Bsend(1,0) Recv(1,1)\nP1: Recv(0,0) Recv(0,1)",
			"error deadlock: Ranks 0 and 1 would wait for each other forever, whatever MPI buffers: rank 0 in " +
				"MPI_Recv and rank 1 in MPI_Recv."},
		{"a wait for all of what comes and what does not", "P0: Irecv(1,0)=a Irecv(1,9)=b Waitall(a,b)\nP1: Send(0,0)",
			"error deadlock: Rank 0 would wait forever in MPI_Waitall for a message from rank 1 (MPI_Irecv), " +
				"whatever MPI buffers."},
		{"broadcasts that cross", "comm a: 0 1\ncomm b: 0 1\nP0: Bcast(0,a) Bcast(0,b)\nP1: Bcast(0,b) Bcast(0,a)",
			"warning deadlock-unsafe: Ranks 0 and 1 would wait for each other forever, if collectives wait for all " +
				"their members: rank 0 in MPI_Bcast and rank 1 in MPI_Bcast."},
		{"barriers that cross", "comm a: 0 1\ncomm b: 0 1\nP0: Barrier(a) Barrier(b)\nP1: Barrier(b) Barrier(a)",
			"error deadlock: Ranks 0 and 1 would wait for each other forever, whatever MPI buffers: rank 0 in " +
				"MPI_Barrier and rank 1 in MPI_Barrier."},
		{"one does not come", "P0: Barrier\nP1: Barrier\nP2: Send(1,0)\nP1: Recv(2,0)",
			"error deadlock: Ranks 0 and 1 would wait forever in MPI_Barrier for rank 2, which has ended, to call " +
				"MPI_Barrier, whatever MPI buffers."},
		{"one is elsewhere", "P0: Allreduce\nP1: Recv(0,0) Allreduce",
			"error deadlock: Ranks 0 and 1 would wait for each other forever, whatever MPI buffers: rank 0 in " +
				"MPI_Allreduce and rank 1 in MPI_Recv."},
		{"a wait for any that must report the first, and nothing is known",
			"P0: Irecv(1,0)=a Irecv(2,0)=b Waitany(a,b) Recv(1,7)\nP1: Send(0,0)\nP2: Send(0,0)",
			"warning deadlock: Rank 0 may wait forever in MPI_Recv for a message from rank 1, if requests complete " +
				"in another order."},
	} {
		_, list := judged(t, x.log)
		found := false
		for i := range list {
			found = found || fmt.Sprintf("%s %s: %s", list[i].Severity, list[i].Code, list[i].Sentence) == x.want
		}
		if !found {
			for i := range list {
				t.Errorf("%s: %s %s: %s, want\n%s", x.name, list[i].Severity, list[i].Code, list[i].Sentence, x.want)
			}
			if len(list) == 0 {
				t.Errorf("%s: nothing, want %s", x.name, x.want)
			}
		}
	}
}
