package branching

import "slices"

// Shrink makes a program smaller as long as it still fails and does nothing wrong, and returns the smallest found with
// its failure: statements go, and branches and loops give way to what is in them.
func Shrink(p *Program, fails func(*Program) error) (*Program, error) {
	err := fails(p)
	for again := true; again; {
		again = false
		for r := range p.Ranks {
			// After a change the same place is tried again, as it holds another statement then.
			for at := 0; ; {
				smaller, more := p.without(r, at)
				if !more {
					break
				}
				at++
				for _, q := range smaller {
					if !q.right() {
						continue
					}
					if e := fails(q); e != nil {
						p, err, again = q, e, true
						at--
						break
					}
				}
			}
		}
	}
	return p, err
}

// right says whether a program does nothing wrong and has few enough behaviours to say so.
func (p *Program) right() (right bool) {
	defer func() {
		if recover() != nil { // what is left makes no sense
			right = false
		}
	}()
	x := newExploration(&machine{code: compile(p)}, generated)
	return x.run() && x.wrong == ""
}

// without gives the programs that are smaller at the n-th statement of a rank, inner ones included; more is false if
// there is no such statement.
func (p *Program) without(rank, n int) (out []*Program, more bool) {
	for form := range 3 {
		left := n
		list, changed := replace(p.Ranks[rank], &left, form)
		if left >= 0 {
			return nil, false
		}
		if !changed {
			continue
		}
		q := *p
		q.Ranks = slices.Clone(p.Ranks)
		q.Ranks[rank] = list
		q.mark()
		out = append(out, &q)
	}
	return out, true
}

// replace copies a list, except for the statement that n counts down to: it goes (form 0), or its body or other branch
// takes its place (1 and 2).
func replace(list []Stmt, n *int, form int) (out []Stmt, changed bool) {
	for _, s := range list {
		if *n == 0 {
			*n--
			inner := [][]Stmt{nil, s.Body, s.Else}[form]
			if form == 0 || len(inner) > 0 {
				out = append(out, copyList(inner)...)
				changed = true
				continue
			}
		} else if *n > 0 {
			*n--
		}
		var a, b bool
		s = copyList([]Stmt{s})[0]
		s.Body, a = replace(s.Body, n, form)
		s.Else, b = replace(s.Else, n, form)
		changed = changed || a || b
		out = append(out, s)
	}
	return out, changed
}
