package chrome

import (
	"cmp"
	"slices"

	"unknot/internal/op"
	"unknot/internal/trace"
)

// A log has no times. clock gives it logical ones (L. Lamport, Time, clocks, and the ordering of events in a distributed
// system, 1978): a call begins when the one before it has ended, a call that waits for a message ends after the call that
// sent it has begun, and a collective after all members have come. So every arrow goes forward.
type clock struct {
	log    *trace.Log
	begin  [][]int64 // by thread and call
	end    [][]int64 // 0 while it has not ended
	sender map[ref]ref
	crews  map[crew][]ref
	owner  [][]uint32 // by thread and part: the call that started it
	at     []int      // by thread: the call that it is in
	now    []int64    // by thread
}

// ref is a part.
type ref struct{ thread, part uint32 }

// crew names a collective.
type crew struct {
	comm uint32
	seq  uint64
}

// channel is what messages cannot overtake each other in.
type channel struct {
	comm     uint32
	src, dst op.Rank
	tag      int32
}

func newClock(log *trace.Log) *clock {
	n := len(log.Threads)
	c := &clock{log: log, begin: make([][]int64, n), end: make([][]int64, n), owner: make([][]uint32, n), at: make([]int, n),
		now: make([]int64, n), sender: make(map[ref]ref), crews: make(map[crew][]ref)}
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

// pair finds the send of each message that was received: the k-th of a channel goes to the k-th receive that met it.
func (c *clock) pair() {
	sends := make(map[channel][]ref)
	for i := range c.log.Threads {
		t := &c.log.Threads[i]
		for k := range t.Parts {
			p, at := &t.Parts[k], ref{uint32(i), uint32(k)}
			switch {
			case p.Gone:
			case p.Kind == op.Send:
				key := channel{p.Comm, t.Rank, p.Peer, p.Tag}
				sends[key] = append(sends[key], at)
			case p.Kind == op.Coll:
				key := crew{p.Comm, p.Seq}
				c.crews[key] = append(c.crews[key], at)
			}
		}
	}
	for i := range c.log.Threads {
		t := &c.log.Threads[i]
		for k := range t.Parts {
			p := &t.Parts[k]
			if p.Kind != op.Recv && p.Kind != op.Probe || p.Met < 0 || p.Gone {
				continue
			}
			key := channel{p.Comm, p.Met, t.Rank, p.MetTag}
			if list := sends[key]; len(list) > 0 {
				c.sender[ref{uint32(i), uint32(k)}] = list[0]
				if p.Kind == op.Recv {
					sends[key] = list[1:]
				}
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

// run lets the threads go on as far as their calls end. What cannot end although it did, as the log lacks what it met, is
// let go, the earliest first.
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
		for _, other := range c.needs(ref{w.Thread, w.Part}) {
			k := int(c.owner[other.thread][other.part])
			if k > c.at[other.thread] {
				return 0, false
			}
			end = max(end, c.begin[other.thread][k]+1)
		}
	}
	return end, true
}

// needs are the parts that must have been started for one to complete.
func (c *clock) needs(at ref) []ref {
	if p := &c.log.Threads[at.thread].Parts[at.part]; p.Kind == op.Coll {
		return c.crews[crew{p.Comm, p.Seq}]
	}
	if s, ok := c.sender[at]; ok {
		return []ref{s}
	}
	return nil
}

// last is the time at which all has ended.
func (c *clock) last() int64 { return slices.Max(append(slices.Clone(c.now), 0)) + 1 }
