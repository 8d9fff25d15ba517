package waitstate

import (
	"slices"

	"unknot/internal/model/match"
	"unknot/internal/vocab/op"
)

// queues are those in which messages to this node's ranks meet their receives: one for each rank and context.
type queues struct {
	byKey   map[queueKey]*match.Queue
	recent  [recentQueues]recentQueue
	closed  []queueKey // of communicators that were freed; their queues are dropped when there are sweepAt of them
	sweepAt int
}

func newQueues() queues { return queues{byKey: make(map[queueKey]*match.Queue)} }

type queueKey struct {
	rank op.Rank
	ctx  op.CommID
}

// slot is the place of a queue among the recent ones: ranks of one communicator do not share one.
func (k queueKey) slot() uint64 { return (uint64(k.rank) + uint64(k.ctx)) % recentQueues }

// recentQueues is how many queues are found without a search.
const recentQueues = 256

type recentQueue struct {
	key queueKey
	q   *match.Queue
}

// queue is the queue of a rank in a context.
func (l *queues) queue(rank op.Rank, ctx op.CommID) *match.Queue {
	key := queueKey{rank, ctx}
	recent := &l.recent[key.slot()]
	if recent.q != nil && recent.key == key {
		return recent.q
	}
	q := l.byKey[key]
	if q == nil {
		q = new(match.Queue)
		l.byKey[key] = q
	}
	*recent = recentQueue{key, q}
	return q
}

// close notes that the rank has freed what the context belongs to.
func (l *queues) close(key queueKey) {
	if q := l.byKey[key]; q != nil {
		l.closed = append(l.closed, key)
		if q.Empty() || len(l.closed) >= l.sweepAt {
			l.sweep()
		}
	}
}

// sweep drops the queues of what was freed, except those in which a message is still open: what a rank read ahead of
// its partners has posted, they have yet to send.
func (l *queues) sweep() {
	l.closed = slices.DeleteFunc(l.closed, func(key queueKey) bool {
		if q := l.byKey[key]; q != nil && !q.Empty() {
			return false
		}
		delete(l.byKey, key)
		return true
	})
	l.recent = [recentQueues]recentQueue{}
	l.sweepAt = 2 * len(l.closed)
}

// remote stands for a send of another node in a queue of this one.
type remote struct {
	ref     Ref
	bytes   int64
	content Content
	origin  *Origin
	init    *Origin
	send    match.Send

	synchronous bool
	ready       bool
	active      bool    // in the strict view
	clock       *Clock  // what its thread knew then
	met         []*Part // the receives and probes that wait for that
}
