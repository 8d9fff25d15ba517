package buffers

import (
	"unknot/internal/check"
	"unknot/internal/check/used"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/op"
)

// threads is what the last blocking call of each thread of a rank uses.
type threads map[op.Thread]*blocking

type blocking struct {
	Held
	stamp uint32
}

// mostThreads bounds how many are remembered.
const mostThreads = 256

// several says whether threads may call MPI at the same time.
func several(c *check.Call) bool {
	l := &c.Rank.Limits
	return l.LevelKnown && l.Level > l.Serialized
}

// blocking gives room for what a blocking call uses.
func (x *operations) blocking(c *check.Call) *Held {
	if !several(c) {
		return &x.scratch
	}
	all := x.threads.Of(c.Rank)
	if *all == nil || len(*all) >= mostThreads {
		*all = make(threads)
	}
	b := (*all)[c.Thread]
	if b == nil {
		b = &blocking{}
		(*all)[c.Thread] = b
	}
	b.stamp = c.Stamp
	return &b.Held
}

// beside compares what an operation uses with what blocking calls of other threads use that are not over. Threads must
// not post calls that conflict (MPI-4.0, 11.6.1), and a blocking call owns its buffer as a pending operation does
// (3.7.2).
func (x *operations) beside(c *check.Call, h *Held) {
	for i := range c.Beside {
		o := &c.Beside[i]
		b := (*x.threads.Of(c.Rank))[o.Index]
		if b == nil || b.stamp != o.Stamp {
			continue // it uses no memory, or none that is not a pending operation's
		}
		if ours, theirs := x.meets(c.Rank, h, &b.Held); ours != nil {
			sayBeside(c, o, h, ours, theirs)
			return
		}
	}
}

// meets gives an area of each that use the same memory, of which one is written.
func (x *operations) meets(r *check.Rank, h, other *Held) (a, b *used.Area) {
	m := x.memory.Of(r)
	for i := range h.areas[:h.n] {
		for k := range other.areas[:other.n] {
			a, b := &h.areas[i].Area, &other.areas[k].Area
			if (a.Write || b.Write) && m.meet(a, b) {
				return a, b
			}
		}
	}
	return nil, nil
}

const threadsApart = "give each thread its own buffer, or make one call after the other: with a lock, or with a " +
	"barrier of the threads between them"

// with says which buffer of a call it is, and which of its parameters; -1 if it starts an operation whose buffer
// another call has given.
func with(c *check.Call, h *Held, a *used.Area) (text string, param int) {
	if h.persistent {
		return ", which starts an operation,", -1
	}
	return " with {" + c.Func.Params[a.Param].Name + "}", a.Param
}

func sayBeside(c *check.Call, o *check.Thread, h *Held, a, b *used.Area) {
	buffer, param := with(c, h, a)
	c.SayWith(bufferOverlap, param, o.Site, func() check.Words {
		return check.Words{
			Sentence: finding.Wordf("Rank %d calls %s in thread %d%s in memory that its thread %d, which is in %s, still "+
				"%s%s.", c.Rank.World, c.Func.Name, c.Thread, buffer, o.Index, o.Func.Name, does(o.Func, b.Write),
				shared(a, b)),
			Hint:    threadsApart,
			Related: []check.Related{check.MadeAt(o.Func, o.Site)},
		}
	})
}
