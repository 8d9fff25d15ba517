package report

import (
	"fmt"

	"unknot/internal/vocab/finding"
)

// manyFindings has n findings of four codes in a program of some files: the first rank of many has each, or some have.
func manyFindings(n int) *finding.Run {
	codes := []struct {
		code     finding.Code
		severity finding.Severity
		call     string
		says     string
	}{
		{"type-mismatch", finding.Error, "MPI_Recv", "Rank %d receives 4 × MPI_INT at line %d, but rank %d has sent " +
			"4 × MPI_FLOAT."},
		{"request-leaked", finding.Warning, "MPI_Isend", "Rank %d never completes the request that MPI_Isend returned " +
			"at line %d; the message is for rank %d."},
		{"datatype-leaked", finding.Warning, "MPI_Type_commit", "Rank %d never frees the datatype that was committed at " +
			"line %d, although rank %d does."},
		{"not-modelled", finding.Info, "MPI_T_init_thread", "Rank %d calls a function at line %d that is not modelled; " +
			"so does rank %d."},
	}
	var list []finding.Finding
	for i := range n {
		c := codes[(5*i+i/7)%len(codes)]
		rank, line := i%16, 20+i/3
		at := finding.Frame{Function: fmt.Sprintf("exchange_%c", 'a'+i%5), Line: line,
			File: fmt.Sprintf("/home/ada/app/src/step_%c.c", 'a'+i%5)}
		main := frame("main", "main.c", 99)
		list = append(list, finding.Finding{
			Code: c.code, Severity: c.severity, Standing: finding.Manifest, Count: 1 + i%2, Ranks: []int{rank},
			Sentence: fmt.Sprintf(c.says, rank, line, (rank+1)%16),
			Hint:     "Use the same type on both sides.",
			Places: []finding.Place{{Rank: rank, State: "called", Call: c.call, Frame: at, WaitsFor: []int{},
				Args: fmt.Sprintf("rank %d, tag %d, MPI_COMM_WORLD, 4 × MPI_INT", (rank+1)%16, i), Host: "node01",
				Stack: []finding.Frame{at, frame("step", "main.c", 60), main}}},
			Notes: []finding.Note{{Text: "the other call is at send (send.c:12)"}},
		})
	}
	return runOf(16, list...)
}
