package screen

// contested links a rank that has wildcards. What the selectors of some receives could all take makes these a group, in
// which the sends compete; groups are cut into epochs where a collective orders them.
func (l *linker) contested(q, first, last int32, wildSource, wildTag bool) {
	l.sends = l.sends[:0]
	g := groups{linker: l, rank: q, wildSource: wildSource, wildTag: wildTag, place: first}
	for i := first; i < last; i++ {
		s := l.order[i]
		m := message{step: s, fits: selector{l.c[s], l.a[s], l.b[s]}, queue: nobody}
		if l.whenAt != nil && l.wild[q] {
			m.clock = l.when[l.whenAt[q]+i-first]
		}
		for _, n := range g.routes(m) {
			switch {
			case n < 0:
			case m.queue < 0:
				m.queue = n
			default:
				l.join(m.queue, n)
			}
		}
		l.a[s], l.b[s] = q, nobody
		if m.queue >= 0 {
			l.sends = append(l.sends, m)
		}
	}
	if l.whenAt != nil && l.wild[q] {
		l.byClock()
	}
	l.next = grown(l.next, len(l.recvs))
	l.eachGroup(g.epochs)
}

// grown is a slice of at least n values, which are not kept.
func grown[T any](s []T, n int) []T {
	if n > cap(s) {
		return make([]T, n, n+n/2)
	}
	return s[:n]
}

// cleared is grown with values that are zero.
func cleared(s []int32, n int) []int32 {
	s = grown(s, n)
	clear(s)
	return s
}

// root is the representative of a queue's group.
func (l *linker) root(n int32) int32 {
	for l.group[n] != n {
		l.group[n] = l.group[l.group[n]]
		n = l.group[n]
	}
	return n
}

func (l *linker) join(a, b int32) {
	a, b = l.root(a), l.root(b)
	l.group[max(a, b)] = min(a, b)
}

// eachGroup visits the receives and sends of each group, in their order.
func (l *linker) eachGroup(visit func([]receive, []message)) {
	number := make([]int32, len(l.group))
	groups := 0
	for n := range l.group {
		if root := l.root(int32(n)); root != int32(n) {
			number[n] = number[root]
			continue
		}
		number[n] = int32(groups)
		groups++
	}
	if groups == 1 {
		visit(l.recvs, l.sends)
		return
	}
	recvsAt, sendsAt := make([]int32, groups+1), make([]int32, groups+1)
	for _, r := range l.recvs {
		recvsAt[number[r.queue]+1]++
	}
	for _, s := range l.sends {
		sendsAt[number[s.queue]+1]++
	}
	for i := range groups {
		recvsAt[i+1] += recvsAt[i]
		sendsAt[i+1] += sendsAt[i]
	}
	recvs, sends := grown(l.parted, len(l.recvs)), grown(l.spare, len(l.sends))
	for _, r := range l.recvs {
		at := &recvsAt[number[r.queue]]
		recvs[*at] = r
		*at++
	}
	for _, s := range l.sends {
		at := &sendsAt[number[s.queue]]
		sends[*at] = s
		*at++
	}
	l.parted, l.spare = recvs, sends
	// Each place is now where the next group begins.
	recvsFrom, sendsFrom := int32(0), int32(0)
	for i := range groups {
		visit(recvs[recvsFrom:recvsAt[i]], sends[sendsFrom:sendsAt[i]])
		recvsFrom, sendsFrom = recvsAt[i], sendsAt[i]
	}
}
