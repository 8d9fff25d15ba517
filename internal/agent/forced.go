package agent

import (
	"fmt"

	"unknot/internal/finding"
	"unknot/internal/mpi"
	"unknot/internal/op"
	"unknot/internal/waitstate"
)

// A plan (package plan) is forced on a run by the probes, which record what the program called all the same. So what is found
// is the program's own, but for one case: a receive from any source that the plan makes wait for a source from which nothing
// comes, while another message is there. Then the program has taken another path than the plan was made for.

// forcing is a receive from any source of the next call that a plan makes one from a given source.
type forcing struct {
	position int64 // among the requests of MPI_Startall
	source   int64 // rank in the communicator
	tag      int32
}

// forcedAt is what the plan makes of the call's receive at a position; nil if it leaves it as it is.
func (c *call) forcedAt(position int64, comm *comm) *waitstate.Forced {
	for _, f := range c.t.forced {
		if f.position != position {
			continue
		}
		forced := &waitstate.Forced{Src: comm.world(f.source), Tag: f.tag}
		if f.tag == c.r.consts.anyTag {
			forced.Tag = op.AnyTag
		}
		return forced
	}
	return nil
}

// buffer makes the sends of a call buffered ones that the plan lets complete at once. The trace has been told what the
// program called.
func (c *call) buffer() {
	for _, position := range c.t.buffered {
		at := position // parts of the requests of MPI_Startall stand in their order, one for each
		if c.f.Class != mpi.Startall {
			at = 0
		}
		if at >= 0 && at < int64(len(c.op.Posts)) && c.op.Posts[at].Kind == op.Send {
			c.op.Posts[at].Mode = op.Buffered
		}
	}
}

// remade gives a persistent request another handle.
func (r *rank) remade(from, to uint64) {
	if q := r.requests.get(from); q != nil {
		r.requests.drop(from)
		r.requests.set(to, q)
	}
}

// unused is what a plan names and a thread had not done when it ended.
type unused struct {
	rank             op.Rank
	thread           op.Thread
	receives, decide uint64 // receives from any source made, and decided beyond those
	sends, named     uint64 // sends of standard mode made, and named beyond those
	choices, unmet   uint64 // calls made that may be given an outcome, and outcomes beyond those or that were not possible
}

// tellUnused reports that a thread has done less than the plan names.
func (r *root) tellUnused(u *unused) {
	what := fmt.Sprintf("made %s from any source, but the plan decides %d more", count(u.receives, "receive"), u.decide)
	switch {
	case u.decide > 0:
	case u.named > 0:
		what = fmt.Sprintf("made %s of standard mode, but the plan names %d more", count(u.sends, "send"), u.named)
	default:
		what = fmt.Sprintf("made %s whose outcome MPI may choose, and could not be given %s of the plan", count(u.choices, "call"), count(u.unmet, "outcome"))
	}
	who := fmt.Sprintf("Rank %d", u.rank)
	if u.thread != 0 {
		who = fmt.Sprintf("Thread %d of rank %d", u.thread, u.rank)
	}
	r.tell(finding.Finding{Code: finding.ReplayDiverged, Severity: finding.Info, Standing: finding.Predicted,
		Sentence: fmt.Sprintf("%s %s: the program diverged from the plan.", who, what), Hint: divergedHint, Ranks: []int{int(u.rank)},
		Places: []finding.Place{{Rank: int(u.rank), Thread: int(u.thread), State: "finished", WaitsFor: []int{}}}})
}

const divergedHint = "start the program as when the plan was made, or make the plan from a run that takes this path"

func count(n uint64, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %ss", n, one)
}

// askDiverged looks, when nothing moves in the whole job, for receives that only the plan keeps from a message that is there.
func (r *root) askDiverged(s *state) bool {
	b := s.graph(standing)
	q := question{code: finding.ReplayDiverged, real: true, build: b}
	for i, w := range s.threads {
		if wait, ok := b.waiting(w); ok && barred(wait) != nil {
			q.nodes, q.core = append(q.nodes, nodeID(i)), append(q.core, w.key(false))
		} else if ok {
			q.others = append(q.others, w.key(false))
		}
	}
	if len(q.core) == 0 {
		return false
	}
	r.asked = append(r.asked, q)
	return true
}

// barred is the first need of a thread that only the plan keeps from being met.
func barred(w *waitstate.Wait) *waitstate.Need {
	for i := range w.Needs {
		if w.Needs[i].Barred {
			return &w.Needs[i]
		}
	}
	return nil
}

// diverged puts a replay that has left its plan into words. Members are the threads whose receives wait for it.
func (s *story) diverged() finding.Finding {
	f := s.finding()
	f.Severity, f.Standing, f.Hint = finding.Info, finding.Predicted, divergedHint
	m := &s.members[0]
	n := barred(m.wait)
	at := m.request(n)
	if m.d.shape.position != "" {
		at += " at " + m.d.shape.position
	}
	want, there := planned(n)
	f.Sentence = fmt.Sprintf("Rank %d waits in %s%s for %s, as planned, while %s is available: the program diverged from the plan.",
		m.d.key.rank, m.d.place.Call, at, want, there)
	return f
}

// planned names the message that the plan wants, and the one that is there.
func planned(n *waitstate.Need) (want, there string) {
	if n.There == n.Forced.Src {
		return fmt.Sprintf("a message with tag %d from rank %d", n.Forced.Tag, n.Forced.Src), fmt.Sprintf("one with tag %d", n.ThereTag)
	}
	return fmt.Sprintf("a message from rank %d", n.Forced.Src), fmt.Sprintf("one from rank %d", n.There)
}
