package rma

import (
	"fmt"

	"unknot/internal/check"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// MPI_Win_flush and MPI_Win_flush_local with a rank complete what the caller has started there, and nothing at other
// ranks (MPI-4.0, 12.5.4). A program that names another rank than that of its operation uses its buffer too early, or
// lets others know too early.

// aside is a flush of another rank than that of operations which were pending then.
type aside struct {
	by    check.Past
	rank  int64 // the one that was flushed
	first check.Past
	at    int64 // the target of the first of these operations
	idle  bool  // nothing was pending at the rank that was flushed
	said  bool  // a report has it
}

// passed is that flushed what was pending at other targets, too, of a batch.
type passed struct {
	nth int // acts of the batch that were pending
	by  *aside
}

// flushedAside notes that a call completes what was started at one rank, for what is pending at others.
func (o *originBuffers) flushedAside(w *window, c *check.Call, rank int64) {
	if w.unsure {
		return
	}
	idle := w.batches[rank] == nil
	for t, b := range w.batches {
		if t == rank || len(b.passed) > 0 && b.passed[len(b.passed)-1].nth == len(b.acts) {
			continue
		}
		k := b.pendingFrom()
		if k < 0 {
			continue
		}
		x := &aside{by: check.Remember(c), rank: rank, first: b.acts[k].call, at: t, idle: idle}
		b.passed = append(b.passed, passed{len(b.acts), x})
		if all := o.locals[c.Rank]; all != nil {
			for i := range all.list {
				if l := &all.list[i]; l.win == w && l.target == t && l.aside == nil {
					l.aside = x
				}
			}
		}
	}
}

// pendingFrom is the first act of a batch that was not said to be pending at a flush before and that only a flush or
// the end of the epoch completes, -1 if there is none.
func (b *batch) pendingFrom() int {
	from := 0
	if n := len(b.passed); n > 0 {
		from = b.passed[n-1].nth
	}
	for i := from; i < len(b.acts); i++ {
		if b.acts[i].call.Fn.Class == mpi.Rma {
			return i
		}
	}
	return -1
}

// aside is the first flush of another rank after one of the acts of a batch, nil if there was none.
func (b *batch) aside(nth uint64) *aside {
	for _, x := range b.passed {
		if int(nth) < x.nth {
			return x.by
		}
	}
	return nil
}

// overlooked takes in that an epoch ends, and with it operations that a flush was meant for which named another rank at
// which nothing was pending.
//
// Who flushes itself while it has put something elsewhere may do so to let its library work, or to read its own memory.
func (m *remote) overlooked(w *window, target int64) {
	b := w.batches[target]
	if b == nil {
		return
	}
	for _, x := range b.passed {
		itself := w.world(x.by.rank) == b.from && !x.by.first.Fn.Fetches()
		if x.by.idle && !itself && len(m.asides) < maxDoubts {
			m.asides = append(m.asides, pointless{w, x.by})
		}
	}
}

// pointless is a flush that has completed nothing.
type pointless struct {
	win *window
	by  *aside
}

// related says where it was called, for the report of an operation that it has not completed.
func (x *aside) related() check.Related {
	return check.Related{Text: fmt.Sprintf("only rank %d was flushed", x.rank), Func: x.by.Fn, Site: x.by.Site}
}

// explain adds to the words about an operation that it was called for another rank.
func (x *aside) explain(words *check.Words) {
	if x != nil {
		x.said = true
		words.Related, words.Hint = append(words.Related, x.related()), x.hint()
	}
}

// elsewhere is explain for what a rank has started that need not be the one that is spoken to.
func (x *aside) elsewhere(rank op.Rank, words *check.Words) {
	if x != nil {
		x.said = true
		words.Elsewhere, words.Hint = append(words.Elsewhere, check.Elsewhere{Related: x.related(), Rank: int(rank)}),
			x.hint()
	}
}

// hint says what to call instead.
func (x *aside) hint() string {
	return fmt.Sprintf("%s completes only operations on the rank that is passed: pass the target, %d, or call %s_all",
		x.by.Fn.Name, x.at, x.by.Fn.Name)
}

// tellAsides reports the flushes that have completed nothing, if no report has them yet.
func (m *remote) tellAsides(to *check.Watch) {
	for i := range m.asides {
		w, x := m.asides[i].win, m.asides[i].by
		if x.said {
			continue
		}
		x.said = true
		to.Tell(op.Rank(w.rank.World), rmaFlush, &x.by, x.by.Fn.Named("rank"), func() check.Words {
			return check.Words{
				Sentence: finding.Wordf("Rank %d calls %s with {rank} %d, where it has nothing to complete; its %s "+
					"with {target_rank} %d remains pending until the epoch ends.", w.rank.World, x.by.Fn.Name, x.rank,
					x.first.Fn.Name, x.at),
				Related: []check.Related{{Text: "that operation was started", Func: x.first.Fn, Site: x.first.Site}},
				Hint:    x.hint(),
			}
		})
	}
	m.asides = nil
}
