package report

import (
	"fmt"
	"strconv"
	"strings"

	"unknot/internal/vocab/finding"
)

// grid is a Cartesian topology of one to three dimensions: slices of its first one, each a table, if there are three.
type grid struct {
	Name, Size string
	Slices     []gridSlice
	Small      bool // too many ranks for their numbers
	Left       string
}

type gridSlice struct {
	Title   string
	Columns []int // the last coordinate
	Rows    []gridRow
}

type gridRow struct {
	At    string // the coordinate before the last
	Cells []gridCell
}

type gridCell struct {
	Rank              int
	Mark, Class, Name string
}

// Most places of a topology that is drawn, and most whose ranks are written.
const (
	mostPlaces  = 4096
	mostWritten = 400
)

func gridsOf(run *finding.Run) (out []grid) {
	marks := marksOf(run)
	for i := range run.Topologies {
		out = append(out, gridOf(run, &run.Topologies[i], marks))
	}
	return out
}

func gridOf(run *finding.Run, t *finding.Topology, marks map[int]string) grid {
	var size []string
	for i, d := range t.Dims {
		s := strconv.Itoa(d)
		if i < len(t.Periodic) && t.Periodic[i] {
			s += " (periodic)"
		}
		size = append(size, s)
	}
	g := grid{Name: clean(t.Name), Size: strings.Join(size, " × "), Small: len(t.Ranks) > mostWritten}
	switch {
	case len(t.Dims) < 1 || len(t.Dims) > 3:
		g.Left = "A topology of " + plural(len(t.Dims), "dimension", "dimensions") + " is not drawn."
		return g
	case len(t.Ranks) > mostPlaces:
		g.Left = "A topology of more than " + number(mostPlaces) + " " + run.Language.Terms().Processes +
			" is not drawn."
		return g
	}
	dims := [3]int{1, 1, 1}
	copy(dims[3-len(t.Dims):], t.Dims)
	for z := range dims[0] {
		s := gridSlice{}
		if len(t.Dims) == 3 {
			s.Title = fmt.Sprintf("first coordinate %d", z)
		}
		for x := range dims[2] {
			s.Columns = append(s.Columns, x)
		}
		for y := range dims[1] {
			row := gridRow{}
			if len(t.Dims) > 1 {
				row.At = strconv.Itoa(y)
			}
			for x := range dims[2] {
				rank := t.Ranks[(z*dims[1]+y)*dims[2]+x]
				c := gridCell{Rank: rank, Mark: marks[rank], Class: strings.ReplaceAll(marks[rank], " ", "-")}
				at := []int{z, y, x}[3-len(t.Dims):]
				c.Name = fmt.Sprintf("%s %d at (%s)", run.Language.Terms().Process, rank,
					strings.Trim(strings.ReplaceAll(fmt.Sprint(at), " ", ", "), "[]"))
				if c.Mark != "" {
					c.Name += ": " + c.Mark
				}
				row.Cells = append(row.Cells, c)
			}
			s.Rows = append(s.Rows, row)
		}
		g.Slices = append(g.Slices, s)
	}
	return g
}
