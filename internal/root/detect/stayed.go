package detect

import (
	"hash/maphash"

	"unknot/internal/vocab/message"
	"unknot/internal/vocab/op"
)

// stayed remembers in which round all threads of a set had been seen to have the processor in the calls in which they
// are, so that it can be asked for once more.
type stayed struct {
	round int // the current one
	first map[group]int
	kept  map[group]int // of first, what was asked for in this round
	hash  maphash.Hash
}

// group is a set of threads in their calls, as a number, and the view in which it is judged.
type group struct {
	view
	threads uint64
}

// next begins a round. What nobody has asked for in the last one is forgotten: some thread has moved.
func (s *stayed) next(round int) {
	s.round, s.first, s.kept = round, s.kept, make(map[group]int)
}

// twice says whether all of the threads that are blocked have had the processor, or slept, after all of them had come,
// and once more after that.
func (s *stayed) twice(v view, threads []*message.Wait) bool {
	g := group{v, s.places(threads)}
	first := s.first[g]
	if first == 0 {
		if hadTheProcessor(threads, lastCame(threads)) {
			s.kept[g] = s.round
		}
		return false
	}
	s.kept[g] = first
	return hadTheProcessor(threads, first)
}

// lastCame is the round in which the last of the threads that are blocked was found there.
func lastCame(threads []*message.Wait) (round int) {
	for _, w := range threads {
		if w.State == message.Blocked {
			round = max(round, w.Since)
		}
	}
	return round
}

// hadTheProcessor says whether all of the threads that are blocked have had the processor, or slept, after a round. One
// that waits for long may have had it long ago, and be kept from it since another one came.
func hadTheProcessor(threads []*message.Wait, after int) bool {
	for _, w := range threads {
		if w.State == message.Blocked && w.Shown <= after {
			return false
		}
	}
	return true
}

// places is a number for where threads are blocked.
func (s *stayed) places(threads []*message.Wait) uint64 {
	type place struct {
		rank   op.Rank
		thread op.Thread
		ts     uint64
		stamp  uint32
		since  int
	}
	s.hash.Reset()
	for _, w := range threads {
		if w.State == message.Blocked {
			maphash.WriteComparable(&s.hash, place{w.Rank, w.Thread, w.Real.TS, w.Real.Stamp, w.Since})
		}
	}
	return s.hash.Sum64()
}
