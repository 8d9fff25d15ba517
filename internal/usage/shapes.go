package usage

import (
	"slices"
	"strings"

	"unknot/internal/mpi"
)

// shapes is what is known of the inside of a rank's objects, by handle: how many processes a group has, which topology a
// communicator has, which keys an info object has, and of which kind of object an attribute key is. What is not in it is
// not known.
type shapes struct {
	groups map[uint64]int
	topos  map[uint64]*topology
	wins   map[uint64]*Comm
	infos  map[uint64]map[string]bool
	keys   map[uint64]attributeKey
}

// topology is what a communicator was made with (MPI-4.0, 8.5).
type topology struct {
	dims    []int64 // of a Cartesian one
	periods []bool
	nodes   int     // of a graph, 0 for another topology
	index   []int64 // of a graph
	edges   []int64 // of a graph
	// sources and destinations are those of a distributed graph, where the program has named them for this process; nil if not.
	sources, destinations []int64
}

// attributeKey is a key that the program has made, and for which kind of object.
type attributeKey struct {
	kind mpi.Object
	made Made
}

func newShapes() shapes {
	return shapes{groups: make(map[uint64]int), topos: make(map[uint64]*topology), wins: make(map[uint64]*Comm),
		infos: make(map[uint64]map[string]bool), keys: make(map[uint64]attributeKey)}
}

// followShapes adds the handlers that keep them.
func followShapes(h *Hooks) {
	followGroups(h)
	followTopologies(h)
	followInfos(h)
	h.Exit(func(f *mpi.Func) func(*Call) {
		win := slices.IndexFunc(f.Params, func(p mpi.Param) bool { return p.Kind == mpi.KOutWin })
		if win < 0 {
			return nil
		}
		return func(c *Call) {
			if v := c.Gave(win); len(v) > 0 {
				c.Rank.shapes.wins[v[0]] = c.Comm
			}
		}
	})
	h.Enter(func(f *mpi.Func) func(*Call) {
		if f.Freed != mpi.OWin {
			return nil
		}
		return func(c *Call) { delete(c.Rank.shapes.wins, c.handle(0)) }
	})
	h.Exit(func(f *mpi.Func) func(*Call) {
		key := f.Named("keyval", "comm_keyval", "type_keyval", "win_keyval")
		if f.Class != mpi.KeyvalMake || key < 0 {
			return nil
		}
		kind := keyed(f)
		return func(c *Call) {
			if v := c.Gave(key); len(v) > 0 {
				c.Rank.shapes.keys[v[0]] = attributeKey{kind, Made{f, c.Site}}
			}
		}
	})
	h.Enter(func(f *mpi.Func) func(*Call) {
		if f.Class != mpi.KeyvalFree {
			return nil
		}
		kind := keyed(f)
		return func(c *Call) {
			if k := c.Rank.shapes.keys[c.handle(0)]; k.kind == kind { // else it is wrong, and the key is still there
				delete(c.Rank.shapes.keys, c.handle(0))
			}
		}
	})
}

// handle is the handle that parameter i names, 0 if the record does not have it.
func (c *Call) handle(i int) uint64 {
	v, _ := c.Int(i)
	return uint64(v)
}

// gaveHandle is the handle that the call has put into a parameter of a kind of object.
func gaveHandle(f *mpi.Func, kind mpi.Object) func(c *Call) (uint64, bool) {
	i := slices.IndexFunc(f.Params, func(p mpi.Param) bool {
		return (p.Kind == mpi.KOutHandle || p.Kind == mpi.KOutComm) && p.Object == kind
	})
	if i < 0 {
		return nil
	}
	return func(c *Call) (uint64, bool) {
		v := c.Gave(i)
		if len(v) == 0 {
			return 0, false
		}
		return v[0], true
	}
}

// followGroups keeps the sizes of groups (MPI-4.0, 7.3).
func followGroups(h *Hooks) {
	h.Exit(func(f *mpi.Func) func(*Call) {
		gave := gaveHandle(f, mpi.OGroup)
		if gave == nil {
			return nil
		}
		size := groupSize(f)
		return func(c *Call) {
			made, ok := gave(c)
			if !ok {
				return
			}
			delete(c.Rank.shapes.groups, made)
			if n, known := size(c); known {
				c.Rank.shapes.groups[made] = n
			}
		}
	})
	h.Enter(func(f *mpi.Func) func(*Call) {
		if f.Class != mpi.GroupFree {
			return nil
		}
		return func(c *Call) { delete(c.Rank.shapes.groups, c.handle(0)) }
	})
}

// groupSize is how many processes the group has that a function makes, false where that is not known.
func groupSize(f *mpi.Func) func(c *Call) (int, bool) {
	_, ofComm := f.Param(mpi.RComm)
	ranks, ranges, without := f.Named("ranks"), f.Named("ranges"), strings.HasSuffix(f.Name, "excl")
	switch {
	case ofComm:
		return func(c *Call) (int, bool) {
			switch {
			case c.Comm == nil || f.Suits == mpi.SuitsInter && !c.Comm.Inter:
				return 0, false
			case f.Suits == mpi.SuitsInter:
				return c.Comm.Remote, true
			}
			return c.Comm.Size, true
		}
	case ranks < 0 && ranges < 0:
		return func(*Call) (int, bool) { return 0, false }
	}
	return func(c *Call) (int, bool) {
		n := 0
		if ranks >= 0 {
			n = len(c.Array(ranks))
		} else {
			for v := c.Array(ranges); len(v) >= 3; v = v[3:] {
				n += rangeOf(v).length()
			}
		}
		if without {
			whole, known := c.Rank.shapes.groups[c.handle(0)]
			return whole - n, known
		}
		return n, true
	}
}

// triplet is a range of ranks: first, last, stride (MPI-4.0, 7.3.2).
type triplet struct{ first, last, stride int64 }

func rangeOf(v []uint64) triplet { return triplet{int64(v[0]), int64(v[1]), int64(v[2])} }

// length is the number of ranks in it: none if it leads away from its end.
func (t triplet) length() int {
	if t.stride == 0 || (t.last-t.first)/t.stride < 0 || (t.last-t.first)*t.stride < 0 {
		return 0
	}
	return int((t.last-t.first)/t.stride) + 1
}

// end is the last rank that is in it.
func (t triplet) end() int64 { return t.first + int64(t.length()-1)*t.stride }

// followTopologies keeps the topologies of communicators (MPI-4.0, 8.5).
func followTopologies(h *Hooks) {
	h.Exit(func(f *mpi.Func) func(*Call) {
		gave := gaveHandle(f, mpi.OComm)
		if gave == nil {
			return nil
		}
		made := topologyOf(f)
		return func(c *Call) {
			comm, ok := gave(c)
			if !ok {
				return
			}
			delete(c.Rank.shapes.topos, comm)
			if c.Rank.Null(mpi.OComm, comm) {
				return
			}
			if t := made(c); t != nil {
				c.Rank.shapes.topos[comm] = t
			}
		}
	})
	h.Enter(func(f *mpi.Func) func(*Call) {
		if f.Class != mpi.CommFree {
			return nil
		}
		return func(c *Call) { delete(c.Rank.shapes.topos, c.handle(0)) }
	})
}

// topologyOf is the topology of the communicator that a function makes, nil if it has none.
func topologyOf(f *mpi.Func) func(c *Call) *topology {
	switch {
	case f.Topology == mpi.Cartesian && f.Suits != mpi.SuitsCartesian:
		return func(c *Call) *topology {
			t := &topology{dims: signed(c.Array(2))}
			for _, v := range c.Array(3) {
				t.periods = append(t.periods, int32(v) != 0)
			}
			return t
		}
	case f.Topology == mpi.Cartesian: // a part of another one
		return func(c *Call) *topology {
			old, keep := c.Rank.shapes.topos[c.handle(0)], c.Array(1)
			if old == nil || len(keep) != len(old.dims) || len(old.periods) != len(old.dims) {
				return nil
			}
			t := &topology{dims: []int64{}}
			for i, k := range keep {
				if int32(k) != 0 {
					t.dims, t.periods = append(t.dims, old.dims[i]), append(t.periods, old.periods[i])
				}
			}
			return t
		}
	case f.Topology == mpi.Graph:
		return func(c *Call) *topology {
			index := signed(c.Array(2))
			return &topology{nodes: len(index), index: index, edges: signed(c.Array(3))}
		}
	case f.Topology == mpi.DistGraph && f.Named("indegree") >= 0: // with the neighbours of this process
		sources, destinations := f.Named("sources"), f.Named("destinations")
		return func(c *Call) *topology {
			return &topology{sources: signed(c.Array(sources)), destinations: signed(c.Array(destinations))}
		}
	case f.Duplicates():
		return func(c *Call) *topology { return c.Rank.shapes.topos[c.handle(0)] }
	}
	return func(*Call) *topology { return nil }
}

// signed are words as numbers, in a slice of their own.
func signed(v []uint64) []int64 {
	out := make([]int64, len(v))
	for i := range v {
		out[i] = int64(v[i])
	}
	return out
}

// followInfos keeps the keys of info objects that were made empty (MPI-4.0, 10).
func followInfos(h *Hooks) {
	h.Exit(func(f *mpi.Func) func(*Call) {
		gave := gaveHandle(f, mpi.OInfo)
		if gave == nil {
			return nil
		}
		return func(c *Call) {
			made, ok := gave(c)
			if !ok {
				return
			}
			infos := c.Rank.shapes.infos
			delete(infos, made)
			switch {
			case len(f.Params) == 1:
				infos[made] = make(map[string]bool)
			case f.Named("newinfo") >= 0: // of another one
				if old := infos[c.handle(0)]; old != nil {
					keys := make(map[string]bool, len(old))
					for k := range old {
						keys[k] = true
					}
					infos[made] = keys
				}
			}
		}
	})
	h.Enter(func(f *mpi.Func) func(*Call) {
		if f.Class != mpi.InfoFree {
			return nil
		}
		return func(c *Call) { delete(c.Rank.shapes.infos, c.handle(0)) }
	})
}
