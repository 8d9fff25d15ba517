package detect

import (
	"slices"

	"unknot/internal/say/explain"
	"unknot/internal/vocab/op"

	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/message"
)

// strandedBehind asks about threads that errors keep from going on, if nothing moves in the job any more because of
// them.
func strandedBehind(errors *findings, s *state, b *build) (question, bool) {
	never := b.g.Never()
	q := question{code: finding.Deadlock}
	open := make(map[nodeID]bool)
	for i, w := range s.threads {
		switch {
		case w.State == message.Finished || w.State == message.Dead || w.State == message.Leaving:
		case w.Stranded != nil:
			b.g.Block(nodeID(i), []nodeID{never})
			q.core, q.stranded = append(q.core, w.Key(false)), append(q.stranded, w.Stranded)
		case w.State == message.Running || !w.Evidence:
			return question{}, false
		default:
			q.others, open[nodeID(i)] = append(q.others, w.Key(false)), true
		}
	}
	if len(q.core) == 0 || s.present < s.size || len(s.users) > 0 || !longEnough(q.stranded) ||
		errors.stranding(q.stranded) == nil {
		return question{}, false
	}
	for _, n := range b.g.Dead() {
		delete(open, n)
	}
	if len(open) > 0 {
		return question{}, false
	}
	return q, true
}

// longEnough says whether all calls last longer than all their data takes: one may have to wait for another's.
func longEnough(calls []*message.Stranded) bool {
	bytes := int64(0)
	for _, c := range calls {
		bytes += c.Bytes
	}
	need := message.Carrying(bytes)
	return !slices.ContainsFunc(calls, func(c *message.Stranded) bool { return c.Spare < need })
}

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
