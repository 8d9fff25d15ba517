package screen

// partnersTold is how many partners of a flagged call are named.
const partnersTold = 4

// judge tells what is left when nothing moves any more, and what had to be let go to get there.
func (s *simulation) judge() (hits []Hit, ended int) {
	for t, w := range s.waits {
		switch {
		case w == hasEnded:
			ended++
		case w == inAnyOf:
			hits = append(hits, s.stuckInAny(int32(t)))
		default:
			hits = append(hits, Hit{Reason: s.reason(w), Thread: int32(t), Step: w, In: s.at[t],
				Partners: s.partners(w)})
		}
	}
	for _, send := range s.let {
		hits = append(hits, s.told(send, Contested))
	}
	for _, recv := range s.taken {
		hits = append(hits, s.told(recv, Taken))
	}
	for _, at := range s.open {
		hits = append(hits, s.told(at, AnyOf))
	}
	for _, p := range s.unseen {
		hits = append(hits, s.told(p, Unseen))
	}
	if ended == len(s.waits) {
		for i, k := range s.kind {
			kind := k & kindMask
			if (kind == stepSend || kind == stepRecv) && s.b[i] == nobody {
				hits = append(hits, s.told(int32(i), Lost))
			}
		}
	}
	return hits, ended
}

func (s *simulation) told(step int32, why Reason) Hit {
	return Hit{Reason: why, Thread: s.threadOf(step), Step: step, In: step, Partners: s.partners(step)}
}

// stuckInAny is about the first step that a wait for any waits for.
func (s *simulation) stuckInAny(t int32) Hit {
	at := s.at[t]
	h := Hit{Reason: Stuck, Thread: t, Step: at, In: at}
	alone := true
	for m := at + 1; m <= at+s.a[at]; m++ {
		alone = alone && s.reason(s.a[m]) == NoPartner
		if len(h.Partners) < partnersTold {
			h.Partners = append(h.Partners, s.partners(s.a[m])...)
		}
	}
	if alone {
		h.Reason = NoPartner
	}
	h.Partners = h.Partners[:min(len(h.Partners), partnersTold)]
	return h
}

// reason says why a step is not complete.
func (s *simulation) reason(step int32) Reason {
	link := s.b[step]
	switch s.kind[step] & kindMask {
	case stepColl:
		return Stuck
	case stepSend:
		if isFamily(link) {
			if f := &s.fams[familyOf(link)]; f.sends > f.recvs {
				return Surplus
			}
			return Stuck
		}
	case stepRecv, stepProbe:
		if isFamily(link) {
			if s.c[step] > s.fams[familyOf(link)].sends {
				return Surplus
			}
			return Stuck
		}
	}
	if link == nobody {
		return NoPartner
	}
	return Stuck
}

// partners are steps that a step could meet, or the next sends and receives of its family.
func (s *simulation) partners(step int32) []int32 {
	link := s.b[step]
	switch k := s.kind[step] & kindMask; {
	case k != stepSend && k != stepRecv && k != stepProbe || link == nobody:
		return nil
	case link >= 0:
		return []int32{link}
	case k == stepSend:
		f := &s.fams[familyOf(link)]
		n := min(f.recvs, partnersTold)
		return s.famRecvs[f.recvAt : f.recvAt+n]
	default:
		f := &s.fams[familyOf(link)]
		n := min(f.sends, partnersTold)
		return s.order[f.sendAt : f.sendAt+n]
	}
}
