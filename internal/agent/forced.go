package agent

import (
	"fmt"

	"unknot/internal/finding"
	"unknot/internal/message"
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

// tellUnused reports that a thread has done less than the plan names.
func (r *root) tellUnused(u *message.Unused) {
	what := fmt.Sprintf("made %s from any source, and the plan decides %d more", count(u.Receives, "receive"), u.Decide)
	switch {
	case u.Decide > 0:
	case u.Named > 0:
		what = fmt.Sprintf("made %s of standard mode, and the plan names %d more", count(u.Sends, "send"), u.Named)
	default:
		what = fmt.Sprintf("made %s of which MPI may choose the outcome, and could not be given %s of the plan's", count(u.Choices, "call"), count(u.Unmet, "outcome"))
	}
	who := fmt.Sprintf("Rank %d", u.Rank)
	if u.Thread != 0 {
		who = fmt.Sprintf("Thread %d of rank %d", u.Thread, u.Rank)
	}
	r.tell(finding.Finding{Code: finding.ReplayDiverged, Severity: finding.Info, Standing: finding.Predicted,
		Sentence: fmt.Sprintf("%s %s: the program has left the plan.", who, what), Hint: divergedHint, Ranks: []int{int(u.Rank)},
		Places: []finding.Place{{Rank: int(u.Rank), Thread: int(u.Thread), State: "finished", WaitsFor: []int{}}}})
}

const divergedHint = "start the program as it was started when the plan was made, or make the plan from a run that takes this path"

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
			q.nodes, q.core = append(q.nodes, nodeID(i)), append(q.core, w.Key(false))
		} else if ok {
			q.others = append(q.others, w.Key(false))
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
	if m.d.Shape.Position != "" {
		at += " at " + m.d.Shape.Position
	}
	want, there := planned(n)
	f.Sentence = fmt.Sprintf("Rank %d waits in %s%s for %s, as the plan has it, while %s is there: the program has left the plan.",
		m.d.Key.Rank, m.d.Place.Call, at, want, there)
	return f
}

// planned names the message that the plan wants, and the one that is there.
func planned(n *waitstate.Need) (want, there string) {
	if n.There == n.Forced.Src {
		return fmt.Sprintf("a message with tag %d from rank %d", n.Forced.Tag, n.Forced.Src), fmt.Sprintf("one with tag %d", n.ThereTag)
	}
	return fmt.Sprintf("a message from rank %d", n.Forced.Src), fmt.Sprintf("one from rank %d", n.There)
}
