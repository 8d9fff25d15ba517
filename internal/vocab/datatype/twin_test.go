package datatype

import "slices"

// twin is a datatype as MPI-4.0 defines it, 5.1.1: the list of its elements, and the markers of its bounds (5.1.6,
// 5.1.7).
type twin struct {
	elements []element
	lbs, ubs []int64
}

type element struct {
	basic Basic
	at    int64
	size  int64
	align int64
}

// plus adds copies of u moved by each of some bytes.
func (w *twin) plus(u twin, moves ...int64) {
	for _, m := range moves {
		for _, e := range u.elements {
			e.at += m
			w.elements = append(w.elements, e)
		}
		for _, b := range u.lbs {
			w.lbs = append(w.lbs, b+m)
		}
		for _, b := range u.ubs {
			w.ubs = append(w.ubs, b+m)
		}
	}
}

func (w twin) size() (n int64) {
	for _, e := range w.elements {
		n += e.size
	}
	return n
}

func (w twin) trueBounds() (lb, ub int64) {
	for i, e := range w.elements {
		if i == 0 {
			lb, ub = e.at, e.at+e.size
		}
		lb, ub = min(lb, e.at), max(ub, e.at+e.size)
	}
	return lb, ub
}

func (w twin) align() int64 {
	a := int64(1)
	for _, e := range w.elements {
		a = max(a, e.align)
	}
	return a
}

func (w twin) bounds() (lb, ub int64) {
	if len(w.lbs) > 0 {
		return slices.Min(w.lbs), slices.Max(w.ubs)
	}
	lb, ub = w.trueBounds()
	for (ub-lb)%w.align() != 0 {
		ub++
	}
	return lb, ub
}

func (w twin) extent() int64 {
	lb, ub := w.bounds()
	return ub - lb
}

// copies gives count of w, as in a buffer.
func (w twin) copies(count int64) twin {
	var all twin
	for i := range count {
		all.plus(w, i*w.extent())
	}
	return all
}

// bytes says how often each byte is there.
func (w twin) bytes() map[int64]int {
	seen := map[int64]int{}
	for _, e := range w.elements {
		for b := range e.size {
			seen[e.at+b]++
		}
	}
	return seen
}

func (w twin) signature() []Basic {
	var s []Basic
	for _, e := range w.elements {
		s = append(s, e.basic)
	}
	return s
}

// expand gives the twin of a described type.
func (d *description) expand() twin {
	var w, old twin
	if len(d.olds) > 0 {
		old = d.olds[0].expand()
	}
	ex := old.extent()
	block := func(u twin, n, at int64) {
		for i := range n {
			w.plus(u, at+i*u.extent())
		}
	}
	switch d.op {
	case "contiguous":
		block(old, d.n, 0)
	case "vector", "hvector":
		stride := d.stride
		if d.op == "vector" {
			stride *= ex
		}
		for i := range d.n {
			block(old, d.length, i*stride)
		}
	case "indexed", "hindexed", "indexed_block", "hindexed_block":
		for i, at := range d.displacements {
			n := d.length
			if d.op == "indexed" || d.op == "hindexed" {
				n = d.lengths[i]
			}
			if d.op == "indexed" || d.op == "indexed_block" {
				at *= ex
			}
			block(old, n, at)
		}
	case "struct":
		for i, o := range d.olds {
			block(o.expand(), d.lengths[i], d.displacements[i])
		}
	case "subarray", "darray":
		d.expandArray(&w, old)
	case "resized":
		w = twin{old.elements, []int64{d.n}, []int64{d.n + d.stride}}
	case "dup":
		w = old
	default:
		w = expandLeaf(d.op)
	}
	return w
}

// expandArray goes over all places of the array in order of memory, and takes those that belong to the type.
func (d *description) expandArray(w *twin, old twin) {
	n := len(d.sizes)
	places := int64(1)
	for _, s := range d.sizes {
		places *= s
	}
	for p := range places {
		index := make([]int64, n)
		rest := p
		for j := range n {
			i := n - 1 - j
			if d.fortran {
				i = j
			}
			index[i], rest = rest%d.sizes[i], rest/d.sizes[i]
		}
		if d.has(index) {
			w.plus(twin{elements: old.elements}, p*old.extent())
		}
	}
	w.lbs, w.ubs = []int64{0}, []int64{places * old.extent()}
}

// has says whether a place of the array belongs to the type.
func (d *description) has(index []int64) bool {
	rest := d.rank
	coordinates := make([]int64, len(index))
	for i := len(index) - 1; i >= 0; i-- {
		coordinates[i], rest = rest%d.subs[i], rest/d.subs[i]
	}
	for i, at := range index {
		if d.op == "subarray" {
			if at < d.starts[i] || at >= d.starts[i]+d.subs[i] {
				return false
			}
			continue
		}
		block := d.dargs[i]
		switch {
		case d.distribs[i] == DistributeNone:
			block = d.sizes[i]
		case block == DefaultDarg && d.distribs[i] == DistributeCyclic:
			block = 1
		case block == DefaultDarg:
			block = (d.sizes[i] + d.subs[i] - 1) / d.subs[i]
		}
		if at/block%d.subs[i] != coordinates[i] {
			return false
		}
	}
	return true
}

// expandLeaf gives the elements of a predefined type.
func expandLeaf(name string) twin {
	l := layouts[name]
	first, second, ok := halves(name)
	if !ok {
		b, _ := BasicOf(name)
		return twin{elements: []element{{b, 0, l.size, l.align}}}
	}
	at := map[string]int64{"MPI_FLOAT_INT": 4, "MPI_DOUBLE_INT": 8, "MPI_SHORT_INT": 4, "MPI_2INT": 4,
		"MPI_LONG_DOUBLE_INT": 16}[name]
	b1, _ := BasicOf(first)
	b2, _ := BasicOf(second)
	return twin{elements: []element{{b1, 0, l.size - 4, l.align}, {b2, at, 4, 4}}}
}
