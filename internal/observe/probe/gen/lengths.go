package gen

import (
	"fmt"
	"strings"

	"unknot/internal/vocab/mpi"
)

// elements is the C expression of how many elements an array of the program's has, which may be negative in a wrong
// program.
func (c *call) elements(i int) string {
	p := &c.f.Params[i]
	comm, n := c.of(mpi.RComm), ""
	switch p.By {
	case mpi.ByParam, mpi.ByContents:
		n = arg(p.Len)
		if c.f.Params[p.Len].Kind.AtExit() {
			n = arg(count(c.f))
		}
	case mpi.ByLast:
		n = fmt.Sprintf("uk_last(%s, n%d)", arg(p.Len), p.Len)
	case mpi.BySum:
		n = fmt.Sprintf("uk_sum(%s, n%d)", arg(p.Len), p.Len)
	case mpi.ByMembers:
		n = fmt.Sprintf("uk_extent(%s, UK_MEMBERS)", comm)
	case mpi.ByLocal:
		n = fmt.Sprintf("uk_extent(%s, UK_LOCAL)", comm)
	case mpi.ByIn:
		n = fmt.Sprintf("uk_extent(%s, UK_IN)", comm)
	case mpi.ByOut:
		n = fmt.Sprintf("uk_extent(%s, UK_OUT)", comm)
	case mpi.ByDims:
		n = fmt.Sprintf("uk_extent(%s, UK_DIMS)", comm)
	}
	switch {
	case p.AtRoot:
		return fmt.Sprintf("(%s ? %s : 0)", c.atRoot(), n)
	case p.By == mpi.ByMembers && (strings.HasPrefix(p.Name, "send") || p.Name == "sdispls"):
		// What is said of the data to send is then ignored, and need not be there (MPI-4.0, 6.8).
		return fmt.Sprintf("(%s == MPI_IN_PLACE ? 0 : %s)", c.of(mpi.RBuf), n)
	}
	return n
}

// atRoot is the C expression of whether the process is the root of the call.
func (c *call) atRoot() string {
	return fmt.Sprintf("uk_at_root(%s, %s)", c.of(mpi.RComm), c.of(mpi.RRoot))
}
