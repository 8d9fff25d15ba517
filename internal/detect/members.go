package detect

import (
	"slices"
	"time"

	"unknot/internal/explain"
	"unknot/internal/message"
	"unknot/internal/op"
)

// members are those below the root or a relay, and what they still have to do.
type members struct {
	list    map[int]*member
	missing int // answers to the last question that are still to come
	busy    int // members that have not read everything yet
}

// member is what is known of an agent, or of a relay and those below it.
type member struct {
	asked bool // its answer is still to come
	idle  bool // it has read everything
}

func newMembers(ids []int) members {
	m := members{list: make(map[int]*member)}
	m.join(ids)
	return m
}

// join takes in those that are not members yet.
func (m *members) join(ids []int) {
	for _, id := range ids {
		if m.list[id] == nil {
			m.list[id] = &member{}
			m.busy++
		}
	}
}

// ask notes that all have been asked something.
func (m *members) ask() {
	m.missing = len(m.list)
	for _, x := range m.list {
		x.asked = true
	}
}

// awaited says whether a member's answer is still to come.
func (m *members) awaited(id int) bool { return m.list[id] != nil && m.list[id].asked }

// answered notes a member's answer; false if none is expected of it.
func (m *members) answered(id int) bool {
	if !m.awaited(id) {
		return false
	}
	m.list[id].asked = false
	m.missing--
	return true
}

// idle notes that a member has read everything; false if that is known.
func (m *members) idle(id int) bool {
	x := m.list[id]
	if x == nil || x.idle {
		return false
	}
	x.idle = true
	m.busy--
	return true
}

// lose notes that a member cannot be reached any more.
func (m *members) lose(id int) {
	m.idle(id)
	m.answered(id)
	delete(m.list, id)
}

// Lost says that some agents, those of a host, cannot be reached any more.
type Lost struct {
	Agents []int
	Host   string
	Ranks  []op.Rank
	Since  time.Time
}

// Lose tells the root, from another goroutine, that agents were lost.
func (r *Root) Lose(l Lost) { r.process.Put(Event{Lost: &l}) }

// lose goes on without some agents, and without the relays of their process. What their ranks do is not known from now
// on, so these may still do anything that others wait for.
func (r *Root) lose(l *Lost) {
	waiting, relays := r.step != resting && r.members.missing > 0, false
	for _, id := range r.withRelays(l.Agents) {
		if r.away[id] {
			continue
		}
		r.away[id] = true
		if id < r.net.Agents() {
			r.lostCalls += r.progress[id].Calls
		} else {
			relays = true
		}
		delete(r.progress, id)
		r.net.Lose(id)
		r.members.lose(id)
		r.members.join(r.net.Below())
		r.net.Everyone(message.Gone{Agent: id})
	}
	r.lost = append(r.lost, explain.NotObserved(l.Ranks, l.Host, l.Since))
	r.unwatched = append(r.unwatched, l.Ranks...)
	switch {
	case waiting && relays: // answers may have been lost with them
		r.askAgain()
	case waiting && r.members.missing == 0:
		r.goOn()
	}
}

// withRelays adds the relays that are in the process of some agents.
func (r *Root) withRelays(agents []int) []int {
	all := slices.Clone(agents)
	shape := r.net.Shape()
	for id := shape.Agents; id < shape.Members(); id++ {
		if slices.Contains(agents, shape.First(id)) {
			all = append(all, id)
		}
	}
	return all
}

// idle says whether all agents have read everything.
func (r *Root) idle() bool { return r.members.busy == 0 }

// ask puts a question to everybody; step is what the answers are for.
func (r *Root) ask(s step, q message.Question) {
	r.step, r.question = s, q
	if s == remaining {
		r.remains = message.Left{}
	}
	r.before = r.heard
	r.members.ask()
	r.net.Broadcast(q.In(r.round))
	if r.members.missing == 0 {
		r.goOn()
	}
}

// askAgain begins again with what answers are awaited for: with the round, as long as nothing has come of it, else with
// the last question.
func (r *Root) askAgain() {
	if r.step == settling || r.step == gathering {
		r.begin()
		return
	}
	r.newRound()
	r.heard = r.before
	r.ask(r.step, r.question)
}
