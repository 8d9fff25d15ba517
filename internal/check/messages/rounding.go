package messages

import (
	"unknot/internal/check"
	"unknot/internal/model/objects"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
)

const reductionOrder finding.Code = "reduction-order"

// roundingChecker notes sums and products that are rounded in an order that MPI chooses.
func roundingChecker() check.Checker {
	return check.Checker{
		Name: "reduction-orders", Family: check.Collectives, Off: true, Watch: watchRounding,
		Codes: []finding.Doc{{
			Code: reductionOrder, Title: "floating-point sums depend on an order that MPI chooses",
			Severity: finding.Info, Since: finding.Version01,
			Means: "The program adds or multiplies floating-point numbers of three or more ranks with MPI_SUM or " +
				"MPI_PROD. Each step rounds, and MPI may combine the numbers in any order (MPI-4.0, 6.9.1), so the " +
				"last digits may differ with the number of ranks, their placement and the MPI library, and even from " +
				"run to run. The same holds for MPI_Accumulate from several ranks to one place, which are applied in " +
				"no given order (MPI-4.0, 12.7.2).\n\nIt is reported once per rank, at the first such call. " +
				"User-defined operators are not judged: only the program knows whether they may be applied " +
				"in any order.",
			Why: "This is normal for parallel sums. It becomes a bug where results are compared bit for bit, or " +
				"where a branch depends on the last digit and ranks diverge.",
			Fix: "Compare with a tolerance. Where results must be the same, gather the numbers and add them in a " +
				"fixed order, add integers (fixed point), or use a summation that does not depend on the order. This " +
				"check is off unless --check=reduction-order is given.",
		}},
	}
}

// rounded are a rank's calls that round in an order that is not given.
type rounded struct {
	first objects.Made
	op    string
	calls int
	sites map[objects.Made]bool
}

func (r *rounded) add(c *check.Call, op string) {
	if r.calls == 0 {
		r.first, r.op = c.By(), op
	}
	r.calls++
	if len(r.sites) < maxRoundedSites {
		r.sites[c.By()] = true
	}
}

const maxRoundedSites = 1024

// accumulated is a place that ranks accumulate to: the ranks of a window, as far as they can be distinguished by its
// communicator and by where it was made, and the target.
type accumulated struct {
	comm   uint64
	maker  *mpi.Func
	target int64
}

func watchRounding(h *check.Hooks) {
	ranks := make(map[*check.Rank]*rounded)
	origins := make(map[accumulated]*check.Rank) // the first of each
	of := func(r *check.Rank) *rounded {
		if ranks[r] == nil {
			ranks[r] = &rounded{sites: make(map[objects.Made]bool)}
		}
		return ranks[r]
	}
	h.Enter(func(f *mpi.Func) func(*check.Call) {
		op := f.Named("op")
		remote := f.Class == mpi.Rma || f.Class == mpi.Rrma
		if op < 0 || f.Class != mpi.Coll && !remote {
			return nil
		}
		datatype, target, win := f.Named("target_datatype", "datatype"), f.Named("target_rank"), f.Named("win")
		return func(c *check.Call) {
			name, ok := rounds(c, op, datatype)
			if !ok {
				return
			}
			if !remote {
				if c.Comm != nil && c.Comm.Size()+c.Comm.Remote.Len() > 2 {
					of(c.Rank).add(c, name)
				}
				return
			}
			o := c.Rank.Object(mpi.OWin, c.Handle(win))
			at, known := c.Int(target)
			if o == nil || o.Comm == nil || o.Comm.ID == 0 || !known {
				return
			}
			key := accumulated{uint64(o.Comm.ID), o.Made.Func, at}
			if first := origins[key]; first == nil {
				origins[key] = c.Rank
			} else if first != c.Rank {
				of(c.Rank).add(c, name)
			}
		}
	})
	h.Finalize(func(r *check.Rank, c *check.Call) {
		all := ranks[r]
		if all == nil {
			return
		}
		c.SayAt(reductionOrder, all.first, func() check.Words {
			return check.Words{Sentence: finding.Wordf("Rank %d makes %s on floating-point numbers, the first by %s "+
				"with %s, at %s: MPI may combine the numbers in any order, so the last digits may vary.",
				r.World, check.Counted(all.calls, "reduction"), all.first.Func.Name, all.op,
				check.Counted(len(all.sites), "call site")),
				Hint: "for the same digits in each run, gather the numbers and combine them in a fixed order"}
		})
	})
}

// rounds says whether an operator and a datatype are a sum or product of floating-point numbers, and names the
// operator.
func rounds(c *check.Call, op, datatype int) (string, bool) {
	o := c.Rank.Object(mpi.OOp, c.Handle(op))
	if o == nil || !o.Predefined || o.Name != "MPI_SUM" && o.Name != "MPI_PROD" {
		return "", false
	}
	t := c.Rank.Type(c.Handle(datatype))
	if t == nil || t.Elements() == 0 {
		return "", false
	}
	b, _, _ := t.At(1, 0)
	numbers := c.Numbers(b.String())
	return o.Name, numbers == "floating-point" || numbers == "complex"
}
