package calls

import (
	"time"

	"unknot/internal/model/objects"
	"unknot/internal/model/waitstate"
	"unknot/internal/observe/decode"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// Thread is one MPI-calling thread of a rank, by stages.
type Thread struct {
	Rank *Rank
	WS   *waitstate.Thread
	See  Observer
	// Call is its last call, as the objects of the rank and the checks see it.
	Call *objects.Call

	Ended bool
	Joins op.Thread   // thread waited for in pthread_join, -1 if none
	Polls *PollStreak // nil if it has not polled yet

	Counted
	Recent
	Announced
	Current
}

// Current is a thread's last call, and how far it is.
type Current struct {
	Func  *mpi.Func // of the last Enter record
	Stamp uint32
	Left  uint32 // stamp of the last Enter record whose Exit record has come
	Site  uint64
	Op    *waitstate.Op // what the last Enter record became; nil if nothing that blocks or matches

	Requests []*objects.Request // of the last completion call, in the user's order
	Handles  []uint64           // their handles
	Pending  Creation           // an object that the last call makes

	Gave   bool // an Exit record of the last call has come
	Inside bool // no Exit record of the last call has come
	// Truncated: its MPI library has ended the process in its last call, as a message was longer than the receive.
	Truncated bool

	crossed bool // another thread has started a receive during the last call, which is an MPI_Improbe
}

// Announced is what records say of a thread's next call, before it begins, or of how the last one has failed.
type Announced struct {
	Failure *decode.Error // of the last call that failed, until the next one begins

	forced  []decode.Forced
	outcome outcome
	// sends of the next call that a plan lets complete at once, by position as of a decode.Forced
	buffered []int64
}

// forget empties what was said of a call, as that has begun.
func (n *Announced) forget() {
	n.outcome.forced, n.buffered, n.forced, n.Failure = false, n.buffered[:0], n.forced[:0], nil
}

// Counted are a thread's calls by kind: how many it has made, where, and those that a plan can name.
type Counted struct {
	Calls  uint64
	Visits Visits

	sends, probes uint32 // see ordinals
	choices       choices
}

// Counts are those calls of a thread that a plan can name.
type Counts struct{ Sends, Probes, Choices uint32 }

// Counts are how many there were.
func (n *Counted) Counts() Counts { return Counts{n.sends, n.probes, n.choices.next} }

// Polling says that the last call is a poll that is not counted yet.
func (n *Counted) Polling() bool { return n.choices.open }

// Choice is the number of the last call that a plan can give an outcome.
func (n *Counted) Choice() uint32 { return n.choices.nth }

// Shift takes in that calls were left out which repeat others: the last call is the same one, so many records later.
// more are the calls that were left out.
func (t *Thread) Shift(records uint32, more Counts) {
	if t.Left == t.Stamp {
		t.Left += records
	}
	if t.Call.Stamp == t.Stamp {
		t.Call.Stamp += records
	}
	t.Stamp += records
	t.sends += more.Sends
	t.probes += more.Probes
	t.choices.next += more.Choices
	t.choices.nth += more.Choices
}

// Recent is what a thread did last, kept for the report.
type Recent struct {
	last  [16]*waitstate.Origin // calls; a circle
	nlast int
	wilds *wilds // nil if there are none
}

// note keeps a call for the report.
func (k *Recent) note(o *waitstate.Origin) {
	k.last[k.nlast%len(k.last)] = o
	k.nlast++
}

// All are the calls that are kept, the oldest first.
func (k *Recent) All(yield func(*waitstate.Origin) bool) {
	for i := k.nlast - min(k.nlast, len(k.last)); i < k.nlast; i++ {
		if !yield(k.last[i%len(k.last)]) {
			return
		}
	}
}

// Took is the first message that a wildcard receive is known to have taken and that fits; nil if there is none.
func (k *Recent) Took(fits func(*Taken) bool) *Taken {
	if k.wilds == nil {
		return nil
	}
	for i := range k.wilds.last {
		if e := &k.wilds.last[(k.wilds.n+i)%len(k.wilds.last)]; e.Site != 0 && fits(e) {
			return e
		}
	}
	return nil
}

// Latest is the last call that was kept, nil if there is none.
func (k *Recent) Latest() *waitstate.Origin {
	if k.nlast == 0 {
		return nil
	}
	return k.last[(k.nlast-1)%len(k.last)]
}

// First are the first words of the Enter record of the last call that was kept.
func (k *Recent) First() []uint64 {
	if o := k.Latest(); o != nil {
		return o.First()
	}
	return nil
}

// wilds are what wildcard receives took, a circle.
type wilds struct {
	last [8]Taken
	n    int
}

func (w *wilds) add(e Taken) {
	w.last[w.n%len(w.last)] = e
	w.n++
}

// Taken is a message that a wildcard receive took.
type Taken struct {
	Src  op.Rank
	Tag  int32
	Ctx  op.CommID
	Site uint64
}

// Creation remembers what a call that makes an object was given, until the object's handle is known.
type Creation struct {
	Parent *objects.Comm
	Seq    uint64

	kind mpi.Class
	of   *grouped // instead of a parent
	salt uint64
	how  string
	site uint64
}

// grouped is what a communicator is made of by MPI_Comm_create_from_group.
type grouped struct {
	tag string
	id  op.CommID // of the communicator
}

// PollStreak is a run of unsuccessful polls of one thread without any other call that could change something.
type PollStreak struct {
	Since time.Time
	Parts []*waitstate.Part // what was polled, each once
	Func  *mpi.Func
	Site  uint64
	Words []uint64
	Op    *waitstate.Op
	Mute  bool // something was polled that the model does not follow

	// Polling is for how long the thread has polled, as far as anybody has looked.
	Polling time.Duration

	count          uint64    // polls seen
	asked, counted time.Time // when that was looked at last, and when it last grew
}

// outcome is what the plan makes of the next call.
type outcome struct {
	forced bool
	done   []int32 // positions in the array of requests; empty for what the call would wait for if it blocked
}

// choices counts the calls of a thread that a plan can give an outcome (plan.Outcome), each as the probe does: by the
// call alone, whatever it was given and whatever it found. The probe does not record a poll again that repeats an
// unsuccessful one; it tells how many there were, so that a poll is counted only when what follows it is there.
type choices struct {
	next uint32 // how many there were
	nth  uint32 // of the last of them that is no poll, or found something
	open bool   // the last Enter record is of a poll that is not counted yet
	vain uint32 // how many such polls found nothing, 0 if no record said it
}
