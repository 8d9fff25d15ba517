package shmem

import (
	"fmt"
	"strings"

	"unknot/internal/vocab/finding"
)

// Race is two accesses to memory of which nothing is known to order them.
type Race struct {
	Count      int
	Sides      [2]Side // as they stand in package race
	Owner      int     // the PE whose memory it is
	Start, End uint64  // of the bytes there
	Object     Object
	// Ordered says that something orders the accesses in this run, on which a program may not rely.
	Ordered bool
	// Otherwise there may be something that does and that is not seen:
	Doubts   []Doubt
	Answered bool // another PE may have said that the data of the transfer has come
	Vague    bool // a PE may have waited before it accessed the memory itself, by loads of which not all are known
	Outside  bool // a PE may have heard of the other by ways that are not OpenSHMEM's
	Later    int  // the PE whose access came later
	Locks    bool // the program uses locks
}

// Side is one access of a race.
type Side struct {
	*Site
	PE     int
	Does   Doing
	ByPtr  bool // by an address of shmem_ptr
	Locked bool // while the PE holds a lock
}

// Doing is what an access does.
type Doing uint8

// What accesses do.
const (
	Reads Doing = iota
	Writes
	Puts
	ReadsAtomically
	ChangesAtomically
	Uses // as a part of a collective call
	Frees
	TakesLock
)

// Doubt is why accesses may be ordered by something that is not seen.
type Doubt struct {
	Why Unseen
	PEs []int // of Absent
}

// Unseen is a reason for a doubt.
type Unseen uint8

// Reasons for doubts.
const (
	DirectAddress Unseen = iota // a PE has an address at which its loads and stores are not recorded
	HeldUp                      // a record came so late that others were followed before it
	Absent                      // nothing was recorded of some PEs
	UsesMPI
)

// String is the doubt in words.
func (d Doubt) String() string {
	switch d.Why {
	case DirectAddress:
		return "a PE has the address of another one's memory (shmem_ptr), and may load from it and store to it"
	case HeldUp:
		return "a PE was held up for seconds in the middle of a call, so that what it did may have come in another order"
	case UsesMPI:
		return "the program communicates by MPI, too"
	}
	var absent []string
	for _, t := range d.PEs {
		absent = append(absent, fmt.Sprint(t))
	}
	const most = 8
	n := len(absent)
	if n > most {
		absent = append(absent[:most], fmt.Sprintf("%d more", n-most))
	}
	whose := "PE"
	if n > 1 {
		whose = "PEs"
	}
	return fmt.Sprintf("nothing is known of %s %s", whose, finding.JoinAnd(absent))
}

// verb is what the access does with the memory.
func (s *Side) verb() string {
	own := "itself"
	if s.ByPtr {
		own = "by an address of shmem_ptr"
	}
	switch {
	case s.Own() && s.Does == Reads:
		return "reads it " + own
	case s.Own():
		return "writes it " + own
	}
	return [...]string{Reads: "reads it", Writes: "writes it", Puts: "puts to it", ReadsAtomically: "reads it atomically",
		ChangesAtomically: "changes it atomically", Uses: "uses it", Frees: "frees it",
		TakesLock: "takes it as a lock"}[s.Does]
}

// Puts says whether the call is a put.
func (s *Side) Puts() bool {
	return strings.Contains(s.Call, "put") || strings.HasSuffix(s.Call, "_p")
}

// atomic says whether it is an access of an atomic operation.
func (s *Side) atomic() bool { return s.Does == ReadsAtomically || s.Does == ChangesAtomically }

// did is what it does, in a sentence.
func (s *Side) did() string {
	if s.Own() {
		return fmt.Sprintf("%s at %s", s.verb(), s.at())
	}
	return fmt.Sprintf("%s by %s", s.verb(), s.where())
}

// Races makes the findings of races. What is one access in the source may be several of the program's own, so those of
// the same lines and standing are one.
func Races(list []Race) (all []finding.Finding) {
	type part struct {
		call, verb string
		frame      finding.Frame
	}
	type line struct {
		a, b     part
		standing finding.Standing
	}
	first := make(map[line]int)
	for i := range list {
		f := list[i].finding()
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

// finding makes the finding of a race.
func (r *Race) finding() finding.Finding {
	a, b := &r.Sides[0], &r.Sides[1]
	if a.PE > b.PE || a.PE == b.PE && a.Own() {
		a, b = b, a
	}
	f := manifest(finding.SHMEMRace)
	f.Count, f.Ranks = r.Count, []int{a.PE}
	if a.PE != b.PE {
		f.Ranks = append(f.Ranks, b.PE)
	}
	for _, s := range []*Side{a, b} {
		place := s.place(s.PE, "called")
		place.SetArgs(finding.Plain(s.verb()))
		f.Places = append(f.Places, place)
	}
	begin, end := "Data race", "and nothing orders the two accesses"
	if a.PE == b.PE {
		end = "and nothing between orders the two"
	}
	if r.predicted() {
		f.Standing, f.Severity = finding.Predicted, finding.Warning
		begin, end = "Possible data race", r.only()
	}
	both := fmt.Sprintf("PE %d %s, and PE %d %s", a.PE, a.did(), b.PE, b.did())
	if a.PE == b.PE {
		both = fmt.Sprintf("PE %d %s, and %s", a.PE, a.did(), b.did())
	}
	f.Sentence = fmt.Sprintf("%s on %s of PE %d: %s, %s.", begin, &r.Object, r.Owner, both, end)
	if a.PE == b.PE && b.Own() && f.Standing == finding.Manifest {
		f.Sentence = early(&r.Object, a, b)
	}
	f.Hint = r.hint(a, b)
	if a.PE != b.PE && !a.Own() && !b.Own() && a.Number != 0 && b.Number != 0 {
		f.Meeting = &finding.Meeting{Sites: [2]uint32{a.Number, b.Number}, Owner: r.Owner, Start: r.Start,
			End: r.End, Ranks: []int{a.PE, b.PE}}
	}
	return f
}

// own says whether the program makes one of the accesses itself.
func (r *Race) own() bool { return r.Sides[0].Own() || r.Sides[1].Own() }

// predicted says whether the race is not certain.
func (r *Race) predicted() bool {
	return r.Ordered || len(r.Doubts) > 0 || r.Vague || r.Outside || r.own() && r.Answered
}

// early says that a PE accesses memory itself that one of its calls still uses.
func early(object *Object, call, own *Side) string {
	uses := "write"
	if call.Does == Reads {
		uses = "read"
	}
	verb, how, _ := strings.Cut(own.verb(), " it ")
	return fmt.Sprintf("PE %d %s %s %s at %s, which %s may still %s, as no shmem_quiet is between.", own.PE, verb,
		object, how, own.at(), call.where(), uses)
}

// only says what alone has kept the accesses of a predicted race apart.
func (r *Race) only() string {
	const locks = "the order in which the PEs took a lock"
	if !r.Ordered {
		var why []string
		for _, d := range r.Doubts {
			why = append(why, d.String())
		}
		switch {
		case len(why) > 0:
		case r.Answered:
			why = []string{"another PE may have said that the data has come"}
		case r.Outside:
			why = []string{"one of the two PEs may have heard of the other by a file, or another way that is not " +
				"OpenSHMEM's"}
		default:
			why = []string{
				"which loads are atomic or volatile, and may have waited for another PE, is not known of all"}
		}
		return "and nothing that is seen orders the two accesses; but " + strings.Join(why, ", and ")
	}
	read := fmt.Sprintf("what PE %d can have read in its own memory", r.Later)
	one, other := r.Sides[0].Locked, r.Sides[1].Locked
	switch {
	case r.own() && !r.Locks:
		return "and only what one of the two PEs can have read in memory orders them, which OpenSHMEM does not promise"
	case r.own() && !(one && other):
		return "and only what one of the two PEs can have read in memory, or the order in which PEs took a lock, " +
			"orders them, which OpenSHMEM does not promise"
	case one && other:
		return "and only " + locks + " kept the two accesses apart"
	case r.Locks:
		return "and only " + read + ", or " + locks + ", orders them, which OpenSHMEM does not promise"
	}
	return "and only " + read + " orders them, which OpenSHMEM does not promise"
}

// hint says what is missing between the accesses.
func (r *Race) hint(a, b *Side) string {
	one, other := a.Locked, b.Locked
	does := func(what Doing) bool { return a.Does == what || b.Does == what }
	var putter *Side
	for _, s := range []*Side{a, b} {
		if !s.Own() && (s.Does == Puts || s.Does == ChangesAtomically) {
			putter = s
			break
		}
	}
	switch {
	case does(Frees):
		return "free it when all transfers to and from it are complete on all PEs"
	case does(Uses):
		return "use it again only when all members have left the collective: put a shmem_barrier_all between, or use " +
			"two arrays in turn"
	case a.PE == b.PE && a.Puts() && b.Puts():
		return "put a shmem_fence between the two"
	case a.PE == b.PE && (a.Own() || b.Own()):
		return "call shmem_quiet, or shmem_ctx_quiet if the call has a context, before the PE uses the memory itself"
	case a.PE == b.PE:
		return "complete the first transfer by shmem_quiet before the second"
	case does(TakesLock):
		return "put a shmem_barrier_all between the two: a lock is 0 on all PEs before the first one takes it, and " +
			"from then on only the functions for locks change it"
	case one && other:
		return "the two PEs hold different locks; guard both accesses with the same lock"
	case one || other:
		return "only one of the PEs holds a lock; take the same lock around both accesses"
	case a.atomic() && b.atomic():
		return "use atomic operations of one type for both: those of different types are not atomic to each other"
	case a.atomic() || b.atomic():
		return "use atomic operations for both, or put a shmem_barrier_all between"
	case r.Ordered && putter != nil && putter.Does == Puts:
		return fmt.Sprintf("let the PE wait by shmem_wait_until, or read the flag by shmem_atomic_fetch, instead of "+
			"a plain load; if PE %d puts to it repeatedly, let it wait "+
			"until PE %d has said that it is done with it", putter.PE, a.PE+b.PE-putter.PE)
	case r.Ordered:
		return "let the PE wait by shmem_wait_until, or read the flag by shmem_atomic_fetch, instead of a plain load"
	case a.Site == b.Site && a.Puts() && b.Puts():
		return "let one PE alone put to it; if each adds to what the others have put, use an atomic operation such " +
			"as shmem_atomic_add, or a lock around reading and putting it"
	case putter != nil:
		return fmt.Sprintf("put a shmem_barrier_all between the two; if PE %d sets a flag after it puts the data, "+
			"call shmem_fence or shmem_quiet between these, "+
			"and let the other PE wait for the flag by shmem_wait_until", putter.PE)
	}
	return "put a shmem_barrier_all between the two accesses, or guard both with the same lock"
}
