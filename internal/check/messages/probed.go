package messages

import (
	"cmp"
	"maps"
	"slices"

	"unknot/internal/check"
	"unknot/internal/model/objects"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
)

// probed says whether a receive of a message that a matched probe had taken has failed on a rank, so that it is not
// known what has become of it.
type probed struct{ failed bool }

// watchProbed looks at MPI_Finalize for messages that were probed and not received.
func watchProbed(h *check.Hooks) {
	ranks := check.SlotOf[probed](h)
	h.Fail(func(c *check.Call) {
		if c.Func.Class == mpi.Mrecv || c.Func.Class == mpi.Imrecv {
			ranks.Of(c.Rank).failed = true
		}
	})
	h.Finalize(func(r *check.Rank, c *check.Call) {
		if p := ranks.Had(r); r.Sure() && (p == nil || !p.failed) {
			lookForProbed(r, c)
		}
	})
}

// lookForProbed reports the messages that matched probes of a rank have taken and that it has not received when it
// reaches MPI_Finalize, by the place of the probe.
func lookForProbed(r *check.Rank, c *check.Call) {
	left := make(map[objects.Made]int)
	for o := range r.All(mpi.OMessage) {
		if !o.Predefined && o.Made.Func != nil {
			left[o.Made] += o.Refs
		}
	}
	places := slices.SortedFunc(maps.Keys(left), func(a, b objects.Made) int {
		return cmp.Or(cmp.Compare(a.Site, b.Site), cmp.Compare(a.Func.ID, b.Func.ID))
	})
	for _, made := range places {
		c.SayAt(MessageLost, made, func() check.Words {
			return check.Words{Sentence: finding.Wordf("Rank %d %s with %s of this %s not received.", r.World, r.Ends(),
				check.Counted(left[made], "message"), made.Func.Name),
				Hint: "receive it with MPI_Mrecv or MPI_Imrecv: no other receive can match it"}
		})
	}
}
