package detect

import (
	"cmp"
	"slices"
	"time"

	"unknot/internal/root/tree"
	"unknot/internal/say/explain"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/op"
)

// ledger is what the root knows of the agents: how far each is, which were lost, and what they say at their end.
type ledger struct {
	net       *tree.Member[message.Message]
	members   members
	progress  map[int]message.Progress   // by member below
	away      map[int]bool               // agents and relays that were lost
	lostCalls uint64                     // of agents that were lost
	lost      []string                   // what is not known because agents were lost
	unwatched []op.Rank                  // the ranks of agents that were lost
	passed    map[string]*message.Passed // functions let through
	broken    *message.Broken            // why some rank could not be followed to the end
	unused    []message.Unused           // by threads that have ended
}

func newLedger(net *tree.Member[message.Message]) ledger {
	return ledger{net: net, members: newMembers(net.Below()), progress: make(map[int]message.Progress),
		away: make(map[int]bool), passed: make(map[string]*message.Passed)}
}

// idles takes in that an agent has read everything, and what it says then.
func (l *ledger) idles(m *message.Idle) {
	l.members.idle(m.Agent)
	l.broken = cmp.Or(l.broken, m.Broken)
	for i := range m.Passed {
		message.AddPassed(l.passed, &m.Passed[i])
	}
}

// idle says whether all agents have read everything.
func (l *ledger) idle() bool { return l.members.busy == 0 }

// Lost says that some agents, those of a host, cannot be reached any more.
type Lost struct {
	Agents []int
	Host   string
	Ranks  []op.Rank
	Since  time.Time
}

// lose takes out some agents, and the relays of their process; it says whether there are such relays. What their ranks
// do is not known from now on, so these may still do anything that others wait for.
func (l *ledger) lose(lost *Lost) (relays bool) {
	for _, id := range l.withRelays(lost.Agents) {
		if l.away[id] {
			continue
		}
		l.away[id] = true
		if id < l.net.Agents() {
			l.lostCalls += l.progress[id].Calls
		} else {
			relays = true
		}
		delete(l.progress, id)
		l.net.Lose(id)
		l.members.lose(id)
		l.members.join(l.net.Below())
		l.net.Everyone(message.Gone{Agent: id})
	}
	l.lost = append(l.lost, explain.NotObserved(lost.Ranks, lost.Host, lost.Since))
	l.unwatched = append(l.unwatched, lost.Ranks...)
	return relays
}

// withRelays adds the relays that are in the process of some agents.
func (l *ledger) withRelays(agents []int) []int {
	all := slices.Clone(agents)
	shape := l.net.Shape()
	for id := shape.Agents; id < shape.Members(); id++ {
		if slices.Contains(agents, shape.First(id)) {
			all = append(all, id)
		}
	}
	return all
}

// sum adds up the progress of all agents.
func (l *ledger) sum() message.Progress {
	sum := message.Progress{Calls: l.lostCalls}
	for _, id := range l.net.Below() {
		p := l.progress[id]
		sum.Add(&p)
	}
	return sum
}

// calls are how many calls the ranks have made, as far as known, without those of agents that were lost.
func (l *ledger) calls() (calls uint64) {
	for _, p := range l.progress {
		calls += p.Calls
	}
	return calls
}

// moving are how many calls the ranks have made that show progress, which polls do not.
func (l *ledger) moving() uint64 {
	calls := l.lostCalls
	for _, p := range l.progress {
		calls += p.Calls - p.Idle
	}
	return calls
}

// folded are how many calls of the ranks repeat others and were left out.
func (l *ledger) folded() (calls uint64) {
	for _, p := range l.progress {
		calls += p.Folded
	}
	return calls
}

// ended are the notes of threads that have ended about what a plan had for them and they did not use, in order.
func (l *ledger) ended() []message.Unused {
	slices.SortFunc(l.unused, func(a, b message.Unused) int {
		return cmp.Or(cmp.Compare(a.Rank, b.Rank), cmp.Compare(a.Thread, b.Thread))
	})
	return l.unused
}
