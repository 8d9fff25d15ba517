package arguments

import (
	"strings"

	"unknot/internal/check"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
)

const dimsProduct finding.Code = "dims-product"

func topologyCheckers() []check.Checker {
	return []check.Checker{{
		Name: "grids", Family: check.Arguments, Watch: watchGrids,
		Peers: []string{"ERROR_INTEGER_PRODUCT_GREATER_COMM_SIZE", "WARNING_INTEGER_PRODUCT_LESS_COMM_SIZE",
			"ERROR_INTEGER_GREATER_COMM_SIZE"},
		Codes: []finding.Doc{{
			Code: dimsProduct, Title: "the size of a grid or graph does not match the communicator",
			Severity: finding.Error, Since: finding.Version01,
			Means: "A topology takes its processes from the communicator that it is created from. A grid or graph " +
				"with more processes is an error (MPI-4.0, 8.5.1 and 8.5.3). With fewer, some ranks get " +
				"MPI_COMM_NULL, which is legal but usually unintended: a warning. MPI_Dims_create cannot divide the " +
				"processes if their number is not a multiple of the given sizes. The grid of MPI_Type_create_darray " +
				"must have exactly its `size` processes (5.1.4).",
			Why: "The sizes of the grid are hard-coded and the program was started with another number of ranks, " +
				"or the array of sizes was not set to 0 before MPI_Dims_create.",
			Fix: "Set the sizes to 0 and let MPI_Dims_create choose them for the size of the communicator, or " +
				"check that size at startup.",
		}},
	}}
}

// watchGrids compares sizes of topologies with the size of the communicator.
func watchGrids(h *check.Hooks) {
	h.Given(func(f *mpi.Func) func(*check.Call) {
		dims, ndims, edges := f.Named("dims"), f.Named("ndims"), f.Named("edges")
		switch {
		case dims >= 0 && f.Params[dims].Kind == mpi.KInts && f.Suits == mpi.SuitsIntra:
			return func(c *check.Call) {
				sizes := c.Array(dims)
				n, ok := gridSize(sizes)
				switch {
				case !ok || c.Comm == nil || c.Comm.Inter:
				case len(sizes) == 0:
					compareSize(c, ndims, n, "{ndims} 0, a grid of %s", processes(n))
				default:
					compareSize(c, dims, n, "{dims} %s, a grid of %s", gridText(sizes), processes(n))
				}
			}
		case f.Combiner == mpi.CombinerDarray:
			return darrayGrid(f)
		case edges >= 0 && f.Params[edges].Kind == mpi.KInts:
			nodes := f.Named("nnodes")
			return func(c *check.Call) {
				if n, ok := c.Int(nodes); ok && n >= 0 && c.Comm != nil && !c.Comm.Inter {
					compareSize(c, nodes, n, "{nnodes} %d", n)
				}
			}
		case dims >= 0 && f.Params[dims].Kind == mpi.KInts: // MPI_Dims_create
			return func(c *check.Call) {
				nodes, ok := c.Int(0)
				if len(c.Array(2)) == 0 {
					return
				}
				fixed, free := int64(1), false
				for _, v := range c.Array(2) {
					if int64(v) < 0 || fixed > maxGrid {
						return
					}
					if v == 0 {
						free = true
						continue
					}
					fixed *= int64(v)
				}
				if !ok || nodes < 1 || nodes%fixed == 0 && (free || fixed == nodes) {
					return
				}
				c.Say(dimsProduct, 2, func() check.Words {
					w := check.Words{
						Sentence: finding.Wordf(
							"Rank %d calls %s for {nnodes} %d with {dims} %s, which cannot be completed: %d is not a "+
								"multiple of %d.",
							c.Rank.World, f.Name, nodes, gridText(c.Array(2)), nodes, fixed)}
					if nodes%fixed == 0 {
						w.Severity = finding.Warning
						w.Sentence = finding.Wordf(
							"Rank %d calls %s for {nnodes} %d with {dims} %s, a grid of %s with no dimension "+
								"left to choose.",
							c.Rank.World, f.Name, nodes, gridText(c.Array(2)), processes(fixed))
					}
					w.Hint = "set the sizes that MPI_Dims_create should choose to 0 before the call"
					return w
				})
			}
		}
		return nil
	})
}

// darrayGrid compares the grid of a distributed array with its number of processes, which must be equal (MPI-4.0,
// 5.1.4).
func darrayGrid(f *mpi.Func) func(*check.Call) {
	size, psizes := f.Named("size"), f.Named("array_of_psizes")
	return func(c *check.Call) {
		n, known := c.Int(size)
		sizes := c.Array(psizes)
		grid, ok := gridSize(sizes)
		if !known || !ok || len(sizes) == 0 || grid == n {
			return
		}
		c.Say(dimsProduct, psizes, func() check.Words {
			return check.Words{
				Sentence: finding.Wordf("Rank %d calls %s for {size} %d with {array_of_psizes} %s, a grid of %s.",
					c.Rank.World, f.Name, n, gridText(sizes), processes(grid)),
				Hint: "the product of the sizes of the grid must be the number of processes"}
		})
	}
}

// compareSize reports a topology that has not as many processes as its communicator.
func compareSize(c *check.Call, i int, n int64, given string, args ...any) {
	have := int64(c.Comm.Size())
	if n == have {
		return
	}
	c.Say(dimsProduct, i, func() check.Words {
		what := finding.Wordf(given, args...)
		w := check.Words{Sentence: finding.Wordf("Rank %d calls %s with %s, but %s has only %s.", c.Rank.World,
			c.Func.Name, what, c.Comm.Describe(), processes(have))}
		if n < have {
			w.Severity = finding.Warning
			gets := mpi.OComm.Null()
			if strings.HasSuffix(c.Func.Name, "_map") {
				gets = "MPI_UNDEFINED for their rank"
			}
			verb := "get"
			if have-n == 1 {
				verb = "gets"
			}
			w.Sentence = finding.Wordf("Rank %d calls %s with %s, but %s has %d: %d of them %s %s.",
				c.Rank.World, c.Func.Name, what, c.Comm.Describe(), have, have-n, verb, gets)
		}
		return w
	})
}

// maxGrid keeps products from running over.
const maxGrid = 1 << 31

// gridSize is the number of processes of a grid, false if a size is negative.
func gridSize(sizes []uint64) (int64, bool) {
	n := int64(1)
	for _, v := range sizes {
		if int64(v) < 0 || int64(v) > maxGrid || n > maxGrid {
			return 0, false
		}
		n *= int64(v)
	}
	return n, true
}

// gridText is "2 × 3".
func gridText(sizes []uint64) finding.Wording {
	var list []finding.Wording
	for _, v := range sizes {
		list = append(list, finding.Wordf("%d", int64(v)))
	}
	return finding.Joined(list, " × ")
}
