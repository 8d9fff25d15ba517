package rma

import (
	"fmt"
	"math"
	"slices"

	"unknot/internal/check"
	"unknot/internal/model/objects"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// exposure is what was done to a window in one epoch of its owner.
type exposure struct {
	key     epochKey
	list    []*spot // ascending
	some    []*spot // of them, for meeting
	longest int64
	many    int           // acts under locks, at which it is time to look which of them are over
	noPut   *objects.Made // the owner's call that said MPI_MODE_NOPUT
}

// spot is an act at its place in the target's window.
type spot struct {
	act    *act
	at     int64 // where it is, in bytes from the start of the window
	lo, hi int64 // the first byte that it touches, and the one behind the last
	from   op.Rank
	turn   uint64 // of an access of the program's own, among all
	batch  *batch // of an access by its loads and stores, of those that the rank has made to its own window
	nth    uint64 // among the acts of its batch; of such an access, how many of them were made before
	local  bool   // the owner of the window uses its memory as a buffer of a call
	open   bool   // that call is not complete before the end of the epoch
}

// maxPlaced bounds what is remembered of an epoch.
const maxPlaced = 1 << 12

// arrived takes in what a rank has done to a window of this agent's ranks.
func (m *remote) arrived(to *check.Watch, b *batch) {
	t := m.targets.windows[targetKey{b.win, b.to}]
	if t == nil {
		if len(m.targets.early) < maxEarly {
			m.targets.early = append(m.targets.early, b)
		}
		return
	}
	e := &exposure{key: b.key}
	switch b.key.kind {
	case byFence:
		e = t.exposure(b.key)
	case byStart:
		nth, ok := t.postOf[postKey{b.from, b.key.nth}]
		if !ok {
			if len(t.waiting) < maxWaiting {
				t.waiting = append(t.waiting, b)
			}
			return
		}
		e = t.exposure(epochKey{byPost, nth})
	}
	for i := range b.acts {
		m.judge(to, t, e, b, i)
	}
}

// judge compares an act with the window and with the others of its epoch.
func (m *remote) judge(to *check.Watch, t *target, e *exposure, b *batch, i int) {
	a := &b.acts[i]
	if e.noPut != nil && !a.looks() {
		m.despiteNoPut(to, t, e, b.from, a)
	}
	w := t.win
	if !a.known || a.layout.None() {
		return
	}
	p := &spot{act: a, from: b.from, batch: b, nth: uint64(i)}
	switch inside := w.locate(p); {
	case w.kind == "create_dynamic":
		m.unattached(to, t, b.from, a, p)
	case w.size < 0 || w.unit <= 0:
		return
	case !inside:
		m.outside(to, w, a, p)
		return
	}
	switch e.key.kind {
	case noEpoch:
		return
	case passive:
		m.amongOthers(to, t, p)
	}
	if e.against(p, w.sameOp, func(q *spot, why clash) { m.conflict(to, w, why, p, q) }) {
		return
	}
	t.placed += e.insert(p)
}

// locate finds the place of a call's act in the window of its target, in a dynamic one by the address; false if it is
// not all in there.
func (w *window) locate(p *spot) bool {
	a := p.act
	switch {
	case !a.known || a.layout.None():
		return false
	case w.kind == "create_dynamic":
		p.at = a.disp
	case w.size < 0 || w.unit <= 0:
		return false
	default:
		p.at = min(a.disp, math.MaxInt64/4/w.unit) * w.unit
	}
	p.lo, p.hi = p.at+a.layout.From, p.at+a.layout.To
	return w.kind == "create_dynamic" || p.lo >= 0 && p.hi <= w.size
}

// against compares an act with the others, and says with which it clashes: one with which it is an error, which makes
// the answer true unless that is an access of the program's own, else one that deserves a warning.
func (e *exposure) against(p *spot, sameOp bool, say func(q *spot, why clash)) bool {
	var doubtful, plain *spot
	var because clash
	for k := e.first(p.lo); k < len(e.list) && e.list[k].lo < p.hi; k++ {
		q := e.list[k]
		if q.hi <= p.lo || p.act.plain() && (q.act.plain() || q.act.told) {
			continue
		}
		why := clashOf(p, q, sameOp)
		if why == noClash || doubtful != nil && why.severity() == finding.Warning ||
			!p.act.layout.Meets(p.at, &q.act.layout, q.at) {
			continue
		}
		if q.act.plain() { // the first of these is reported
			if plain == nil || q.turn < plain.turn {
				plain = q
			}
			continue
		}
		if why.severity() == finding.Error {
			say(q, why)
			if p.act.plain() {
				p.tells(q)
				continue
			}
			return true
		}
		doubtful, because = q, why
	}
	if plain != nil {
		say(plain, accesses)
		p.tells(plain)
	}
	if doubtful != nil && plain == nil {
		say(doubtful, because)
	}
	return false
}

// tells notes of an RMA call that it was reported with an access of the program's own: one is enough.
func (p *spot) tells(q *spot) {
	if p.act.plain() || q.act.plain() {
		p.act.told, q.act.told = true, true
	}
}

// first is where in the list those begin that may reach a byte.
func (e *exposure) first(lo int64) int {
	at, _ := slices.BinarySearchFunc(e.list, lo-e.longest, func(q *spot, v int64) int {
		if q.lo < v {
			return -1
		}
		return 1
	})
	return at
}

// insert remembers an act, unless two others that any third would conflict with for the same reasons are there already,
// and says how many more are remembered.
func (e *exposure) insert(p *spot) int {
	if len(e.list) >= maxPlaced {
		return 0
	}
	at, alike := e.first(p.lo+e.longest), 0
	for k := at; k < len(e.list) && e.list[k].lo == p.lo; k++ {
		q := e.list[k]
		if q.hi == p.hi && q.local == p.local && q.open == p.open &&
			(!p.local || q.act.under.from == p.act.under.from) && q.act.under.fresh == p.act.under.fresh &&
			q.act.manner == p.act.manner && q.act.op == p.act.op && q.act.until == p.act.until &&
			q.act.layout == p.act.layout {
			if alike++; alike == 2 || q.from == p.from {
				return 0
			}
		}
	}
	e.list = slices.Insert(e.list, at, p)
	e.longest = max(e.longest, p.hi-p.lo)
	return 1
}

// spoken is what an act does, for a reader.
func (a *act) spoken() string {
	if a.op != "" && a.manner == mpi.Updates {
		return fmt.Sprintf("%s them with %s (%s)", a.manner, a.call.Fn.Name, a.op)
	}
	return fmt.Sprintf("%s them with %s", a.manner, a.call.Fn.Name)
}

func (m *remote) conflict(to *check.Watch, w *window, why clash, p, q *spot) {
	words := clashWords{before: "in the same epoch ", severity: why.severity()}
	if q.local {
		p, q = q, p
	}
	if p.local && !p.open && p.from != q.from && !q.act.under.private {
		words.severity = finding.Warning
		words.notes = []string{
			fmt.Sprintf("they can be ordered only if rank %d waits for a value in memory that other ranks write",
				q.from)}
	}
	m.sayClash(to, w, why, p, q, words)
}

// clashWords are what a report of two accesses says besides of them.
type clashWords struct {
	before, after string // what is said of the second
	notes         []string
	hint          string
	severity      finding.Severity
}

// doubt is a warning that is kept back until the end: of what is wrong with a call, the worst is to be reported.
type doubt struct {
	win  *window
	why  clash
	p, q *spot
	say  clashWords
}

// maxDoubts bounds those that are kept.
const maxDoubts = 1 << 10

// tellDoubts reports the warnings that were kept back.
func (m *remote) tellDoubts(to *check.Watch) {
	list := m.doubts
	m.doubts, m.ending = nil, true
	for i := range list {
		d := &list[i]
		m.sayClash(to, d.win, d.why, d.p, d.q, d.say)
	}
}

func (m *remote) sayClash(to *check.Watch, w *window, why clash, p, q *spot, say clashWords) {
	if p.act.vague || q.act.vague {
		say.severity = finding.Warning
	}
	if say.severity == finding.Warning && !m.ending {
		if len(m.doubts) < maxDoubts {
			m.doubts = append(m.doubts, doubt{w, why, p, q, say})
		}
		return
	}
	// The same pair is reported the same way whichever arrived first.
	if p.from < q.from && !p.local {
		p, q = q, p
	}
	lo, hi := max(p.lo, q.lo), min(p.hi, q.hi)
	param := -1
	if p.local {
		param = p.act.param
	}
	if p.act.plain() {
		p, q, param = q, p, -1
	}
	if q.act.vague {
		say.notes = append(say.notes, "it is no error if the access is atomic or volatile and a rank waits "+
			"for the value")
	}
	if p.act.plain() {
		m.sayShared(to, w, p, q, bytesOf(w, p, q), hi-lo, say)
		return
	}
	to.Tell(p.from, Conflict, &p.act.call, param, func() check.Words {
		who, does, with := finding.Wordf("rank %d", q.from), "", ""
		if p.from == q.from {
			who = finding.Wordf("it also")
		}
		if q.act.plain() {
			does = q.act.plainly(hi-lo) + " itself"
		} else {
			does = q.act.spoken()
		}
		if p.local {
			with = fmt.Sprintf(" with {%s}", p.act.call.Fn.Params[param].Name)
		}
		words := check.Words{
			Sentence: finding.Wordf("Rank %d calls %s%s, which %s %s of %s; %s%s %s%s.", p.from, p.act.call.Fn.Name,
				with, p.act.manner, bytesOf(w, p, q),
				its(p.from, op.Rank(w.rank.World)), say.before, who, does, say.after),
			Elsewhere: []check.Elsewhere{q.elsewhere()},
		}
		words.Hint = say.hint
		if words.Hint == "" {
			words.Hint = why.remedy(p, q, say.before != "")
		}
		if q.act.plain() {
			words.Hint = "access the memory before the epoch begins or after it has ended (MPI_Win_fence, " +
				"MPI_Win_wait), or under a lock of its own"
		}
		if p.from != q.from && !q.act.plain() {
			words.Meets = &check.Meets{Owner: w.rank.World, Start: uint64(lo), End: uint64(hi)}
		}
		for _, s := range []*spot{p, q} {
			if s.batch != nil && !s.act.plain() {
				s.batch.aside(s.nth).elsewhere(s.from, &words)
			}
		}
		words.Notes, words.Severity = finding.Remarks(append(why.explain(p, q, w.sameOp), say.notes...)...),
			say.severity
		return words
	})
}

// bytesOf are the bytes of a window that two acts have in common.
func bytesOf(w *window, p, q *spot) finding.Wording {
	lo, hi := max(p.lo, q.lo), min(p.hi, q.hi)
	bytes := finding.Wordf("bytes %d to %d", lo, hi-1)
	if hi-lo == 1 && (p.act.plain() || q.act.plain()) {
		bytes = finding.Wordf("byte %d", lo)
	}
	if p.act.layout.Datatype.Size()*p.act.layout.Count < p.hi-p.lo ||
		q.act.layout.Datatype.Size()*q.act.layout.Count < q.hi-q.lo {
		bytes = finding.Wordf("some of %s", bytes)
	}
	if w.kind == "create_dynamic" {
		bytes = finding.Wordf("bytes at %#x to %#x", lo, hi-1)
	}
	return bytes
}

func (m *remote) outside(to *check.Watch, w *window, a *act, p *spot) {
	to.Tell(p.from, rmaBounds, &a.call, a.param, func() check.Words {
		owner := op.Rank(w.rank.World)
		s := finding.Wordf("Rank %d calls %s with {target_disp} %d: that is bytes %d to %d of %s, which has %d bytes.",
			p.from, a.call.Fn.Name, a.disp, p.lo, p.hi-1, its(p.from, owner), w.size)
		words := check.Words{Sentence: s,
			Elsewhere: []check.Elsewhere{{Related: check.Related{Text: "that window was created", Func: w.made.Func,
				Site: w.made.Site}, Rank: int(owner)}}}
		if w.unit != 1 {
			words.Notes = []finding.Note{finding.Remarkf("its displacement unit is %d bytes", w.unit)}
			if int64(w.size) < p.hi && p.hi <= int64(w.size)*int64(w.unit) {
				words.Hint = "the size of a window is in bytes, not in elements: multiply it by the size of an element"
			}
		} else if a.layout.To-a.layout.From > 1 {
			words.Notes = finding.Remarks("its displacement unit is 1 byte: displacements are in bytes, not elements")
		}
		return words
	})
}

func (m *remote) despiteNoPut(to *check.Watch, t *target, e *exposure, from op.Rank, a *act) {
	owner := op.Rank(t.win.rank.World)
	to.Tell(from, rmaAssert, &a.call, -1, func() check.Words {
		who := finding.Wordf("rank %d", owner)
		if owner == from {
			who = finding.Wordf("it")
		}
		return check.Words{Sentence: finding.Wordf("Rank %d calls %s, which %s %s, but %s asserted MPI_MODE_NOPUT: "+
			"no puts would arrive before the next synchronisation.", from, a.call.Fn.Name, a.manner,
			its(from, owner), who),
			Elsewhere: []check.Elsewhere{{Related: check.Related{Text: "that was asserted", Func: e.noPut.Func,
				Site: e.noPut.Site}, Rank: int(owner)}}}
	})
}

// begin notes that the owner of a window has begun an exposure epoch.
func (m *remote) begin(to *check.Watch, w *window, key epochKey, noPut bool, by objects.Made) {
	t := m.targets.of(w)
	if t == nil || !noPut {
		return
	}
	e := t.exposure(key)
	e.noPut = &by
	for _, p := range e.list {
		if !p.local && !p.act.looks() {
			m.despiteNoPut(to, t, e, p.from, p.act)
		}
	}
}

// post notes that the owner of a window lets a group access it.
func (m *remote) post(to *check.Watch, w *window, group []op.Rank, noPut bool, by objects.Made) {
	t := m.targets.of(w)
	if t == nil {
		return
	}
	t.posts++
	if len(t.postOf) > maxPlaced {
		clear(t.postOf)
	}
	for _, r := range group {
		t.postsFor[r]++
		t.postOf[postKey{r, t.postsFor[r]}] = t.posts
	}
	m.begin(to, w, epochKey{byPost, t.posts}, noPut, by)
	waiting := t.waiting
	t.waiting = nil
	for _, b := range waiting {
		m.arrived(to, b)
	}
}
