package report

import (
	"fmt"
	"strings"
	"testing"

	"unknot/internal/vocab/finding"
)

// manyRanks has n ranks in a ring that make the same calls, except for one that is at fault.
func manyRanks(n int) *finding.Run {
	run := barrierMissing(n)
	run.Findings[0].Others, run.Findings[0].Places = run.Findings[0].Places[8:], run.Findings[0].Places[7:8]
	h := &finding.History{Kept: 8, Calls: []finding.PastCall{{Call: "MPI_Barrier", Args: "MPI_COMM_WORLD",
		Frame: frame("step", "halo.c", 212)}}}
	for r := range n {
		h.Calls = append(h.Calls, finding.PastCall{Call: "MPI_Send", Args: fmt.Sprintf("to rank %d, tag 1", (r+1)%n),
			Frame: frame("step", "halo.c", 190)},
			finding.PastCall{Call: "MPI_Recv", Args: fmt.Sprintf("from rank %d, tag 1", (r+n-1)%n),
				Frame: frame("step", "halo.c", 195)})
		h.Threads = append(h.Threads, finding.Track{Rank: r, Steps: []int{1 + 2*r, 2 + 2*r, 1 + 2*r, 2 + 2*r, 1 + 2*r,
			2 + 2*r, 0}, Open: true})
		for k := range 3 {
			h.Messages = append(h.Messages, [4]int{(r + n - 1) % n, 2 * k, r, 2*k + 1})
		}
	}
	run.History = h
	return run
}

// TestThousandsOfRanksAreFewRows: what does the same is one row, and the page stays small enough for a browser.
func TestThousandsOfRanksAreFewRows(t *testing.T) {
	run := manyRanks(4096)
	l := lanesOf(run, namesOf(run))
	var rows []string
	for _, r := range l.Rows {
		rows = append(rows, fmt.Sprintf("%s: %d", r.Who, len(r.Threads)))
	}
	if got, want := strings.Join(rows, "; "), "ranks 0-6: 7; rank 7: 1; ranks 8-4095: 4088"; got != want {
		t.Errorf("rows %s, want %s", got, want)
	}
	if n := len(htmlText(t, run)); n > 2<<20 {
		t.Errorf("the page has %d bytes", n)
	}
}

// TestGridsOfEachDimension has topologies of no, one, two, three and four dimensions, and one that is too large.
func TestGridsOfEachDimension(t *testing.T) {
	run := runOf(5000)
	add := func(dims ...int) {
		n := 1
		for _, d := range dims {
			n *= d
		}
		topology := finding.Topology{Name: "g", Dims: dims, Periodic: make([]bool, len(dims))}
		for r := range n {
			topology.Ranks = append(topology.Ranks, n-1-r)
		}
		run.Topologies = append(run.Topologies, topology)
	}
	add()
	add(3)
	add(2, 3)
	add(2, 2, 2)
	add(1, 1, 1, 1)
	add(50, 100)
	if err := run.Validate(); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, g := range gridsOf(run) {
		text := g.Size + ":" + g.Left
		for _, s := range g.Slices {
			text += " |" + s.Title
			for _, r := range s.Rows {
				text += " " + r.At + "["
				for _, c := range r.Cells {
					text += fmt.Sprint(" ", c.Rank)
				}
				text += " ]"
			}
		}
		got = append(got, text)
	}
	want := `:A topology of 0 dimensions is not drawn.
3: | [ 2 1 0 ]
2 × 3: | 0[ 5 4 3 ] 1[ 2 1 0 ]
2 × 2 × 2: |first coordinate 0 0[ 7 6 ] 1[ 5 4 ] |first coordinate 1 0[ 3 2 ] 1[ 1 0 ]
1 × 1 × 1 × 1:A topology of 4 dimensions is not drawn.
50 × 100:A topology of more than 4,096 ranks is not drawn.`
	if text := strings.Join(got, "\n"); text != want {
		t.Errorf("grids:\n%s\nwant:\n%s", text, want)
	}
	if name := gridsOf(run)[2].Slices[0].Rows[1].Cells[0].Name; name != "rank 2 at (1, 0)" {
		t.Errorf("a cell is called %q", name)
	}
}
