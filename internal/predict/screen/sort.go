package screen

// sortSends orders the sends by destination, and those to one by the sender's clock, rank and own order: a counting sort
// for each. A send's peer becomes its source, for the destination is known from its place.
func (l *linker) sortSends() {
	c := l.Columns
	l.bound = make([]int32, c.ranks+1)
	ticking := c.wild && len(c.gates) > 0
	total := 0
	var early []int32
	if ticking {
		early = make([]int32, len(c.gates)+2)
	}
	c.eachSend(func(step, source, clock int32) {
		l.bound[c.a[step]+1]++
		total++
		if ticking {
			early[clock+1]++
		}
	})
	for i := 1; i < len(l.bound); i++ {
		l.bound[i] += l.bound[i-1]
	}
	l.order = make([]int32, total)
	at := append([]int32(nil), l.bound...)
	put := func(step, source int32) int32 {
		to := c.a[step]
		place := at[to]
		at[to]++
		l.order[place], c.a[step] = step, source
		return place
	}
	if !ticking {
		c.eachSend(func(step, source, _ int32) { put(step, source) })
		return
	}
	for i := 1; i < len(early); i++ {
		early[i] += early[i-1]
	}
	byClock, sources := make([]int32, total), make([]int32, total)
	starts := append([]int32(nil), early...)
	c.eachSend(func(step, source, clock int32) {
		place := starts[clock]
		starts[clock]++
		byClock[place], sources[place] = step, source
	})
	l.when = make([]int32, total)
	clock := int32(0)
	for i, step := range byClock {
		for int32(i) >= early[clock+1] {
			clock++
		}
		l.when[put(step, sources[i])] = clock
	}
}

// eachSend visits all sends, thread by thread.
func (c *Columns) eachSend(visit func(step, source, clock int32)) {
	for t, rank := range c.rankOf {
		clock := int32(0)
		for i := c.startOf[t]; i < c.startOf[t+1]; i++ {
			switch k := c.kind[i]; {
			case k&kindMask == stepSend:
				visit(i, rank, clock)
			case k&(kindMask|blocking) == stepColl|blocking && c.c[i] == c.clock:
				clock++
			}
		}
	}
}
