package buffers

import (
	"regexp"
	"strings"

	"unknot/internal/check"
	"unknot/internal/check/used"
	"unknot/internal/kit/symbol"
	"unknot/internal/model/objects"
	"unknot/internal/vocab/mpi"
)

// A Fortran compiler passes a copy of a section that is not contiguous, which lives until the call returns (MPI-4.1,
// 19.1.12). One on the heap is freed then, and that is noticed. One on the stack is known by the text: with one index
// of the first dimension and a range of another one, or with a step, elements are apart from each other.

// row is an argument that is such a section.
var row = regexp.MustCompile(
	`^[A-Za-z_][A-Za-z_0-9]*(%[A-Za-z_][A-Za-z_0-9]*)* *\(([^:(),]*,[^()]*:[^()]*|[^:(),]*:[^:(),]*: *([2-9]|[1-9][0-9]+))\)$`)

// copied says of buffers of a call that starts an operation, or is to start some, that they are copies on the stack;
// true if one is.
func (m *memory) copied(c *check.Call, uses []mpi.Buffer) (said bool) {
	for i := range uses {
		u := &uses[i]
		key := place{site: c.Site, param: u.At}
		is, known := m.rows[key]
		if !known {
			is = isRow(c, u)
			objects.Set(&m.rows, key, is)
		}
		if !is || !inTurn(c, u) || c.Ground(u.At).Kind != check.ThreadStack {
			continue
		}
		said = true
		c.Say(BufferFreed, u.At, func() check.Words {
			return copyWords(c.Rank, c.By(), u.At, u.Access != mpi.Reads, used.WhyCopied(c.Rank, c.By(), u.At),
				c.Func.Name)
		})
	}
	return said
}

// isRow says whether an argument is written as a row of an array of Fortran of known shape.
func isRow(c *check.Call, u *mpi.Buffer) bool {
	if c.Rank.Declared == nil || u.Count < 0 || u.Counts || u.Types {
		return false
	}
	d, ok := c.Rank.Declared(c, u.At)
	return ok && d.Fortran && d.First > 1 && d.Lies != symbol.ByPointer && d.Lies != symbol.ByCaller &&
		row.MatchString(strings.TrimSpace(d.Argument(u.At)))
}

// inTurn says whether a call is given several elements one behind the other: with mpi_f08, a library may take the
// section as it is, and describe it by a datatype.
func inTurn(c *check.Call, u *mpi.Buffer) bool {
	n, _ := c.Int(u.Count)
	handle, _ := c.Int(u.Type)
	t := c.Rank.Object(mpi.OType, uint64(handle))
	return n > 1 && t != nil && t.Predefined
}
