package usage

import (
	"strings"

	"unknot/internal/mpi"
)

// significant says whether MPI looks at parameter i of the call at all: a rooted collective has parameters for the root
// only (MPI-4.0, 6.4 to 6.9), and MPI_IN_PLACE takes the place of a buffer with its count and datatype (6.2, 6.4).
func (c *Call) significant(i int) bool {
	f := c.Func
	name := f.Params[i].Name
	send, recv := strings.HasPrefix(name, "send"), strings.HasPrefix(name, "recv")
	root, rooted := c.root()
	if rooted {
		if c.Comm == nil {
			return false // not known
		}
		base := strings.TrimPrefix(strings.ToLower(f.Name), "mpi_")
		base = strings.TrimPrefix(base, "i")
		self := root == int64(c.Comm.Rank)
		if c.Comm.Inter {
			if root == c.Rank.Limits.ProcNull {
				return false
			}
			self = root == c.Rank.Limits.Root
		}
		switch {
		case strings.HasPrefix(base, "gather") && recv, strings.HasPrefix(base, "scatter") && send:
			if !self {
				return false
			}
		case c.Comm.Inter && (strings.HasPrefix(base, "gather") && send || strings.HasPrefix(base, "scatter") && recv):
			if self {
				return false
			}
		}
	}
	if f.Class == mpi.Coll && c.Rank.Limits.InPlace != 0 {
		if send && c.address("sendbuf") == c.Rank.Limits.InPlace || recv && c.address("recvbuf") == c.Rank.Limits.InPlace {
			return false
		}
	}
	if strings.HasPrefix(name, "origin_") && (f.Class == mpi.Rma || f.Class == mpi.Rrma) {
		// MPI_Get_accumulate with MPI_NO_OP reads the target only (MPI-4.0, 12.3.4).
		if at, ok := f.Param(mpi.ROp); ok {
			if v, _ := c.Int(at); c.opName(uint64(v)) == "MPI_NO_OP" {
				return false
			}
		}
	}
	return true
}

// root is the root that the call names.
func (c *Call) root() (int64, bool) {
	at, ok := c.Func.Param(mpi.RRoot)
	if !ok || c.Func.Params[at].Name != "root" || c.Func.Class != mpi.Coll {
		return 0, false
	}
	return c.Int(at)
}

// address is the one that the call has for a parameter; 0 if it has none of the name.
func (c *Call) address(name string) uint64 {
	for i := range c.Func.Params {
		if c.Func.Params[i].Name == name {
			v, _ := c.Int(i)
			return uint64(v)
		}
	}
	return 0
}

// opName is the name of a predefined operator, "" for another.
func (c *Call) opName(handle uint64) string {
	if o := c.Rank.Object(OpKind, handle); o != nil {
		return o.Name
	}
	return ""
}
