package main

import (
	"cmp"
	"fmt"
	"time"
)

// section is a table of the page.
type section struct {
	heading, opening string
	rows             []row
}

// row is a program with a buffering and a number of ranks, and what was published for the like: interleavings of ISP,
// and of MSPOE with its time.
type row struct {
	program   string
	called    string // in the paper; else the program's name
	buffering string // none or infinite
	ranks     int
	deadlock  bool
	isp       string
	mspoe     string
	time      time.Duration // that an exploration may take; usual if it is 0
}

// usual is the time of an exploration that ends soon, or in no time that anybody has.
const usual = 20 * time.Second

func (r *row) most() time.Duration { return cmp.Or(r.time, usual) }

func (r *row) name() string { return fmt.Sprintf("%s %s %d", r.program, r.buffering, r.ranks) }

// key are the first columns of the row.
func (r *row) key() string {
	buffers := map[string]string{"none": "0", "infinite": "∞"}[r.buffering]
	called := fmt.Sprintf("`%s`", r.program)
	if r.called != "" {
		called = fmt.Sprintf("%s: `%s`", r.called, r.program)
	}
	return fmt.Sprintf("| %s | %s | %d |", called, buffers, r.ranks)
}

func sections() []section {
	return []section{
		{heading: "## Table 1", opening: tableOne, rows: published()},
		{heading: "## More programs", opening: moreOf, rows: more()},
	}
}

const tableOne = `The rows are those of Table 1 of the paper: interleavings of ISP and MSPOE and seconds of MSPOE as
published, for an Intel Core i7 with four cores, beside runs and seconds of unknot's strategies. A number of runs after
">" is that of an exploration that had no more time.
`

const moreOf = `Programs after figures of the paper, and others whose control flow depends on what they receive.
`

// published are the rows of Table 1 of Sharma, Gopalakrishnan and Bronevetsky.
func published() []row {
	const minutes = 2 * time.Minute
	return []row{
		{"matmul", "Mat-Multiply", "none", 4, false, "54", "1, 0.001 s", time.Minute},
		{"matmul", "Mat-Multiply", "none", 8, false, "120", "1, 0.002 s", minutes},
		{"matmul", "Mat-Multiply", "infinite", 4, false, "54", "1, 0.3 s", time.Minute},
		{"matmul", "Mat-Multiply", "infinite", 8, false, "120", "1, 0.3 s", minutes},
		{"diffusion", "2D-Diffusion", "none", 4, true, "1", "1, 0.013 s", 0},
		{"diffusion", "2D-Diffusion", "infinite", 4, false, "90", "1, 0.314 s", minutes},
		{"diffusion", "2D-Diffusion", "infinite", 8, false, "> 10,500", "1, 0.442 s", 0},
		{"pi", "Pi Monte-Carlo", "none", 4, false, "36", "1, 0.002 s", time.Minute},
		{"pi", "Pi Monte-Carlo", "none", 8, false, "5,040", "1, 0.003 s", time.Hour},
		{"pi", "Pi Monte-Carlo", "infinite", 4, false, "36", "1, 0.24 s", time.Minute},
		{"pi", "Pi Monte-Carlo", "infinite", 8, false, "5,040", "1, 0.3 s", time.Hour},
		{"integrate", "Integrate_mw", "none", 4, false, "81", "81, 20.19 s", minutes},
		{"integrate", "Integrate_mw", "none", 8, false, "2,401", "2,401, 1,806.738 s", time.Hour},
		{"redistribute", "Madre", "none", 4, true, "1", "1, 0.05 s", 0},
		{"redistribute", "Madre", "infinite", 4, false, "> 8,000", "1, 1.48 s", 0},
		{"redistribute", "Madre", "infinite", 8, false, "> 8,000", "1, 3.09 s", 0},
		{"partition", "Parmetis", "none", 4, false, "1", "1, 128.933 s", minutes},
		{"gauss", "Gaussian elimination", "none", 4, false, "1", "1, 0.24 s", 0},
		{"gauss", "Gaussian elimination", "none", 8, false, "1", "1, 0.276 s", 0},
		{"gauss", "Gaussian elimination", "infinite", 4, false, "180", "1, 0.31 s", minutes},
		{"gauss", "Gaussian elimination", "infinite", 8, false, "> 20,000", "1, 0.324 s", 0},
		{"heat", "Heat diffusion", "none", 8, true, "5,041", "23, 12.033 s", time.Hour},
	}
}

// more are the other programs.
func more() []row {
	return []row{
		{"pi", "figure 1", "infinite", 5, false, "24", "1", time.Minute},
		{"orphan", "figure 1 with R(3)", "none", 5, true, "found in 4", "found in 2", 0},
		{"dtg", "figure 3", "none", 5, true, "", "", 0},
		{"dtg", "figure 3", "infinite", 5, false, "", "", 0},
		{"cycle", "figure 9", "none", 4, true, "", "misses it", 0},
		{"cycle", "figure 9", "infinite", 4, false, "", "", 0},
		{"barrier", "figure 10", "none", 4, true, "", "misses it", 0},
		{"barrier", "figure 10", "infinite", 4, false, "", "", 0},
		{"heat", "", "none", 4, true, "", "", 0},
		{"floyd", "", "infinite", 4, false, "", "", 0},
		{"steal", "", "infinite", 4, false, "", "", 0},
	}
}
