package screen

// sortSends orders the sends by destination, and those to one by the sender's rank and own order: a counting sort. A
// send's peer becomes its source, for the destination is known from its place. For destinations with wildcards the
// ticks of the clock before each send are kept, if it ticks at all.
func (l *linker) sortSends() {
	c := l.Columns
	l.bound = make([]int32, c.ranks+1)
	for i, k := range c.kind {
		if k&kindMask == stepSend {
			l.bound[c.a[i]+1]++
		}
	}
	for i := 1; i < len(l.bound); i++ {
		l.bound[i] += l.bound[i-1]
	}
	total := l.bound[c.ranks]
	l.order = make([]int32, total)
	ticking := c.wild != nil && len(c.gates) > 0
	if ticking {
		l.whenAt = make([]int32, c.ranks)
		n := int32(0)
		for q := range l.whenAt {
			if l.whenAt[q] = n; c.wild[q] {
				n += l.bound[q+1] - l.bound[q]
			}
		}
		l.when = make([]int32, n)
	}
	at := append([]int32(nil), l.bound...)
	for t, source := range c.rankOf {
		clock := int32(0)
		for i := c.startOf[t]; i < c.startOf[t+1]; i++ {
			switch k := c.kind[i]; {
			case k&kindMask == stepSend:
				to := c.a[i]
				place := at[to]
				at[to]++
				l.order[place], c.a[i] = i, source
				if ticking && c.wild[to] {
					l.when[l.whenAt[to]+place-l.bound[to]] = clock
				}
			case k&(kindMask|blocking) == stepColl|blocking && c.c[i] == c.clock:
				clock++
			}
		}
	}
}

// byClock orders the messages of a rank by the ticks before them, and leaves the order of those that have the same.
func (l *linker) byClock() {
	counts := cleared(l.counts, len(l.gates)+2)
	for _, s := range l.sends {
		counts[s.clock+1]++
	}
	for i := 1; i < len(counts); i++ {
		counts[i] += counts[i-1]
	}
	sorted := grown(l.spare, len(l.sends))
	for _, s := range l.sends {
		sorted[counts[s.clock]] = s
		counts[s.clock]++
	}
	l.counts, l.sends, l.spare = counts, sorted, l.sends
}
