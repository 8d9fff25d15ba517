package detect

import (
	"unknot/internal/say/explain"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/op"
)

// stranding is the error that concerns the calls of stranded threads: one about such a call if there is one, else the
// first about what they belong to.
func (l *findings) stranding(calls []*message.Stranded) *grouped {
	var first *grouped
	for _, t := range l.order {
		if t.Severity != finding.Error || t.Standing != finding.Manifest || !t.aboutCalls() {
			continue
		}
		for _, c := range calls {
			if t.names(c.Rank, c.Moment) {
				return t
			}
			if first == nil && t.scope.Meets(c.Scope) {
				first = t
			}
		}
	}
	return first
}

// strand adds to the error that concerns them the threads that do not get on because of it; nil if some of them has.
func (l *findings) strand(q *question, byKey map[message.Key]*message.Described) *grouped {
	t := l.stranding(q.stranded)
	if t == nil {
		return nil
	}
	var places []finding.Place
	var ranks []op.Rank
	call := ""
	for _, k := range q.core {
		d := byKey[k]
		if d == nil || !d.Still {
			return nil
		}
		places = append(places, d.Place)
		if len(ranks) == 0 || ranks[len(ranks)-1] != k.Rank {
			ranks = append(ranks, k.Rank)
		}
		if call == "" {
			call = d.Place.Call
		} else if call != d.Place.Call {
			call = "their calls"
		}
	}
	for _, k := range q.others {
		if d := byKey[k]; d != nil && d.Still {
			places = append(places, d.Place)
		}
	}
	t.stranded = explain.StuckBehind(ranks, call, l.opts.Leave)
	if l.opts.Past {
		t.stranded = explain.StuckToTheEnd(ranks, call)
	}
	t.Others = places
	t.touch(l.now)
	return t
}
