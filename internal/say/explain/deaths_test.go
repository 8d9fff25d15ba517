package explain

import (
	"testing"

	"unknot/internal/observe/ring"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/message"
)

// TestDeathsAreWordedFromData has each cause of death, in a call and after it.
func TestDeathsAreWordedFromData(t *testing.T) {
	at := finding.Frame{Function: "main", File: "/home/ada/a.c", Line: 12}
	recv := finding.Place{Rank: 1, Call: "MPI_Recv", Frame: at}
	for want, d := range map[string]message.Death{
		"Rank 1 was ended by signal 11 (SIGSEGV) at solve (b.c:3), in MPI_Recv at main (a.c:12).": {
			Place: recv, Within: true, Manner: message.Manner{Kind: ring.DeathSignal, Code: 11,
				Fault: finding.Frame{Function: "solve", File: "b.c", Line: 3}}},
		"Rank 1 was ended by signal 64, after MPI_Recv at main (a.c:12).": {
			Manner: message.Manner{Kind: ring.DeathSignal, Code: 64}, Place: recv},
		"Rank 1 ended with exit status 2 without calling MPI_Finalize.": {
			Manner: message.Manner{Kind: ring.DeathExit, Code: 0x102}},
		"Rank 1 ended with exit status 0 before MPI_Finalize returned, in MPI_Recv at main (a.c:12).": {
			Manner: message.Manner{Kind: ring.DeathExit}, Ending: true, Place: recv, Within: true},
		"Rank 1 called MPI_Abort with code 7, at main (a.c:12).": {
			Manner: message.Manner{Kind: ring.DeathAbort, Code: 7}, Place: finding.Place{Call: "MPI_Abort", Frame: at},
			Within: true},
		"Rank 1 called MPI_Abort with code 7, after MPI_Recv at main (a.c:12).": {
			Manner: message.Manner{Kind: ring.DeathAbort, Code: 7}, Place: recv},
		"Rank 1 was killed without notice (SIGKILL, or out of memory), after MPI_Recv at main (a.c:12).": {Place: recv},
	} {
		d.Rank = 1
		if got := Death(&d).Sentence; got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
	for _, within := range []bool{true, false} {
		if got := Death(&message.Death{Rank: 1, Place: recv, Within: within}).Notes; (len(got) == 1 &&
			got[0] == finding.Remark(perhapsAborted)) != within {
			t.Errorf("killed, within %v: notes %q", within, got)
		}
	}
	// Where an error explains the death, it is not put down to a lack of memory.
	for want, got := range map[string]string{
		"rank 1 died in this call: it was killed without notice, as launchers do when an MPI library has given up": DiedIn(&message.Death{Rank: 1, Place: recv, Within: true}),
		"rank 1 died in this call: it ended with exit status 6 without calling MPI_Finalize":                       DiedIn(&message.Death{Rank: 1, Manner: message.Manner{Kind: ring.DeathExit, Code: 6}, Place: recv, Within: true}),
		"after this, rank 1 was killed without notice, in MPI_Recv at main (a.c:12), as launchers do when an MPI " +
			"library has given up": DiedAfter(&message.Death{Rank: 1, Place: recv, Within: true}),
		"after this, rank 1 ended with exit status 6 without calling MPI_Finalize, in MPI_Recv at main (a.c:12)": DiedAfter(&message.Death{Rank: 1, Manner: message.Manner{Kind: ring.DeathExit, Code: 6}, Place: recv, Within: true}),
	} {
		if got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
	for want, e := range map[string]message.Exception{
		"an uncaught ValueError":                      {Kind: "ValueError"},
		"an uncaught ValueError at a.py:3: no number": {Kind: "ValueError", Text: "no number", File: "a.py", Line: 3},
	} {
		d := message.Death{Manner: message.Manner{Except: &e}}
		if got := Death(&d).Notes; len(got) != 1 || got[0] != finding.Remark(want) {
			t.Errorf("got %q, want %s", got, want)
		}
	}
}
