package judge

import (
	"container/heap"
	"time"

	"unknot/internal/say/explain/shmem"
	"unknot/internal/shmem/layout"
	"unknot/internal/upc/streams"
)

// merge is the records of all PEs, in the order of their tickets.
type merge struct {
	sources []*source
	heads   heads
	last    uint64    // ticket that was followed
	gap     time.Time // since when the next one is missing
	missing uint64    // tickets without a record
	again   bool      // a PE has more than one stream
}

// source is the stream of a PE, and its records that were taken and not followed yet.
type source struct {
	stream  *streams.Stream
	pe      int
	ignored bool // its records are only counted
	queue   []layout.Record
	at      int // of the next one in the queue
}

// mostQueued is how many records of a PE are taken before those of others have come. A PE is held up then, once its
// ring is full, but never the one that has the next ticket: its earlier records were all followed, so its queue is
// empty.
const mostQueued = 64 << 10

func (s *source) head() *layout.Record { return &s.queue[s.at] }

func (s *source) queued() int { return len(s.queue) - s.at }

// add takes in a stream that has appeared.
func (j *job) add(s *streams.Stream) {
	n := s.Thread()
	src := &source{stream: s, pe: n}
	switch {
	case n >= len(j.pes):
		src.ignored = true
		j.strange++
	case j.pes[n].source != nil:
		src.ignored, j.again = true, true
	default:
		j.pes[n].source = src
		j.pes[n].lookAtProcess()
	}
	j.sources = append(j.sources, src)
}

// take takes the records that have come; it says whether there are any.
func (m *merge) take(end bool) (some bool) {
	for _, s := range m.sources {
		n := s.queued()
		if n >= mostQueued && !end {
			continue
		}
		s.queue, s.at = s.queue[:copy(s.queue, s.queue[s.at:])], 0
		s.queue = s.stream.Take(s.queue)
		if len(s.queue) == n {
			continue
		}
		some = true
		if n == 0 {
			heap.Push(&m.heads, s)
		}
	}
	return some
}

// patience is how long a ticket may be missing before its record is given up: its PE has been stopped between the two,
// or killed.
const patience = 2 * time.Second

// advance follows the records in the order of their tickets, as far as there is none missing. At the end nothing more
// comes.
func (j *job) advance(now time.Time, end bool) {
	for len(j.heads) > 0 {
		s := j.heads[0]
		ticket := s.head().Ticket
		if ticket > j.last+1 {
			if j.gap.IsZero() {
				j.gap = now
			}
			if !end && now.Sub(j.gap) < patience {
				return
			}
			j.missing += ticket - j.last - 1
			if !end {
				j.doubt(shmem.Doubt{Why: shmem.HeldUp})
			}
		}
		j.gap = time.Time{}
		j.last = max(j.last, ticket)
		r := *s.head()
		s.at++
		if s.queued() == 0 {
			heap.Pop(&j.heads)
		} else {
			heap.Fix(&j.heads, 0)
		}
		if !s.ignored {
			j.follow(s.pe, &r)
		}
	}
}

// behind says whether something that was recorded was not followed yet.
func (s *source) behind() bool { return s != nil && (s.queued() > 0 || s.stream.Behind()) }

// heads are the sources that have records, as a heap by the tickets of the next ones.
type heads []*source

func (h heads) Len() int           { return len(h) }
func (h heads) Less(a, b int) bool { return h[a].head().Ticket < h[b].head().Ticket }
func (h heads) Swap(a, b int)      { h[a], h[b] = h[b], h[a] }

// Push and Pop are for package heap.
func (h *heads) Push(s any) { *h = append(*h, s.(*source)) }

// Pop takes away the last one.
func (h *heads) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}
