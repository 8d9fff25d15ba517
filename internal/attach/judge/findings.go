package judge

import (
	"fmt"
	"slices"
	"time"

	"unknot/internal/attach/look"
	"unknot/internal/model/waitfor"
	"unknot/internal/say/explain"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// Findings are what is to be said of the job: collectives that do not match and proved deadlocks, or else a deadlock
// that is likely, or else where the ranks are.
func (j *Job) Findings(a *explain.Attached) (list []finding.Finding) {
	list = j.clashes(a)
	for _, time := range j.times() {
		g := j.graph(time)
		if len(g.Dead()) == 0 {
			continue
		}
		for i, s := range j.stories(g) {
			if i == 0 {
				s.Others = j.dependent(g)
			}
			list = append(list, a.Proved(s))
		}
	}
	if len(list) > 0 || len(j.Moving()) > 0 {
		return list
	}
	if h := j.heldUp(a); h != nil {
		return []finding.Finding{h.Finding()}
	}
	still := &explain.Standstill{Watched: a, Size: j.size}
	for r := range op.Rank(j.size) {
		switch {
		case slices.Contains(j.ended, r):
			still.Ended = append(still.Ended, r)
		case len(j.of[r]) == 0:
			still.Unwatched = append(still.Unwatched, r)
		}
	}
	for _, n := range j.threads {
		still.Members = append(still.Members, j.standing(n, a))
	}
	if g := j.guess(); len(g.Dead()) > 0 {
		s := j.story(g.Dead())
		return []finding.Finding{a.Likely(s, j.doubts(g.Dead()))}
	}
	if f, tells := still.Finding(); tells {
		list = append(list, f)
	}
	return list
}

// stories are those of the cores of a graph. Cores of one thread each that wait in the same call for the same ranks,
// which are over, are one.
func (j *Job) stories(g *waitfor.Graph) (list []*explain.Story) {
	joined := make(map[string]int)
	var cores [][]waitfor.Node
	for _, core := range g.Cores(0) {
		if s := j.story(core); len(core) == 1 && len(s.Culprits) > 0 {
			m := &s.Members[0]
			key := fmt.Sprint(s.Culprits, m.Described.Place.Call, m.Described.Place.Frame)
			if at, has := joined[key]; has {
				cores[at] = append(cores[at], core...)
				continue
			}
			joined[key] = len(cores)
		}
		cores = append(cores, core)
	}
	for _, core := range cores {
		list = append(list, j.story(core))
	}
	return list
}

// heldUp are calls that do not return though all that they need has been called, by the records of all ranks that take
// part, if none has returned for long enough; nil if there are none.
func (j *Job) heldUp(a *explain.Attached) *explain.HeldUp {
	if j.entries == nil || j.apart || a.Still < long || len(j.threads) < j.size {
		return nil
	}
	h := &explain.HeldUp{Story: explain.Story{Code: finding.StalledInLibrary, Glimpsed: true},
		Still: time.Duration(a.Still * float64(time.Second))}
	for _, n := range j.threads {
		if n.call == nil || n.thread.Kept != look.Stays || stopped(n.thread) {
			return nil // it may have to see to the messages of others
		}
		m := j.member(n)
		if !n.met || slices.ContainsFunc(n.parts, func(p part) bool { return p.doubt || !p.known }) {
			h.Others = append(h.Others, m)
			continue
		}
		t := n.thread
		w := &message.Within{Process: t.Process(), SystemCall: t.Activity.Call, On: t.On, In: t.In,
			Library: mpi.LibraryName(n.rank.Record.Library), Device: mpi.Device(n.rank.Record.Library)}
		w.Parts, w.Settings = n.rank.Modules, n.rank.Settings
		m.Described.Shape.Within = w
		h.Members = append(h.Members, m)
	}
	if len(h.Members) == 0 {
		return nil
	}
	return h
}

// long is for how many seconds calls must not have returned before it is said that the MPI library does not complete
// them: a large message takes its time.
const long = 10

// story is that of threads which wait for each other.
func (j *Job) story(core []waitfor.Node) *explain.Story {
	s := &explain.Story{Code: finding.Deadlock, Glimpsed: true}
	for _, c := range core {
		m := j.member(j.threads[c])
		s.Members = append(s.Members, m)
		for _, r := range m.Peers {
			if slices.Contains(j.over, r) && !slices.Contains(s.Culprits, r) {
				s.Culprits = append(s.Culprits, r)
			}
		}
	}
	slices.SortStableFunc(s.Members, func(a, b explain.Member) int {
		return int(a.Described.Key.Rank - b.Described.Key.Rank)
	})
	slices.Sort(s.Culprits)
	for _, r := range s.Culprits {
		if slices.Contains(j.ended, r) {
			s.Died = append(s.Died, r)
			continue
		}
		for _, n := range j.of[r] {
			s.Witness = append(s.Witness, j.member(n).Described)
		}
	}
	s.Recorded = j.entries != nil
	return s
}

// dependent are threads that are in no core, and can never go on because of one.
func (j *Job) dependent(g *waitfor.Graph) (list []explain.Member) {
	var core []waitfor.Node
	for _, c := range g.Cores(0) {
		core = append(core, c...)
	}
	for _, n := range g.Dead() {
		if !slices.Contains(core, n) {
			list = append(list, j.member(j.threads[n]))
		}
	}
	return list
}

// doubts are what would have to be known of threads for it to be proved that they wait for each other.
func (j *Job) doubts(dead []waitfor.Node) (list []explain.Question) {
	for _, d := range dead {
		n := j.threads[d]
		if n.asleep {
			continue
		}
		unknown := len(n.parts) == 0 || slices.ContainsFunc(n.parts, func(p part) bool { return !p.sure() })
		apart := j.apart && n.call == nil
		if unknown || n.thread.Kept != look.Stays || !n.thread.Ran || apart {
			list = append(list, explain.Question{Rank: op.Rank(n.rank.Rank.Rank), Call: n.thread.Call.Function.Name,
				Unknown: unknown, Starved: !n.thread.Ran, Returned: n.thread.Kept != look.Stays, Apart: apart})
		}
	}
	return list
}

// standing is a thread as one of those that stand still.
func (j *Job) standing(n *node, a *explain.Attached) explain.Member {
	m := j.member(n)
	t := n.thread
	stay := &finding.Stay{Least: true, Outside: t.Call == nil}
	if t.Kept == look.Stays {
		stay.Seconds = a.Seconds
	}
	if process := t.Process(); stay.Outside || process == "stopped" || process == "traced" || process == "uninterruptible" {
		stay.Process, stay.SystemCall, stay.On, stay.Others = process, t.Activity.Call, t.On, t.Others
	}
	m.Described.Place.Stay = stay
	if m.State == message.Running && t.Call == nil {
		m.Peers, m.Needs = nil, nil
	}
	return m
}

// Moving are the ranks that have come out of a call of MPI, or into one, while they were watched.
func (j *Job) Moving() (list []op.Rank) {
	for r := range op.Rank(j.size) {
		if slices.ContainsFunc(j.of[r], func(n *node) bool { return n.thread.Kept == look.Left }) {
			list = append(list, r)
		}
	}
	return list
}
