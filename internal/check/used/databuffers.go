package used

import (
	"slices"

	"unknot/internal/check"
	"unknot/internal/vocab/mpi"
)

// DataBuffers are a function's buffers of data of a datatype, each once. What MPI_Mrecv gets may be no message, so it
// may need no buffer.
func DataBuffers(f *mpi.Func) (out []mpi.Buffer) {
	if f.Class == mpi.Mrecv || f.Class == mpi.Imrecv {
		return nil
	}
	for _, b := range f.Buffers() {
		if b.Type < 0 {
			continue // of bytes
		}
		if n := len(out) - 1; n >= 0 && out[n].At == b.At {
			// one parameter for what is read and for what is written
			out[n].Used, out[n].Access = mpi.Everywhere, mpi.Updates
			continue
		}
		out = append(out, b)
	}
	slices.SortFunc(out, func(a, b mpi.Buffer) int { return a.At - b.At })
	return out
}

// IgnoresOrigin says that the call's operator is MPI_NO_OP, which reads nothing (MPI-4.0, 12.3.4).
func IgnoresOrigin(c *check.Call) bool {
	i := c.Func.Named("op")
	if i < 0 {
		return false
	}
	o := c.Rank.Object(mpi.OOp, c.Handle(i))
	return o == nil || o.Name == check.NoOp
}
