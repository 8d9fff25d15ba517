// Package reduce makes a short C program of a log: its ranks make the same calls of MPI, up to those that did not
// return. It is for the developers of an MPI library, who cannot run the program that the log was recorded of.
//
// Of a long log the program has the end: the last calls of each rank, with all that they match. Ranks that make the same
// calls share a function, and calls that repeat are a loop.
package reduce

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"unknot/internal/trace"
	"unknot/internal/trace/pairing"
	"unknot/internal/vocab/op"
)

// MostLines is how long a program may be.
const MostLines = 200

// Program writes the program of a log.
func Program(w io.Writer, l *trace.Log) error {
	if err := supported(l); err != nil {
		return err
	}
	l = settled(l)
	c := newCut(l)
	most := 0
	waited := make(map[pairing.Ref]bool)
	for i := range l.Threads {
		t := &l.Threads[i]
		most = max(most, len(t.Ops))
		for _, w := range t.Waits {
			waited[pairing.Ref{Thread: w.Thread, Part: w.Part}] = true
		}
	}
	if most == 0 {
		return errors.New("it has no calls")
	}
	var best []string
	for depth := 1; ; depth *= 2 {
		text := (&writer{log: l, from: c.back(depth), pairs: c.pairs, waited: waited}).program()
		if len(text) > MostLines && best != nil {
			break
		}
		best = text
		if depth >= most || len(text) > MostLines {
			break
		}
	}
	if len(best) > MostLines {
		return fmt.Errorf("the program has %d lines, at most %d are allowed: its ranks make too many different calls",
			len(best), MostLines)
	}
	_, err := io.WriteString(w, strings.Join(best, "\n")+"\n")
	return err
}

// supported says why a log cannot be made a program; nil if it can.
func supported(l *trace.Log) error {
	for i := range l.Threads {
		if t := &l.Threads[i]; t.Index > 0 && len(t.Ops) > 0 {
			return fmt.Errorf("rank %d calls MPI in more than one thread: such a program cannot be made", t.Rank)
		}
	}
	for i := range l.Comms {
		if c := &l.Comms[i]; c.Remote != nil && !c.Inner && used(l, uint32(i)) {
			return fmt.Errorf("%s is an intercommunicator: such a program cannot be made", c.Name)
		}
	}
	return nil
}

// used says whether some call is on a communicator.
func used(l *trace.Log, comm uint32) bool {
	return slices.ContainsFunc(l.Threads, func(t trace.Thread) bool {
		return slices.ContainsFunc(t.Parts, func(p trace.Part) bool { return p.Kind != op.Served && p.Comm == comm })
	})
}

// cut finds the ends of the threads of a log in which all that belongs together is in.
type cut struct {
	log    *trace.Log
	pairs  *pairing.Pairs
	taker  map[pairing.Ref]pairing.Ref
	closed map[meeting][]pairing.Ref // members of collectives
}

// meeting is a collective.
type meeting struct {
	comm uint32
	seq  uint64
}

func newCut(l *trace.Log) *cut {
	c := &cut{log: l, pairs: pairing.Of(l), closed: make(map[meeting][]pairing.Ref)}
	c.taker = c.pairs.Taker
	for i := range l.Threads {
		for k := range l.Threads[i].Parts {
			if p := &l.Threads[i].Parts[k]; p.Kind == op.Coll {
				at := meeting{p.Comm, p.Seq}
				c.closed[at] = append(c.closed[at], pairing.Ref{Thread: uint32(i), Part: uint32(k)})
			}
		}
	}
	return c
}

// back is the first call of each thread such that it has so many of its last ones, and everything that these match.
func (c *cut) back(depth int) []int {
	from := make([]int, len(c.log.Threads))
	done := make([]int, len(from)) // calls from here on have been looked at
	for i := range c.log.Threads {
		n := len(c.log.Threads[i].Ops)
		from[i], done[i] = max(0, n-depth), n
	}
	reach := func(r pairing.Ref) {
		t := &c.log.Threads[r.Thread]
		from[r.Thread] = min(from[r.Thread], t.Starter(r.Part))
	}
	for more := true; more; {
		more = false
		for i := range c.log.Threads {
			t := &c.log.Threads[i]
			for done[i] > from[i] {
				more = true
				done[i]--
				o := &t.Ops[done[i]]
				for k := range t.Posts(o) {
					c.belongs(pairing.Ref{Thread: uint32(i), Part: o.First + uint32(k)}, reach)
				}
				for _, w := range t.WaitsOf(o) {
					reach(pairing.Ref{Thread: w.Thread, Part: w.Part})
				}
			}
		}
	}
	return from
}

// belongs calls visit for all parts that have to be there if one is.
func (c *cut) belongs(r pairing.Ref, visit func(pairing.Ref)) {
	p := r.In(c.log)
	if p.Kind == op.Coll {
		for _, other := range c.closed[meeting{p.Comm, p.Seq}] {
			visit(other)
		}
		return
	}
	if other, ok := c.pairs.Message[r]; ok {
		visit(other)
	}
	if other, ok := c.taker[r]; ok {
		visit(other)
	}
}
