package parts

import (
	"bytes"
	"slices"
	"sync/atomic"
	"time"

	"unknot/internal/agent/proto"
	"unknot/internal/check"
	"unknot/internal/check/registry"
	"unknot/internal/root/detect"
	"unknot/internal/root/tree"
	"unknot/internal/say/explain"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// enough is how often the threads' states are looked at: what is certain is known the first time.
const enough = 2

// Merge gives what the agent process with the root would have said of a job by the parts of it.
func Merge(set *Set, table *mpi.T) ([]proto.Message, error) {
	var heard bytes.Buffer
	out := proto.NewWriter(&heard)
	first := set.first()
	if err := out.Send(proto.Message{Type: proto.Hello, MPI: first.MPI, Ranks: first.Size,
		Hosts: set.hosts()}); err != nil {
		return nil, err
	}
	shares := set.shares()
	var calls uint64
	notes := set.notes()
	if len(shares) > 0 {
		var doubts []string
		calls, doubts = judge(first.Size, shares, set.ended(), out, table)
		notes = append(notes, doubts...)
	}
	for _, note := range notes {
		if err := out.Send(proto.Message{Type: proto.Note, Text: note}); err != nil {
			return nil, err
		}
	}
	if err := out.Send(proto.Message{Type: proto.Done, Traffic: proto.Traffic{Calls: calls},
		Why: set.why()}); err != nil {
		return nil, err
	}
	said, err := read(&heard)
	if err != nil {
		return nil, err
	}
	return set.withRoot(said)
}

func read(from *bytes.Buffer) (said []proto.Message, err error) {
	r := proto.NewReader(from)
	for from.Len() > 0 || err == nil {
		var m proto.Message
		if m, err = r.Receive(); err == nil {
			said = append(said, m)
		}
	}
	return said, atEnd(err)
}

// judge has a root judge what agents have left. It returns how many calls they have followed and, if no rank was stuck
// for certain, what leaves that open.
func judge(size int, shares []*Share, last detect.Ended, out *proto.Writer, table *mpi.T) (calls uint64,
	doubts []string) {
	c := newBooks(shares)
	net := tree.New[message.Message](tree.NewShape(len(shares), 0), nil)
	var answered atomic.Int32
	var judged, over atomic.Bool
	agentOf := make(map[op.Rank]int)
	for i, s := range shares {
		for r := range s.ranks().All() {
			agentOf[r] = i + 1
		}
	}
	local := func(a, b op.Rank) bool { return agentOf[a] != 0 && agentOf[a] == agentOf[b] }
	root := detect.New(net.Member(tree.Root), out, size,
		detect.Options{Past: true, Checks: registry.Chosen(check.Selection{})}, table)
	for i, s := range shares {
		w := &witness{net: net.Member(i), share: s, state: c.amend(&s.State, local), answered: &answered,
			judged: &judged, over: &over, table: table}
		w.mine = func(r op.Rank) bool { return agentOf[r] == i+1 || i == 0 && agentOf[r] == 0 }
		go w.run()
	}
	for id := len(shares); id < net.Shape().Members(); id++ {
		go detect.NewRelay(net.Member(id), net.Shape().Level(id)).Run()
	}
	go root.Run()
	for !judged.Load() && int(answered.Load()) < enough*len(shares) {
		time.Sleep(10 * time.Millisecond)
	}
	over.Store(true)
	root.Finish(last)
	<-root.Done()
	calls, _, _ = root.Verdict(len(agentOf))
	if judged.Load() {
		return calls, nil
	}
	return calls, c.doubts(shares, local)
}

// withRoot puts what the root itself has said, if it has, before what follows from the parts of hosts that it could not
// reach.
func (s *Set) withRoot(said []proto.Message) ([]proto.Message, error) {
	if s.Root == nil {
		return said, nil
	}
	first, err := read(bytes.NewBufferString(s.Root.Said))
	if err != nil {
		return nil, err
	}
	if len(s.Parts) == 0 {
		return first, nil
	}
	after := 0
	for _, m := range first {
		after = max(after, m.Number)
	}
	for _, m := range said {
		if m.Type == proto.Found {
			m.Number += after
			first = slices.Insert(first, len(first)-1, m)
		}
	}
	return first, nil
}

// ended is what all processes know besides what their agents do.
func (s *Set) ended() (all detect.Ended) {
	for _, p := range s.Parts {
		all.Outside, all.Freed = append(all.Outside, p.Ended.Outside...), append(all.Freed, p.Ended.Freed...)
	}
	return all
}

// why is what keeps the merged result from being that of a whole run.
func (s *Set) why() string {
	lost := s.first().Lost
	for _, p := range s.Parts {
		if p.Lost.Before(lost) {
			lost = p.Lost
		}
	}
	return explain.Merged(lost, s.missing())
}
