package check

import "unknot/internal/vocab/mpi"

// Significant says whether MPI looks at parameter i of the call at all: a rooted collective has parameters for the root
// only (MPI-4.0, 6.4 to 6.9), and MPI_IN_PLACE takes the place of a buffer with its count and datatype (6.2, 6.4).
func (c *Call) Significant(i int) bool {
	root, rooted := c.Root()
	if rooted && (c.Comm == nil || c.Comm.Inter && root == c.Rank.Limits.ProcNull) {
		return false // that it is the root is not known, or it has nothing to do
	}
	var of *mpi.Buffer
	all := c.Func.Buffers()
	for k := range all {
		if all[k].Has(i) {
			if of != nil {
				return true // of two buffers: MPI_IN_PLACE leaves the other
			}
			of = &all[k]
		}
	}
	return of == nil || c.inUse(of, root, rooted)
}

// inUse says whether the call uses a buffer. A root, if it has one, is known.
func (c *Call) inUse(b *mpi.Buffer, root int64, rooted bool) bool {
	l := &c.Rank.Limits
	if rooted {
		self := root == int64(c.Comm.Rank)
		if c.Comm.Inter {
			self = root == l.Root
		}
		if b.Used == mpi.AtRoot && !self || b.Used == mpi.AtLeaves && c.Comm.Inter && self {
			return false
		}
	}
	switch c.Func.Class {
	case mpi.Coll:
		if at, _ := c.Int(b.At); l.InPlace != 0 && uint64(at) == l.InPlace {
			return false
		}
	case mpi.Rma, mpi.Rrma: // MPI_Get_accumulate with MPI_NO_OP reads the target only (MPI-4.0, 12.3.4)
		if at, ok := c.Func.Param(mpi.ROp); ok && b.At == c.Func.Named("origin_addr") {
			v, _ := c.Int(at)
			return c.opName(uint64(v)) != NoOp
		}
	}
	return true
}

// Root is the root that the call names.
func (c *Call) Root() (int64, bool) {
	at, ok := c.Func.Param(mpi.RRoot)
	if !ok || c.Func.Params[at].Name != "root" || c.Func.Class != mpi.Coll {
		return 0, false
	}
	return c.Int(at)
}

// NoOp is the operator of an RMA call that reads the target only.
const NoOp = "MPI_NO_OP"

// opName is the name of a predefined operator, "" for another.
func (c *Call) opName(handle uint64) string {
	if o := c.Rank.Object(mpi.OOp, handle); o != nil {
		return o.Name
	}
	return ""
}
