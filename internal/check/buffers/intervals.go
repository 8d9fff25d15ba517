package buffers

import "unknot/internal/check/used"

// node is an area in a set of intervals.
type node struct {
	used.Area
	held *Held

	left, right *node
	priority    uint32
	furthest    int64
}

// intervals is a set of areas, ordered by where they begin: a treap, in which each node knows the furthest end in its
// subtree, so that what meets given bounds is found in logarithmic time. Areas are nodes themselves.
type intervals struct {
	root *node
	n    int
	seed uint32
}

// add puts in an area that is not in a set.
func (s *intervals) add(a *node) {
	s.seed = s.seed*1664525 + 1013904223
	a.left, a.right, a.priority = nil, nil, s.seed
	a.update()
	s.n++
	s.root = s.root.insert(a)
}

// remove takes an area out.
func (s *intervals) remove(a *node) {
	s.root = s.root.remove(a)
	a.left, a.right = nil, nil
	s.n--
}

// meeting fills out with areas whose bounds meet [from, to), and says how many it found.
func (s *intervals) meeting(from, to int64, out []*node) int { return s.root.meeting(from, to, out, 0) }

func (a *node) update() {
	a.furthest = a.To
	if a.left != nil {
		a.furthest = max(a.furthest, a.left.furthest)
	}
	if a.right != nil {
		a.furthest = max(a.furthest, a.right.furthest)
	}
}

// less is a total order: areas that begin at one place are distinguished by their priorities.
func (a *node) less(b *node) bool {
	return a.From < b.From || a.From == b.From && a.priority < b.priority
}

func (a *node) insert(x *node) *node {
	if a == nil {
		return x
	}
	if x.priority > a.priority {
		x.left, x.right = a.split(x)
		x.update()
		return x
	}
	if x.less(a) {
		a.left = a.left.insert(x)
	} else {
		a.right = a.right.insert(x)
	}
	a.update()
	return a
}

// split parts a tree into what comes before x and what comes after it.
func (a *node) split(x *node) (before, after *node) {
	if a == nil {
		return nil, nil
	}
	if a.less(x) {
		a.right, after = a.right.split(x)
		before = a
	} else {
		before, a.left = a.left.split(x)
		after = a
	}
	a.update()
	return before, after
}

func (a *node) remove(x *node) *node {
	switch {
	case a == nil:
		return nil
	case a == x:
		return a.left.join(a.right)
	case x.less(a):
		a.left = a.left.remove(x)
	default:
		a.right = a.right.remove(x)
	}
	a.update()
	return a
}

// join makes one tree of two, of which the second comes after the first.
func (a *node) join(b *node) *node {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	case a.priority > b.priority:
		a.right = a.right.join(b)
		a.update()
		return a
	}
	b.left = a.join(b.left)
	b.update()
	return b
}

func (a *node) meeting(from, to int64, out []*node, n int) int {
	if a == nil || a.furthest <= from || n == len(out) {
		return n
	}
	n = a.left.meeting(from, to, out, n)
	if a.From < to {
		if n < len(out) && a.To > from {
			out[n] = a
			n++
		}
		n = a.right.meeting(from, to, out, n)
	}
	return n
}
