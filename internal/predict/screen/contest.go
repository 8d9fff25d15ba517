package screen

// contested links a rank that has wildcards. What the selectors of some receives could all take makes these a group, in
// which the sends compete; groups are cut into epochs where a collective orders them.
func (l *linker) contested(q, first, last int32, wildSource, wildTag bool) {
	l.sends = l.sends[:0]
	g := groups{linker: l, rank: q, wildSource: wildSource, wildTag: wildTag, place: first}
	for i := first; i < last; i++ {
		s := l.order[i]
		m := message{step: s, fits: selector{l.c[s], l.a[s], l.b[s]}, queue: nobody}
		if l.when != nil {
			m.clock = l.when[i]
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
	l.next = grown(l.next, len(l.recvs))
	recvs, sends := l.grouped()
	for i := range recvs {
		g.epochs(recvs[i], sends[i])
	}
}

// grown is a slice of at least n values, which are not kept.
func grown(s []int32, n int) []int32 {
	if n > cap(s) {
		return make([]int32, n, n+n/2)
	}
	return s[:n]
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

// grouped sorts receives and sends by group, keeping their order in it.
func (l *linker) grouped() (recvs [][]receive, sends [][]message) {
	number := make([]int32, len(l.group))
	groups := int32(0)
	for n := range l.group {
		if root := l.root(int32(n)); root != int32(n) {
			number[n] = number[root]
			continue
		}
		number[n] = groups
		groups++
	}
	if groups == 1 {
		return [][]receive{l.recvs}, [][]message{l.sends}
	}
	recvsOf, sendsOf := make([]int, groups), make([]int, groups)
	for _, r := range l.recvs {
		recvsOf[number[r.queue]]++
	}
	for _, s := range l.sends {
		sendsOf[number[s.queue]]++
	}
	recvs, sends = make([][]receive, groups), make([][]message, groups)
	for i := range recvs {
		recvs[i], sends[i] = make([]receive, 0, recvsOf[i]), make([]message, 0, sendsOf[i])
	}
	for _, r := range l.recvs {
		recvs[number[r.queue]] = append(recvs[number[r.queue]], r)
	}
	for _, s := range l.sends {
		sends[number[s.queue]] = append(sends[number[s.queue]], s)
	}
	return recvs, sends
}
