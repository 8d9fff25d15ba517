package arguments

import (
	"unknot/internal/check"
	"unknot/internal/model/objects"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
)

const arrayInvalid finding.Code = "array-invalid"

func arrayCheckers() []check.Checker {
	return []check.Checker{{
		Name: "arrays", Family: check.Arguments,
		Watch: func(h *check.Hooks) {
			watchSignedArrays(h)
			watchRankArrays(h)
			watchRanges(h)
			watchSubarrays(h)
			watchCoordinates(h)
			watchGraphs(h)
			watchRoom(h)
		},
		Peers: []string{"ERROR_INTEGER_NEGATIVE_ARRAY", "ERROR_INTEGER_DUPLICATION_ARRAY",
			"ERROR_INTEGER_DUPLICATION_ARRAY_TRIPLET",
			"ERROR_INTEGER_ENTRY_GREATER_OR_EQUAL", "ERROR_INTEGER_GREATER_GROUP_SIZE",
			"ERROR_INTEGER_GREATER_GROUP_SIZE_ARRAY",
			"ERROR_INTEGER_NEGATIVE_NOT_PROC_NULL_ARRAY", "ERROR_GROUP_RANGE_RANK", "ERROR_GROUP_RANGE_STRIDE",
			"ERROR_RANK_FROM_RANGES_NOT_IN_GROUP",
			"WARNING_MAXEDGES_TO_SMALL", "WARNING_MAXINDICES_TO_SMALL", "WARNING_MAXNEIGHBORS_TO_SMALL"},
		Codes: []finding.Doc{{
			Code: arrayInvalid, Title: "an array argument has an invalid entry", Severity: finding.Error,
			Since: finding.Version01,
			Means: "An entry of an array argument is negative, out of range, or a duplicate: counts of a collective, " +
				"block lengths, sizes of a grid, ranks of a group, edges of a graph. Or the array is too short for " +
				"what MPI writes into it.",
			Why: "Usually an array that was not completely filled, is indexed from 1, or belongs to another " +
				"communicator or group.",
			Fix: "The finding names the index, counted from 0, and the value. Check the loop that fills the array.",
		}},
	}}
}

// entry reports an entry of an array.
func entry(c *check.Call, i, at int, v int64, rule string, args ...any) {
	c.Say(arrayInvalid, i, func() check.Words {
		return check.Words{Sentence: finding.Wordf("Rank %d calls %s with {%s}[%d] %d; %s.", c.Rank.World, c.Func.Name,
			c.Func.Params[i].Name, at, v, finding.Wordf(rule, args...))}
	})
}

// watchSignedArrays looks at arrays of numbers that have a least value.
func watchSignedArrays(h *check.Hooks) {
	h.Param(func(f *mpi.Func, i int) func(*check.Call) {
		if f.Params[i].Kind != mpi.KInts && f.Params[i].Kind != mpi.KWeights {
			return nil
		}
		least, rule := int64(0), "it must be 0 or more"
		switch f.Params[i].Name {
		case "sendcounts", "recvcounts", "array_of_blocklengths", "array_of_maxprocs", "degrees", "sourceweights",
			"destweights", "weights":
		case "dims":
			rule = "the number of processes in a dimension must be 0 or more"
		default:
			return nil
		}
		return func(c *check.Call) {
			for at, v := range c.Array(i) {
				if int64(v) < least {
					entry(c, i, at, int64(v), "%s", rule)
					return
				}
			}
		}
	})
}

// watchRankArrays looks at arrays of ranks: of a group, where none may be there twice (MPI-4.0, 7.3.2), and of a
// communicator.
func watchRankArrays(h *check.Hooks) {
	h.Param(func(f *mpi.Func, i int) func(*check.Call) {
		distinct, group := false, -1
		switch f.Params[i].Name {
		case "ranks":
			distinct, group = true, f.Named("group")
		case "ranks1":
			group = f.Named("group1")
		case "sources", "destinations":
			if f.Params[i].Kind != mpi.KInts {
				return nil // MPI writes it
			}
		default:
			return nil
		}
		return func(c *check.Call) {
			n, of := int64(-1), ""
			if group >= 0 {
				if size, known := c.Rank.GroupSize(c.Handle(group)); known {
					n, of = int64(size), "the group"
				}
			} else if c.Comm != nil && !c.Comm.Inter {
				n, of = int64(c.Comm.Size()), "the communicator"
			}
			checkRanks(c, i, n, of, distinct)
		}
	})
}

func checkRanks(c *check.Call, i int, n int64, of string, distinct bool) {
	ranks := c.Array(i)
	var first map[uint64]int
	if distinct {
		first = make(map[uint64]int, len(ranks))
	}
	for at, v := range ranks {
		r := int64(v)
		switch {
		case !distinct && r == c.Rank.Limits.ProcNull && c.Func.Params[i].Name == "ranks1":
			continue
		case n >= 0 && r >= n:
			entry(c, i, at, r, "%s has %s", of, check.RanksUpTo(n))
			return
		case r < 0:
			entry(c, i, at, r, "a rank must be 0 or more")
			return
		}
		if before, twice := first[v]; twice {
			entry(c, i, at, r, "{%s}[%d] is the same; duplicates are not allowed", c.Func.Params[i].Name, before)
			return
		}
		if distinct {
			first[v] = at
		}
	}
}

// watchRanges looks at ranges of ranks (MPI-4.0, 7.3.2).
func watchRanges(h *check.Hooks) {
	h.Param(func(f *mpi.Func, i int) func(*check.Call) {
		if f.Params[i].Kind != mpi.KRanges {
			return nil
		}
		group := f.Named("group")
		return func(c *check.Call) {
			size, known := c.Rank.GroupSize(c.Handle(group))
			v := c.Array(i)
			taken := make(map[int64]int)
			for at := 0; 3*at+3 <= len(v); at++ {
				t := objects.RangeOf(v[3*at:])
				if why := wrongRange(t, size, known); why.Text != "" {
					sayRange(c, i, at, t, why)
					return
				}
				if t.Length() > maxRange {
					return
				}
				for k := range int64(t.Length()) {
					r := t.First + k*t.Stride
					if before, twice := taken[r]; twice {
						sayRange(c, i, at, t, finding.Wordf("rank %d is in {%s}[%d] too; duplicates are not allowed", r,
							f.Params[i].Name, before))
						return
					}
					taken[r] = at
				}
			}
		}
	})
}

// maxRange is the longest range whose ranks are compared with those of others.
const maxRange = 1 << 20

func sayRange(c *check.Call, i, at int, t objects.Triplet, why finding.Wording) {
	c.Say(arrayInvalid, i, func() check.Words {
		return check.Words{Sentence: finding.Wordf("Rank %d calls %s with {%s}[%d] (first %d, last %d, stride %d); %s.",
			c.Rank.World, c.Func.Name, c.Func.Params[i].Name, at, t.First, t.Last, t.Stride, why)}
	})
}

// wrongRange says what is wrong with a range, nothing if nothing is.
func wrongRange(t objects.Triplet, size int, known bool) finding.Wording {
	switch {
	case t.Stride == 0:
		return finding.Wordf("the stride must not be 0")
	case t.Length() == 0:
		return finding.Wordf("the stride leads away from the last rank")
	case t.First < 0 || t.End() < 0:
		return finding.Wordf("a rank must be 0 or more")
	case known && (t.First >= int64(size) || t.End() >= int64(size)):
		return finding.Wordf("the group has %s", check.RanksUpTo(size))
	}
	return finding.Wording{}
}

// watchSubarrays looks at what a subarray is cut out of (MPI-4.0, 5.1.3), and at the grids of a distributed array
// (5.1.4).
func watchSubarrays(h *check.Hooks) {
	h.Given(func(f *mpi.Func) func(*check.Call) {
		switch f.Combiner {
		case mpi.CombinerSubarray:
			sizes, subsizes, starts := f.Named("array_of_sizes"), f.Named("array_of_subsizes"),
				f.Named("array_of_starts")
			return func(c *check.Call) {
				whole, part, from := c.Array(sizes), c.Array(subsizes), c.Array(starts)
				if len(whole) != len(part) || len(part) != len(from) {
					return
				}
				for at := range whole {
					n, k, s := int64(whole[at]), int64(part[at]), int64(from[at])
					switch {
					case n < 1:
						entry(c, sizes, at, n, "a size must be 1 or more")
					case k < 1 || k > n:
						entry(c, subsizes, at, k, "it must be between 1 and {array_of_sizes}[%d], which is %d", at, n)
					case s < 0 || s > n-k:
						entry(c, starts, at, s,
							"it must be between 0 and %d, as the subarray has %d of %d elements in that dimension", n-k,
							k, n)
					default:
						continue
					}
					return
				}
			}
		case mpi.CombinerDarray:
			psizes, gsizes := f.Named("array_of_psizes"), f.Named("array_of_gsizes")
			return func(c *check.Call) {
				for _, i := range []int{gsizes, psizes} {
					for at, v := range c.Array(i) {
						if int64(v) < 1 {
							entry(c, i, at, int64(v), "it must be 1 or more")
							return
						}
					}
				}
			}
		}
		return nil
	})
}

// watchCoordinates looks at coordinates in a Cartesian topology: beyond the edge they are wrong unless the grid is
// periodic there (MPI-4.0, 8.5.5).
func watchCoordinates(h *check.Hooks) {
	h.Given(func(f *mpi.Func) func(*check.Call) {
		if f.Name != "MPI_Cart_rank" {
			return nil
		}
		return func(c *check.Call) {
			t := c.Rank.Arranged(c.Handle(0))
			coords := c.Array(1)
			if t == nil || len(coords) != len(t.Dims) || len(t.Periods) != len(t.Dims) {
				return
			}
			for at, v := range coords {
				if x := int64(v); !t.Periods[at] && (x < 0 || x >= t.Dims[at]) {
					entry(c, 1, at, x, "the grid has %s in this dimension (0 to %d), which is not periodic",
						processes(t.Dims[at]), t.Dims[at]-1)
					return
				}
			}
		}
	})
}

// processes is a number of processes in words.
func processes(n int64) finding.Wording { return finding.Counted(n, "process", "processes") }

// watchGraphs looks at the nodes and edges of a graph topology (MPI-4.0, 8.5.3).
func watchGraphs(h *check.Hooks) {
	h.Given(func(f *mpi.Func) func(*check.Call) {
		index, edges, nodes := f.Named("index"), f.Named("edges"), f.Named("nnodes")
		if edges < 0 || f.Params[edges].Kind != mpi.KInts {
			return nil
		}
		return func(c *check.Call) {
			last := int64(0)
			for at, v := range c.Array(index) {
				if int64(v) < last {
					entry(c, index, at, int64(v), "it is a cumulative count of edges, so it must be at least %d", last)
					return
				}
				last = int64(v)
			}
			n, known := c.Int(nodes)
			for at, v := range c.Array(edges) {
				if known && (int64(v) < 0 || int64(v) >= n) {
					entry(c, edges, at, int64(v), "the graph has %d nodes (0 to %d)", n, n-1)
					return
				}
			}
		}
	})
}

// watchRoom looks at whether there is room for what MPI tells of a topology (MPI-4.0, 8.5.5): a grid must have room for
// all its dimensions, of a graph the program gets what there is room for.
func watchRoom(h *check.Hooks) {
	h.Given(func(f *mpi.Func) func(*check.Call) {
		room := func(name string, need func(c *check.Call, t *objects.Topology) (int64, finding.Wording)) func(
			*check.Call) {
			i := f.Named(name)
			return func(c *check.Call) {
				t := c.Rank.Arranged(c.Handle(0))
				v, known := c.Int(i)
				if t == nil || !known || v < 0 {
					return
				}
				if n, what := need(c, t); v < n {
					c.Say(arrayInvalid, i, func() check.Words {
						w := check.Words{
							Sentence: finding.Wordf("Rank %d calls %s with {%s} %d, but the communicator has %s.",
								c.Rank.World, f.Name, name, v, what)}
						if t.Nodes > 0 {
							w.Severity = finding.Warning
						}
						return w
					})
				}
			}
		}
		switch {
		case f.Named("maxdims") >= 0:
			return room("maxdims", func(_ *check.Call, t *objects.Topology) (int64, finding.Wording) {
				return int64(len(t.Dims)), finding.Wordf("a grid of %s", check.Counted(len(t.Dims), "dimension"))
			})
		case f.Named("maxindex") >= 0:
			return room("maxindex", func(_ *check.Call, t *objects.Topology) (int64, finding.Wording) {
				return int64(t.Nodes), finding.Wordf("a graph of %d nodes", t.Nodes)
			})
		case f.Named("maxneighbors") >= 0:
			return room("maxneighbors", func(c *check.Call, t *objects.Topology) (int64, finding.Wording) {
				n := neighbours(t, c.Handle(1))
				return n, finding.Wordf("a graph in which that rank has %d neighbours", n)
			})
		}
		return nil
	})
	h.Given(func(f *mpi.Func) func(*check.Call) {
		i := f.Named("maxedges")
		if i < 0 {
			return nil
		}
		return func(c *check.Call) {
			t := c.Rank.Arranged(c.Handle(0))
			if v, known := c.Int(i); t != nil && known && v >= 0 && t.Nodes > 0 && v < t.Index[t.Nodes-1] {
				c.Say(arrayInvalid, i, func() check.Words {
					return check.Words{Severity: finding.Warning,
						Sentence: finding.Wordf(
							"Rank %d calls %s with {maxedges} %d, but the communicator has a graph of %d edges.",
							c.Rank.World, f.Name, v, t.Index[t.Nodes-1])}
				})
			}
		}
	})
}

// neighbours is how many neighbours a node of a graph has.
func neighbours(t *objects.Topology, node uint64) int64 {
	switch {
	case node >= uint64(len(t.Index)):
		return 0
	case node == 0:
		return t.Index[0]
	}
	return t.Index[node] - t.Index[node-1]
}
