package detect

import (
	"slices"
	"time"

	"unknot/internal/agent/proto"
	"unknot/internal/say/explain"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/op"
)

// A survey says where each rank is: when the run is about to be ended from outside, and when nobody has got on for
// long. It is a round of detection in which all threads are described, unless that round has something worse to tell.

// survey is one that is wanted.
type survey struct {
	signal string // that ends the run; "" if nobody gets on
	// until is when a cause that is likely is no longer waited for, and more says that where the ranks are has been
	// reported: there is only the cause to add.
	until time.Time
	more  bool
}

// advance is how far all ranks have come.
type advance struct {
	calls    uint64 // that show progress
	at       time.Time
	reported bool // that they have been there for long
	// again is when a cause is looked for once more that was likely; zero if none was
	again time.Time
}

// surveys decides when one is wanted.
type surveys struct {
	*job
	out      *proto.Writer
	ledger   *ledger
	pace     *pace
	findings *findings
	wanted   *survey // nil if none is
	advance  advance
}

// watchStall notices that no rank has made a call for long, except for polls. It is reported once each time.
func (v *surveys) watchStall() {
	if v.opts.Stall <= 0 || v.ending || v.stopped {
		return
	}
	calls := v.ledger.moving()
	if calls != v.advance.calls || v.advance.at.IsZero() {
		v.advance = advance{calls: calls, at: v.now}
		if v.wanted != nil && v.wanted.signal == "" {
			v.wanted = nil // what it was to say is no longer so
		}
		return
	}
	if v.wanted != nil || v.findings.has(finding.Interrupted) {
		return
	}
	again := v.advance.again
	switch {
	case !v.advance.reported && v.now.Sub(v.advance.at) >= v.opts.Stall:
		v.advance.reported = true
		v.want(&survey{until: v.now.Add(patience)})
	case !again.IsZero() && !v.now.Before(again):
		v.advance.again = time.Time{}
		v.want(&survey{until: v.now.Add(patience), more: true})
	}
}

// want has a survey made as soon as the present round has ended.
func (v *surveys) want(s *survey) {
	if v.last || v.stopped || v.ending && s.signal == "" {
		v.surveyed(s)
		return
	}
	v.wanted = s
	v.pace.hasten()
}

// surveyed says that there is nothing more to wait for before the run is ended.
func (v *surveys) surveyed(s *survey) {
	v.wanted = nil
	if s != nil && s.signal != "" {
		_ = v.out.Send(proto.Message{Type: proto.Surveyed})
	}
}

// mostRunning bounds the threads outside of MPI that a survey describes: each of them has a separate place.
const mostRunning = 64

// question asks where all threads are; false if that is to wait for another round.
func (v *surveys) question(s *state, stayed *stayed) (question, bool) {
	q := question{code: finding.Stall, survey: true, build: v.graph(s, standing), culprits: []op.Rank{}}
	held, again := v.holds(q.build, stayed)
	if s := v.wanted; again && !v.now.Before(s.until) {
		v.advance.again, again = v.now.Add(patience), false // it is said where the ranks are meanwhile
	}
	if again {
		v.pace.soon()
		return q, false
	}
	q.held = held
	var at []nodeID
	running := 0
	for i, w := range s.threads {
		if w.State == message.Running || w.State == message.Asleep {
			if running++; running > mostRunning {
				q.left++
				continue
			}
		}
		at = append(at, nodeID(i))
	}
	if len(at) > largeFinding {
		q.large, q.alike = true, make(map[message.Key]op.Ranks)
		in := func(yes bool) (list []nodeID) {
			for _, n := range at {
				if state := s.threads[n].State; yes == (state == message.Running || state == message.Asleep) {
					list = append(list, n)
				}
			}
			return list
		}
		at = append(in(true), s.speakers(&q, in(false))...)
		slices.Sort(at)
	}
	q.nodes, q.core = at, s.keys(at, false)
	v.pace.looks = false // for deadlocks
	return q, true
}

// tell reports where the threads are that have been asked about.
func (v *surveys) tell(now *state, q *question, byKey map[message.Key]*message.Described) {
	s := v.wanted
	if s == nil {
		return
	}
	st := explain.Standstill{Signal: s.signal, Still: v.now.Sub(v.advance.at), Size: v.size, Left: q.left}
	st.Alike = q.alike
	for i, k := range q.core {
		if d := byKey[k]; d != nil {
			w := q.build.threads[q.nodes[i]]
			m := q.member(d, w)
			m.Idlers = q.build.idlers(w)
			m.Peers = slices.Compact(slices.Sorted(slices.Values(slices.Concat(m.Peers, q.few(m.Idlers)))))
			st.Members = append(st.Members, m)
		}
	}
	for rank := range v.size {
		switch over := op.Rank(rank); {
		case slices.Contains(v.ledger.unwatched, over):
			st.Unwatched = append(st.Unwatched, over)
		case len(now.threadsOf(over)) == 0:
			st.Absent = append(st.Absent, over)
		case q.build.gone(over):
			st.Culprits = append(st.Culprits, over)
			if slices.ContainsFunc(now.threadsOf(over),
				func(i int) bool { return now.threads[i].State == message.Dead }) {
				st.Died = append(st.Died, over)
			}
		}
	}
	slices.SortStableFunc(st.Members, func(a, b explain.Member) int {
		return message.CompareKeys(a.Described.Key, b.Described.Key)
	})
	f, tells := v.heldUp(&st, q)
	if !tells && !s.more {
		f, tells = st.Finding()
	}
	if tells {
		v.findings.tell(f)
		for _, t := range v.findings.order {
			if t.Code == finding.Interrupted && !t.sent {
				t.send(v.out)
			}
		}
	}
	v.surveyed(s)
}
