// Package usage shows the calls of an agent's ranks to the usage checks, with the memory that their buffers lie in; it
// makes findings of what the checks report, and takes to other agents what they have for ranks there.
package usage

import (
	"slices"

	"unknot/internal/agent/calls"
	"unknot/internal/agent/place"
	"unknot/internal/check"
	"unknot/internal/check/messages"
	"unknot/internal/check/registry"
	"unknot/internal/check/rma"
	"unknot/internal/kit/symbol"
	"unknot/internal/model/waitstate"
	"unknot/internal/observe/decode"
	"unknot/internal/root/tree"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/op"
)

// Checks are the usage checks of one agent.
type Checks struct {
	Watch *check.Watch // nil if none is on

	follower *calls.Follower
	places   *place.Places
	symbols  place.Symbols
	net      *tree.Member[message.Message]
	home     func(op.Rank) int
	wrote    func(to int) // is called when something was sent to another agent

	ranks   map[op.Rank]*Rank
	misused []misusedOften                        // reported so far
	reaches map[*waitstate.Origin][]check.Filling // who asks how long the messages of receives are
	// formats are the elements of arrays of Python by their formats, nil of one that is not known.
	formats map[string]*symbol.Declared

	complete bool // the notes of the checks of other agents have arrived
	judged   bool // what ranks have done in all has been judged
}

// New has the selected checks look at the calls that a follower follows. home is the agent of a rank, wrote is called
// when something was sent to another agent.
func New(selected check.Selection, f *calls.Follower, places *place.Places, symbols place.Symbols,
	net *tree.Member[message.Message], home func(op.Rank) int, wrote func(to int),
) *Checks {
	c := &Checks{follower: f, places: places, symbols: symbols, net: net, home: home, wrote: wrote,
		ranks: make(map[op.Rank]*Rank)}
	if selected.None() {
		return c
	}
	c.Watch = registry.New(f.Table, f.Follow, selected)
	f.Contents, f.Moments = true, c.Watch.Enabled(rma.Conflict)
	if c.Watch.Enabled(messages.MessageRace) {
		f.Node.WatchRaces(net.Agents() > 1)
	}
	return c
}

// Rank is what the checks know of a rank.
type Rank struct {
	*calls.Rank
	Use *check.Rank

	threads []*Thread
	hears   bool // it may learn of others at any time by ways that are not MPI's
	grounds grounds
	again   map[uint64][]*check.Report // of wrong uses that the calls were each time by which a number is recorded
}

// call is the last call of a thread, nil if there is none.
func (r *Rank) call(index op.Thread) *check.Call {
	for _, t := range r.threads {
		if t.WS.Index == index && t.Call.Func != nil {
			return &t.Call
		}
	}
	return nil
}

// Thread is what the checks know of a thread.
type Thread struct {
	*calls.Thread
	Rank *Rank
	Call check.Call // its last call; it is large

	checks *Checks
	ring   Ring

	stack decode.Range // 0 if it is not known
	below decode.Range // the part of it that functions have left since a buffer was there
	announced
}

// Ring says when a thread's last call has returned that wrote no record then: its stamp.
type Ring interface{ Returned() uint32 }

// announced is what records say of the memory of a thread's next call, before it begins.
type announced struct {
	nulls   []decode.Null
	beneath []check.Beneath // what its buffers lie in
	arrays  []check.Array   // of Python that they belong to
}

// Forget empties what was said of a call, as that has begun.
func (n *announced) Forget() {
	n.nulls, n.beneath, n.arrays = n.nulls[:0], n.beneath[:0], n.arrays[:0]
}

// Begin has the checks follow a new thread of a rank.
func (c *Checks) Begin(r *Rank, t *calls.Thread, ring Ring) *Thread {
	n := &Thread{Thread: t, Rank: r, checks: c, ring: ring}
	t.Call = &n.Call.Call
	r.threads = append(r.threads, n)
	return n
}

// Remove forgets a thread that has ended.
func (r *Rank) Remove(t *Thread) {
	r.threads = slices.DeleteFunc(r.threads, func(o *Thread) bool { return o == t })
}
