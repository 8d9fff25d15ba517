package screen

import "slices"

// postContested posts a send of a family.
func (s *simulation) postContested(i int32, f *family) {
	f.sent++
	sure := s.c[i] <= f.received
	if !sure {
		s.a[i] = f.arrived
		s.arrivals[f.arriveAt+f.arrived] = i
		f.arrived++
	}
	if f.sent <= f.received {
		s.serve(f)
	}
	if s.probes {
		from, to := s.threadsOf(f.rank)
		for t := from; t < to; t++ {
			if w := s.waits[t]; w >= 0 && s.kind[w]&kindMask == stepProbe && s.b[w] == s.b[i] && s.c[w] <= f.sent {
				s.wake(t)
			}
		}
	}
	if sure {
		s.kind[i] |= complete
		f.gone++
	}
}

// openContested posts a receive of a family.
func (s *simulation) openContested(i int32, f *family) {
	f.received++
	if f.received <= f.sent {
		s.serve(f)
	}
	for ; f.next < f.sends; f.next++ {
		send := s.order[f.sendAt+f.next]
		if s.c[send] > f.received {
			return
		}
		if s.kind[send]&(posted|complete) == posted {
			s.release(send, f)
		}
	}
}

// turn is a served contested receive. One of the first sends of its family that were there took it.
type turn struct{ recv, first int32 }

// serve completes the next receive of a family.
func (s *simulation) serve(f *family) {
	recv := s.famRecvs[f.recvAt+f.served]
	f.served++
	if len(s.turns) == cap(s.turns) {
		s.turns = slices.DeleteFunc(s.turns, func(t turn) bool {
			f := &s.fams[familyOf(s.b[t.recv])]
			return f.gone >= f.served
		})
	}
	s.turns = append(s.turns, turn{recv, f.arrived})
	s.notify(recv, f.rank)
}

// release completes a send of a family.
func (s *simulation) release(send int32, f *family) {
	s.kind[send] |= complete
	f.gone++
	if s.kind[send]&buffered == 0 {
		rank := s.rankOf[s.threadOf(send)]
		s.notify(send, rank)
	}
}

// threadOf is the thread of a step.
func (s *simulation) threadOf(step int32) int32 {
	low, high := 0, len(s.rankOf)
	for low+1 < high {
		if mid := (low + high) / 2; s.startOf[mid] <= step {
			low = mid
		} else {
			high = mid
		}
	}
	return int32(low)
}

// letOne is for when nothing moves. It lets one contested send go that a served receive may have taken, or one wait for
// any end that has something to report. It returns false if there is neither.
func (s *simulation) letOne() bool {
	for len(s.turns) > 0 {
		turn := s.turns[0]
		s.turns = s.turns[1:]
		f := &s.fams[familyOf(s.b[turn.recv])]
		if f.gone >= f.served {
			continue
		}
		if send := s.candidate(turn, f); send != nobody {
			s.let = append(s.let, send)
			s.release(send, f)
		}
		if s.count > 0 {
			return true
		}
	}
	for len(s.anys) > 0 {
		t := s.anys[0]
		s.anys = s.anys[1:]
		if s.waits[t] != inAnyOf {
			continue
		}
		s.kind[s.at[t]] |= complete
		s.sub[t] = 0
		s.open = append(s.open, s.at[t])
		s.wake(t)
		return true
	}
	return false
}

// candidate is the send that a served receive took: that of the run if its rank stands in it, else the one that came
// first of those after which something follows. If there is none, it took one that nobody needs to end, of which
// nothing is reported.
func (s *simulation) candidate(t turn, f *family) int32 {
	if source := s.a[t.recv]; f.plain && source <= metOffset {
		from, to := s.threadsOf(met(source))
		for th := from; th < to; th++ {
			if w := s.waits[th]; w >= 0 && s.kind[w]&kindMask == stepSend && s.b[w] == s.b[t.recv] && s.a[w] < t.first {
				return w
			}
		}
	}
	for f.looked < t.first {
		send := s.arrivals[f.arriveAt+f.looked]
		f.looked++
		k := s.kind[send]
		if k&complete != 0 {
			continue
		}
		if k&buffered != 0 {
			s.release(send, f)
			return nobody
		}
		if k&blocking != 0 && send+1 == s.startOf[s.threadOf(send)+1] {
			s.a[send], f.late = f.late, send
			continue
		}
		return send
	}
	for f.late != nobody {
		send := f.late
		f.late = s.a[send]
		if s.kind[send]&complete == 0 {
			s.release(send, f)
			return nobody
		}
	}
	return nobody
}
