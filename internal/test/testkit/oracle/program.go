// Package oracle makes small random MPI programs, runs them as some MPI might, and says what must come out when they
// are watched. It is the brute-force twin of match, waitstate and waitfor, for tests only: everything here is written
// to be read against the standard, not to be fast, and shares no code with what it judges.
//
// A Program is a list of calls for each rank. A Machine is the state of one run of it, with all the freedom that the
// standard gives (MPI-4.0, sections 3.4, 3.5 and 6.1). A Trace is what a watcher sees of a run; Matching and Strict say
// what follows from it.
package oracle

import (
	"fmt"
	"strings"

	"unknot/internal/vocab/op"
)

// Any stands for MPI_ANY_SOURCE and MPI_ANY_TAG.
const Any = -1

// Kind is what a call does.
type Kind uint8

// Kinds of calls. Finalize is no call of a Program: every rank ends in it.
const (
	Talk       Kind = iota // starts its parts: a send, a receive or both; waits for them unless it is non-blocking
	Probe                  // waits for a message that its part would receive
	Collective             // the rank's next collective on Comm
	Waitall                // and MPI_Wait
	Waitany
	Waitsome
)

// Part is a send or a receive.
type Part struct {
	Send bool
	Mode op.SendMode
	Peer int // in MPI_COMM_WORLD; Any for a receive from anybody
	Tag  int // Any for a receive with any tag
	Comm int
}

// Call is one MPI call of a rank.
type Call struct {
	ID          int // names the call's requests; unique in its rank
	Kind        Kind
	Nonblocking bool // Talk: MPI_Isend and the like
	Persistent  bool // Talk: MPI_Start of what was initialised before
	Parts       []Part
	Comm        int   // Collective
	Requests    []int // Waitall, Waitany, Waitsome: IDs of the calls that started them
}

// Gather says what a collective cannot do without, by member (MPI-4.0, 6.1).
type Gather uint8

// Kinds of collectives.
const (
	Barrier Gather = iota // everybody waits for all
	Bcast                 // everybody waits for the root
	Reduce                // the root waits for all
	Scan                  // everybody waits for those before it
	Empty                 // a broadcast of nothing: nobody waits
)

// Wave is one collective operation on a communicator.
type Wave struct {
	Gather      Gather
	Root        int
	Nonblocking bool
}

// Program is what all ranks do.
type Program struct {
	Comms [][]int  // members, ascending; the first is MPI_COMM_WORLD
	Waves [][]Wave // by communicator: its n-th collective, so that members never disagree; they repeat
	Ranks [][]Call
}

// Wave is the n-th collective on a communicator.
func (p *Program) Wave(comm, n int) Wave { return p.Waves[comm][n%len(p.Waves[comm])] }

// String writes the program as text, one rank a line.
func (p *Program) String() string {
	var b strings.Builder
	for c, members := range p.Comms {
		fmt.Fprintf(&b, "comm %d: ranks %v\n", c, members)
	}
	for r, calls := range p.Ranks {
		fmt.Fprintf(&b, "rank %d:", r)
		counts := make([]int, len(p.Comms))
		for i := range calls {
			c := &calls[i]
			text := c.String()
			if c.Kind == Collective {
				text = collectiveText(p.Wave(c.Comm, counts[c.Comm]), c)
				counts[c.Comm]++
			}
			b.WriteString(" " + text + ";")
		}
		b.WriteString(" Finalize\n")
	}
	return b.String()
}

func collectiveText(w Wave, c *Call) string {
	name := [...]string{"Barrier", "Bcast", "Reduce", "Scan", "Bcast of nothing"}[w.Gather]
	result := ""
	if w.Nonblocking {
		name, result = "I"+strings.ToLower(name), fmt.Sprintf("r%d=", c.ID)
	}
	root := ""
	if w.Gather != Barrier && w.Gather != Scan {
		root = fmt.Sprintf("root %d, ", w.Root)
	}
	return fmt.Sprintf("%s%s(%scomm %d)", result, name, root, c.Comm)
}

// String writes a call that is no collective.
func (c *Call) String() string {
	switch c.Kind {
	case Waitall, Waitany, Waitsome:
		name := [...]string{Waitall: "Waitall", Waitany: "Waitany", Waitsome: "Waitsome"}[c.Kind]
		refs := make([]string, len(c.Requests))
		for i, id := range c.Requests {
			refs[i] = fmt.Sprintf("r%d", id)
		}
		return name + "(" + strings.Join(refs, ", ") + ")"
	case Collective:
		return fmt.Sprintf("Collective(comm %d)", c.Comm)
	}
	parts := make([]string, len(c.Parts))
	for i := range c.Parts {
		parts[i] = c.Parts[i].String()
	}
	text := strings.Join(parts, "+")
	switch {
	case c.Kind == Probe:
		return "Probe:" + text
	case c.Persistent:
		return fmt.Sprintf("r%d=Start:%s", c.ID, text)
	case c.Nonblocking:
		return fmt.Sprintf("r%d=I%s", c.ID, text)
	}
	return text
}

// String writes a part as the call that it would be by itself.
func (p Part) String() string {
	name, way := "recv", "from"
	if p.Send {
		name, way = [...]string{"send", "ssend", "bsend"}[p.Mode], "to"
	}
	return fmt.Sprintf("%s(%s %s, tag %s, comm %d)", name, way, number(p.Peer), number(p.Tag), p.Comm)
}

func number(n int) string {
	if n == Any {
		return "any"
	}
	return fmt.Sprint(n)
}

// Ends says whether every request of the program is waited for in the end: with others left, MPI_Finalize is erroneous
// (MPI-4.0, 11.2.2) and may hang.
func (p *Program) Ends() bool {
	for _, calls := range p.Ranks {
		open := make(map[int]bool)
		seq := make([]int, len(p.Comms))
		for i := range calls {
			c := &calls[i]
			switch c.Kind {
			case Collective:
				open[c.ID] = p.Wave(c.Comm, seq[c.Comm]).Nonblocking
				seq[c.Comm]++
			case Waitall:
				for _, id := range c.Requests {
					delete(open, id)
				}
			default:
				open[c.ID] = c.Nonblocking
			}
		}
		for _, left := range open {
			if left {
				return false
			}
		}
	}
	return true
}
