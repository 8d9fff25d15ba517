package detect

import (
	"unknot/internal/finding"
	"unknot/internal/message"
	"unknot/internal/waitfor"
	"unknot/internal/waitstate"
)

// maxCores bounds the unsafe exchanges told in one round; what is left is found in later ones. Of deadlocks there is no
// later round: what is beyond maxReal is told as stuck because of them.
const (
	maxCores = 16
	maxReal  = 1024
)

// arrivals is for how many rounds, a few seconds together, a deadlock is kept back while other ranks still move: some
// of them may be about to come to the same call, and belong into the report. On a machine that is busy with other
// things they take their time.
const arrivals = 30

// graph is the state's graph in a view.
func (r *Root) graph(s *state, v view) *build {
	r.stage(Building)
	defer r.stage(Checking)
	return s.graph(v)
}

// askReal looks for manifest deadlocks; true if there is one.
func (r *Root) askReal(s *state, v view) bool {
	b := r.graph(s, v)
	deadNodes := b.g.Dead()
	if len(deadNodes) == 0 {
		return false
	}
	if !s.still() && !r.opts.Past && r.awaited < arrivals {
		r.awaited++
		r.pace.soon()
		return true
	}
	found := false
	var inCore = make(map[waitfor.Node]bool)
	for _, core := range b.g.Cores(maxReal) {
		q := question{code: finding.Deadlock, real: true, build: b, nodes: core}
		firm := true
		for _, n := range core {
			w := s.threads[n]
			firm = firm && w.Evidence
			if w.State == message.Polling {
				q.code = finding.Livelock
			}
			q.core = append(q.core, w.Key(false))
			inCore[n] = true
		}
		if !firm {
			continue
		}
		found = true
		if b.clash(r, core) {
			r.stopAfter = true
			continue
		}
		q.culprits = b.culprits(core)
		for _, c := range q.culprits {
			for _, i := range b.threadsOf(c) {
				if s.threads[i].State != message.Asleep {
					q.witness = append(q.witness, s.threads[i].Key(false))
				}
			}
		}
		r.asked = append(r.asked, q)
	}
	if !found {
		r.pace.soon()
		return false
	}
	if len(r.asked) == 0 {
		return true
	}
	q := &r.asked[0]
	for _, n := range deadNodes {
		if !inCore[n] {
			q.others = append(q.others, s.threads[n].Key(false))
		}
	}
	return true
}

// clash finds a collective whose members disagree among what a core waits for, and sees to it that it is told.
func (b *build) clash(r *Root, core []nodeID) bool {
	for _, n := range core {
		wait, _ := b.waiting(b.threads[n])
		for i := range wait.Needs {
			need := &wait.Needs[i]
			if need.Kind != waitstate.NeedMembers {
				continue
			}
			if need.Clash {
				r.collectives.reportKept(need.Ctx)
			}
			if v := b.waves[waveKey{need.Ctx, need.Seq}]; v != nil && waitstate.Disagree(v.Voices) {
				// unless it was told when the last member came
				r.collectives.report(waitstate.Clash{Ctx: v.Ctx, Seq: v.Seq, Voices: v.Voices})
				return true
			}
			if need.Clash {
				return true
			}
		}
	}
	return false
}

// askStrict looks for deadlocks that only buffering hid: some member of the core got past its call in the run.
func (r *Root) askStrict(s *state) {
	b := r.graph(s, strict)
	if len(b.g.Dead()) > 0 {
		for _, core := range b.g.Cores(maxCores) {
			q := question{code: finding.DeadlockUnsafe, build: b, nodes: core}
			past := false
			for _, n := range core {
				w := s.threads[n]
				past = past || w.Strict.Returned
				q.core = append(q.core, w.Key(true))
			}
			if past {
				r.asked = append(r.asked, q)
			}
		}
	}
	if len(r.asked) == 0 {
		r.followMatches(s)
	}
}

// followMatches lets receives go on whose observed match the strict view cannot reach, if that is all that holds them
// up: an unexpected match (paper, section 3.3). It must have held them up for two rounds, unless the run is over.
func (r *Root) followMatches(s *state) {
	now := make(map[message.Key]bool)
	var keys []message.Key
	for _, w := range s.threads {
		if !w.HasStrict || !w.Strict.Returned {
			continue
		}
		for _, n := range w.Strict.Needs {
			if n.Decided {
				k := w.Key(true)
				now[k] = true
				if r.ending || r.decided[k] {
					keys = append(keys, k)
				}
				break
			}
		}
	}
	r.decided = now
	if len(keys) > 0 {
		r.pace.progressed = true
		r.net.Broadcast(message.Relax{Keys: message.FoldKeys(keys), Once: true})
	}
}

// askDiverged looks, when nothing moves in the whole job, for receives that only the plan keeps from a message that is
// there.
func (r *Root) askDiverged(s *state) bool {
	b := r.graph(s, standing)
	q := question{code: finding.ReplayDiverged, real: true, build: b}
	for i, w := range s.threads {
		if wait, ok := b.waiting(w); ok && wait.Barred() != nil {
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
