package chrome

import (
	"cmp"
	"slices"

	"unknot/internal/trace"
	"unknot/internal/trace/pairing"
	"unknot/internal/vocab/op"
)

// A log has no times. clock gives it logical ones (L. Lamport, Time, clocks, and the ordering of events in a
// distributed system, 1978): a call begins when the one before it has ended, a call that waits for a message ends after
// the call that sent it has begun, and a collective after all members have come. So every arrow goes forward.
type clock struct {
	log    *trace.Log
	begin  [][]int64 // by thread and call
	end    [][]int64 // 0 while it has not ended
	sender map[pairing.Ref]pairing.Ref
	crews  map[crew][]pairing.Ref
	owner  [][]uint32 // by thread and part: the call that started it
	at     []int      // by thread: the call that it is in
	now    []int64    // by thread
}

// crew names a collective.
type crew struct {
	comm uint32
	seq  uint64
}

func newClock(log *trace.Log) *clock {
	n := len(log.Threads)
	c := &clock{log: log, begin: make([][]int64, n), end: make([][]int64, n), owner: make([][]uint32, n),
		at:  make([]int, n),
		now: make([]int64, n), crews: make(map[crew][]pairing.Ref)}
	c.pair()
	for i := range log.Threads {
		t := &log.Threads[i]
		c.begin[i], c.end[i] = make([]int64, len(t.Ops)), make([]int64, len(t.Ops))
		c.owner[i] = make([]uint32, len(t.Parts))
		for k := range t.Ops {
			for p := range t.Ops[k].Started {
				c.owner[i][t.Ops[k].First+p] = uint32(k)
			}
		}
		c.enter(i)
	}
	c.run()
	return c
}

// pair finds the send of each message that the run saw received, and the members of each collective.
func (c *clock) pair() {
	c.sender = pairing.By(c.log, func(_ *trace.Thread, p *trace.Part) (op.Rank, int32) {
		if p.Matched < 0 {
			return op.AnySource, op.AnyTag
		}
		return p.Matched, p.MatchedTag
	}).Message
	for i := range c.log.Threads {
		t := &c.log.Threads[i]
		for k := range t.Parts {
			if p := &t.Parts[k]; p.Kind == op.Coll && !p.Gone {
				key := crew{p.Comm, p.Seq}
				c.crews[key] = append(c.crews[key], pairing.Ref{Thread: uint32(i), Part: uint32(k)})
			}
		}
	}
}

// enter begins the call that a thread has come to.
func (c *clock) enter(i int) {
	if k := c.at[i]; k < len(c.begin[i]) {
		c.now[i]++
		c.begin[i][k] = c.now[i]
	}
}

// run lets the threads go on as far as their calls end. What cannot end although it did, as the log lacks what it met,
// is let go, the earliest first.
func (c *clock) run() {
	for {
		moved := false
		for i := range c.at {
			for c.at[i] < len(c.begin[i]) {
				end, ok := c.ends(i, &c.log.Threads[i].Ops[c.at[i]])
				if !ok {
					break
				}
				c.leave(i, end)
				moved = true
			}
		}
		if !moved && !c.force() {
			return
		}
	}
}

func (c *clock) leave(i int, end int64) {
	c.end[i][c.at[i]], c.now[i] = end, end
	c.at[i]++
	c.enter(i)
}

// force ends the earliest call that returned although nothing known let it.
func (c *clock) force() bool {
	var stuck []int
	for i, k := range c.at {
		if k < len(c.begin[i]) && c.log.Threads[i].Ops[k].Returned {
			stuck = append(stuck, i)
		}
	}
	if len(stuck) == 0 {
		return false
	}
	i := slices.MinFunc(stuck, func(a, b int) int { return cmp.Compare(c.now[a], c.now[b]) })
	c.leave(i, c.now[i]+1)
	return true
}

// ends says when a call that has begun ends, if what it waits for has.
func (c *clock) ends(i int, o *trace.Op) (int64, bool) {
	end := c.now[i] + 1
	if !o.Returned {
		return 0, false
	}
	for _, w := range c.log.Threads[i].WaitsOf(o) {
		if o.Any && !w.Done {
			continue
		}
		for _, other := range c.needs(pairing.Ref{Thread: w.Thread, Part: w.Part}) {
			k := int(c.owner[other.Thread][other.Part])
			if k > c.at[other.Thread] {
				return 0, false
			}
			end = max(end, c.begin[other.Thread][k]+1)
		}
	}
	return end, true
}

// needs are the parts that must have been started for one to complete.
func (c *clock) needs(at pairing.Ref) []pairing.Ref {
	if p := &c.log.Threads[at.Thread].Parts[at.Part]; p.Kind == op.Coll {
		return c.crews[crew{p.Comm, p.Seq}]
	}
	if s, ok := c.sender[at]; ok {
		return []pairing.Ref{s}
	}
	return nil
}

// last is the time at which all has ended.
func (c *clock) last() int64 { return slices.Max(append(slices.Clone(c.now), 0)) + 1 }
