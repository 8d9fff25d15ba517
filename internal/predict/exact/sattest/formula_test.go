package sattest

import "slices"

// formula is in conjunctive normal form. Variable 1 is true.
type formula struct {
	vars    int
	clauses [][]int
	never   bool // it has an empty clause
}

const (
	yes = 1
	no  = -1
	// many clauses are taken for too large a problem.
	many = 8_000_000
)

func (f *formula) fresh() int {
	f.vars++
	return f.vars
}

// add adds a clause, without what is known.
func (f *formula) add(lits ...int) {
	out := make([]int, 0, len(lits))
	for _, x := range lits {
		switch {
		case x == yes || slices.Contains(out, -x):
			return
		case x != no && !slices.Contains(out, x):
			out = append(out, x)
		}
	}
	f.never = f.never || len(out) == 0
	if len(f.clauses) <= many {
		f.clauses = append(f.clauses, out)
	}
}

// and gives a literal for the conjunction.
func (f *formula) and(lits []int) int {
	rest := make([]int, 0, len(lits)+1)
	for _, x := range lits {
		switch {
		case x == no:
			return no
		case x != yes:
			rest = append(rest, x)
		}
	}
	switch len(rest) {
	case 0:
		return yes
	case 1:
		return rest[0]
	}
	v := f.fresh()
	for i, x := range rest {
		f.add(-v, x)
		rest[i] = -x
	}
	f.add(append(rest, v)...)
	return v
}

// encoding is the question whether somebody can block forever, as a formula about the last state of a run.
type encoding struct {
	*calls
	formula
	left [][]int // by thread and step
}

// encode writes the formula. With counts, it also says what follows from the rest but is hard to see for a solver: that
// as many messages have met as receives have.
func encode(c *calls, counts bool) *encoding {
	e := &encoding{calls: c}
	e.add(e.fresh())
	e.clauses, e.never = [][]int{{yes}}, false
	c.prune()
	var stuck []int
	for t, steps := range c.steps {
		e.left = append(e.left, make([]int, len(steps)))
		for k := range steps {
			e.left[t][k] = e.fresh()
		}
		if len(steps) > 0 {
			stuck = append(stuck, -e.left[t][len(steps)-1])
		}
	}
	if len(stuck) == 0 {
		e.never = true
		return e
	}
	e.add(stuck...)
	parts := []func(){e.matches, e.order, e.progress, e.maximal}
	if counts {
		parts = append(parts, e.counts)
	}
	for _, write := range parts {
		if write(); len(e.clauses) > many {
			break
		}
	}
	return e
}

func (e *encoding) entered(thread, seg int) int {
	if seg == 0 {
		return yes
	}
	return e.left[thread][seg-1]
}

func (e *encoding) started(x *side) int { return e.entered(x.thread, x.seg) }

// met says that a side has met one of the first n that it fits.
func (x *side) met(n int) int {
	if n == 0 {
		return no
	}
	return x.ladder[n-1]
}

func (x *side) done() int { return x.met(len(x.fits)) }

// before gives the number of those it fits that stand before a receive.
func (x *side) before(r *side) int {
	n, _ := slices.BinarySearchFunc(x.fits, r.place, func(e *side, place int) int { return e.place - place })
	return n
}

// matches has a variable for each pair, and lets nobody meet twice.
func (e *encoding) matches() {
	for _, b := range e.boxes {
		for _, r := range b.recvs {
			r.fits = nil
		}
	}
	for _, sig := range e.sigs {
		for _, s := range sig {
			if !s.send {
				continue
			}
			for _, r := range s.fits {
				v := e.fresh()
				s.lits = append(s.lits, v)
				r.lits, r.fits = append(r.lits, v), append(r.fits, s)
				e.add(-v, e.started(s))
				e.add(-v, e.started(r))
			}
			e.ladder(s)
			if len(e.clauses) > many {
				return
			}
		}
	}
	for _, sig := range e.sigs {
		for _, r := range sig {
			if !r.send {
				e.ladder(r)
			}
		}
	}
}

func (e *encoding) ladder(x *side) {
	last := no
	for _, v := range x.lits {
		l := e.fresh()
		x.ladder = append(x.ladder, l)
		e.add(-last, l)
		e.add(-v, l)
		e.add(-l, last, v)
		e.add(-last, -v)
		last = l
	}
}

// order says that messages do not overtake each other (MPI-4.0, 3.5).
func (e *encoding) order() {
	for _, sig := range e.sigs {
		for _, s := range sig {
			if !s.send {
				continue
			}
			for i, r := range s.fits {
				for _, p := range e.earlier(s, r) {
					e.add(-s.lits[i], p.met(p.before(r)))
				}
				for _, p := range e.earlier(r, s) {
					e.add(-s.lits[i], p.done())
				}
			}
		}
	}
}

// progress says when calls are left.
func (e *encoding) progress() {
	for t, steps := range e.steps {
		for k := range steps {
			all := []int{e.entered(t, k)}
			for _, x := range steps[k].sides {
				all = append(all, x.done())
			}
			for _, g := range steps[k].barriers {
				all = append(all, e.gathered(g))
			}
			v := e.and(all)
			e.add(-v, e.left[t][k])
			e.add(v, -e.left[t][k])
		}
	}
}

func (e *encoding) gathered(g *barrier) int {
	if g.all == 0 {
		all := []int{yes}
		if len(g.members) < g.size {
			all = []int{no}
		}
		for _, m := range g.members {
			all = append(all, e.entered(m.thread, m.seg))
		}
		g.all = e.and(all)
	}
	return g.all
}

// maximal says that no message and receive that fit are both left over. If there are, the first such pair can meet.
func (e *encoding) maximal() {
	over := make([]int, len(e.sigs))
	for i, sig := range e.sigs {
		over[i] = e.fresh()
		for _, x := range sig {
			e.add(-e.started(x), x.done(), over[i])
		}
	}
	for _, b := range e.boxes {
		for _, r := range b.sigs[0] {
			for _, s := range b.sigs[1] {
				if fit(e.sigs[s][0], e.sigs[r][0]) {
					e.add(-over[s], -over[r])
				}
			}
		}
	}
}

// counts adds that in each set of signatures that fit each other as many sends as receives have met, in unary numbers.
func (e *encoding) counts() {
	group := make([]int, len(e.sigs))
	for i := range group {
		group[i] = i
	}
	root := func(i int) int {
		for group[i] != i {
			i = group[i]
		}
		return i
	}
	for _, b := range e.boxes {
		for _, r := range b.sigs[0] {
			for _, s := range b.sigs[1] {
				if fit(e.sigs[s][0], e.sigs[r][0]) {
					group[root(s)] = root(r)
				}
			}
		}
	}
	sums := make(map[int]*[2][][]int)
	for i, sig := range e.sigs {
		g := sums[root(i)]
		if g == nil {
			g = new([2][][]int)
			sums[root(i)] = g
		}
		kind := 0
		if sig[0].send {
			kind = 1
		}
		var unary []int
		for n, x := range sig {
			unary = append(unary, x.done())
			if n > 0 {
				e.add(-unary[n], unary[n-1])
			}
		}
		g[kind] = append(g[kind], unary)
	}
	for i := range e.sigs {
		g := sums[i]
		if g == nil {
			continue
		}
		a, b := e.sum(g[0]), e.sum(g[1])
		for n := range max(len(a), len(b)) {
			x, y := digit(a, n), digit(b, n)
			e.add(-x, y)
			e.add(x, -y)
		}
	}
}

func digit(n []int, at int) int {
	switch {
	case at < 0:
		return yes
	case at < len(n):
		return n[at]
	}
	return no
}

// sum adds unary numbers.
func (e *encoding) sum(list [][]int) []int {
	switch len(list) {
	case 0:
		return nil
	case 1:
		return list[0]
	}
	a, b := e.sum(list[:len(list)/2]), e.sum(list[len(list)/2:])
	out := make([]int, len(a)+len(b))
	for i := range out {
		out[i] = e.fresh()
	}
	for i := range len(a) + 1 {
		for j := range len(b) + 1 {
			if len(e.clauses) > many {
				return out
			}
			e.add(-digit(a, i-1), -digit(b, j-1), digit(out, i+j-1))
			if i+j < len(out) {
				e.add(digit(a, i), digit(b, j), -out[i+j])
			}
		}
	}
	return out
}
