package detect

import (
	"slices"

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
