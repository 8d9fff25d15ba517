// Package scc finds the strongly connected components of directed graphs: Tarjan, SIAM J. Comput. 1(2), 1972, without
// recursion, as graphs may be paths of a million nodes.
package scc

// Finder finds components in a graph whose nodes are numbers from 0 on. It keeps its memory, so that many small parts
// of a large graph can be split one after the other.
type Finder[N ~int | ~int32] struct {
	index  []int32 // of a node, in which place it was reached, from 1; done once its component is known
	low    []int32 // the lowest index that it is known to lead to; once its component is known, the number of that
	open   []N
	visits []visit[N]
}

// visit is one in progress: the node and its next arc.
type visit[N any] struct {
	node N
	arc  int
}

const done = 1 << 30

// New makes a finder for a graph with so many nodes.
func New[N ~int | ~int32](nodes int) *Finder[N] {
	return &Finder[N]{index: make([]int32, nodes), low: make([]int32, nodes)}
}

// Split finds the components of the part of the graph that some nodes make up, and returns how many there are. They are
// numbered from 0: arcs between components go from a higher number to a lower one.
//
// arcs gives the target of the first arc of a node that is not before a place in the list of its arcs, and the place
// that follows it; a negative one if there is none. It gives only targets that are among the nodes.
func (f *Finder[N]) Split(nodes []N, arcs func(n N, place int) (to N, next int)) (count int) {
	for _, n := range nodes {
		f.index[n] = 0
	}
	clock := int32(0)
	enter := func(n N) {
		clock++
		f.index[n], f.low[n] = clock, clock
		f.open = append(f.open, n)
		f.visits = append(f.visits, visit[N]{n, 0})
	}
	for _, root := range nodes {
		if f.index[root] != 0 {
			continue
		}
		enter(root)
	visits:
		for len(f.visits) > 0 {
			top := &f.visits[len(f.visits)-1]
			n := top.node
			for {
				to, next := arcs(n, top.arc)
				if next < 0 {
					break
				}
				top.arc = next
				if f.index[to] == 0 {
					enter(to)
					continue visits
				}
				if f.index[to] < done {
					f.low[n] = min(f.low[n], f.index[to])
				}
			}
			f.visits = f.visits[:len(f.visits)-1]
			if len(f.visits) > 0 {
				above := f.visits[len(f.visits)-1].node
				f.low[above] = min(f.low[above], f.low[n])
			}
			if f.low[n] == f.index[n] {
				f.close(n, int32(count))
				count++
			}
		}
	}
	return count
}

// close gives a number to a component that is complete: the nodes that were opened from n on.
func (f *Finder[N]) close(n N, number int32) {
	for {
		last := f.open[len(f.open)-1]
		f.open = f.open[:len(f.open)-1]
		f.index[last], f.low[last] = done, number
		if last == n {
			return
		}
	}
}

// Of is the component of a node that was split last.
func (f *Finder[N]) Of(n N) int { return int(f.low[n]) }
