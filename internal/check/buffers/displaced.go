package buffers

import (
	"math"
	"slices"

	"unknot/internal/check"
	"unknot/internal/check/used"
	"unknot/internal/vocab/datatype"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
)

// Of a v or w collective, each block has a displacement from the buffer (MPI-4.1, 6.5 to 6.8). Where the blocks are is
// judged by what the buffer begins in, if at least one block has bytes there: others must not be elsewhere, as
// displacements do not lead from one variable to another (5.1.12). A displacement that can only be an int which has
// overflowed is judged by itself.

// overflown looks for a displacement that is 2^32 less than what the one before it leads to; true if it has said
// something.
func overflown(c *check.Call, u *mpi.Buffer) bool {
	displs, counts := c.Array(u.Displs), c.Array(u.Count)
	i := wrapped(displs, counts)
	if i >= 0 {
		sayOverflown(c, u, i, int64(displs[i]))
	}
	return i >= 0
}

// wrapped is the place of a displacement that is 2^32 less than what those before it lead to, by a count or by the same
// step; -1 if there is none.
func wrapped(displs, counts []uint64) int {
	for i := 1; i < len(displs) && len(counts) == len(displs); i++ {
		d, before := int64(displs[i]), int64(displs[i-1])
		meant := d + 1<<32
		if d >= 0 || d < math.MinInt32 || before <= 0 && i > 1 || int64(counts[i]) == 0 {
			continue
		}
		step := int64(counts[i-1])
		if i > 1 && before+step != meant {
			step = before - int64(displs[i-2])
		}
		if step > 0 && before+step == meant {
			return i
		}
	}
	return -1
}

// watchIndexed looks at the displacements of the datatypes that have lists of them (MPI-4.1, 5.1.2).
func watchIndexed(h *check.Hooks) {
	h.Enter(func(f *mpi.Func) func(*check.Call) {
		at, lengths := f.Named("array_of_displacements"), f.Named("array_of_blocklengths")
		if at < 0 || f.Named("array_of_types") >= 0 {
			return nil
		}
		return func(c *check.Call) {
			displs := c.Array(at)
			counts := displs // of blocks of one length, the step says it all
			if lengths >= 0 {
				counts = c.Array(lengths)
			}
			i := wrapped(displs, counts)
			if i < 0 {
				return
			}
			c.Say(bufferOutside, at, func() check.Words {
				w := overflowWords(c, at, i, int64(displs[i]))
				w.Hint = "count in larger units, by an oldtype of one row or block, or use the form of the call with " +
					"_c or in bytes, whose displacements are of type MPI_Count or MPI_Aint, and compute them so"
				return w
			})
		}
	})
}

// farBefore looks for a negative displacement that leads to where no memory is: before the program, behind which its
// heap begins. True if it has said something.
func farBefore(c *check.Call, a *used.Area, u *mpi.Buffer) bool {
	displs := c.Array(u.Displs)
	i := slices.IndexFunc(displs, func(d uint64) bool { return int64(d) < 0 && int64(d) >= math.MinInt32 })
	at, ok := c.Int(u.At)
	if i < 0 || !ok || c.Rank.Lowest == nil {
		return false
	}
	lowest := int64(c.Rank.Lowest())
	if lowest <= 0 || at < lowest || absentNeighbours(c) || !a.Read(c, u) {
		return false
	}
	for _, b := range a.All() {
		if b.Member >= len(displs) || int64(displs[b.Member]) >= 0 || b.Type.Type.Absolute() {
			continue
		}
		if _, last := b.Bounds(); last <= lowest {
			d := int64(displs[b.Member])
			sayOverflown(c, u, b.Member, d)
			return true
		}
	}
	return false
}

func sayOverflown(c *check.Call, u *mpi.Buffer, i int, d int64) {
	c.Say(bufferOutside, u.Displs, func() check.Words {
		w := overflowWords(c, u.Displs, i, d)
		w.Notes = []finding.Note{finding.Remarkf("block %d of %s is before the buffer", i, c.Func.Params[u.At].Name)}
		w.Hint = "count in larger units, by a datatype of one row or block, or use the form of the call with _c, " +
			"whose displacements are of type MPI_Aint"
		return w
	})
}

// overflowWords say that element i of a parameter is a number that an int has lost.
func overflowWords(c *check.Call, param, i int, d int64) check.Words {
	return check.Words{
		Sentence: finding.Wordf("Rank %d calls %s with {%s} in which element %d is %d: an int has overflowed, as %d "+
			"does not fit.",
			c.Rank.World, c.Func.Name, c.Func.Params[param].Name, i, d, d+1<<32)}
}

// displaced looks for a block that is not in the memory which the buffer begins in; true if it has said something.
func displaced(c *check.Call, u *mpi.Buffer, a *used.Area, g check.Ground) bool {
	if g.Kind != check.Variable && g.Kind != check.HeapBlock || absentNeighbours(c) {
		return false
	}
	from, to := int64(g.From), int64(g.To)
	meant, worst := false, used.Block{}
	for _, b := range a.All() {
		if b.Type.Type.Absolute() {
			return false
		}
		first, last := b.Bounds()
		outside := last <= from || first >= to
		meant = meant || !outside
		if first >= from && last <= to || worst.Count > 0 {
			continue
		}
		if outside && u.Types && c.Rank.Where != nil && c.Rank.Where(uint64(first)).Kind == check.Variable {
			continue // displacements in bytes may have been made of two addresses
		}
		worst = b
	}
	if !meant || worst.Count == 0 {
		return false
	}
	sayDisplaced(c, u, worst, g)
	return true
}

// absentNeighbours says whether some neighbours of a neighbourhood collective may be MPI_PROC_NULL, whose blocks nobody
// uses (MPI-4.1, 8.6).
func absentNeighbours(c *check.Call) bool {
	if c.Func.Suits != mpi.SuitsNeighbours {
		return false
	}
	absent := func(n int) bool { return n < 0 }
	to, from, known := c.Rank.Neighbours(c.Comm)
	return !known || slices.ContainsFunc(to, absent) || slices.ContainsFunc(from, absent)
}

func sayDisplaced(c *check.Call, u *mpi.Buffer, b used.Block, g check.Ground) {
	c.Say(bufferOutside, u.Displs, func() check.Words {
		first, last := b.Bounds()
		where := finding.Wordf("ends %s beyond the end", check.Bytes(last-int64(g.To)))
		hint := "start each block where the previous one ends, and allocate the sum of the counts"
		if first < int64(g.From) {
			where = finding.Wordf("begins %s before the start", check.Bytes(int64(g.From)-first))
			hint = "the displacement of the first block is usually 0, and that of another one the sum of the " +
				"counts before it"
		}
		names := c.Func.Params
		return check.Words{
			Sentence: finding.Wordf("Rank %d calls %s with {%s} by which block %d of {%s} %s of %s.", c.Rank.World,
				c.Func.Name, names[u.Displs].Name, b.Member, names[u.At].Name, where, g),
			Notes: []finding.Note{finding.Remarkf("its displacement is %d, its data %s",
				int64(c.Array(u.Displs)[b.Member]), datatype.Content{Type: b.Type.Type, Count: b.Count})},
			Hint: hint,
		}
	})
}
