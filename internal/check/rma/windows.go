package rma

import (
	"math"
	"strings"

	"unknot/internal/check"
	"unknot/internal/check/used"
	"unknot/internal/model/objects"
	"unknot/internal/vocab/datatype"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// windows is the model of the windows of an agent's ranks: in which epochs they are, and what was done in them. The
// checks of the family RMA speak from within it.
type windows struct {
	far    *remote
	origin originBuffers
	judged used.Area // of the call that is looked at
	of     map[*check.Rank]map[uint64]*window
	last   *window // looked up last
	ids    map[check.Identity]uint64
	turns  uint64          // of accesses of the program's own
	bases  int             // windows whose memory is known, made so far
	sameOp map[ofRank]bool // info objects with accumulate_ops, and whether that is same_op
}

// window is a window of a rank.
type window struct {
	rank    *check.Rank
	handle  uint64
	id      uint64    // the same at all members; 0 if that is not known
	members []op.Rank // world ranks by rank in the window's group; nil if they are not known
	made    objects.Made
	making  check.Past // the same call, with its arguments
	kind    string     // the function that made it, without "MPI_Win_"
	freed   bool
	sameOp  bool // it was made with accumulate_ops=same_op

	unsure bool // several threads use it, or a call on it failed: no more is known of its epochs
	thread op.Thread

	windowMemory
	fenceEpoch
	lockEpoch
	startEpoch
	postEpoch

	batches  map[int64]*batch
	fetching map[int64]*fetching // the targets of RMA calls that read and are not complete
}

// windowMemory is the memory of a window.
type windowMemory struct {
	base     uint64 // of memory that the program gave
	memory   uint64 // where its memory is; 0 if that is not known
	size     int64
	unit     int64
	attached []region
	parts    []check.Shared // of shared memory, of all members, if it is seen what the program does there
}

// fenceEpoch is what MPI_Win_fence has begun.
type fenceEpoch struct {
	fence    fenceState
	fences   uint64
	round    uint64       // of knowledge.round, at the begin of the last epoch
	mark     uint64       // of knowledge.learned, then
	calm     bool         // the rank knew of nothing then that another one has done since that was allowed in
	fenced   objects.Made // the last MPI_Win_fence
	issued   *check.Past  // the first RMA call since
	locked   *check.Past  // the first lock since, while the fence may have begun an epoch
	lockUsed bool         // RMA calls were made under a lock since
}

// lockEpoch is what locks have begun.
type lockEpoch struct {
	lockAll objects.Made
	locks   map[int64]objects.Made
	shared  map[int64]bool // of locks
}

// startEpoch is the access epoch of MPI_Win_start.
type startEpoch struct {
	started bool
	starts  map[op.Rank]uint64 // access epochs so far, by target
	group   []op.Rank          // of the last MPI_Win_start
	start   objects.Made
	ended   objects.Made // what ended the last access epoch
}

// postEpoch is the exposure epoch of MPI_Win_post.
type postEpoch struct {
	posted bool
	post   objects.Made
}

// fenceState is what the last MPI_Win_fence of a window means for an RMA call.
type fenceState uint8

const (
	unfenced  fenceState = iota
	fenced               // it may have begun an epoch
	closed               // it said MPI_MODE_NOSUCCEED
	doubtful             // an exposure epoch of another kind came since
	overtaken            // an access epoch of another kind came since
)

// model is the model of windows.
func model(h *check.Hooks) *windows {
	return check.Model(h, func() *windows { return newWindows(h) })
}

func newWindows(h *check.Hooks) *windows {
	far := &remote{ranks: h.Ranks(), knowledges: check.SlotOf[knowledge](h), targets: newTargets()}
	bytes, _ := datatype.Predefined("MPI_BYTE", 1, 1, 1)
	m := &windows{far: far, of: make(map[*check.Rank]map[uint64]*window),
		ids: make(map[check.Identity]uint64), sameOp: make(map[ofRank]bool),
		origin: originBuffers{contested: check.SlotOf[used.Contested](h), bytes: bytes,
			locals: make(map[*check.Rank]*locals), asked: make(map[*check.Rank]bool)}}
	far.windows = m
	h.End(m.end)
	h.Complete(m.far.judgeDeferred)
	h.Shared(m.share)
	h.Accessed(m.access)
	h.Learned(func(r *check.Rank) { m.far.knowledge(r).learned++ })
	check.Receive(h, far.arrived)
	m.watchRules(h)
	m.watchOwners(h) // a call of the owner comes before what its rank may learn by it
	m.watchKnowledge(h)
	h.Enter(func(f *mpi.Func) func(*check.Call) {
		switch f.Class {
		case mpi.WinCreate:
			return m.creating
		case mpi.Rma, mpi.Rrma:
			return m.operation(f)
		}
		return m.synchronisation(f)
	})
	h.Exit(func(f *mpi.Func) func(*check.Call) {
		switch {
		case f.Class == mpi.WinCreate:
			return m.created(f)
		case f.Class == mpi.WinTest:
			return m.tested(f)
		case f.Name == "MPI_Win_attach":
			return nil
		case f.EnterAt[mpi.RWin] >= 0 && f.Class != mpi.Local:
			return m.failed(f)
		}
		return nil
	})
	h.Finalize(func(r *check.Rank, c *check.Call) {
		for _, w := range m.of[r] {
			w.leftOpen(c, -1)
		}
	})
	return m
}

// find is the window that a handle names, nil if it is not known. A second thread makes the order of calls unclear.
func (m *windows) find(c *check.Call, handle uint64) *window {
	w := m.last
	if w == nil || w.rank != c.Rank || w.handle != handle {
		if w = m.of[c.Rank][handle]; w == nil {
			return nil
		}
		m.last = w
	}
	if w.thread != c.Thread && !w.unsure {
		m.doubt(w)
	}
	return w
}

// creating counts the windows of a communicator: their creation is collective, so all members count alike.
func (m *windows) creating(c *check.Call) {
	if c.Comm != nil && c.Comm.ID != 0 {
		m.ids[check.Identity{Rank: c.Rank, Comm: uint64(c.Comm.ID)}]++
	}
}

func (m *windows) created(f *mpi.Func) func(*check.Call) {
	win, base, size, unit := f.Named("win"), f.Named("base"), f.Named("size"), f.Named("disp_unit")
	info, baseptr := f.Named("info"), f.Named("baseptr")
	name := strings.TrimPrefix(f.Base, "MPI_Win_")
	return func(c *check.Call) {
		given := c.Gave(win)
		if c.Failed || len(given) == 0 || c.Rank.Null(mpi.OWin, given[0]) {
			return
		}
		m.far.ranks.Meet(c.Rank)
		m.far.knowledge(c.Rank).start(c)
		w := &window{rank: c.Rank, handle: given[0], made: c.By(), making: check.Remember(c), kind: name,
			thread: c.Thread, windowMemory: windowMemory{size: -1, unit: -1},
			lockEpoch:  lockEpoch{locks: make(map[int64]objects.Made), shared: make(map[int64]bool)},
			startEpoch: startEpoch{starts: make(map[op.Rank]uint64)},
			batches:    make(map[int64]*batch), fetching: make(map[int64]*fetching)}
		if c.Comm != nil && c.Comm.ID != 0 {
			w.id = check.Mix(uint64(c.Comm.ID), m.ids[check.Identity{Rank: c.Rank, Comm: uint64(c.Comm.ID)}])
			w.members = c.Comm.Members.List()
		}
		w.sameOp = m.sameOp[ofRank{c.Rank, c.Handle(info)}]
		if name != "create_dynamic" {
			if v, ok := c.Int(size); ok {
				w.size = v
			}
			if v, ok := c.Int(unit); ok {
				w.unit = v
			}
		}
		if name == "create" {
			if v, ok := c.Int(base); ok {
				w.base = uint64(v)
			}
			w.memory = w.base
			m.overlapping(c, w)
		} else if baseptr >= 0 {
			if v := c.Gave(baseptr); len(v) > 0 && v[0] != math.MaxUint64 {
				w.memory = v[0]
			}
		}
		if w.memory != 0 {
			m.bases++
		}
		all := m.of[c.Rank]
		if all == nil {
			all = make(map[uint64]*window)
			m.of[c.Rank] = all
		}
		all[w.handle] = w
		m.far.targets.add(c.Watch(), m.far, w)
	}
}

// world is the world rank of a target, op.Unknown if it is not known.
func (w *window) world(target int64) op.Rank {
	if target < 0 || target >= int64(len(w.members)) {
		return op.Unknown
	}
	return w.members[target]
}

// failed stops judging the epochs of a window on which a call failed: what it has changed is not known.
func (m *windows) failed(f *mpi.Func) func(*check.Call) {
	win := f.Named("win")
	return func(c *check.Call) {
		if !c.Failed {
			return
		}
		if h, ok := c.Int(win); ok {
			if w := m.of[c.Rank][uint64(h)]; w != nil {
				m.doubt(w)
			}
		}
	}
}

// doubt stops judging the epochs of a window.
func (m *windows) doubt(w *window) {
	w.unsure = true
	m.origin.settle(w, -1)
}

// free forgets a window except for what others still have to send about it.
func (m *windows) free(to *check.Watch, w *window) {
	if t := m.far.targets.of(w); t != nil {
		m.far.tellStrays(to, t)
	}
	delete(m.of[w.rank], w.handle)
	if m.last == w {
		m.last = nil
	}
	w.freed = true
	m.far.targets.drop(w)
}

// end closes all that is still open.
func (m *windows) end(to *check.Watch) {
	for _, all := range m.of {
		for _, w := range all {
			m.far.closeAll(to, w)
		}
	}
}

// judgeDeferred judges what was deferred.
func (m *remote) judgeDeferred(to *check.Watch) {
	for _, t := range m.targets.windows {
		m.tellStrays(to, t)
	}
	m.judgeOrders(to, true)
	m.tellDoubts(to)
	m.tellAsides(to)
}

// its says whose window it is: "the window of rank 3", or "its own window" to that rank.
func its(speaker, owner op.Rank) finding.Wording {
	if speaker == owner {
		return finding.Wordf("its own window")
	}
	return finding.Wordf("the window of rank %d", owner)
}
