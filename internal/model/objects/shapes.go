package objects

import (
	"slices"
	"strings"

	"unknot/internal/vocab/mpi"
)

// shapes is what is known of the inside of a rank's objects, by handle: how many processes a group has, which topology
// a communicator has, which keys an info object has, and of which kind of object an attribute key is. What is not in it
// is not known.
type shapes struct {
	groups map[uint64]int
	topos  map[uint64]*Topology
	infos  map[uint64]map[string]bool
	keys   map[uint64]AttributeKey
}

// Topology is what a communicator was made with (MPI-4.0, 8.5).
type Topology struct {
	Dims    []int64 // of a Cartesian one
	Periods []bool
	Nodes   int     // of a graph, 0 for another topology
	Index   []int64 // of a graph
	Edges   []int64 // of a graph
	// Sources and Destinations are those of a distributed graph, where the program has named them for this process; nil
	// if not.
	Sources, Destinations []int64
}

// AttributeKey is a key that the program has made, and for which kind of object.
type AttributeKey struct {
	Kind mpi.Object
	Made Made
}

// shapes adds the handlers that keep them.
func (w *Follower) shapes() {
	w.groups()
	w.topologies()
	w.infos()
	w.atExit(func(f *mpi.Func) func(*Call) {
		key := f.Named("keyval", "comm_keyval", "type_keyval", "win_keyval")
		if f.Class != mpi.KeyvalMake || key < 0 {
			return nil
		}
		kind := Keyed(f)
		return func(c *Call) {
			if v := c.Gave(key); len(v) > 0 {
				Set(&c.Rank.shapes.keys, v[0], AttributeKey{kind, Made{f, c.Site}})
			}
		}
	})
	w.atEnter(func(f *mpi.Func) func(*Call) {
		if f.Class != mpi.KeyvalFree {
			return nil
		}
		kind := Keyed(f)
		return func(c *Call) {
			if k := c.Rank.shapes.keys[c.Handle(0)]; k.Kind == kind { // else it is wrong, and the key is still there
				delete(c.Rank.shapes.keys, c.Handle(0))
			}
		}
	})
}

// GroupSize is how many processes a group has, false if that is not known.
func (r *Rank) GroupSize(handle uint64) (int, bool) {
	n, known := r.shapes.groups[handle]
	return n, known
}

// Arranged is the topology that a communicator was made with, nil if it has none or that is not known.
func (r *Rank) Arranged(handle uint64) *Topology { return r.shapes.topos[handle] }

// InfoKeys are the keys of an info object, nil if they are not known.
func (r *Rank) InfoKeys(handle uint64) map[string]bool { return r.shapes.infos[handle] }

// Key is an attribute key, false if it is not known.
func (r *Rank) Key(handle uint64) (AttributeKey, bool) {
	k, known := r.shapes.keys[handle]
	return k, known
}

// WindowComm is the communicator that a window was made on, nil if it is not known.
func (r *Rank) WindowComm(handle uint64) *Comm {
	if o := r.objects[mpi.OWin][handle]; o != nil {
		return o.Comm
	}
	return nil
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

// groups keeps the sizes of groups (MPI-4.0, 7.3).
func (w *Follower) groups() {
	w.atExit(func(f *mpi.Func) func(*Call) {
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
				Set(&c.Rank.shapes.groups, made, n)
			}
		}
	})
	w.atEnter(func(f *mpi.Func) func(*Call) {
		if f.Class != mpi.GroupFree {
			return nil
		}
		return func(c *Call) { delete(c.Rank.shapes.groups, c.Handle(0)) }
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
				return c.Comm.Remote.Len(), true
			}
			return c.Comm.Size(), true
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
				n += RangeOf(v).Length()
			}
		}
		if without {
			whole, known := c.Rank.shapes.groups[c.Handle(0)]
			return whole - n, known
		}
		return n, true
	}
}

// Triplet is a range of ranks: first, last, stride (MPI-4.0, 7.3.2).
type Triplet struct{ First, Last, Stride int64 }

func RangeOf(v []uint64) Triplet { return Triplet{int64(v[0]), int64(v[1]), int64(v[2])} }

// Length is the number of ranks in it: none if it leads away from its end.
func (t Triplet) Length() int {
	if t.Stride == 0 || (t.Last-t.First)/t.Stride < 0 || (t.Last-t.First)*t.Stride < 0 {
		return 0
	}
	return int((t.Last-t.First)/t.Stride) + 1
}

// End is the last rank that is in it.
func (t Triplet) End() int64 { return t.First + int64(t.Length()-1)*t.Stride }

// topologies keeps the topologies of communicators (MPI-4.0, 8.5).
func (w *Follower) topologies() {
	w.atExit(func(f *mpi.Func) func(*Call) {
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
				Set(&c.Rank.shapes.topos, comm, t)
			}
		}
	})
	w.atEnter(func(f *mpi.Func) func(*Call) {
		if f.Class != mpi.CommFree {
			return nil
		}
		return func(c *Call) { delete(c.Rank.shapes.topos, c.Handle(0)) }
	})
}

// topologyOf is the topology of the communicator that a function makes, nil if it has none.
func topologyOf(f *mpi.Func) func(c *Call) *Topology {
	switch {
	case f.Topology == mpi.Cartesian && f.Suits != mpi.SuitsCartesian:
		return func(c *Call) *Topology {
			t := &Topology{Dims: signed(c.Array(2))}
			for _, v := range c.Array(3) {
				t.Periods = append(t.Periods, int32(v) != 0)
			}
			return t
		}
	case f.Topology == mpi.Cartesian: // a part of another one
		return func(c *Call) *Topology {
			old, keep := c.Rank.shapes.topos[c.Handle(0)], c.Array(1)
			if old == nil || len(keep) != len(old.Dims) || len(old.Periods) != len(old.Dims) {
				return nil
			}
			t := &Topology{Dims: []int64{}}
			for i, k := range keep {
				if int32(k) != 0 {
					t.Dims, t.Periods = append(t.Dims, old.Dims[i]), append(t.Periods, old.Periods[i])
				}
			}
			return t
		}
	case f.Topology == mpi.Graph:
		return func(c *Call) *Topology {
			index := signed(c.Array(2))
			return &Topology{Nodes: len(index), Index: index, Edges: signed(c.Array(3))}
		}
	case f.Topology == mpi.DistGraph && f.Named("indegree") >= 0: // with the neighbours of this process
		sources, destinations := f.Named("sources"), f.Named("destinations")
		return func(c *Call) *Topology {
			return &Topology{Sources: signed(c.Array(sources)), Destinations: signed(c.Array(destinations))}
		}
	case f.Duplicates():
		return func(c *Call) *Topology { return c.Rank.shapes.topos[c.Handle(0)] }
	}
	return func(*Call) *Topology { return nil }
}

// signed are words as numbers, in a separate slice.
func signed(v []uint64) []int64 {
	out := make([]int64, len(v))
	for i := range v {
		out[i] = int64(v[i])
	}
	return out
}

// infos keeps the keys of info objects that were made empty (MPI-4.0, 10).
func (w *Follower) infos() {
	w.atExit(func(f *mpi.Func) func(*Call) {
		gave := gaveHandle(f, mpi.OInfo)
		if gave == nil {
			return nil
		}
		return func(c *Call) {
			made, ok := gave(c)
			if !ok {
				return
			}
			if c.Rank.shapes.infos == nil {
				c.Rank.shapes.infos = make(map[uint64]map[string]bool)
			}
			infos := c.Rank.shapes.infos
			delete(infos, made)
			switch {
			case len(f.Params) == 1:
				infos[made] = make(map[string]bool)
			case f.Named("newinfo") >= 0: // of another one
				if old := infos[c.Handle(0)]; old != nil {
					keys := make(map[string]bool, len(old))
					for k := range old {
						keys[k] = true
					}
					infos[made] = keys
				}
			}
		}
	})
	w.atEnter(func(f *mpi.Func) func(*Call) {
		if f.Class != mpi.InfoFree {
			return nil
		}
		return func(c *Call) { delete(c.Rank.shapes.infos, c.Handle(0)) }
	})
}

// Keyed is the kind of object whose attributes the keys of a function are for; f has one.
func Keyed(f *mpi.Func) mpi.Object {
	switch key := slices.IndexFunc(f.Params, func(p mpi.Param) bool { return p.Object == mpi.OKeyval }); f.Params[key].Name {
	case "type_keyval":
		return mpi.OType
	case "win_keyval":
		return mpi.OWin
	}
	return mpi.OComm
}
