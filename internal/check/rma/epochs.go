package rma

import (
	"slices"
	"strings"

	"unknot/internal/check"
	"unknot/internal/model/objects"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// synchronisation is the handler of a call that begins or ends epochs (MPI-4.0, 12.5), nil for other functions.
func (m *windows) synchronisation(f *mpi.Func) func(*check.Call) {
	var do func(w *window, c *check.Call, rank int64, has bool)
	win, rank := f.Named("win"), f.Named("rank")
	switch {
	case f.Freed == mpi.OWin:
		do = func(w *window, c *check.Call, _ int64, _ bool) { m.freeing(w, c) }
	case f.Class == mpi.WinStart:
		do = m.begin
	case f.Class == mpi.WinComplete:
		do = m.complete
	case f.Class == mpi.WinPost:
		do = m.post
	case f.Class == mpi.WinWait, f.Class == mpi.WinTest:
		do = m.wait
	case f.Class == mpi.WinLock && rank >= 0:
		do = m.lock
	case f.Class == mpi.WinLock:
		do = m.lockAll
	case f.Class == mpi.WinUnlock && rank >= 0:
		do = m.unlock
	case f.Class == mpi.WinUnlock:
		do = m.unlockAll
	case f.Fences():
		do = m.fence
	case f.Flushes():
		do = m.flush
	default:
		return nil
	}
	return func(c *check.Call) {
		h, _ := c.Int(win)
		w := m.find(c, uint64(h))
		if w == nil {
			return
		}
		r, has := int64(-1), false
		if rank >= 0 {
			r, has = c.Int(rank)
			if !has || r < 0 {
				return // MPI_PROC_NULL, or wrong: the epochs stay as they are
			}
		}
		do(w, c, r, has)
	}
}

// Assertions that say something of an epoch.
const (
	noPrecede = "MPI_MODE_NOPRECEDE"
	noSucceed = "MPI_MODE_NOSUCCEED"
	noPut     = "MPI_MODE_NOPUT"
)

// asserts says whether a call was given an assertion.
func asserts(c *check.Call, name string) bool {
	i := c.Func.Named("assert")
	v, ok := c.Int(i)
	return ok && check.Includes(c.Rank, v, name)
}

// passive says whether a target is locked.
func (w *window) passive(t int64) bool {
	if w.lockAll.Func != nil {
		return true
	}
	_, ok := w.locks[t]
	return ok
}

// aLock is some lock that is held, with its target; -1 is for all.
func (w *window) aLock() (objects.Made, int64, bool) {
	if w.lockAll.Func != nil {
		return w.lockAll, -1, true
	}
	least := int64(-1)
	for t := range w.locks {
		if least < 0 || t < least {
			least = t
		}
	}
	return w.locks[least], least, least >= 0
}

// cover is the epoch that an RMA call belongs to. That there is none is said.
func (w *window) cover(c *check.Call, t int64, i int) epochKey {
	if w.unsure {
		return epochKey{}
	}
	inGroup := w.started && (w.group == nil || w.members == nil || slices.Contains(w.group, w.world(t)))
	switch {
	case w.passive(t):
		w.lockUsed = true
		return epochKey{kind: passive}
	case c.Func.Class == mpi.Rrma && (inGroup || w.fence == fenced && !w.started):
		c.Say(rmaEpoch, -1, func() check.Words {
			return check.Words{
				Sentence: finding.Wordf("Rank %d calls %s in an epoch of %s; calls that return a request are allowed "+
					"only under a lock.", c.Rank.World, c.Func.Name, w.epochCall().Func.Name),
				Related: []check.Related{{Text: "the epoch was started", Func: w.epochCall().Func,
					Site: w.epochCall().Site}}}
		})
		return epochKey{}
	case inGroup:
		if w.group == nil || w.members == nil {
			return epochKey{}
		}
		return epochKey{byStart, w.starts[w.world(t)]}
	case w.fence == fenced && !w.started:
		if w.issued == nil {
			p := check.Remember(c)
			w.issued = &p
		}
		return epochKey{byFence, w.fences}
	case w.fence == doubtful:
		return epochKey{}
	}
	c.Say(rmaEpoch, i, func() check.Words { return w.uncovered(c, t) })
	return epochKey{}
}

// epochCall is what began the epoch of active target synchronisation that the window is in.
func (w *window) epochCall() objects.Made {
	if w.started {
		return w.start
	}
	return w.fenced
}

// uncovered says why no epoch covers a call.
func (w *window) uncovered(c *check.Call, t int64) check.Words {
	s := finding.Wordf("Rank %d calls %s with {target_rank} %d", c.Rank.World, c.Func.Name, t)
	lock, on, locked := w.aLock()
	switch {
	case w.started:
		return check.Words{Sentence: finding.Wordf("%s, which is not in the group that it passed to MPI_Win_start.", s),
			Related: []check.Related{{Text: "the epoch was started", Func: w.start.Func, Site: w.start.Site}}}
	case locked:
		return check.Words{Sentence: finding.Wordf("%s, which it has not locked; it holds a lock of rank %d.", s, on),
			Related: []check.Related{{Text: "that lock was taken", Func: lock.Func, Site: lock.Site}}}
	case w.fence == overtaken:
		return check.Words{
			Sentence: finding.Wordf("%s outside any epoch: after its last MPI_Win_fence it started and ended an "+
				"epoch of another kind.", s), Related: []check.Related{{Text: "that was ended", Func: w.ended.Func,
				Site: w.ended.Site}},
			Hint: "a fence does not cover calls after a lock or MPI_Win_start; call MPI_Win_fence again before them"}
	case w.fence == closed:
		return check.Words{
			Sentence: finding.Wordf("%s outside any epoch: its last MPI_Win_fence asserted MPI_MODE_NOSUCCEED.", s),
			Related:  []check.Related{{Text: "the epoch was ended", Func: w.fenced.Func, Site: w.fenced.Site}}}
	case w.ended.Func != nil:
		return check.Words{Sentence: finding.Wordf("%s outside any epoch: the last one has ended.", s),
			Related: []check.Related{{Text: "it was ended", Func: w.ended.Func, Site: w.ended.Site}}}
	}
	return check.Words{
		Sentence: finding.Wordf("%s outside any epoch: no MPI_Win_fence, MPI_Win_start or MPI_Win_lock precedes it.",
			s), Related: []check.Related{w.origin()},
		Hint: "start an epoch first: by MPI_Win_fence on all ranks, by MPI_Win_lock, or by MPI_Win_start and " +
			"MPI_Win_post"}
}

// misplaced reports a call that does not fit the epochs of its window. So that it is reported once, what follows is not
// judged.
func (m *windows) misplaced(w *window, c *check.Call, i int, why finding.Wording, related check.Related) {
	if w.unsure {
		return
	}
	c.Say(rmaEpochOrder, i, func() check.Words {
		return check.Words{Sentence: finding.Wordf("Rank %d calls %s %s.", c.Rank.World, c.Func.Name, why),
			Related: []check.Related{related}}
	})
	m.doubt(w)
}

// busy reports a call that begins an epoch while another one is open; true if there is one.
func (m *windows) busy(w *window, c *check.Call, postsToo bool) bool {
	if lock, on, locked := w.aLock(); locked {
		why := finding.Wordf("while it holds a lock of rank %d", on)
		if on < 0 {
			why = finding.Wordf("while it holds a lock of all ranks")
		}
		m.misplaced(w, c, -1, why, check.Related{Text: "that lock was taken", Func: lock.Func, Site: lock.Site})
		return true
	}
	if w.started {
		m.misplaced(w, c, -1, finding.Wordf("while its MPI_Win_start epoch is open"),
			check.Related{Text: "that epoch was started", Func: w.start.Func, Site: w.start.Site})
		return true
	}
	if postsToo && w.posted {
		m.misplaced(w, c, -1, finding.Wordf("while its MPI_Win_post epoch is open"),
			check.Related{Text: "that epoch was started", Func: w.post.Func, Site: w.post.Site})
		return true
	}
	return false
}

// afterFence reports a call that begins another kind of epoch while there are RMA calls that the next MPI_Win_fence
// would complete; true if there are. From then on the fence counts as what the call makes of it.
func (m *windows) afterFence(w *window, c *check.Call, then fenceState) bool {
	if w.issued != nil {
		by := w.issued.Made()
		m.misplaced(w, c, -1, finding.Wordf("in an MPI_Win_fence epoch that has not ended"),
			check.Related{Text: "that epoch has an RMA call", Func: by.Func, Site: by.Site})
		return true
	}
	if w.fence == fenced {
		w.fence = then
		if p := check.Remember(c); c.Func.Class == mpi.WinLock {
			w.locked = &p
		}
	}
	return false
}

// betweenFences reports that a lock was taken between two calls of MPI_Win_fence. By the wording of MPI-4.0, 12.5.1 the
// first of them has begun an epoch if RMA calls came in between, whatever they were for, and an epoch of another kind
// may not overlap it (12.5). MPI libraries go by what the calls were for; assertions say the same in all of them.
func (w *window) betweenFences(c *check.Call) {
	by, first := w.locked, w.fenced
	if by == nil || !w.lockUsed || w.unsure || asserts(c, noPrecede) {
		return
	}
	c.Watch().Tell(op.Rank(c.Rank.World), rmaEpochOrder, by, -1, func() check.Words {
		return check.Words{
			Severity: finding.Warning,
			Sentence: finding.Wordf("Rank %d calls %s, and RMA calls under the lock, between two calls to "+
				"MPI_Win_fence; these may count as part of a fence epoch.", c.Rank.World, by.Fn.Name),
			Related: []check.Related{{Text: "the first was made", Func: first.Func, Site: first.Site},
				{Text: "the second was made", Func: c.Func, Site: c.Site}},
			Hint: "pass MPI_MODE_NOSUCCEED to the last MPI_Win_fence before a lock, or MPI_MODE_NOPRECEDE to the " +
				"first MPI_Win_fence after it",
		}
	})
}

func (m *windows) fence(w *window, c *check.Call, _ int64, _ bool) {
	if !m.busy(w, c, true) && w.issued != nil && asserts(c, noPrecede) && !w.unsure {
		by := w.issued.Made()
		c.Say(rmaAssert, c.Func.Named("assert"), func() check.Words {
			return check.Words{
				Sentence: finding.Wordf("Rank %d calls %s with {assert} MPI_MODE_NOPRECEDE, but there are RMA calls "+
					"for it to complete.", c.Rank.World, c.Func.Name),
				Related: []check.Related{{Text: "one of them was made", Func: by.Func, Site: by.Site}}}
		})
	}
	w.betweenFences(c)
	m.far.closeAll(c.Watch(), w)
	m.origin.settle(w, -1)
	w.locked, w.lockUsed = nil, false
	w.fences++
	// A fence that ends no epoch need not wait for the other ranks (MPI-4.0, 12.5.1).
	p := m.far.knowledge(c.Rank)
	// the call itself counts
	w.round, w.mark, w.calm = p.round, p.learned, !asserts(c, noPrecede) || p.round > 0 && p.learned == p.mark+1
	w.fenced, w.issued, w.ended = c.By(), nil, objects.Made{}
	w.fence = fenced
	if asserts(c, noSucceed) {
		w.fence = closed
	}
	if !w.unsure {
		m.far.begin(c.Watch(), w, epochKey{byFence, w.fences}, asserts(c, noPut), w.fenced)
	}
}

func (m *windows) begin(w *window, c *check.Call, _ int64, _ bool) {
	if w.unsure || m.busy(w, c, false) || m.afterFence(w, c, overtaken) {
		return
	}
	w.started, w.start = true, c.By()
	p := m.far.knowledge(c.Rank)
	w.round, w.mark, w.calm = p.round, p.learned, p.round > 0 && p.learned == p.mark+1 // the call itself counts
	w.group = group(c)
	for _, r := range w.group {
		w.starts[r]++
	}
}

// group is the world ranks of the group that a call was given, nil if they are not all known.
func group(c *check.Call) []op.Rank {
	v := c.Array(c.Func.Named("group"))
	if len(v) < 2 {
		return nil
	}
	list := make([]op.Rank, 0, len(v)-2)
	for _, r := range v[2:] {
		if int32(r) < 0 {
			return nil
		}
		list = append(list, op.Rank(int32(r)))
	}
	return list
}

func (m *windows) complete(w *window, c *check.Call, _ int64, _ bool) {
	m.far.closeAll(c.Watch(), w)
	m.origin.settle(w, -1)
	if !w.started {
		m.misplaced(w, c, -1, finding.Wordf("without MPI_Win_start"), w.before())
		return
	}
	w.started, w.ended = false, c.By()
}

// before is what came before a call that has no match: what ended the last epoch, or the making of the window.
func (w *window) before() check.Related {
	if w.ended.Func != nil {
		return check.Related{Text: "the last epoch was ended", Func: w.ended.Func, Site: w.ended.Site}
	}
	return w.origin()
}

func (m *windows) post(w *window, c *check.Call, _ int64, _ bool) {
	if w.posted {
		m.misplaced(w, c, -1, finding.Wordf("while its MPI_Win_post epoch is open"),
			check.Related{Text: "that epoch was started", Func: w.post.Func, Site: w.post.Site})
		return
	}
	if w.unsure || m.afterFence(w, c, doubtful) {
		return
	}
	w.posted, w.post = true, c.By()
	if g := group(c); g != nil {
		m.far.post(c.Watch(), w, g, asserts(c, noPut), w.post)
	}
}

func (m *windows) wait(w *window, c *check.Call, _ int64, _ bool) {
	if !w.posted {
		m.misplaced(w, c, -1, finding.Wordf("without MPI_Win_post"), w.origin())
		return
	}
	if c.Func.Class == mpi.WinWait {
		w.posted = false
	}
}

// tested ends an exposure epoch that MPI_Win_test found to be over.
func (m *windows) tested(f *mpi.Func) func(*check.Call) {
	win, flag := f.Named("win"), f.Named("flag")
	return func(c *check.Call) {
		h, _ := c.Int(win)
		w := m.of[c.Rank][uint64(h)]
		if v := c.Gave(flag); w != nil && len(v) > 0 && v[0] != 0 {
			w.posted = false
		}
	}
}

func (m *windows) lock(w *window, c *check.Call, rank int64, _ bool) {
	at := c.By()
	if old, twice := w.locks[rank]; twice {
		m.misplaced(w, c, c.Func.Named("rank"), finding.Wordf("with {rank} %d, which it has already locked", rank),
			check.Related{Text: "it was locked", Func: old.Func, Site: old.Site})
		return
	}
	if w.lockAll.Func != nil {
		m.misplaced(w, c, -1, finding.Wordf("while it holds a lock of all ranks"),
			check.Related{Text: "that lock was taken", Func: w.lockAll.Func, Site: w.lockAll.Site})
		return
	}
	if w.started {
		m.misplaced(w, c, -1, finding.Wordf("while its MPI_Win_start epoch is open"),
			check.Related{Text: "that epoch was started", Func: w.start.Func, Site: w.start.Site})
		return
	}
	if !w.unsure && !m.afterFence(w, c, overtaken) {
		w.locks[rank] = at
		if v, ok := c.Rank.Constant("MPI_LOCK_SHARED"); ok && c.Handle(c.Func.Named("lock_type")) == uint64(v) {
			w.shared[rank] = true
		}
	}
}

func (m *windows) lockAll(w *window, c *check.Call, _ int64, _ bool) {
	if !w.unsure && !m.busy(w, c, false) && !m.afterFence(w, c, overtaken) {
		w.lockAll = c.By()
	}
}

func (m *windows) unlock(w *window, c *check.Call, rank int64, _ bool) {
	m.far.overlooked(w, rank)
	m.far.close(c.Watch(), w, rank)
	m.origin.settle(w, rank)
	if _, ok := w.locks[rank]; ok {
		delete(w.locks, rank)
		delete(w.shared, rank)
		w.ended = c.By()
		return
	}
	if w.lockAll.Func != nil {
		m.misplaced(w, c, c.Func.Named("rank"),
			finding.Wordf("for a lock of all ranks, which MPI_Win_unlock_all releases"),
			check.Related{Text: "that lock was taken", Func: w.lockAll.Func, Site: w.lockAll.Site})
		return
	}
	m.misplaced(w, c, c.Func.Named("rank"), finding.Wordf("with {rank} %d, which it has not locked", rank), w.before())
}

func (m *windows) unlockAll(w *window, c *check.Call, _ int64, _ bool) {
	for t := range w.batches {
		m.far.overlooked(w, t)
	}
	m.far.closeAll(c.Watch(), w)
	m.origin.settle(w, -1)
	if w.lockAll.Func == nil {
		m.misplaced(w, c, -1, finding.Wordf("without MPI_Win_lock_all"), w.before())
		return
	}
	w.lockAll, w.ended = objects.Made{}, c.By()
}

// flush completes what is under way at one target or at all, or makes its buffers free again (MPI-4.0, 12.5.4).
func (m *windows) flush(w *window, c *check.Call, rank int64, has bool) {
	local := strings.Contains(c.Func.Name, "_local")
	if has {
		if !w.passive(rank) {
			m.misplaced(w, c, c.Func.Named("rank"), finding.Wordf("with {rank} %d, which it has not locked", rank),
				w.before())
		}
	} else if _, _, locked := w.aLock(); !locked {
		m.misplaced(w, c, -1, finding.Wordf("without a lock"), w.before())
	}
	if has {
		m.origin.flushedAside(w, c, rank)
	}
	for t, b := range w.batches {
		switch {
		case has && t != rank:
		case local:
			b.passed = nil
			b.complete(m.far.knowledge(c.Rank).round, now(c.Rank), func(a *act) bool { return true })
		default:
			m.far.close(c.Watch(), w, t)
		}
	}
	m.origin.settle(w, rank)
}

func (m *windows) freeing(w *window, c *check.Call) {
	m.far.closeAll(c.Watch(), w)
	m.origin.settle(w, -1)
	w.leftOpen(c, c.Func.Named("win"))
	m.free(c.Watch(), w)
}

// leftOpen reports an epoch that is open at the end of a window.
func (w *window) leftOpen(c *check.Call, i int) {
	if w.unsure {
		return
	}
	lock, on, locked := w.aLock()
	var what finding.Wording
	missing, since := "", "the lock was taken"
	var by objects.Made
	switch {
	case locked && on < 0:
		what, missing, by = finding.Wordf("a lock of all ranks is held"), "MPI_Win_unlock_all", lock
	case locked:
		what, missing, by = finding.Wordf("the lock of rank %d is held", on), "MPI_Win_unlock", lock
	case w.started:
		what, missing, by, since = finding.Wordf("the MPI_Win_start epoch is open"), "MPI_Win_complete", w.start,
			"it was started"
	case w.posted:
		what, missing, by, since = finding.Wordf("the MPI_Win_post epoch is open"), "MPI_Win_wait", w.post,
			"it was started"
	case w.issued != nil:
		what, missing, by, since = finding.Wordf("no MPI_Win_fence has completed its RMA calls"), "MPI_Win_fence",
			w.issued.Made(), "the first of them was made"
	default:
		return
	}
	c.Say(rmaEpochOrder, i, func() check.Words {
		which := finding.Wordf(", but for one of its windows")
		if i >= 0 {
			which = finding.Wordf(" with {win} a window for which")
		}
		return check.Words{Sentence: finding.Wordf("Rank %d calls %s%s %s: %s is missing.", c.Rank.World, c.Func.Name,
			which, what, missing),
			Related: []check.Related{{Text: since, Func: by.Func, Site: by.Site}}, Severity: finding.Error}
	})
}
