package screen

// selectorOf is the selector of a receive or probe, or what a message must fit.
func (l *linker) selectorOf(step int32) selector {
	return selector{l.c[step], max(l.a[step], -1), max(l.b[step], -1)}
}

// rank links what is sent to a rank with what it receives.
func (l *linker) rank(q int32) {
	wildSource, wildTag := l.scan(q)
	first, last := l.bound[q], l.bound[q+1]
	if len(l.recvs) == 0 {
		for _, s := range l.order[first:last] {
			l.a[s], l.b[s] = q, nobody
		}
		l.serveProbes()
		return
	}
	if wildSource || wildTag {
		l.contested(q, first, last, wildSource, wildTag)
	} else {
		l.exact(q, first, last)
	}
	l.serveProbes()
}

// scan collects the receives and probes of a rank, and numbers their selectors.
func (l *linker) scan(q int32) (wildSource, wildTag bool) {
	l.recvs, l.probed = l.recvs[:0], l.probed[:0]
	from, to := l.threadsOf(q)
	begin, end := l.startOf[from], l.startOf[to]
	n := 0
	for i := begin; i < end; i++ {
		if l.kind[i]&kindMask == stepRecv {
			n++
		}
	}
	l.table.reset(2 * n)
	l.heads, l.tails, l.group = l.heads[:0], l.tails[:0], l.group[:0]
	clock := int32(0)
	for i := begin; i < end; i++ {
		switch k := l.kind[i]; k & kindMask {
		case stepRecv:
			done := int32(never)
			if k&blocking != 0 {
				done = clock
			}
			wildSource, wildTag = wildSource || l.a[i] < 0, wildTag || l.b[i] < 0
			l.recvs = append(l.recvs, receive{i, l.queue(l.selectorOf(i)), clock, done})
		case stepProbe:
			l.probed = append(l.probed, probe{i, l.nextServed(i, end)})
		case stepColl:
			if k&blocking != 0 && l.c[i] == l.clock {
				clock++
			}
		case stepWait:
			l.waited(l.a[i], l.b[i], clock)
		}
	}
	return wildSource, wildTag
}

// never is a tick that does not come.
const never = 1<<31 - 1

// queue numbers a selector.
func (l *linker) queue(s selector) int32 {
	n, isNew := l.table.add(s)
	if isNew {
		l.heads, l.tails, l.group = append(l.heads, nobody), append(l.tails, nobody), append(l.group, n)
	}
	return n
}

// waited notes that a thread has waited for some steps in a row. Receives are in the order of their steps.
func (l *linker) waited(step, count, clock int32) {
	low, high := 0, len(l.recvs)
	for low < high {
		if mid := (low + high) / 2; l.recvs[mid].step < step {
			low = mid + 1
		} else {
			high = mid
		}
	}
	for ; low < len(l.recvs) && l.recvs[low].step < step+count; low++ {
		l.recvs[low].done = min(l.recvs[low].done, clock)
	}
}

// lookAhead is how many steps after a probe the receive for what it saw is looked for.
const lookAhead = 64

// nextServed is the next receive after a probe that takes nothing else than what the probe sees.
func (l *linker) nextServed(at, end int32) int32 {
	p := l.selectorOf(at)
	for i := at + 1; i < min(end, at+lookAhead); i++ {
		if l.kind[i]&kindMask != stepRecv {
			continue
		}
		r := l.selectorOf(i)
		if r.comm == p.comm && (p.source < 0 || p.source == r.source) && (p.tag < 0 || p.tag == r.tag) {
			return i
		}
	}
	return nobody
}

// serveProbes lets each probe wait for what the receive after it waits for. A probe without one is taken to end by
// itself.
func (l *linker) serveProbes() {
	for _, p := range l.probed {
		if p.serves == nobody {
			l.kind[p.step] = stepServed
			l.unseen = append(l.unseen, p.step)
			continue
		}
		l.b[p.step], l.c[p.step] = l.b[p.serves], l.c[p.serves]
		if l.a[p.serves] >= 0 {
			l.a[p.step] = l.a[p.serves]
		}
	}
}

// exact links a rank that has no wildcards: the n-th send with a communicator, source and tag meets the n-th receive
// for them, whatever happens (MPI-4.0, 3.5).
func (l *linker) exact(q, first, last int32) {
	for i := range l.recvs {
		r := &l.recvs[i]
		l.b[r.step] = nobody
		if l.heads[r.queue] == nobody {
			l.heads[r.queue] = r.step
		} else {
			l.b[l.tails[r.queue]] = r.step
		}
		l.tails[r.queue] = r.step
	}
	for _, s := range l.order[first:last] {
		link := nobody
		if n := l.table.find(selector{l.c[s], l.a[s], l.b[s]}); n >= 0 && l.heads[n] != nobody {
			link = l.heads[n]
			l.heads[n] = l.b[link]
			l.b[link] = s
		}
		l.a[s], l.b[s] = q, link
	}
	for _, r := range l.heads {
		for r != nobody {
			r, l.b[r] = l.b[r], nobody
		}
	}
}
