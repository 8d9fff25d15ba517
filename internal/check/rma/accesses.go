package rma

import (
	"unknot/internal/check"
	"unknot/internal/check/used"
	"unknot/internal/model/waitstate"
	"unknot/internal/vocab/datatype"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// act is what one RMA call does to the memory of its target.
type act struct {
	call   check.Past
	manner mpi.Access
	disp   int64
	layout used.Covering // from there
	known  bool          // the layout is
	op     string
	basis  *datatype.Type // of an update: the predefined datatype of its elements, nil if it is not known
	param  int            // target_disp
	thread bool           // an access of the program's own by a thread that has not called MPI
	told   bool           // that it conflicts with an access of the program's own
	vague  bool           // an access of the program's own that may be meant to order the ranks
	// how many acts of its batch were made before it was known to be complete at the target; 0: all
	until uint64
	under hold
}

// hold says when an RMA call was under way, and what its rank knew.
type hold struct {
	// the rounds in which it began and, except for epochs of MPI_Win_fence, was completed: under a lock at the target,
	// else at the origin
	from, to uint64
	fresh    bool // its rank had learned nothing of what others do in the round, or in the epoch of MPI_Win_fence
	shared   bool // others may have a lock of the target, too
	unlocked bool // the owner of the memory uses it without a lock: no lock of others keeps that away
	private  bool // its rank shares no memory with others
	barely   bool // all that it may have learned in the round is what MPI_Get gave it

	// made is when the call was made, done a moment at which it is complete at the target, or somewhat before that; nil
	// if not known.
	made, done *waitstate.Moment
}

// alike says whether two are the same except for their moments.
func (h hold) alike(o hold) bool {
	h.made, h.done, o.made, o.done = nil, nil, nil, nil
	return h == o
}

// epochKey names the epoch that an act belongs to.
type epochKey struct {
	kind epochKind
	nth  uint64 // of a fence or an access epoch of MPI_Win_start, from 1
}

type epochKind uint8

const (
	noEpoch epochKind = iota // none that is known: what it is concurrent with is not known either
	passive                  // under a lock: only what the same rank does there is known to be concurrent
	byFence                  // nth counts the fences of the window
	byStart                  // nth counts the epochs of the origin that include the target
	byPost                   // nth counts the calls of MPI_Win_post at the target
)

// looks says that an act only reads (MPI_NO_OP: MPI-4.0, 12.3.4).
func (a *act) looks() bool { return a.manner == mpi.Reads || a.op == check.NoOp }

// batch is what one rank has done to the window of another in an epoch.
type batch struct {
	win      uint64
	from, to op.Rank // world ranks
	key      epochKey
	acts     []act
	passed   []passed // flushes of other ranks
}

// maxBatch is how many acts are sent at once. In an epoch under a lock, more are not compared with each other.
const maxBatch = 128

// rmaParams are the places of an RMA call's parameters, -1 for those that it does not have.
type rmaParams struct {
	origin, originCount, originType, result, resultCount, resultType, compare int
	target, disp, count, datatype, op, win                                    int
}

// rmaParamsOf gives them, and what the call does to the memory of its target.
func rmaParamsOf(f *mpi.Func) (rmaParams, mpi.Access) {
	none := mpi.Buffer{At: -1, Count: -1, Type: -1}
	origin, result, compare := none, none, none
	for _, b := range f.Buffers() {
		switch f.Params[b.At].Role {
		case mpi.RBuf:
			origin = b
		case mpi.RRecvBuf:
			result = b
		default:
			compare = b
		}
	}
	target, _ := f.Target()
	return rmaParams{origin: origin.At, originCount: origin.Count, originType: origin.Type, result: result.At,
		resultCount: result.Count,
		resultType:  result.Type, compare: compare.At, target: target.Peer, disp: target.At, count: target.Count,
		datatype: target.Type,
		op:       f.Named("op"), win: f.Named("win")}, target.Access
}

// extent is the bytes that a count of a datatype covers, of parameters of the call; without a count it is one.
func extent(c *check.Call, count, datatype int) (used.Covering, bool) {
	n, ok := int64(1), true
	if count >= 0 {
		if n, ok = c.Int(count); !ok {
			return used.Covering{}, false
		}
	}
	t, ok := c.Int(datatype)
	if !ok {
		return used.Covering{}, false
	}
	return used.Covers(c.Rank, uint64(t), n)
}

// operation follows an RMA call (MPI-4.0, 12.3).
func (m *windows) operation(f *mpi.Func) func(*check.Call) {
	p, how := rmaParamsOf(f)
	return func(c *check.Call) {
		win, _ := c.Int(p.win)
		t, ok := c.Int(p.target)
		w := m.find(c, uint64(win))
		if w == nil || !ok || t < 0 || w.members != nil && t >= int64(len(w.members)) {
			return // no target, or MPI_PROC_NULL
		}
		key := w.cover(c, t, p.target)
		disp, ok := c.Int(p.disp)
		if !ok {
			return
		}
		if disp < 0 && w.kind != "create_dynamic" {
			c.Say(rmaBounds, p.disp, func() check.Words {
				return check.Words{Sentence: finding.Wordf("Rank %d calls %s with {%s} %d; a displacement is "+
					"relative to the start of the target's window and must be 0 or more.", c.Rank.World, f.Name,
					f.Params[p.disp].Name, disp),
					Related: []check.Related{w.origin()}, Hint: check.Wrapped(disp)}
			})
			return
		}
		a := act{call: check.Remember(c), manner: how, disp: disp, param: p.disp}
		a.layout, a.known = extent(c, p.count, p.datatype)
		if how == mpi.Updates {
			a.basis = basis(&a.layout)
		}
		if p.op >= 0 {
			if h, ok := c.Int(p.op); ok {
				if o := c.Rank.Object(mpi.OOp, uint64(h)); o != nil {
					a.op = o.Name
				}
			}
		}
		m.place(c, w, t, key, &a)
		m.far.keep(c.Watch(), w, t, key, a)
		if !w.unsure {
			m.origin.lend(c, w, t, &p, how)
		}
	}
}

// keep adds an act to what will be sent to the target when the epoch is over.
func (m *remote) keep(to *check.Watch, w *window, t int64, key epochKey, a act) {
	world := w.world(t)
	if w.id == 0 || world < 0 {
		return
	}
	if w.unsure {
		key = epochKey{}
	}
	b := w.batches[t]
	if b != nil && (b.key != key || len(b.acts) >= maxBatch) {
		m.send(to, b)
		b = nil
	}
	if b == nil {
		b = &batch{win: w.id, from: op.Rank(w.rank.World), to: world, key: key}
		w.batches[t] = b
	}
	b.acts = append(b.acts, a)
}

// close tells a target what was done to it: the epoch is over, or what was done is complete.
func (m *remote) close(to *check.Watch, w *window, t int64) {
	if b := w.batches[t]; b != nil {
		delete(w.batches, t)
		m.send(to, b)
	}
}

func (m *remote) closeAll(to *check.Watch, w *window) {
	for t, b := range w.batches {
		delete(w.batches, t)
		m.send(to, b)
	}
}

func (m *remote) send(to *check.Watch, b *batch) {
	if r := m.ranks[b.from]; (b.key.kind == passive || b.key.kind == byStart) && r != nil {
		for i := range b.acts {
			if b.acts[i].until == 0 {
				b.acts[i].under.to, b.acts[i].under.done = m.knowledge(r).round, now(r)
			}
		}
	}
	if m.ranks[b.to] != nil {
		m.arrived(to, b)
		return
	}
	to.Notes = append(to.Notes, check.Note{To: b.to, Body: b})
}

// origin says where a window comes from.
func (w *window) origin() check.Related {
	return check.Related{Text: "the window was created", Func: w.made.Func, Site: w.made.Site}
}
