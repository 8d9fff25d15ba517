package arguments

import (
	"unknot/internal/check"
	"unknot/internal/vocab/mpi"
)

// packed looks at the position in a buffer that data is packed into or unpacked from (MPI-4.0, 5.2): what the call
// moves must lie within the size that it is given. The form of the data in which MPI_Pack_external packs has sizes of
// its own.
func packed(f *mpi.Func, position int) func(*check.Call) {
	size, count := f.Named("outsize"), f.Named("incount")
	if size < 0 {
		size, count = f.Named("insize"), f.Named("outcount")
	}
	datatype := f.Named("datatype")
	if size < 0 || count < 0 || datatype < 0 || f.Named("datarep") >= 0 {
		return nil
	}
	return func(c *check.Call) {
		at, known := c.Int(position)
		room, _ := c.Int(size)
		n, _ := c.Int(count)
		t, _ := c.Int(datatype)
		o := c.Rank.Object(mpi.OType, uint64(t))
		switch {
		case !known:
			return
		case at < 0:
			value(c, position, at, "it must be 0 or more")
			return
		case o == nil || o.Size < 0 || n < 0 || room < 0 || at+n*o.Size <= room:
			return
		}
		value(c, position, at, "%s of data from there on extend beyond {%s} %d", check.Bytes(n*o.Size),
			f.Params[size].Name, room)
	}
}
