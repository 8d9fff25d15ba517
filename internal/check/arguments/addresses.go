package arguments

import (
	"unknot/internal/check"
	"unknot/internal/check/used"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
)

// Codes about addresses.
const (
	nullPointer    finding.Code = "null-pointer"
	inPlaceInvalid finding.Code = "in-place-invalid"
)

func addressCheckers() []check.Checker {
	return []check.Checker{
		{
			Name: "pointers", Family: check.Arguments, Watch: watchPointers,
			Peers: []string{"ERROR_POINTER_NULL", "ERROR_POINTER_NULL_NOT_BOTTOM", "ERROR_POINTER_NULL_STATUS_IGNORE",
				"WARNING_POINTER_NULL",
				"ERROR_POINTER_NULL_COMM_SIZE", "ERROR_POINTER_NULL_COMM_SIZE_ARRAY",
				"ERROR_POINTER_NULL_COMM_SIZE_ARRAY_AT_INDEX"},
			Codes: []finding.Doc{{
				Code: nullPointer, Title: "an argument is a null pointer", Severity: finding.Error,
				Since: finding.Version01,
				Means: "MPI would read or write through a pointer that is NULL: a buffer with a count greater than " +
					"0, an array, or the address of a result. Most MPI libraries do not check, so the program " +
					"crashes in the call.",
				Why: "An allocation that failed or was skipped on some ranks, a variable that is set only on the " +
					"root, or NULL instead of MPI_STATUS_IGNORE, which has another value in some MPI libraries.",
				Fix: "Allocate before the call, or pass a count of 0. To ignore a status, pass MPI_STATUS_IGNORE " +
					"or MPI_STATUSES_IGNORE.",
			}},
		},
		{
			Name: "in-place", Family: check.Arguments, Watch: watchInPlace,
			Peers: []string{"ERROR_MPI_IN_PLACE_USED"},
			Codes: []finding.Doc{{
				Code: inPlaceInvalid, Title: "MPI_IN_PLACE is not allowed here", Severity: finding.Error,
				Since: finding.Version01,
				Means: "MPI_IN_PLACE is not a buffer. It is allowed only for one argument of some collectives on an " +
					"intracommunicator: usually the send buffer, in MPI_Gather and MPI_Reduce the root's send " +
					"buffer, in MPI_Scatter the root's receive buffer (MPI-4.0, chapter 6). Elsewhere MPI treats it " +
					"as an address.",
				Why: "All ranks make the same call, but only the root may pass MPI_IN_PLACE; or it was passed for " +
					"the other buffer.",
				Fix: "Pass it on the root only, for the right argument. The other ranks pass their buffer: " +
					"MPI_Reduce(rank == root ? MPI_IN_PLACE : buf, buf, ...).",
			}},
		},
	}
}

// answer is what is known of a question.
type answer uint8

const (
	unsure answer = iota
	yes
	no
)

func answered(b bool) answer {
	if b {
		return yes
	}
	return no
}

// atRootOf says whether the rank is the root of a call (MPI-4.0, 6.2.3).
func atRootOf(c *check.Call, root int) answer {
	v, ok := c.Int(root)
	switch {
	case !ok || c.Comm == nil:
		return unsure
	case c.Comm.Inter:
		return answered(v == c.Rank.Limits.Root)
	case c.Comm.Rank < 0:
		return unsure
	}
	return answered(v == int64(c.Comm.Rank))
}

// counts says whether a buffer counts on this rank.
func counts(c *check.Call, b *mpi.Buffer, root int) answer {
	if root < 0 {
		return yes
	}
	v, ok := c.Int(root)
	if !ok || c.Comm == nil {
		return unsure
	}
	if c.Comm.Inter && v == c.Rank.Limits.ProcNull {
		return no
	}
	if b.Used == mpi.AtRoot {
		return atRootOf(c, root)
	}
	if c.Comm.Inter && b.Used == mpi.AtLeaves {
		return answered(v != c.Rank.Limits.Root)
	}
	return yes
}

// holds says whether a buffer has an element.
func holds(c *check.Call, b *mpi.Buffer) bool {
	switch {
	case b.Count < 0:
		return true
	case !b.Counts:
		n, ok := c.Int(b.Count)
		return ok && n > 0
	}
	for at, v := range c.Array(b.Count) {
		if int64(v) > 0 && (!b.Own || c.Comm != nil && at == c.Comm.Rank) {
			return true
		}
	}
	return false
}

// noPeer says that a call talks to MPI_PROC_NULL, so that its buffer is not touched.
func noPeer(c *check.Call, peers []int) bool {
	for _, i := range peers {
		if v, ok := c.Int(i); ok && v == c.Rank.Limits.ProcNull {
			return true
		}
	}
	return false
}

// peers are the parameters that name who a call talks to.
func peers(f *mpi.Func) (out []int) {
	for _, b := range f.Buffers() {
		if b.Peer >= 0 {
			out = append(out, b.Peer)
		}
	}
	return out
}

// watchPointers looks at pointers that are null. Of a buffer it is certain for predefined datatypes only: with a type
// of absolute addresses a null pointer is MPI_BOTTOM (MPI-4.0, 5.1.5).
func watchPointers(h *check.Hooks) {
	h.Null(func(c *check.Call, i int) {
		if i >= len(c.Func.Params) {
			return
		}
		c.Say(nullPointer, i, func() check.Words {
			w := check.Words{Sentence: finding.Wordf("Rank %d calls %s with {%s} NULL.", c.Rank.World, c.Func.Name,
				c.Func.Params[i].Name)}
			switch c.Func.Params[i].Name {
			case "status":
				w.Hint = "to ignore the status, pass MPI_STATUS_IGNORE"
			case "array_of_statuses":
				w.Hint = "to ignore the statuses, pass MPI_STATUSES_IGNORE"
			}
			return w
		})
	})
	h.Given(func(f *mpi.Func) func(*check.Call) {
		list, root, to, origin := used.DataBuffers(f), f.Named("root"), peers(f), f.Named("origin_addr")
		if len(list) == 0 {
			return nil
		}
		return func(c *check.Call) {
			for i := range list {
				b := &list[i]
				if v, ok := c.Int(b.At); !ok || v != 0 {
					continue
				}
				if !holds(c, b) || !filled(c, b) || noPeer(c, to) || counts(c, b, root) != yes {
					continue
				}
				if b.Used == mpi.AtLater && (c.Comm == nil || c.Comm.Rank <= 0) || b.At == origin &&
					used.IgnoresOrigin(c) {
					continue
				}
				c.Say(nullPointer, b.At, func() check.Words { return nullBuffer(c, b) })
			}
		}
	})
}

// filled says that the elements of a buffer are known to have bytes at the buffer's address: those of a predefined
// datatype.
func filled(c *check.Call, b *mpi.Buffer) bool {
	handles := c.Array(b.Type)
	if !b.Types {
		handles = []uint64{c.Handle(b.Type)}
	}
	for _, t := range handles {
		o := c.Rank.Object(mpi.OType, t)
		if o == nil || !o.Predefined || o.Name == "MPI_LB" || o.Name == "MPI_UB" || o.Name == "MPI_DATATYPE_NULL" {
			return false
		}
	}
	return len(handles) > 0
}

func nullBuffer(c *check.Call, b *mpi.Buffer) check.Words {
	f := c.Func
	var much finding.Wording
	switch {
	case b.Count < 0:
		much = finding.Wordf("one element is transferred")
	case b.Counts:
		much = finding.Wordf("{%s} has an entry greater than 0", f.Params[b.Count].Name)
	default:
		n, _ := c.Int(b.Count)
		much = finding.Wordf("{%s} is %d", f.Params[b.Count].Name, n)
	}
	return check.Words{Sentence: finding.Wordf("Rank %d calls %s with {%s} NULL, but %s.", c.Rank.World, f.Name,
		f.Params[b.At].Name, much)}
}

// placed is the buffer of a collective for which MPI_IN_PLACE may stand, "" if for none, and whether at the root only.
func placed(f *mpi.Func) (name string, root bool) {
	for _, b := range f.Buffers() {
		if b.InPlace != mpi.Nowhere {
			return f.Params[b.At].Name, b.InPlace == mpi.AtRoot
		}
	}
	return "", false
}

// watchInPlace looks for MPI_IN_PLACE where it may not stand.
func watchInPlace(h *check.Hooks) {
	h.Given(func(f *mpi.Func) func(*check.Call) {
		list, root, to := used.DataBuffers(f), f.Named("root"), peers(f)
		if len(list) == 0 {
			return nil
		}
		name, rootOnly := placed(f)
		return func(c *check.Call) {
			for i := range list {
				b := &list[i]
				v, ok := c.Int(b.At)
				if !ok || uint64(v) != c.Rank.Limits.InPlace || v == 0 {
					continue
				}
				may := f.Params[b.At].Name == name
				if may && (c.Comm == nil || !c.Comm.Inter && (!rootOnly || atRootOf(c, root) != no)) {
					continue
				}
				if counts(c, b, root) != yes || !holds(c, b) || noPeer(c, to) {
					continue
				}
				c.Say(inPlaceInvalid, b.At, func() check.Words { return misplaced(c, b.At, name, rootOnly) })
			}
		}
	})
}

func misplaced(c *check.Call, i int, name string, rootOnly bool) check.Words {
	rule := "it is allowed in some collectives only"
	switch this := c.Func.Params[i].Name; {
	case name != "" && c.Comm != nil && c.Comm.Inter:
		rule = "it is not allowed with an intercommunicator"
	case name == this && rootOnly:
		rule = "only the root may pass it"
	case name != "" && rootOnly:
		rule = "it is allowed for " + name + " at the root only"
	case name != "":
		rule = "it is allowed for " + name + " only"
	case c.Func.Class == mpi.Coll:
		rule = "it is not allowed in this call"
	}
	return check.Words{Sentence: finding.Wordf("Rank %d calls %s with {%s} MPI_IN_PLACE; %s.", c.Rank.World,
		c.Func.Name, c.Func.Params[i].Name, rule)}
}
