package screen

import (
	"fmt"
	"slices"
	"sync"
)

// Peer is a host that has a part of a run: what is asked of it is what Part.Answer answers.
type Peer interface {
	Ask(request []byte) (answer []byte, err error)
}

// Traffic is what screening across hosts has exchanged.
type Traffic struct {
	Rounds    int // of questions to hosts
	Crossings int // sends from one host to another
	Bytes     int // of questions and answers
}

// Across screens a run of which each host has the calls of its own ranks. Nothing but what crosses hosts is exchanged:
// the sends from one to another, when they are posted and complete, and how many members have come to collectives.
//
// It gives what Log gives for the whole of it if nothing is flagged there, without flags that are Lost. Otherwise the
// result is nil: somebody must look at the whole.
func Across(peers []Peer) (*Result, Traffic, error) {
	x := &across{peers: peers}
	r, err := x.screen()
	return r, x.traffic, err
}

type across struct {
	peers   []Peer
	traffic Traffic
	lock    sync.Mutex
	bases   []int32
	sizes   []int32 // by communicator
}

// The questions.
const (
	askIntroduction = iota
	askArrangement
	askLink
	askAdvance
	askEnd
)

// question is one to a host; what does not belong to its kind is empty.
type question struct {
	kind      int
	arrange   arrangement
	crossings []crossings // by host
	base      []int32
	news      []news // by host
	gathered  []gathering
}

func (q *question) code(c *coder) {
	c.count(&q.kind)
	switch q.kind {
	case askArrangement:
		q.arrange.code(c)
	case askLink:
		for i := range length(c, &q.crossings) {
			q.crossings[i].code(c)
		}
		c.list(&q.base)
	case askAdvance:
		c.news(&q.news)
		c.gatherings(&q.gathered)
	}
}

// answer is what a host says to a question.
type answer struct {
	kind      int
	introduce introduction
	crossings []crossings // by host
	counts    []int32
	flagged   bool
	news      []news // by host
	arrived   []gathering
	ended     int
	clean     bool
	limits    limits
}

func (a *answer) code(c *coder) {
	c.count(&a.kind)
	switch a.kind {
	case askIntroduction:
		a.introduce.code(c)
	case askArrangement:
		for i := range length(c, &a.crossings) {
			a.crossings[i].code(c)
		}
		c.list(&a.counts)
	case askLink:
		c.flag(&a.flagged)
	case askAdvance:
		c.news(&a.news)
		c.gatherings(&a.arrived)
	case askEnd:
		c.count(&a.ended)
		c.flag(&a.clean)
		n := int32(a.limits)
		c.number(&n)
		a.limits = limits(n)
	}
}

// Answer answers a question of Across.
func (p *Part) Answer(request []byte) ([]byte, error) {
	var q question
	if err := unpack(request, &q); err != nil {
		return nil, err
	}
	a := answer{kind: q.kind}
	switch q.kind {
	case askIntroduction:
		a.introduce = *p.introduce()
	case askArrangement:
		if len(q.arrange.comms) != len(p.comms) || len(q.arrange.owner) != p.ranks {
			return nil, fmt.Errorf("an arrangement of another run")
		}
		lists, counts := p.arrange(&q.arrange)
		for _, l := range lists {
			a.crossings = append(a.crossings, l)
		}
		a.counts = counts
	case askLink:
		from := make([][]crossing, len(q.crossings))
		for i, l := range q.crossings {
			from[i] = l
		}
		a.flagged = p.link(from, q.base)
	case askAdvance:
		a.news, a.arrived = p.advance(q.news, q.gathered)
	case askEnd:
		a.ended, a.clean = p.end()
		a.limits = p.limits
	default:
		return nil, fmt.Errorf("an unknown question")
	}
	return pack(&a), nil
}

// ask asks some hosts at a time; those whose question is nil are asked nothing, and their answer is nil.
func (x *across) ask(questions []*question) ([]*answer, error) {
	x.traffic.Rounds++
	answers, failed := make([]*answer, len(x.peers)), make([]error, len(x.peers))
	var all sync.WaitGroup
	for i, q := range questions {
		if q == nil {
			continue
		}
		all.Go(func() {
			request := pack(q)
			reply, err := x.peers[i].Ask(request)
			a := new(answer)
			if err == nil {
				err = unpack(reply, a)
			}
			if err == nil && a.kind != q.kind {
				err = fmt.Errorf("it answers another question")
			}
			answers[i], failed[i] = a, err
			x.lock.Lock()
			x.traffic.Bytes += len(request) + len(reply)
			x.lock.Unlock()
		})
	}
	all.Wait()
	for i, err := range failed {
		if err != nil {
			return nil, fmt.Errorf("part %d: %w", i+1, err)
		}
	}
	return answers, nil
}

// each asks all hosts a question.
func (x *across) each(of func(host int) *question) ([]*answer, error) {
	questions := make([]*question, len(x.peers))
	for i := range questions {
		questions[i] = of(i)
	}
	return x.ask(questions)
}

func (x *across) screen() (*Result, error) {
	said, err := x.each(func(int) *question { return &question{kind: askIntroduction} })
	if err != nil {
		return nil, err
	}
	arranged, r, err := x.arrange(said)
	if err != nil || arranged == nil {
		return nil, err
	}
	said, err = x.each(func(h int) *question { return &question{kind: askArrangement, arrange: arranged[h]} })
	if err != nil {
		return nil, err
	}
	counts := make([]int32, len(x.sizes))
	for _, a := range said {
		for i, n := range a.counts {
			counts[i] = max(counts[i], n)
		}
		for _, l := range a.crossings {
			x.traffic.Crossings += len(l)
		}
	}
	x.bases = sums(counts)
	linked, err := x.each(func(h int) *question {
		q := &question{kind: askLink, base: x.bases}
		for _, a := range said {
			q.crossings = append(q.crossings, a.crossings[h])
		}
		return q
	})
	if err != nil || slices.ContainsFunc(linked, func(a *answer) bool { return a.flagged }) {
		return nil, err
	}
	said = nil
	if may, err := x.simulate(); err != nil || !may {
		return nil, err
	}
	ends, err := x.each(func(int) *question { return &question{kind: askEnd} })
	if err != nil {
		return nil, err
	}
	var all limits
	for _, a := range ends {
		r.Ended += a.ended
		all |= a.limits
		if !a.clean {
			return nil, nil
		}
	}
	r.Limits = all.sentences()
	return r, nil
}

// arrange gives each host its number, and communicators theirs. It gives nothing if the parts cannot be screened apart.
func (x *across) arrange(said []*answer) ([]arrangement, *Result, error) {
	ranks := said[0].introduce.ranks
	owner, wild := make([]int32, ranks), make([]bool, ranks)
	for i := range owner {
		owner[i] = -1
	}
	r := &Result{}
	numbers := make(map[commID]int32)
	var gates []gate
	clock, colls := int32(-1), 0
	all := make([]arrangement, len(said))
	for h, a := range said {
		m := &a.introduce
		if m.ranks != ranks {
			return nil, nil, fmt.Errorf("part %d is of a run of %d ranks, part 1 of one of %d", h+1, m.ranks, ranks)
		}
		for _, q := range m.own {
			if q < 0 || int(q) >= ranks || owner[q] >= 0 {
				return nil, nil, fmt.Errorf("part %d has calls of rank %d, which an earlier one has, too", h+1, q)
			}
			owner[q] = int32(h)
		}
		for _, q := range m.wild {
			wild[q] = true
		}
		own := int32(-1)
		for _, c := range m.comms {
			n, known := numbers[c]
			if !known {
				n = int32(len(x.sizes))
				numbers[c] = n
				x.sizes = append(x.sizes, c.size)
			}
			if c.whole && own < 0 {
				own = n
			}
			all[h].comms = append(all[h].comms, n)
		}
		if h == 0 {
			clock = own
		} else if own != clock {
			return nil, nil, nil
		}
		gates = mergeGates(gates, m.gates)
		colls += m.colls
		r.Steps += m.steps
	}
	for q := range owner {
		if owner[q] < 0 { // it calls nothing
			owner[q] = 0
			r.Ended++
		}
	}
	for h := range all {
		a := &all[h]
		a.host, a.hosts, a.owner, a.wild = h, len(said), owner, wild
		a.sizes, a.clock, a.colls, a.gates = x.sizes, clock, colls, gates
	}
	return all, r, nil
}

// simulate lets all hosts advance until none has news for another. It says whether all went as it should.
func (x *across) simulate() (may bool, err error) {
	next := make([]*question, len(x.peers))
	for i := range next {
		next[i] = &question{kind: askAdvance}
	}
	waiting := make(map[int32]*gathering)
	from := make(map[int32][]bool) // by wave: which hosts have members there
	for slices.ContainsFunc(next, func(q *question) bool { return q != nil }) {
		said, err := x.ask(next)
		if err != nil {
			return false, err
		}
		next = make([]*question, len(x.peers))
		to := func(h int) *question {
			if next[h] == nil {
				next[h] = &question{kind: askAdvance, news: make([]news, len(x.peers))}
			}
			return next[h]
		}
		for h, a := range said {
			if a == nil {
				continue
			}
			for other, n := range a.news {
				if len(n.posted) > 0 || len(n.complete) > 0 {
					to(other).news[h] = n
				}
			}
			for _, g := range a.arrived {
				w := waiting[g.wave]
				if w == nil {
					w = &gathering{wave: g.wave}
					waiting[g.wave], from[g.wave] = w, make([]bool, len(x.peers))
				}
				w.members += g.members
				from[g.wave][h] = true
				switch size := x.sizeOf(g.wave); {
				case w.members > size:
					return false, nil
				case w.members == size:
					for other, has := range from[g.wave] {
						if has {
							to(other).gathered = append(to(other).gathered, *w)
						}
					}
					delete(waiting, g.wave)
					delete(from, g.wave)
				}
			}
		}
	}
	return true, nil
}

// sizeOf is how many members a collective has.
func (x *across) sizeOf(wave int32) int32 {
	n, found := slices.BinarySearch(x.bases, wave)
	if !found {
		n--
	}
	for n+1 < len(x.bases) && x.bases[n+1] <= wave { // communicators without collectives
		n++
	}
	return x.sizes[n]
}
