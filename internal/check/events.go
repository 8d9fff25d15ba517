package check

import (
	"unknot/internal/model/objects"
	"unknot/internal/vocab/op"
)

// events are handlers of what an owner has to tell besides calls.
type events struct {
	hold     []func(c *Call, q *objects.Request)
	start    []func(c *Call, q *objects.Request)
	filled   []func(q *objects.Request, bytes int64, by objects.Made)
	gone     []func(x *Gone)
	changed  []func(r *Rank, x *Change)
	touched  []func(r *Rank, x *Touch)
	access   []func(r *Rank, x *Access)
	shared   []func(r *Rank, x *Shared)
	learned  []func(r *Rank)
	notes    []func(w *Watch, n *Note)
	ends     []func(c *Call)
	end      []func(w *Watch)
	complete []func(w *Watch)
}

// Gone is memory of a rank that is no longer what MPI was given: it was given back, or with a call, it is a part of the
// stack of that call's thread below all of its functions.
type Gone struct {
	Watch    *Watch
	Rank     *Rank
	From, To uint64
	How      Freed
	Call     *Call
}

// Change is what was found of the data of a send when that was complete.
type Change struct {
	Watch    *Watch
	Sent     objects.Made // the call that has the buffer
	Words    []uint64     // of its Enter record, some of the first
	Started  objects.Made // of a persistent operation: its start
	Offset   int64        // of the piece of data that has changed, in bytes of the data
	Length   int64        // of that piece
	Bytes    int64        // of the data that was looked at
	Gaps     bool         // the data has gaps, which do not count in Offset
	Complete objects.Made // the call that completed it
	Thread   op.Thread
}

// Touch is an access of the program's own, a load or a store, to memory that a pending operation uses. The probe has
// seen that it meets what such an operation must have for itself.
type Touch struct {
	Watch   *Watch
	At      int64
	Bytes   int64
	Store   bool
	Site    uint64
	Outside bool // by a thread that has not called MPI
	Thread  op.Thread
	Inside  *Call // of another thread, which has the memory until it returns; nil if it is a pending operation's
}

// Does says what it does, and what was done by it.
func (t *Touch) Does() (does, done string) {
	if t.Store {
		return "writes to", "written to"
	}
	return "reads", "read"
}

// Access are accesses of the program's own to memory of a window, between two calls of its rank and from one place: N
// runs of Bytes, Stride apart. Some others from there may have been left out.
type Access struct {
	Watch            *Watch
	At               int64
	Bytes, N, Stride int64
	Store            bool
	Orders           bool // it is atomic or volatile, so that ranks may be ordered by it
	Vague            bool // whether it is that is not known
	Site             uint64
	Outside          bool // by a thread that has not called MPI
}

// Shared is where a rank has a part of the shared memory of a window that it has made.
type Shared struct {
	Win    uint64
	Member int // rank in the window's group, whose part it is
	At     int64
	Bytes  int64
}

// Hold adds a handler that gives a new request the memory of the operation whose request a call has made.
func (h *Hooks) Hold(do func(c *Call, q *objects.Request)) { h.hold = append(h.hold, do) }

// Start adds a handler of calls that start the operation of a persistent request.
func (h *Hooks) Start(do func(c *Call, q *objects.Request)) { h.start = append(h.start, do) }

// Filled adds a handler that learns how many bytes the operation of a request got, and which call has found it
// complete; a negative number says that it got none, or that nobody knows.
func (h *Hooks) Filled(do func(q *objects.Request, bytes int64, by objects.Made)) {
	h.filled = append(h.filled, do)
}

// Gone adds a handler of memory that is gone.
func (h *Hooks) Gone(do func(x *Gone)) { h.gone = append(h.gone, do) }

// Changed adds a handler of sends whose data has changed before they were complete.
func (h *Hooks) Changed(do func(r *Rank, x *Change)) { h.changed = append(h.changed, do) }

// Touched adds a handler of the program's own accesses to memory of pending operations.
func (h *Hooks) Touched(do func(r *Rank, x *Touch)) { h.touched = append(h.touched, do) }

// Accessed adds a handler of the program's own accesses to memory of windows.
func (h *Hooks) Accessed(do func(r *Rank, x *Access)) { h.access = append(h.access, do) }

// Shared adds a handler of where a rank has the parts of the shared memory of a window.
func (h *Hooks) Shared(do func(r *Rank, x *Shared)) { h.shared = append(h.shared, do) }

// Learned adds a handler of ranks that may have learned of others by ways that are not MPI's, such as a file.
func (h *Hooks) Learned(do func(r *Rank)) { h.learned = append(h.learned, do) }

// EndRank adds a handler that runs when a rank makes no more calls, and what its receives have met is known. Its call
// is of no function, and it tells other ranks nothing: that would come too late.
func (h *Hooks) EndRank(do func(c *Call)) { h.ends = append(h.ends, do) }

// End adds a handler that runs when no more calls of the agent's ranks will come. What they have not sent to other
// ranks yet, they tell these now.
func (h *Hooks) End(do func(w *Watch)) { h.end = append(h.end, do) }

// Complete adds a handler that runs when no more calls will come, and all notes of ranks to others have arrived.
// It sends other ranks only what it reports of their calls.
func (h *Hooks) Complete(do func(w *Watch)) { h.complete = append(h.complete, do) }

// Receive adds a handler of notes of ranks to others whose bodies are of one type.
func Receive[B Body](h *Hooks, do func(w *Watch, body B)) {
	h.notes = append(h.notes, func(w *Watch, n *Note) {
		if body, is := n.Body.(B); is {
			do(w, body)
		}
	})
}

// Hold takes in that a call has made a request.
func (w *Watch) Hold(c *Call, q *objects.Request) {
	for _, do := range w.hooks.hold {
		do(c, q)
	}
}

// Start takes in that a call starts the operation of a persistent request.
func (w *Watch) Start(c *Call, q *objects.Request) {
	c.watch = w
	for _, do := range w.hooks.start {
		do(c, q)
	}
}

// Filled takes in that a call has found the operation of a request complete, and how many bytes it got; a negative
// number says that it got none, or that nobody knows.
func (w *Watch) Filled(q *objects.Request, bytes int64, by objects.Made) {
	for _, do := range w.hooks.filled {
		do(q, bytes, by)
	}
}

// Gone takes in that memory of a rank is gone.
func (w *Watch) Gone(r *Rank, from, to uint64, how Freed, c *Call) {
	for _, do := range w.hooks.gone {
		do(&Gone{w, r, from, to, how, c})
	}
}

// Changed takes in that the data of a send has changed between its start and its completion.
func (w *Watch) Changed(r *Rank, x *Change) {
	x.Watch = w
	for _, do := range w.hooks.changed {
		do(r, x)
	}
}

// Touched takes in an access of the program's own to memory of a pending operation.
func (w *Watch) Touched(r *Rank, x *Touch) {
	x.Watch = w
	for _, do := range w.hooks.touched {
		do(r, x)
	}
}

// Learned takes in that a rank may have learned of others by ways that are not MPI's.
func (w *Watch) Learned(r *Rank) {
	for _, do := range w.hooks.learned {
		do(r)
	}
}

// Accessed takes in accesses of the program's own to memory of a window.
func (w *Watch) Accessed(r *Rank, x *Access) {
	x.Watch = w
	for _, do := range w.hooks.access {
		do(r, x)
	}
}

// Shared takes in where a rank has a part of the shared memory of a window.
func (w *Watch) Shared(r *Rank, x *Shared) {
	for _, do := range w.hooks.shared {
		do(r, x)
	}
}

// EndRank takes in that a rank makes no more calls.
func (w *Watch) EndRank(r *Rank) {
	c := &Call{Call: objects.Call{Rank: r.Rank}, Rank: r, watch: w}
	for _, do := range w.hooks.ends {
		do(c)
	}
}

// Complete says that no more calls will come and all notes have arrived. What was deferred until then is judged now.
func (w *Watch) Complete() {
	for _, do := range w.hooks.complete {
		do(w)
	}
}

// End says that no more calls will come.
func (w *Watch) End() {
	for _, do := range w.hooks.end {
		do(w)
	}
}
