package detect

import (
	"slices"
	"time"

	"unknot/internal/agent/proto"
	"unknot/internal/explain"
	"unknot/internal/finding"
	"unknot/internal/message"
	"unknot/internal/op"
)

// A survey says where each rank is: when the run is about to be ended from outside, and when nobody has got on for
// long. It is a round of detection in which all threads are described, unless that round has something worse to tell.

// survey is one that is wanted.
type survey struct {
	signal string        // that ends the run; "" if nobody gets on
	still  time.Duration // for which nobody has
}

// advance is how far all ranks have come.
type advance struct {
	calls    uint64 // that show progress
	at       time.Time
	reported bool // that they have been there for long
}

// Survey asks the root, from another goroutine, where all ranks are, as a signal is about to end the run.
func (r *Root) Survey(signal string) { r.process.Put(Event{Survey: signal}) }

// watchStall notices that no rank has made a call for long, but for polls. It is told once each time.
func (r *Root) watchStall() {
	if r.opts.Stall <= 0 || r.ending || r.stopped {
		return
	}
	calls := r.ledger.moving()
	if calls != r.advance.calls || r.advance.at.IsZero() {
		r.advance = advance{calls: calls, at: r.now}
		return
	}
	if still := r.now.Sub(r.advance.at); still >= r.opts.Stall && !r.advance.reported && r.survey == nil &&
		!r.findings.has(finding.Interrupted) {
		r.advance.reported = true
		r.want(&survey{still: still})
	}
}

// want has a survey made as soon as the round that goes on has ended.
func (r *Root) want(s *survey) {
	if r.last || r.stopped || r.ending && s.signal == "" {
		r.surveyed(s)
		return
	}
	r.survey = s
	r.pace.hasten()
}

// surveyed says that there is nothing more to wait for before the run is ended.
func (r *Root) surveyed(s *survey) {
	r.survey = nil
	if s != nil && s.signal != "" {
		_ = r.out.Send(proto.Message{Type: proto.Surveyed})
	}
}

// mostRunning bounds the threads outside of MPI that a survey describes: each of them has a place of its own.
const mostRunning = 64

// askSurvey asks where all threads are.
func (r *Root) askSurvey(s *state) {
	q := question{code: finding.Stall, survey: true, build: r.graph(s, standing), culprits: []op.Rank{}}
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
	r.asked = append(r.asked, q)
	r.pace.looks = false // for deadlocks
}

// surveying says whether the round that goes on is a survey.
func (r *Root) surveying() bool {
	return slices.ContainsFunc(r.asked, func(q question) bool { return q.survey })
}

// tellSurvey tells where the threads are that have been asked about.
func (r *Root) tellSurvey(q *question, byKey map[message.Key]*message.Described) {
	s := r.survey
	if s == nil {
		return
	}
	st := explain.Standstill{Signal: s.signal, Still: s.still, Size: r.size, Left: q.left}
	st.Alike = q.alike
	for i, k := range q.core {
		if d := byKey[k]; d != nil {
			st.Members = append(st.Members, q.member(d, q.build.threads[q.nodes[i]]))
		}
	}
	for rank := range r.size {
		switch over := op.Rank(rank); {
		case slices.Contains(r.ledger.unwatched, over):
			st.Unwatched = append(st.Unwatched, over)
		case len(r.state.threadsOf(over)) == 0:
			st.Absent = append(st.Absent, over)
		case q.build.gone(over):
			st.Culprits = append(st.Culprits, over)
			if slices.ContainsFunc(r.state.threadsOf(over),
				func(i int) bool { return r.state.threads[i].State == message.Dead }) {
				st.Died = append(st.Died, over)
			}
		}
	}
	slices.SortStableFunc(st.Members, func(a, b explain.Member) int {
		return message.CompareKeys(a.Described.Key, b.Described.Key)
	})
	if f, tells := st.Finding(); tells {
		r.findings.tell(f)
		for _, t := range r.findings.order {
			if t.Code == finding.Interrupted && !t.sent {
				t.send(r.out)
			}
		}
	}
	r.surveyed(s)
}
