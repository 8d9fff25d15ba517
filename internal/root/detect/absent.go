package detect

import (
	"cmp"
	"slices"

	"unknot/internal/model/waitstate"
	"unknot/internal/say/explain"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/op"
)

// All members of a communicator must call its collectives, and equally many (MPI-4.0, 6.1 and 6.14). Where the library
// holds up those who have called one that others never call, that is a deadlock like any other. Where it does not, as
// the root of a broadcast need not wait for anybody, the run continues, and this file finds the mistake when the job
// has ended: then it is known of each rank what it has called.

// absences are collectives that some member never calls.
type absences struct {
	collectives *collectives
	findings    *findings
	searched    bool
	held        []held
}

// ask asks for the calls of collectives that some members have made and others, which have come to MPI_Finalize,
// have not: for the first of them on each communicator, window or file. After a mismatch or a death they may be mere
// consequences of that.
func (a *absences) ask(s *state, followed bool) {
	died := slices.ContainsFunc(s.threads, func(w *message.Wait) bool {
		return w.State == message.Dead &&
			!s.finalized(w.Rank)
	})
	if a.searched || len(a.collectives.clashes) > 0 || died {
		return
	}
	a.searched = true
	defer a.tellHeld(s)
	if !followed || s.present < s.size {
		return
	}
	first := make(map[op.CommID]*message.Wave)
	open := make(map[op.CommID]int)
	for k, v := range s.waves {
		if len(s.absent(v)) == 0 {
			continue
		}
		open[k.ctx]++
		if old := first[k.ctx]; old == nil || v.Seq < old.Seq {
			first[k.ctx] = v
		}
	}
	var list []*message.Wave
	for _, v := range first {
		list = append(list, v)
	}
	slices.SortFunc(list, func(a, b *message.Wave) int {
		return cmp.Or(cmp.Compare(a.Arrived.Lowest(), b.Arrived.Lowest()), cmp.Compare(a.Ctx, b.Ctx))
	})
	for _, v := range list[:min(len(list), maxCores)] {
		if _, failed := a.collectives.failed[v.Ctx]; failed || s.anyMurky(v.Ctx) {
			continue
		}
		c := waitstate.Clash{Ctx: v.Ctx, Seq: v.Seq, Voices: v.Voices, Absent: s.absent(v), Further: open[v.Ctx] - 1}
		c.Ends = s.ends(c.Absent)
		a.collectives.report(c)
	}
}

// anyMurky says whether not all collective calls of some member may be known.
func (s *state) anyMurky(ctx op.CommID) bool {
	members := s.groups[ctx]
	for r := range s.murky {
		if members.Has(r) {
			return true
		}
	}
	return false
}

// absent are the members that have come to MPI_Finalize without calling an open collective.
func (s *state) absent(v *message.Wave) []op.Rank {
	var out []op.Rank
	for m := range s.groups[v.Ctx].All() {
		if !v.Arrived.Has(m) && s.finalized(m) {
			out = append(out, m)
		}
	}
	return out
}

// ends are the calls of MPI_Finalize of some ranks, as far as they are known.
func (s *state) ends(ranks []op.Rank) []*waitstate.Origin {
	var out []*waitstate.Origin
	for _, r := range ranks {
		for _, i := range s.threadsOf(r) {
			if w := s.threads[i]; w.HasStrict && w.Strict.Terminal {
				out = append(out, &waitstate.Origin{Rank: r, Thread: w.Thread, Stamp: w.Strict.Stamp, Fn: w.Strict.Fn,
					Site: w.Strict.Site, TS: w.Strict.TS})
				break
			}
		}
	}
	return out
}

// held is an unsafe deadlock that is kept back until the end of the run: a collective in it is one that some member had
// not called when it was found. If that never calls it, the finding is another one.
type held struct {
	finding finding.Finding
	waves   []waveKey
}

// maxHeld bounds the findings that are kept back.
const maxHeld = 1000

// tellUnsafe tells of an unsafe deadlock, now or at the end.
func (a *absences) tellUnsafe(b *build, s *explain.Story) {
	f, waves := s.Finding(), b.uncalled(s)
	if len(waves) == 0 || a.searched {
		a.findings.tell(f)
	} else if len(a.held) < maxHeld {
		a.held = append(a.held, held{f, waves})
	}
}

// tellHeld reports what was deferred, except for that on a collective which some member never calls.
func (a *absences) tellHeld(s *state) {
	for _, h := range a.held {
		if !slices.ContainsFunc(h.waves, func(k waveKey) bool {
			return a.collectives.clashes[k.ctx] && s.waves[k] != nil &&
				len(s.absent(s.waves[k])) > 0
		}) {
			a.findings.tell(h.finding)
		}
	}
	a.held = nil
}

// uncalled are the collectives that members of a story got past in the run before all ranks had called them.
func (b *build) uncalled(s *explain.Story) []waveKey {
	var out []waveKey
	for i := range s.Members {
		m := &s.Members[i]
		for _, n := range m.Wait.Needs {
			k := waveKey{n.Ctx, n.Seq}
			v := b.waves[k]
			if n.Kind == waitstate.NeedMembers && m.Wait.Returned && v != nil &&
				v.Arrived.Len() < b.groups[n.Ctx].Len() {
				out = append(out, k)
			}
		}
	}
	return out
}
