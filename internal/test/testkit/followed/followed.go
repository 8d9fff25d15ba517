// Package followed has ranks of one agent follow scripts (package script) without rings, for tests of what is built on
// their calls and objects.
package followed

import (
	"strconv"
	"strings"
	"testing"

	"unknot/internal/agent/calls"
	"unknot/internal/kit/symbol"
	"unknot/internal/model/objects"
	"unknot/internal/model/waitstate"
	"unknot/internal/observe/ring"
	"unknot/internal/test/testkit/script"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// Job is the ranks.
type Job struct {
	*script.Script
	Follower *calls.Follower
	Threads  map[string]*calls.Thread // "0", "0.1"
	Symbols  *Symbols
	// Rest is given the Data records that are not about calls and objects, Begun is called after an Enter record.
	Rest  func(t *calls.Thread, id ring.DataID, words []uint64)
	Begun func(t *calls.Thread)

	t testing.TB
}

// Silent is an observer that does nothing, to be embedded.
type Silent struct{}

func (Silent) Began()                                            {}
func (Silent) Called(*mpi.Func, *waitstate.Origin)               {}
func (Silent) Started(*waitstate.Op)                             {}
func (Silent) Entering(*waitstate.Op, *mpi.Func)                 {}
func (Silent) Returned(bool)                                     {}
func (Silent) CallEnded(uint32)                                  {}
func (Silent) ThreadEnded(uint32)                                {}
func (Silent) Joining(*waitstate.Op)                             {}
func (Silent) Asks(*mpi.Func, *waitstate.Op, []*objects.Request) {}
func (Silent) AsksFor(*waitstate.Part)                           {}
func (Silent) Missed(uint32, uint32)                             {}
func (Silent) Found(*waitstate.Op)                               {}
func (Silent) Matched(*waitstate.Part, op.Rank, int32)           {}
func (Silent) Gone(*waitstate.Part)                              {}
func (Silent) Done(int32)                                        {}
func (Silent) Requested(*objects.Request)                        {}
func (Silent) Restarted(*objects.Request)                        {}
func (Silent) Filled(*objects.Request, int64, objects.Made)      {}
func (Silent) Completed([]*waitstate.Part)                       {}
func (Silent) Made(*objects.Comm)                                {}
func (Silent) Named(*objects.Comm)                               {}
func (Silent) Numbered(uint64, uint64, uint64)                   {}
func (Silent) Remade(uint64)                                     {}
func (Silent) LostTrack()                                        {}
func (Silent) Unordered(op.CommID)                               {}

// New is a job of which some agent has all ranks. Its code is at the addresses up to 1 MB.
func New(t testing.TB) *Job {
	t.Helper()
	return Of(t, 0, func(op.Rank) int { return 0 })
}

// Of is a job of which an agent has those ranks that are at home with it.
func Of(t testing.TB, agent int, home func(op.Rank) int) *Job {
	t.Helper()
	table, err := mpi.Load()
	if err != nil {
		t.Fatal(err)
	}
	node := waitstate.NewNode(agent, home)
	return &Job{Script: script.New(table), Follower: calls.New(table, node), Threads: make(map[string]*calls.Thread),
		Symbols: new(Symbols), t: t}
}

// Rank adds a rank of a job of so many, without a thread.
func (j *Job) Rank(rank, ranks int) *calls.Rank {
	r := calls.NewRank(op.Rank(rank))
	r.Size, r.PID = ranks, 100+rank
	r.Maps = symbol.ParseMaps(r.PID, "00000000-00100000 r-xp 00000000 08:01 7 /src/program\n")
	j.Follower.Know(r, 1<<20, 3)
	return r
}

// Thread adds a thread to a rank. observer makes who is given what it does, nil for nobody.
func (j *Job) Thread(r *calls.Rank, observer func(*calls.Thread) calls.Observer) *calls.Thread {
	index := len(r.Threads)
	t := &calls.Thread{Rank: r, WS: j.Follower.Node.NewThread(r.World, op.Thread(index)), Call: new(objects.Call),
		Joins: -1, See: Silent{}}
	name := strconv.Itoa(int(r.World))
	if index > 0 {
		name += "." + strconv.Itoa(index)
	}
	j.Threads[name] = t
	r.Threads = append(r.Threads, t)
	if observer != nil {
		t.See = observer(t)
	}
	if index == 0 {
		for _, rec := range j.Begin(int(r.World), r.Size) {
			j.take(t, &rec)
		}
	}
	return t
}

// Play has the threads follow the lines of a script.
func (j *Job) Play(text string) {
	j.t.Helper()
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		name, records, err := j.Read(line)
		t := j.Threads[name]
		if err != nil || t == nil {
			j.t.Fatalf("line %q: %v, thread %v", line, err, t)
		}
		for i := range records {
			j.take(t, &records[i])
		}
	}
}

func (j *Job) take(t *calls.Thread, rec *ring.Record) {
	switch taken := j.Follower.Take(t, rec); {
	case !taken && j.Rest != nil:
		j.Rest(t, ring.DataID(rec.Func), rec.Words)
	case rec.Kind == ring.Enter && j.Begun != nil:
		j.Begun(t)
	}
}
