package buffers

import (
	"slices"

	"unknot/internal/check"
	"unknot/internal/kit/symbol"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
)

// MPI_Pack and MPI_Unpack use what lies in a buffer of bytes from a position on (MPI-4.0, 5.2). They are given its
// size, which may be more than the memory has. That the data lies within the size is an argument's matter (package
// arguments).

// room is a buffer of packed data.
type room struct {
	buffer, size, position, count, datatype int // parameters
	writes                                  bool
}

// roomOf are the parameters of a function that packs or unpacks; false for another. Data in an external representation
// has sizes of its own.
func roomOf(f *mpi.Func) (r room, ok bool) {
	r = room{position: f.Named("position"), datatype: f.Named("datatype")}
	if r.position < 0 || r.datatype < 0 || f.Named("datarep") >= 0 {
		return r, false
	}
	i := slices.IndexFunc(f.Buffers(), func(b mpi.Buffer) bool { return b.Type < 0 })
	if i < 0 {
		return r, false
	}
	b := f.Buffers()[i]
	r.buffer, r.size, r.writes = b.At, b.Count, b.Access != mpi.Reads
	r.count = f.Named("incount", "outcount")
	return r, r.count >= 0
}

// watchPacked judges the memory that data is packed into and unpacked from.
func watchPacked(h *check.Hooks) {
	h.Enter(func(f *mpi.Func) func(*check.Call) {
		r, ok := roomOf(f)
		if !ok {
			return nil
		}
		return r.judge
	})
}

func (r room) judge(c *check.Call) {
	at, known := c.Int(r.position)
	size, _ := c.Int(r.size)
	n, _ := c.Int(r.count)
	t, _ := c.Int(r.datatype)
	o := c.Rank.Object(mpi.OType, uint64(t))
	if !known || at < 0 || n <= 0 || o == nil || o.Size <= 0 || at+n*o.Size > size {
		return
	}
	there, name, ok := r.memory(c)
	if beyond := at + n*o.Size - there; ok && beyond > 0 {
		c.Say(bufferOutside, r.buffer, func() check.Words {
			does, hint := "unpacked", "pass the number of bytes received as insize"
			if r.writes {
				does, hint = "packed", "allocate what MPI_Pack_size says for all data that is packed, and pass the "+
					"size of the memory as outsize"
			}
			return check.Words{
				Sentence: finding.Wordf("Rank %d calls %s with {%s} in %s; the data %s from byte %d on extends %s "+
					"beyond its end.",
					c.Rank.World, c.Func.Name, c.Func.Params[r.buffer].Name, name, does, at, check.Bytes(beyond)),
				Notes: []finding.Note{finding.Remarkf("%s is %d", c.Func.Params[r.size].Name, size)},
				Hint:  hint,
			}
		})
	}
}

// memory says how many bytes there are from the beginning of the buffer on, and what they lie in; false if that is not
// known.
func (r room) memory(c *check.Call) (int64, finding.Wording, bool) {
	g := c.Ground(r.buffer)
	switch g.Kind {
	case check.Variable, check.HeapBlock, check.ArrayMemory:
		begins, _ := c.Int(r.buffer)
		return int64(g.To) - begins, g.Worded(), true
	case check.FreedBlock, check.LeftStack:
		return 0, finding.Wording{}, false
	}
	if c.Rank.Declared == nil {
		return 0, finding.Wording{}, false
	}
	d, ok := c.Rank.Declared(c, r.buffer)
	if !ok || d.Lies != symbol.OnStack || d.Count < 0 || d.Size <= 0 || g.Kind != check.ThreadStack && !d.Fortran {
		return 0, finding.Wording{}, false
	}
	return d.Count * d.Size, finding.Wordf("`%s` of %s", d.Name, check.Bytes(d.Count*d.Size)), true
}
