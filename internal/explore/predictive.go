package explore

import "slices"

// predictive adds the runs that may show another control flow than those that are judged. For each flow there is one run in
// which as many receives as can be meet another source. If it goes the same way, whom they meet does not seem to matter, and
// the judgement of the flow holds for all of their matches. If not, the receives at the call sites where the two part ways are
// explored one by one. A prediction that a run refutes teaches the same.
func (x *explorer) predictive(it *item, c *course, r *result) error {
	if it.Purpose != observe {
		if err := x.decide(it, c); err != nil {
			return err
		}
	}
	switch it.Purpose {
	case contrarily, confirm:
		return x.compare(it, c, r)
	}
	if err := x.branchAtSites(it, c); err != nil || x.state.cross[r.Flow] {
		return err
	}
	return x.cross(it, c, r.Flow)
}

// cross adds the contrary run of a flow. What is settled, and the receives at call sites that are explored anyway, stay. If the
// recorded calls would block in it, that is a deadlock, and known to the predictor, unless a rank answers whom it has met.
func (x *explorer) cross(it *item, c *course, flow uint64) error {
	settled := make(map[key]bool)
	for _, d := range it.Forced[:min(it.Fixed, len(it.Forced))] {
		settled[d.key] = true
	}
	choices, blocked := contrary(c, func(w ref) bool { return settled[c.key(w)] || x.state.sites[c.site(w)] })
	if choices == nil || blocked && x.state.flows[flow].Verdict != answering {
		return nil
	}
	next := &item{Parent: it.ID, Purpose: contrarily, Finding: -1, Flow: flow}
	for _, ch := range choices {
		d, err := c.decide(ch.recv, ch.send)
		if err != nil {
			return err
		}
		next.Forced = append(next.Forced, d)
	}
	return x.add(next)
}

// compare marks the call sites whose matches brought a run onto another way than the one that it was derived from. When there
// are new ones, everything that was followed before is branched at them too.
func (x *explorer) compare(it *item, c *course, r *result) error {
	if it.Flow == r.Flow && r.Left == "" {
		return nil
	}
	was, err := x.courseOf(it.Parent)
	if err != nil {
		return err
	}
	more := false
	for _, site := range was.suspects(it, part(was.log, c.log)) {
		if !x.state.sites[site] {
			more = true
			if err := x.state.note(line{Site: site}); err != nil {
				return err
			}
		}
	}
	if !more {
		return nil
	}
	return x.branchAgain()
}

// branchAgain branches, at the call sites that are known now, the runs that were branched before.
func (x *explorer) branchAgain() error {
	var ids []int
	for id, r := range x.state.done {
		if it := x.state.items[id]; it.Purpose == observe || it.Purpose == alternative && r.Left == "" && !r.Hung {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	for _, id := range ids {
		c, err := x.courseOf(id)
		if err != nil {
			return err
		}
		if err := x.branchAtSites(x.state.items[id], c); err != nil {
			return err
		}
	}
	return nil
}

// suspects are the call sites of receives that met another source than before: those of the thread in which the runs part,
// before they do, or all if there is none.
func (c *course) suspects(it *item, p *parting) []string {
	var here, all []string
	for _, w := range c.wild {
		own, err := c.decide(w, c.send[w])
		if err != nil {
			continue
		}
		changed := false
		for _, d := range it.Forced {
			changed = changed || d.key == own.key && d.Source != own.Source
		}
		if !changed {
			continue
		}
		all = append(all, c.site(w))
		t := &c.log.Threads[w.thread]
		if p != nil && t.Rank == p.rank && t.Index == p.thread && w.part < t.Ops[p.call].First {
			here = append(here, c.site(w))
		}
	}
	if len(here) > 0 {
		return here
	}
	return all
}

// branchAtSites branches at the receives whose matches decide the program's course, as far as that is known.
func (x *explorer) branchAtSites(it *item, c *course) error {
	if len(x.state.sites) == 0 {
		return nil
	}
	return x.branch(it, c, func(w ref) bool { return x.state.sites[c.site(w)] })
}
