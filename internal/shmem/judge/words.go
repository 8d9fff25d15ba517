package judge

import (
	"fmt"
	"strings"

	"unknot/internal/model/race"
	"unknot/internal/vocab/finding"
)

// side is one access of a race.
type side struct {
	*site
	pe   int
	verb string
}

// side is that of a party to a race for memory of a PE.
func (j *job) side(p *program, x *race.Party, owner race.Owner) side {
	s := side{p.site(uint32(x.Site)), int(x.Thread), "reads it"}
	how := "itself"
	if x.Thread != race.Thread(owner) {
		how = "by an address of shmem_ptr"
	}
	switch {
	case s.own() && x.Kind == race.Read:
		s.verb = "reads it " + how
	case s.own():
		s.verb = "writes it " + how
	case j.frees[x.Site]:
		s.verb = "frees it"
	case j.locking[x.Site]:
		s.verb = "takes it as a lock"
	case x.Kind == race.AtomicRead:
		s.verb = "reads it atomically"
	case x.Kind == race.Atomic:
		s.verb = "changes it atomically"
	case x.Kind == race.Accumulate:
		s.verb = "uses it"
	case x.Kind != race.Read && s.puts():
		s.verb = "puts to it"
	case x.Kind != race.Read:
		s.verb = "writes it"
	}
	return s
}

// puts says whether the call is a put.
func (s *site) puts() bool {
	return strings.Contains(s.call, "put") || strings.HasSuffix(s.call, "_p")
}

// did is what it does, in a sentence.
func (s *side) did() string {
	if s.own() {
		return fmt.Sprintf("%s at %s", s.verb, s.at())
	}
	return fmt.Sprintf("%s by %s", s.verb, s.where())
}

// races makes the findings of races. What is one access in the source may be several of the program's own, so those of
// the same lines and standing are one.
func (j *job) races(p *program) (all []finding.Finding) {
	type part struct {
		call, verb string
		frame      finding.Frame
	}
	type line struct {
		a, b     part
		standing finding.Standing
	}
	first := make(map[line]int)
	for _, r := range j.detector.Races() {
		if j.fromSets(&r) {
			continue
		}
		f := j.race(p, &r)
		last := len(f.Places) - 1
		if a, b := &f.Places[0], &f.Places[last]; (a.Call == "" || b.Call == "") && a.File != "" && b.File != "" {
			key := line{part{a.Call, a.Args, lineOf(a.Frame)}, part{b.Call, b.Args, lineOf(b.Frame)}, f.Standing}
			if n, there := first[key]; there {
				all[n].Count += f.Count
				continue
			}
			first[key] = len(all)
		}
		all = append(all, f)
	}
	return all
}

// lineOf is a line of the source.
func lineOf(f finding.Frame) finding.Frame { return finding.Frame{File: f.File, Line: f.Line} }

// race makes the finding of a race.
func (j *job) race(p *program, r *race.Race) finding.Finding {
	a, b := j.side(p, &r.First, r.Owner), j.side(p, &r.Second, r.Owner)
	if a.pe > b.pe || a.pe == b.pe && a.own() {
		a, b = b, a
	}
	f := finding.Finding{Code: finding.SHMEMRace, Severity: finding.Error, Standing: finding.Manifest,
		Language: finding.OpenSHMEM,
		Count:    r.Count, Ranks: []int{a.pe}}
	if a.pe != b.pe {
		f.Ranks = append(f.Ranks, b.pe)
	}
	for _, s := range []side{a, b} {
		place := s.place(s.pe, "called")
		place.SetArgs(finding.Plain(s.verb))
		f.Places = append(f.Places, place)
	}
	answered := (a.own() || b.own()) && j.answered[sites{r.First.Site, r.Second.Site}]
	begin, end := "Data race", "and nothing orders the two accesses"
	if a.pe == b.pe {
		end = "and nothing between orders the two"
	}
	if r.Standing == race.Predicted || len(j.doubts) > 0 || j.vague[r.First.Site] || j.vague[r.Second.Site] ||
		j.outside[r.First.Site] || j.outside[r.Second.Site] || answered {
		f.Standing, f.Severity = finding.Predicted, finding.Warning
		begin, end = "Possible data race", j.only(r, a.own() || b.own())
	}
	both := fmt.Sprintf("PE %d %s, and PE %d %s", a.pe, a.did(), b.pe, b.did())
	if a.pe == b.pe {
		both = fmt.Sprintf("PE %d %s, and %s", a.pe, a.did(), b.did())
	}
	f.Sentence = fmt.Sprintf("%s on %s of PE %d: %s, %s.", begin, j.object(p, r.Start, r.End-r.Start),
		r.Owner, both, end)
	if a.pe == b.pe && b.own() && f.Standing == finding.Manifest {
		f.Sentence = early(j.object(p, r.Start, r.End-r.Start), &a, &b)
	}
	f.Hint = j.hint(r, &a, &b)
	if a.pe != b.pe && !a.own() && !b.own() && a.number != 0 && b.number != 0 {
		f.Meeting = &finding.Meeting{Sites: [2]uint32{a.number, b.number}, Owner: int(r.Owner), Start: r.Start,
			End: r.End, Ranks: []int{a.pe, b.pe}}
	}
	return f
}

// early says that a PE accesses memory itself that a call of its own still uses.
func early(object string, call, own *side) string {
	uses := "write"
	if call.verb == "reads it" {
		uses = "read"
	}
	verb, how, _ := strings.Cut(own.verb, " it ")
	return fmt.Sprintf("PE %d %s %s %s at %s, which %s may still %s, as no shmem_quiet is between.", own.pe, verb,
		object, how, own.at(), call.where(), uses)
}

// only says what alone has kept the accesses of a predicted race apart.
func (j *job) only(r *race.Race, own bool) string {
	const locks = "the order in which the PEs took a lock"
	if r.Standing == race.Manifest {
		why := j.doubts
		switch {
		case len(why) > 0:
		case j.answered[sites{r.First.Site, r.Second.Site}]:
			why = []string{"another PE may have said that the data has come"}
		case j.outside[r.First.Site] || j.outside[r.Second.Site]:
			why = []string{"one of the two PEs may have heard of the other by a file, or another way that is not " +
				"OpenSHMEM's"}
		default:
			why = []string{
				"which loads are atomic or volatile, and may have waited for another PE, is not known of all"}
		}
		return "and nothing that is seen orders the two accesses; but " + strings.Join(why, ", and ")
	}
	read := fmt.Sprintf("what PE %d can have read in its own memory", j.later[sites{r.First.Site, r.Second.Site}])
	switch {
	case own && len(j.locking) == 0:
		return "and only what one of the two PEs can have read in memory orders them, which OpenSHMEM does not promise"
	case own && (len(r.First.Locks) == 0 || len(r.Second.Locks) == 0):
		return "and only what one of the two PEs can have read in memory, or the order in which PEs took a lock, " +
			"orders them, which OpenSHMEM does not promise"
	case len(r.First.Locks) > 0 && len(r.Second.Locks) > 0:
		return "and only " + locks + " kept the two accesses apart"
	case len(j.locking) > 0:
		return "and only " + read + ", or " + locks + ", orders them, which OpenSHMEM does not promise"
	}
	return "and only " + read + " orders them, which OpenSHMEM does not promise"
}

// hint says what is missing between the accesses.
func (j *job) hint(r *race.Race, a, b *side) string {
	one, other := len(r.First.Locks) > 0, len(r.Second.Locks) > 0
	atomic := func(k race.Kind) bool { return k == race.Atomic || k == race.AtomicRead }
	var putter *side
	for _, s := range []*side{a, b} {
		if s.verb == "puts to it" || s.verb == "changes it atomically" {
			putter = s
			break
		}
	}
	switch {
	case j.frees[r.First.Site] || j.frees[r.Second.Site]:
		return "free it when all transfers to and from it are complete on all PEs"
	case r.First.Kind == race.Accumulate || r.Second.Kind == race.Accumulate:
		return "use it again only when all members have left the collective: put a shmem_barrier_all between, or use " +
			"two arrays in turn"
	case a.pe == b.pe && a.puts() && b.puts():
		return "put a shmem_fence between the two"
	case a.pe == b.pe && (a.own() || b.own()):
		return "call shmem_quiet, or shmem_ctx_quiet if the call has a context, before the PE uses the memory itself"
	case a.pe == b.pe:
		return "complete the first transfer by shmem_quiet before the second"
	case j.locking[r.First.Site] || j.locking[r.Second.Site]:
		return "put a shmem_barrier_all between the two: a lock is 0 on all PEs before the first one takes it, and " +
			"from then on only the functions for locks change it"
	case one && other:
		return "the two PEs hold different locks; guard both accesses with the same lock"
	case one || other:
		return "only one of the PEs holds a lock; take the same lock around both accesses"
	case atomic(r.First.Kind) && atomic(r.Second.Kind):
		return "use atomic operations of one type for both: those of different types are not atomic to each other"
	case atomic(r.First.Kind) || atomic(r.Second.Kind):
		return "use atomic operations for both, or put a shmem_barrier_all between"
	case r.Standing == race.Predicted && putter != nil && putter.verb == "puts to it":
		return fmt.Sprintf("let the PE wait by shmem_wait_until, or read the flag by shmem_atomic_fetch, instead of "+
			"a plain load; if PE %d puts to it repeatedly, let it wait "+
			"until PE %d has said that it is done with it", putter.pe, a.pe+b.pe-putter.pe)
	case r.Standing == race.Predicted:
		return "let the PE wait by shmem_wait_until, or read the flag by shmem_atomic_fetch, instead of a plain load"
	case r.First.Site == r.Second.Site && a.puts() && b.puts():
		return "let one PE alone put to it; if each adds to what the others have put, use an atomic operation such " +
			"as shmem_atomic_add, or a lock around reading and putting it"
	case putter != nil:
		return fmt.Sprintf("put a shmem_barrier_all between the two; if PE %d sets a flag after it puts the data, "+
			"call shmem_fence or shmem_quiet between these, "+
			"and let the other PE wait for the flag by shmem_wait_until", putter.pe)
	}
	return "put a shmem_barrier_all between the two accesses, or guard both with the same lock"
}
