package screen

// What a thread waits for, if it is no step.
const (
	running  int32 = -1 // it can go on
	inAnyOf  int32 = -2 // one of several
	hasEnded int32 = -3
)

// simulation runs all threads as far as they get, with no buffering and with collectives that wait for all their
// members. A contested send stays incomplete until it is sure to be taken, whoever wins; only when nothing else moves,
// one is let go, and reported. docs/screening.md has the argument why that covers every other course.
type simulation struct {
	*linker
	at    []int32 // by thread: the step
	sub   []int32 // how many steps of the wait there are complete; of a wait for any, how many more must be
	waits []int32 // the step that it waits for, or running, inAnyOf, hasEnded
	next  []int32 // in the list of threads that wait for the same collective
	ready []int32 // threads that can go on, a ring
	from  int
	count int

	arrived []int32 // by collective: members
	heads   []int32 // by collective: threads that wait
	inColl  bool    // some thread waits for any of several with a collective among them

	arrivals []int32 // posted contested sends, by family; their column a is the place in it
	turns    []turn
	anys     []int32 // threads in a wait for any that could end
	let      []int32 // contested sends that were let go
	open     []int32 // waits for any that were let go
	away     *away   // of a run of which other hosts have parts, nil else
}

func newSimulation(l *linker) *simulation {
	n := len(l.rankOf)
	s := &simulation{linker: l, at: make([]int32, n), sub: make([]int32, n), waits: make([]int32, n),
		ready: make([]int32, n)}
	s.arrivals = make([]int32, l.competing)
	if l.colls > 0 {
		s.next, s.arrived, s.heads = make([]int32, n), make([]int32, l.colls), make([]int32, l.colls)
		for i := range s.heads {
			s.heads[i] = nobody
		}
	}
	for t := range s.at {
		s.at[t], s.waits[t] = l.startOf[t], running
		s.ready[t] = int32(t)
	}
	s.count = n
	return s
}

func (s *simulation) run() {
	for {
		for s.count > 0 {
			s.step()
		}
		if !s.letOne() {
			return
		}
	}
}

// step moves the thread that has been able to go on for longest.
func (s *simulation) step() {
	t := s.ready[s.from]
	if s.from++; s.from == len(s.ready) {
		s.from = 0
	}
	s.count--
	s.advance(t)
}

// wake lets a thread go on.
func (s *simulation) wake(t int32) {
	s.waits[t] = running
	at := s.from + s.count
	if at >= len(s.ready) {
		at -= len(s.ready)
	}
	s.ready[at] = t
	s.count++
}

// advance moves a thread to where it has to wait.
func (s *simulation) advance(t int32) {
	end := s.startOf[t+1]
	for i := s.at[t]; i < end; i++ {
		k := s.kind[i]
		switch k & kindMask {
		case stepSend, stepRecv, stepColl, stepProbe:
			if k&posted == 0 {
				s.post(i, k)
			}
			if k&blocking != 0 && !s.isComplete(i) {
				s.block(t, i, i)
				return
			}
		case stepWait:
			for ; s.sub[t] < s.b[i]; s.sub[t]++ {
				if of := s.a[i] + s.sub[t]; !s.isComplete(of) {
					s.block(t, i, of)
					return
				}
			}
			s.sub[t] = 0
		case stepAny:
			if k&complete == 0 && !s.passAny(t, i) {
				return
			}
			i += s.a[i]
		}
	}
	s.at[t], s.waits[t] = end, hasEnded
}

func (s *simulation) block(t, at, of int32) {
	s.at[t], s.waits[t] = at, of
	if s.kind[of]&kindMask == stepColl {
		wave := s.b[of]
		s.next[t], s.heads[wave] = s.heads[wave], t
	}
}

// passAny says whether a wait for any is sure to end. If not, the thread waits.
func (s *simulation) passAny(t, at int32) bool {
	done := int32(0)
	s.sub[t] = 0
	for m := at + 1; m <= at+s.a[at]; m++ {
		of := s.a[m]
		s.kind[of] &^= inAny
		if s.isComplete(of) {
			done++
		}
	}
	if done >= s.b[at] {
		return true
	}
	for m := at + 1; m <= at+s.a[at]; m++ {
		of := s.a[m]
		if s.isComplete(of) {
			continue
		}
		s.kind[of] |= inAny
		s.inColl = s.inColl || s.kind[of]&kindMask == stepColl
	}
	s.at[t], s.waits[t], s.sub[t] = at, inAnyOf, s.b[at]-done
	if done > 0 {
		s.anys = append(s.anys, t)
	}
	return false
}

// isComplete says whether a posted step, or a wait for it, may end.
func (s *simulation) isComplete(i int32) bool {
	k := s.kind[i]
	switch k & kindMask {
	case stepSend:
		if k&(buffered|complete) != 0 {
			return true
		}
		return s.b[i] >= 0 && s.kind[s.b[i]]&posted != 0
	case stepRecv, stepProbe:
		link := s.b[i]
		if isFamily(link) {
			return s.fams[familyOf(link)].sent >= s.c[i]
		}
		return link >= 0 && s.kind[link]&posted != 0
	case stepColl:
		return s.arrived[s.b[i]] == s.sizes[s.c[i]]
	}
	return true
}

// post makes a step visible to others.
func (s *simulation) post(i int32, k uint8) {
	s.kind[i] = k | posted
	link := s.b[i]
	switch k & kindMask {
	case stepSend:
		switch {
		case link == elsewhere:
			s.away.post(i, s.a[i])
		case isFamily(link):
			s.postContested(i, &s.fams[familyOf(link)])
		case link >= 0 && s.kind[link]&posted != 0:
			s.notify(link, s.a[i])
		case link >= 0 && s.probes:
			s.notifyProbe(i, s.a[i])
		}
	case stepRecv:
		switch {
		case isFamily(link):
			s.openContested(i, &s.fams[familyOf(link)])
		case link >= 0 && s.kind[link]&(posted|buffered) == posted:
			s.notify(link, s.a[i])
		}
	case stepColl:
		if s.arrived[link]++; s.arrived[link] == s.sizes[s.c[i]] {
			s.gathered(link)
		}
		if s.away != nil {
			s.away.arrived = append(s.away.arrived, i)
		}
	}
}

// notify tells the threads of a rank that one of its steps is complete.
func (s *simulation) notify(step, rank int32) {
	if s.away != nil && int(s.away.part.owner[rank]) != s.away.part.host {
		s.away.completed(step)
		return
	}
	from, to := s.threadsOf(rank)
	for t := from; t < to; t++ {
		switch {
		case s.waits[t] == step:
			s.wake(t)
		case s.waits[t] == inAnyOf && s.kind[step]&inAny != 0:
			s.kind[step] &^= inAny
			if s.sub[t]--; s.sub[t] == 0 {
				s.wake(t)
			} else {
				s.anys = append(s.anys, t)
			}
		}
	}
}

// notifyProbe wakes a probe that waits for a send.
func (s *simulation) notifyProbe(send, rank int32) {
	from, to := s.threadsOf(rank)
	for t := from; t < to; t++ {
		if w := s.waits[t]; w >= 0 && s.kind[w]&kindMask == stepProbe && s.b[w] == send {
			s.wake(t)
		}
	}
}

// gathered lets the members of a collective go on.
func (s *simulation) gathered(wave int32) {
	for t := s.heads[wave]; t != nobody; t = s.next[t] {
		s.wake(t)
	}
	s.heads[wave] = nobody
	if !s.inColl {
		return
	}
	for t, w := range s.waits {
		if w == inAnyOf {
			s.wake(int32(t))
		}
	}
}
