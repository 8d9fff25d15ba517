package sattest

import (
	"fmt"
	"slices"

	"unknot/internal/predict/exact"
	"unknot/internal/trace"
	"unknot/internal/vocab/op"
)

// side is a send or a receive.
type side struct {
	thread int
	seg    int // steps of its thread before it is started
	wait   int // the first step that waits for it, or none
	send   bool
	kept   bool // a send that completes without its receive
	source int  // of a receive; any
	tag    int32
	box    int
	sig    int     // same box, same rank, same peer, same tag
	nth    int     // in its signature
	place  int     // among those of its thread in the box
	fits   []*side // by thread and place; those of the other side that it could meet, as far as simple windows tell
	lits   []int   // by fits: the variable of the match
	ladder []int   // by fits: it has met one of those up to here
}

// barrier is a collective in which all wait for all.
type barrier struct {
	size    int
	members []member
	all     int // literal: all members are in it
}

type member struct{ thread, seg int }

// step is a call that its thread leaves only if something else happens.
type step struct {
	sides    []*side
	barriers []*barrier
}

// box holds the sends to, and the receives of, one rank in one communicator.
type box struct {
	at    int
	sends map[int][]*side // by thread
	recvs []*side
	sigs  [2][]int // signatures: of receives and of sends
}

// calls is a log, reduced to what can block.
type calls struct {
	steps [][]step // by thread
	boxes []*box
	sigs  [][]*side // by signature
}

const (
	none   = -1
	anyone = int(op.AnySource)
)

// read reduces a log. It fails outside of the fragment: one thread a rank, no probes, no calls that complete with any
// of several requests, nothing that is not modelled; all collectives are taken to be barriers.
func read(l *trace.Log, b exact.Buffering) (*calls, error) {
	c := &calls{steps: make([][]step, len(l.Threads))}
	r := &reader{calls: c, log: l, buffering: b, boxOf: make(map[[2]int]*box), sigOf: make(map[[5]int]int),
		groups: make(map[[2]uint64]*barrier)}
	seen := make(map[op.Rank]bool)
	for t := range l.Threads {
		if seen[l.Threads[t].Rank] || int(l.Threads[t].Rank) != t {
			return nil, fmt.Errorf("rank %d has two threads or is out of order", l.Threads[t].Rank)
		}
		seen[op.Rank(t)] = true
		if err := r.thread(t); err != nil {
			return nil, err
		}
	}
	return c, nil
}

type reader struct {
	*calls
	log       *trace.Log
	buffering exact.Buffering
	boxOf     map[[2]int]*box
	sigOf     map[[5]int]int
	groups    map[[2]uint64]*barrier
}

func (r *reader) thread(t int) error {
	l := &r.log.Threads[t]
	sides, barriers := make([]*side, len(l.Parts)), make([]*barrier, len(l.Parts))
	for i := range l.Ops {
		o := &l.Ops[i]
		if o.Final {
			break
		}
		if o.Opaque || o.Any && o.Waiting > 0 {
			return fmt.Errorf("call %d of rank %d is not in the fragment", i, t)
		}
		for n := o.First; n < o.First+o.Started; n++ {
			p := &l.Parts[n]
			switch {
			case p.Kind == op.Probe:
				return fmt.Errorf("call %d of rank %d is a probe", i, t)
			case p.Gone || p.Kind == op.Served:
			case p.Kind == op.Coll:
				barriers[n] = r.barrier(t, p)
			default:
				sides[n] = r.side(t, p)
			}
		}
		var s step
		for _, w := range l.WaitsOf(o) {
			if int(w.Thread) != t {
				return fmt.Errorf("call %d of rank %d waits for another thread", i, t)
			}
			if x := sides[w.Part]; x != nil && !x.kept {
				if x.wait == none {
					x.wait = len(r.steps[t])
				}
				s.sides = append(s.sides, x)
			}
			if g := barriers[w.Part]; g != nil {
				s.barriers = append(s.barriers, g)
			}
		}
		if len(s.sides)+len(s.barriers) > 0 {
			r.steps[t] = append(r.steps[t], s)
		}
	}
	return nil
}

func (r *reader) barrier(t int, p *trace.Part) *barrier {
	key := [2]uint64{uint64(p.Comm), p.Seq}
	g := r.groups[key]
	if g == nil {
		g = &barrier{size: len(r.log.Comms[p.Comm].Members) + len(r.log.Comms[p.Comm].Remote)}
		r.groups[key] = g
	}
	g.members = append(g.members, member{t, len(r.steps[t])})
	return g
}

func (r *reader) side(t int, p *trace.Part) *side {
	x := &side{thread: t, seg: len(r.steps[t]), wait: none, send: p.Kind == op.Send, source: int(p.Peer), tag: p.Tag}
	to := t
	if x.send {
		to, x.source = int(p.Peer), t
		x.kept = p.Mode == op.Buffered || p.Mode == op.Standard && r.buffering == exact.BufferAll
	} else if p.Wild {
		x.source = anyone
	}
	key := [2]int{int(p.Comm), to}
	b := r.boxOf[key]
	if b == nil {
		b = &box{at: len(r.boxes), sends: make(map[int][]*side)}
		r.boxOf[key] = b
		r.boxes = append(r.boxes, b)
	}
	x.box = b.at
	kind := 0
	if x.send {
		kind = 1
		x.place = len(b.sends[t])
		b.sends[t] = append(b.sends[t], x)
	} else {
		x.place = len(b.recvs)
		b.recvs = append(b.recvs, x)
	}
	s := [5]int{x.box, kind, x.source, int(x.tag), t}
	sig, ok := r.sigOf[s]
	if !ok {
		sig = len(r.sigs)
		r.sigOf[s] = sig
		r.sigs = append(r.sigs, nil)
		b.sigs[kind] = append(b.sigs[kind], sig)
	}
	x.sig, x.nth = sig, len(r.sigs[sig])
	r.sigs[sig] = append(r.sigs[sig], x)
	return x
}

// fit says whether a receive could take a message of the same box.
func fit(s, r *side) bool {
	return (r.source == anyone || r.source == s.thread) && (r.tag == op.AnyTag || r.tag == s.tag)
}

// earlier gives, for each signature of the same kind and thread in the box whose members fit the partner, the last one
// before x. Those before it have met whenever it has, for they fit whatever it fits (MPI-4.0, 3.5).
func (c *calls) earlier(x, partner *side) (out []*side) {
	kind := 0
	if x.send {
		kind = 1
	}
	for _, sig := range c.boxes[x.box].sigs[kind] {
		list := c.sigs[sig]
		if list[0].thread != x.thread || x.send && !fit(list[0], partner) || !x.send && !fit(partner, list[0]) {
			continue
		}
		n, _ := slices.BinarySearchFunc(list, x.place, func(e *side, place int) int { return e.place - place })
		if n > 0 {
			out = append(out, list[n-1])
		}
	}
	return out
}
