package screen

import (
	"fmt"
	"math"
	"slices"

	"unknot/internal/trace"
	"unknot/internal/vocab/op"
)

// Part is what one of several hosts has of a run: the calls of its own ranks. It answers the questions of Across, which
// screens the run although no host has all of it. docs/screening.md has the design.
//
// What other hosts send to its ranks is kept as further threads, which hold nothing but these sends and the ticks of
// the clock before them, and are not simulated.
type Part struct {
	*Columns
	own   []bool // by rank
	comms []commID
	host  int     // the number of this one
	owner []int32 // by rank: the host
	hosts int

	sent    [][]int32 // by host: sends to its ranks, in the order in which that host learns of them
	proxies [][]int32 // by host: the steps that stand for its sends to ranks of this one
	numbers []int32   // by step from the first proxy on: which of these it is
	base    int32     // the first proxy
	sim     *simulation
	away    away
}

// commID is what a communicator is known by on all hosts, and its size, which tells whether it is a clock.
type commID struct {
	id    op.CommID
	size  int32
	whole bool // all ranks, on one side
}

// elsewhere is the link of a send to a rank of another host.
const elsewhere int32 = math.MinInt32

// NewPart is for the calls that a log has; ranks without any are those of other hosts.
func NewPart(l *trace.Log) (*Part, error) {
	most := 0
	for i := range l.Threads {
		most += len(l.Threads[i].Parts) + len(l.Threads[i].Waits) + len(l.Threads[i].Ops)
	}
	if most > math.MaxInt32/2 {
		return nil, fmt.Errorf("the part has %d steps, which are too many", most)
	}
	c, _ := fromLog(l, false)
	c.close()
	p := &Part{Columns: c, own: make([]bool, c.ranks)}
	for i := range l.Threads {
		if len(l.Threads[i].Ops) > 0 {
			p.own[l.Threads[i].Rank] = true
		}
	}
	for i := range l.Comms {
		m := &l.Comms[i]
		p.comms = append(p.comms, commID{m.ID, int32(len(m.Members) + len(m.Remote)),
			len(m.Members) == c.ranks && m.Remote == nil})
	}
	return p, nil
}

// introduction is the first that a host says.
type introduction struct {
	ranks, steps, colls int
	probes              bool
	limits              limits
	own, wild           []int32 // ranks
	comms               []commID
	gates               []gate
}

func (p *Part) introduce() *introduction {
	m := &introduction{ranks: p.ranks, steps: p.Steps(), colls: p.colls, probes: p.probes, limits: p.limits,
		comms: p.comms, gates: p.gates}
	for r := range p.own {
		if p.own[r] {
			m.own = append(m.own, int32(r))
		}
		if p.wild != nil && p.wild[r] {
			m.wild = append(m.wild, int32(r))
		}
	}
	return m
}

// arrangement is what all hosts have in common.
type arrangement struct {
	host  int     // the number of this host
	owner []int32 // by rank
	wild  []bool  // by rank
	comms []int32 // by communicator of this host: its number for all
	sizes []int32 // by this number
	clock int32
	colls int
	gates []gate
	hosts int
}

// message of a rank to one of another host: what linking needs of it.
type crossing struct {
	source, to int32 // ranks
	tag, comm  int32
	ticks      int32 // of the clock since the last crossing of the thread to a rank with wildcards on that host
	buffered   bool
}

// arrange takes the numbers that hold for all hosts. It gives what its ranks send to those of each host, and how many
// collectives each communicator has here.
func (p *Part) arrange(a *arrangement) (crossings [][]crossing, counts []int32) {
	p.host, p.hosts, p.owner = a.host, a.hosts, a.owner
	p.sizes, p.clock, p.colls, p.gates = a.sizes, a.clock, a.colls, a.gates
	for i, k := range p.kind {
		switch k & kindMask {
		case stepSend, stepRecv, stepProbe, stepColl:
			p.c[i] = a.comms[p.c[i]]
		}
	}
	counts = p.countWaves()
	crossings, p.sent = make([][]crossing, a.hosts), make([][]int32, a.hosts)
	last := make([]int32, a.hosts)
	for t, source := range p.rankOf {
		clear(last)
		clock := int32(0)
		for i := p.startOf[t]; i < p.startOf[t+1]; i++ {
			switch k := p.kind[i]; {
			case k&kindMask == stepSend:
				h := a.owner[p.a[i]]
				if int(h) == a.host {
					continue
				}
				m := crossing{source: source, to: p.a[i], tag: p.b[i], comm: p.c[i], buffered: k&buffered != 0}
				if a.wild[m.to] {
					m.ticks, last[h] = clock-last[h], clock
				}
				crossings[h], p.sent[h] = append(crossings[h], m), append(p.sent[h], i)
			case k&(kindMask|blocking) == stepColl|blocking && p.c[i] == p.clock:
				clock++
			}
		}
	}
	return crossings, counts
}

// link links the ranks of this host with what they are sent. The communicators' collectives are numbered from base on.
// It says whether something is flagged already.
func (p *Part) link(from [][]crossing, base []int32) (flagged bool) {
	p.numberFrom(base)
	p.proxies, p.base = make([][]int32, p.hosts), int32(len(p.kind))
	threads := len(p.rankOf)
	for h, list := range from {
		for k, m := range list {
			if k == 0 || list[k-1].source != m.source {
				p.rankOf, p.startOf = append(p.rankOf, m.source), append(p.startOf, int32(len(p.kind)))
			}
			for range m.ticks {
				p.numbers = append(p.numbers, nobody)
				p.add(stepColl|blocking, nobody, 0, p.clock)
			}
			kind := stepSend
			if m.buffered {
				kind |= buffered
			}
			p.numbers = append(p.numbers, int32(k))
			p.proxies[h] = append(p.proxies[h], p.add(kind, m.to, m.tag, m.comm))
			p.startOf[len(p.startOf)-1] = int32(len(p.kind))
		}
	}
	l := p.linkOwn(func(q int32) bool { return int(p.owner[q]) != p.host })
	for _, list := range p.sent {
		for k, s := range list {
			p.b[s], p.c[s] = elsewhere, int32(k)
		}
	}
	p.sim = newSimulation(l)
	p.sim.away, p.away = &p.away, away{part: p, hosts: make([]news, p.hosts)}
	p.sim.leaveOut(threads)
	return len(l.taken) > 0 || len(p.unseen) > 0
}

// leaveOut keeps the threads from one on, which stand for other hosts' sends, from being simulated.
func (s *simulation) leaveOut(from int) {
	s.count = from
	for t := from; t < len(s.waits); t++ {
		s.waits[t] = hasEnded
	}
}

// news are what has happened on one host and matters on another.
type news struct {
	posted   []int32 // sends of the first to the second
	complete []int32 // sends of the second to the first
}

// gathering is how many members have come to a collective, or that all have.
type gathering struct{ wave, members int32 }

// away collects what others are to know of what happens here.
type away struct {
	part    *Part
	hosts   []news
	arrived []int32 // memberships in collectives
}

// post is for a send to another host.
func (a *away) post(send, to int32) {
	n := &a.hosts[a.part.owner[to]]
	n.posted = append(n.posted, a.part.c[send])
}

// completed is for a send of another host, which is complete.
func (a *away) completed(send int32) {
	n := &a.hosts[a.part.owner[a.part.rankOf[a.part.sim.threadOf(send)]]]
	n.complete = append(n.complete, a.part.numbers[send-a.part.base])
}

// advance takes the news of all hosts, and collectives that are complete, and lets all threads go on as far as they
// get. It gives the news for all hosts, and how many members have come to collectives.
func (p *Part) advance(from []news, gathered []gathering) ([]news, []gathering) {
	s := p.sim
	for _, g := range gathered {
		s.arrived[g.wave] = g.members
		s.gathered(g.wave)
	}
	for h, n := range from {
		for _, k := range n.complete {
			send := p.sent[h][k]
			s.kind[send] |= complete
			s.notify(send, s.rankOf[s.threadOf(send)])
		}
		for _, k := range n.posted {
			send := p.proxies[h][k]
			s.post(send, s.kind[send])
			if s.kind[send]&buffered == 0 && s.isComplete(send) {
				p.away.completed(send)
			}
		}
	}
	for s.count > 0 {
		s.step()
	}
	out, arrived := p.away.hosts, p.away.arrived
	p.away.hosts, p.away.arrived = make([]news, p.hosts), nil
	for i := range out {
		slices.Sort(out[i].complete)
		out[i].complete = slices.Compact(out[i].complete)
	}
	return out, s.gatherings(arrived)
}

// gatherings counts members of collectives that are not complete by those of this host alone.
func (s *simulation) gatherings(arrived []int32) []gathering {
	arrived = slices.DeleteFunc(arrived, func(i int32) bool { return s.isComplete(i) })
	for at, i := range arrived {
		arrived[at] = s.b[i]
	}
	slices.Sort(arrived)
	var all []gathering
	for _, w := range arrived {
		if n := len(all); n > 0 && all[n-1].wave == w {
			all[n-1].members++
		} else {
			all = append(all, gathering{w, 1})
		}
	}
	return all
}

// end says how many threads of this host's ranks have ended, and whether nothing is left that would be flagged.
func (p *Part) end() (ended int, clean bool) {
	clean = len(p.sim.open) == 0
	for _, t := range p.sim.turns {
		f := &p.sim.fams[familyOf(p.sim.b[t.recv])]
		clean = clean && f.gone >= f.served
	}
	for t, w := range p.sim.waits[:p.firstOf[p.ranks]] {
		if !p.own[p.rankOf[t]] {
			continue
		}
		if clean = clean && w == hasEnded; w == hasEnded {
			ended++
		}
	}
	return ended, clean
}

// mergeGates is what all hosts together know of the collectives of the clock.
func mergeGates(to, from []gate) []gate {
	for i, g := range from {
		if i == len(to) {
			to = append(to, g)
			continue
		}
		have := &to[i]
		have.broken = have.broken || g.broken || have.sync != g.sync || have.root != g.root || have.seq != g.seq ||
			have.what != g.what
	}
	return to
}
