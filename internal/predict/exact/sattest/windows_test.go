package sattest

import "slices"

// prune finds what each send and receive could meet. What it leaves out cannot happen, for one of three reasons:
//   - the n-th send of a signature needs n receives before the one that it meets, for those before it must have met;
//   - the n-th receive of a signature that names its source needs n messages before it likewise;
//   - one of the two is started only after the other has met, whoever meets whom (must).
func (c *calls) prune() {
	for _, b := range c.boxes {
		for _, lane := range b.sends {
			for _, s := range lane {
				n, before := s.nth, 0
				for _, r := range b.recvs {
					if !fit(s, r) {
						continue
					}
					if before >= n && (r.source == anyone || c.enough(lane, s, r)) {
						s.fits = append(s.fits, r)
					}
					before++
				}
			}
		}
	}
	for range 4 {
		for _, sig := range c.sigs {
			for _, x := range sig {
				if !x.send {
					x.fits = nil
				}
			}
		}
		for _, b := range c.boxes {
			for t := range c.steps {
				for _, s := range b.sends[t] {
					for _, r := range s.fits {
						r.fits = append(r.fits, s)
					}
				}
			}
		}
		if !c.part(c.must()) {
			return
		}
	}
}

func (c *calls) enough(lane []*side, s, r *side) bool {
	n, before := r.nth, 0
	for _, e := range lane[:s.place] {
		if fit(e, r) {
			before++
		}
	}
	return before >= n
}

// part takes away the pairs that the order of steps keeps apart, and says whether there were any.
func (c *calls) part(must [][][]int32) (some bool) {
	past := func(x, other *side) bool { // x has met whenever the other is started
		return x.wait != none && int(must[other.thread][other.seg][x.thread]) > x.wait
	}
	for _, b := range c.boxes {
		for _, lane := range b.sends {
			for _, s := range lane {
				n := len(s.fits)
				s.fits = slices.DeleteFunc(s.fits, func(r *side) bool { return past(r, s) || past(s, r) })
				some = some || len(s.fits) < n
			}
		}
	}
	return some
}

// must gives, by thread and steps that it has left, how many steps each other thread must have left by then.
func (c *calls) must() [][][]int32 {
	out := make([][][]int32, len(c.steps))
	for t, steps := range c.steps {
		for k := range len(steps) + 1 {
			v := make([]int32, len(c.steps))
			v[t] = int32(k)
			out[t] = append(out[t], v)
		}
	}
	least := make([]int32, len(c.steps))
	for changed, round := true, 0; changed && round < 8; round++ {
		changed = false
		raise := func(v, by []int32) {
			for u := range v {
				if by[u] > v[u] {
					v[u], changed = by[u], true
				}
			}
		}
		for t, steps := range c.steps {
			for k := range steps {
				v := out[t][k+1]
				raise(v, out[t][k])
				for _, g := range steps[k].barriers {
					for _, m := range g.members {
						raise(v, out[m.thread][m.seg])
					}
				}
				for _, x := range steps[k].sides {
					for i, y := range x.fits {
						for u, n := range out[y.thread][y.seg] {
							if i == 0 || n < least[u] {
								least[u] = n
							}
						}
					}
					if len(x.fits) > 0 {
						raise(v, least)
					}
				}
			}
		}
	}
	return out
}
