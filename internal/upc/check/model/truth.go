package model

// What is true of a program and of a state, seen from outside of the protocol.

// mismatch says that the operations with a number differ between threads. A thread that has fewer has ended with
// another operation.
func (e *explorer) mismatch(n uint8) bool {
	for t := 1; t < e.Model.threads; t++ {
		a, b := e.operations[0], e.operations[t]
		if int(n) < len(a) != (int(n) < len(b)) || int(n) < len(a) && !same(a[n], b[n]) {
			return true
		}
	}
	return false
}

// valueProblem says that values of a barrier differ (UPC 1.3, 6.6.1).
func (e *explorer) valueProblem(n uint8) bool {
	given, value := false, uint8(0)
	for _, ops := range e.operations {
		if int(n) < len(ops) && ops[n].Has {
			if given && ops[n].Value != value {
				return true
			}
			given, value = true, ops[n].Value
		}
	}
	for _, ops := range e.operations {
		if given && int(n) < len(ops) && ops[n].waits && ops[n].value != value {
			return true
		}
	}
	return e.ownValueProblem(n)
}

// ownValueProblem says that a thread's upc_wait has another value than its upc_notify.
func (e *explorer) ownValueProblem(n uint8) bool {
	for _, actions := range e.program {
		k := -1
		for _, a := range actions {
			switch a.Kind {
			case Collective, Notify, Barrier, end:
				k++
			}
			if a.Kind != Wait || k != int(n) || !a.Has {
				continue
			}
			if o := operations(actions)[k]; o.Has && o.Value != a.Value {
				return true
			}
		}
	}
	return false
}

func (e *explorer) hasEnded(s *state, t int) bool {
	return int(s.threads[t].action) >= len(e.program[t])
}

// isTrue says that a report is.
func (e *explorer) isTrue(s *state, r Report) bool {
	switch r.Kind {
	case Mismatch:
		return e.mismatch(r.Number)
	case Values:
		return e.valueProblem(r.Number)
	case Deadlock:
		return r.Waiters != 0 && r.Waiters&^e.stuck(s) == 0
	}
	return true // a thread's own order is in its program
}

// need is what keeps a thread from going on.
type need struct {
	nothing bool
	ended   bool
	thread  int   // the owner of a lock, or a neighbour that is far behind; -1 for all that have not come to number
	number  uint8 // of a collective operation
}

// number is that of the operation that a thread is at, or has been at last; come says whether it has got to it.
func (e *explorer) number(s *state, t int) (n uint8, counted, come bool) {
	k := -1
	for i := 0; i <= int(s.threads[t].action) && i < len(e.program[t]); i++ {
		counted = false
		switch e.program[t][i].Kind {
		case Collective, Notify, Barrier, end:
			k++
			counted = true
		}
	}
	if k < 0 {
		return 0, false, false
	}
	n = uint8(k)
	return n, counted, !counted || e.behind(s, t, n) < 0
}

// behind is a neighbour that a thread has to wait for before its operation n, or -1.
func (e *explorer) behind(s *state, t int, n uint8) int {
	if n+2 <= e.slots || s.mem.slot[t][n%e.slots] == n+1 || e.Model.threads == 1 {
		return -1
	}
	for _, nb := range []int{(t + 1) % e.Model.threads, (t + e.Model.threads - 1) % e.Model.threads} {
		if s.mem.count[nb] < n+2-e.slots {
			return nb
		}
	}
	return -1
}

func (e *explorer) needOf(s *state, t int) need {
	if e.hasEnded(s, t) {
		return need{ended: true}
	}
	a := e.program[t][s.threads[t].action]
	n, counted, come := e.number(s, t)
	if counted && !come {
		return need{thread: e.behind(s, t, n)}
	}
	switch {
	case a.Kind == end:
		return need{ended: true}
	case a.Kind == Lock:
		if owner := s.mem.owner[a.Lock]; owner != 0 && int(owner) != t+1 {
			return need{thread: int(owner) - 1}
		}
	case a.Kind == Barrier, a.Kind == Wait, a.Kind == Collective && a.Sync:
		return need{thread: -1, number: n}
	}
	return need{nothing: true}
}

// stuck are the threads that can never get on, whatever the others do.
func (e *explorer) stuck(s *state) uint8 {
	var needs [maxThreads]need
	var stuck uint8
	for t := range e.Model.threads {
		needs[t] = e.needOf(s, t)
		if !needs[t].nothing {
			stuck |= 1 << t
		}
	}
	for changed := true; changed; {
		changed = false
		for t := range e.Model.threads {
			if stuck&(1<<t) == 0 || needs[t].ended || !e.satisfied(s, needs[t], stuck) {
				continue
			}
			stuck &^= 1 << t
			changed = true
		}
	}
	return stuck
}

// satisfied says that nobody of the stuck threads is needed.
func (e *explorer) satisfied(s *state, n need, stuck uint8) bool {
	if n.thread >= 0 {
		return stuck&(1<<n.thread) == 0
	}
	for t := range e.Model.threads {
		if at, counted, come := e.number(s, t); stuck&(1<<t) != 0 && (at < n.number || at == n.number && counted &&
			!come || e.none(s, t)) {
			return false
		}
	}
	return true
}

// none says that a thread has not come to its first operation.
func (e *explorer) none(s *state, t int) bool {
	for i := 0; i <= int(s.threads[t].action) && i < len(e.program[t]); i++ {
		switch e.program[t][i].Kind {
		case Collective, Notify, Barrier, end:
			return false
		}
	}
	return true
}
