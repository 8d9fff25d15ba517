package detect

import (
	"slices"

	"unknot/internal/model/waitfor"
	"unknot/internal/model/waitstate"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/message"
)

// maxCores bounds the unsafe exchanges reported in one round; what is left is found in later ones. Of deadlocks there
// is no later round: what is beyond maxReal is reported as stuck because of them.
const (
	maxCores = 16
	maxReal  = 1024
)

// arrivals is for how many rounds, a few seconds together, a deadlock is kept back while other ranks still move: some
// of them may be about to come to the same call, and belong into the report. On a machine that is busy with other
// things they take their time.
const arrivals = 30

// search looks for deadlocks in what the agents have reported, and asks about those that it finds.
type search struct {
	*job
	pace        *pace
	collectives *collectives
	findings    *findings
	state       *state // of this round
	asked       []question
	decided     map[message.Key]bool // receives whose observed match the strict view could not reach in the last round
	awaited     int                  // rounds for which deadlocks were kept back, as other ranks moved
	stopAfter   bool                 // end the job once the answers are reported
	stayed      stayed
}

// manifest looks for what keeps threads from going on for good; true if there is something.
func (f *search) manifest(s *state) bool {
	return f.askReal(s, necessary) || s.still() && (f.askReal(s, standing) || f.askDiverged(s)) || f.askStranded(s)
}

// askStranded looks for errors because of which nothing moves in the job any more; true if there are any.
func (f *search) askStranded(s *state) bool {
	q, found := strandedBehind(f.findings, s, f.graph(s, standing))
	if found {
		f.asked = append(f.asked, q)
	}
	return found
}

// askReal looks for manifest deadlocks; true if there is one.
func (f *search) askReal(s *state, v view) bool {
	b := f.graph(s, v)
	deadNodes := b.g.Dead()
	if len(deadNodes) == 0 {
		return false
	}
	if !s.still() && !f.opts.Past && f.awaited < arrivals {
		f.awaited++
		f.pace.soon()
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
		if !firm || !f.opts.Past && !f.stays(b, core) {
			continue
		}
		found = true
		if b.clash(f.collectives, core) {
			f.stopAfter = true
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
		f.asked = append(f.asked, q)
	}
	if !found {
		f.pace.soon()
		return false
	}
	if len(f.asked) == 0 {
		return true
	}
	q := &f.asked[0]
	for _, n := range deadNodes {
		if !inCore[n] {
			q.others = append(q.others, s.threads[n].Key(false))
		}
	}
	return true
}

// stays says whether the threads of a core have been kept from nothing but by each other. A send may only wait for its
// receiver to make room, which that does once it has the processor, and the sender has to have it once more after that.
// So all must have had it after the last of them came, and all again after that. In a job that stands still that holds
// for all threads, as what any of them might do counts.
func (f *search) stays(b *build, core []nodeID) bool {
	threads := b.threads
	if b.view != standing {
		threads = make([]*message.Wait, len(core))
		for i, n := range core {
			threads[i] = b.threads[n]
		}
		if !slices.ContainsFunc(threads, needsRoom) {
			return true
		}
	}
	return f.stayed.twice(b.view, threads)
}

func needsRoom(w *message.Wait) bool {
	return slices.ContainsFunc(w.Real.Needs, func(n waitstate.Need) bool {
		return n.Kind == waitstate.NeedReceive && n.Buffers
	})
}

// clash finds a collective whose members disagree among what a core waits for, and has it reported.
func (b *build) clash(c *collectives, core []nodeID) bool {
	for _, n := range core {
		wait, _ := b.waiting(b.threads[n])
		for i := range wait.Needs {
			need := &wait.Needs[i]
			if need.Kind != waitstate.NeedMembers {
				continue
			}
			if need.Clash {
				c.reportKept(need.Ctx)
			}
			if v := b.waves[waveKey{need.Ctx, need.Seq}]; v != nil && waitstate.Disagree(v.Voices) {
				// unless it was reported when the last member came
				c.report(waitstate.Clash{Ctx: v.Ctx, Seq: v.Seq, Voices: v.Voices})
				return true
			}
			if need.Clash {
				return true
			}
		}
	}
	return false
}

// askStrict looks for deadlocks that only buffering hid: some member of the core got past its call in the run. If there
// are none, it returns the receives that are to follow what was observed.
func (f *search) askStrict(s *state) (follow []message.Key) {
	b := f.graph(s, strict)
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
				f.asked = append(f.asked, q)
			}
		}
	}
	if len(f.asked) == 0 {
		follow = f.followMatches(s)
	}
	return follow
}

// followMatches are the receives whose observed match the strict view cannot reach, if that is all that holds them
// up: an unexpected match (paper, section 3.3). It must have held them up for two rounds, unless the run is over.
func (f *search) followMatches(s *state) (keys []message.Key) {
	now := make(map[message.Key]bool)
	for _, w := range s.threads {
		if !w.HasStrict || !w.Strict.Returned {
			continue
		}
		for _, n := range w.Strict.Needs {
			if n.Decided {
				k := w.Key(true)
				now[k] = true
				if f.ending || f.decided[k] {
					keys = append(keys, k)
				}
				break
			}
		}
	}
	f.decided = now
	return keys
}

// askDiverged looks, when nothing moves in the whole job, for receives that only the plan keeps from a message that is
// there.
func (f *search) askDiverged(s *state) bool {
	b := f.graph(s, standing)
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
	f.asked = append(f.asked, q)
	return true
}
