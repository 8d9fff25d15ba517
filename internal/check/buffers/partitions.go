package buffers

import (
	"unknot/internal/check"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
)

// A partitioned operation has its memory partition by partition: of a send, each from MPI_Pready to the completion; of
// a receive, each from the start until MPI_Parrived has found it (MPI-4.0, 4.2). When an access of the program's own
// meets one, the probe knows. Other calls are not compared with them.

func partitioned(f *mpi.Func) bool { return f.Class == mpi.PsendInit || f.Class == mpi.PrecvInit }

const readyHint = "call MPI_Pready once the partition is complete, and write to it again after the operation " +
	"is completed"

// divide takes in that a call makes a partitioned operation: its count is that of one partition.
func (h *Held) divide(c *check.Call) {
	if !partitioned(c.Func) {
		return
	}
	n, ok := c.Int(c.Func.Named("partitions"))
	if !ok || n <= 0 {
		h.n = 0
		return
	}
	h.partitions = n
	for i := range h.areas[:h.n] {
		b := h.areas[i].Block
		b.Count *= n
		h.areas[i].One(b)
	}
}

// partition is the one that an address belongs to.
func (h *Held) partition(at int64) int64 {
	b := &h.areas[0].Block
	if one := b.Type.Type.Extent() * b.Count / h.partitions; one > 0 {
		return min(max((at-b.At)/one, 0), h.partitions-1)
	}
	return 0
}

// partly is what is said of an access to a partition.
func (t *touch) partly(h *Held, does string) (finding.Wording, string) {
	call := h.made.Func
	if call.Class == mpi.PsendInit {
		return finding.Wordf("Rank %d %s partition %d of {%s}, which it has given to MPI by MPI_Pready, before the "+
				"operation of %s is completed.",
				t.rank.World, does, h.partition(t.At), call.Params[t.param].Name, call.Name),
			readyHint
	}
	return finding.Wordf("Rank %d %s partition %d of {%s} of %s before it is known to have arrived.", t.rank.World,
			does, h.partition(t.At), call.Params[t.param].Name, call.Name),
		"access a partition once MPI_Parrived has found it, or after the operation is completed"
}
