package windows

// order is which moments of a round come before which others in each run of the program. A step has a moment when a
// rank enters it, and one when it returns.
type order struct {
	round *Round
	ranks int
	in    [][]int // moments by step and rank
	out   [][]int
	next  [][]int  // what a moment is directly before
	after [][]bool // what it is before
}

// orderOf is the order that the steps of a round guarantee.
func orderOf(r *Round, ranks int) *order {
	o := &order{round: r, ranks: ranks}
	last := make([]int, ranks)
	for rank := range last {
		last[rank] = o.moment()
	}
	for i := range r.Steps {
		s := &r.Steps[i]
		in, out := make([]int, ranks), make([]int, ranks)
		for rank := range ranks {
			if s.by(rank) {
				in[rank], out[rank] = o.moment(), o.moment()
				o.before(last[rank], in[rank])
				o.before(in[rank], out[rank])
				last[rank] = out[rank]
			}
		}
		o.in, o.out = append(o.in, in), append(o.out, out)
		o.together(i)
	}
	return o
}

// together has those wait for each other that take part in a step.
func (o *order) together(i int) {
	switch s := &o.round.Steps[i]; s.Kind {
	case Message:
		o.before(o.in[i][s.Rank], o.out[i][s.Peer])
	case Barrier, Fence:
		// A fence that ends no epoch need not wait for the others (12.5.1).
		for a := range o.ranks {
			for b := range o.ranks {
				if s.Kind == Barrier || s.Assert != noPrecede {
					o.before(o.in[i][a], o.out[i][b])
				}
			}
		}
	case Wait:
		// It returns when those that were let in have called MPI_Win_complete (12.5.2).
		post := o.last(i, func(p *Step) bool { return p.Kind == Post && p.Rank == s.Rank })
		for _, origin := range o.round.Steps[post].Group {
			done := o.last(i, func(p *Step) bool { return p.Kind == Complete && p.Rank == origin })
			o.before(o.in[done][origin], o.out[i][s.Rank])
		}
	}
}

const (
	noPrecede = "MPI_MODE_NOPRECEDE"
	noSucceed = "MPI_MODE_NOSUCCEED"
)

// moment is a new one.
func (o *order) moment() int {
	o.next = append(o.next, nil)
	return len(o.next) - 1
}

func (o *order) before(a, b int) { o.next[a] = append(o.next[a], b) }

// last is the last step with a property before one, first the first behind it; -1 if there is none.
func (o *order) last(i int, is func(*Step) bool) int {
	for i--; i >= 0 && !is(&o.round.Steps[i]); i-- {
	}
	return i
}

func (o *order) first(i int, is func(*Step) bool) int {
	for i++; i < len(o.round.Steps); i++ {
		if is(&o.round.Steps[i]) {
			return i
		}
	}
	return -1
}

// close works out which moments are before which.
func (o *order) close() {
	o.after = make([][]bool, len(o.next))
	for from := range o.next {
		seen := make([]bool, len(o.next))
		todo := []int{from}
		for len(todo) > 0 {
			at := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			for _, n := range o.next[at] {
				if !seen[n] {
					seen[n] = true
					todo = append(todo, n)
				}
			}
		}
		o.after[from] = seen
	}
}

// circular says whether some moment is before itself.
func (o *order) circular() bool {
	for i := range o.after {
		if o.after[i][i] {
			return true
		}
	}
	return false
}

// span is the time in which memory may be accessed: begin is before its first access, end is behind the last.
type span struct{ begin, end int }

// ordered says whether one of two is over before the other begins.
func (o *order) ordered(a, b span) bool { return o.after[a.end][b.begin] || o.after[b.end][a.begin] }

// spans are when an act accesses its target, and when its call uses the local buffer.
func (o *order) spans(i int) (target, local span) {
	s := &o.round.Steps[i]
	in, out := o.in[i][s.Rank], o.out[i][s.Rank]
	if s.Act.Plain() {
		return span{in, out}, span{in, out}
	}
	target, local = span{o.moment(), o.moment()}, span{in, o.moment()}
	o.before(in, target.begin)
	o.before(target.begin, target.end)
	o.before(in, local.end)
	o.opened(i, target.begin)
	// What has been read is no longer read.
	done := func(at int) {
		o.before(local.end, at)
		if !s.Act.writes() {
			o.before(target.end, at)
		}
	}
	if s.Act.Manner == Rput || s.Act.Manner == Rget { // complete at the origin only (12.3.5)
		done(out)
	}
	switch o.round.Style {
	case Fences:
		end := o.first(i, func(p *Step) bool { return p.Kind == Fence })
		for rank := range o.ranks {
			o.before(target.end, o.out[end][rank])
			o.before(local.end, o.out[end][rank])
		}
	case Posts:
		complete := o.first(i, func(p *Step) bool { return p.Kind == Complete && p.Rank == s.Rank })
		wait := o.first(complete, func(p *Step) bool { return p.Kind == Wait && p.Rank == s.Act.Target })
		o.before(target.end, o.out[wait][s.Act.Target])
		done(o.out[complete][s.Rank])
	default:
		end := o.first(i, func(p *Step) bool {
			return p.Rank == s.Rank && (p.Kind == Flush || p.Kind == Unlock) && p.on(s.Act.Target)
		})
		o.before(target.end, o.out[end][s.Rank])
		done(o.out[end][s.Rank])
		here := o.first(i, func(p *Step) bool { return p.Rank == s.Rank && p.Kind == FlushLocal && p.on(s.Act.Target) })
		if here >= 0 {
			done(o.out[here][s.Rank])
		}
	}
	return target, local
}

// opened has an act come after the call of the target by which its epoch begins there.
func (o *order) opened(i, begin int) {
	s := &o.round.Steps[i]
	by := -1
	switch o.round.Style {
	case Fences:
		by = o.last(i, func(p *Step) bool { return p.Kind == Fence })
	case Posts:
		by = o.last(i, func(p *Step) bool { return p.Kind == Post && p.Rank == s.Act.Target && p.on(s.Rank) })
	}
	if by >= 0 {
		o.before(o.in[by][s.Act.Target], begin)
	}
}
