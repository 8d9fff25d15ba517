package detect

import "unknot/internal/vocab/message"

// stayed remembers in which round all threads of a set had been seen to have the processor in the calls in which they
// are, so that it can be asked for once more.
type stayed struct {
	round int // the current one
	first map[group]int
	kept  map[group]int // of first, what was asked for in this round
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
// and once more after that. See message.Stay.
func (s *stayed) twice(v view, threads []*message.Wait) bool {
	g := group{v, places(threads)}
	first := s.first[g]
	if first == 0 {
		if message.Stay(threads) {
			s.kept[g] = s.round
		}
		return false
	}
	s.kept[g] = first
	for _, w := range threads {
		if w.State == message.Blocked && w.Shown <= first {
			return false
		}
	}
	return true
}

// places is a number for where threads are blocked.
func places(threads []*message.Wait) uint64 {
	const prime = 0x100000001b3 // of FNV
	sum := uint64(len(threads))
	for _, w := range threads {
		if w.State != message.Blocked {
			continue
		}
		for _, v := range [...]uint64{uint64(uint32(w.Rank)), uint64(w.Thread), w.Real.TS, uint64(w.Real.Stamp), uint64(w.Since)} {
			sum = (sum ^ v) * prime
		}
	}
	return sum
}
