package explore

// predictive adds the runs that may show another control flow than those that are judged. First comes one run in which as
// many receives as can be meet another source. If it goes the same way, whom they meet does not seem to matter, and the
// judgement of the flow holds for all of their matches. If not, the receives at the call sites where the two part ways are
// explored one by one.
func (x *explorer) predictive(it *item, c *course, r *result) error {
	switch it.Purpose {
	case observe:
		return x.cross(it, c)
	case contrarily:
		return x.compare(it, c, r)
	case confirm:
		return nil // the observed run is the root of the branches
	}
	return x.branchAtSites(it, c)
}

// cross adds the contrary run.
func (x *explorer) cross(it *item, c *course) error {
	choices := contrary(c)
	if choices == nil {
		return nil
	}
	next := &item{Parent: it.ID, Purpose: contrarily, Finding: -1}
	for _, ch := range choices {
		d, err := c.decide(ch.recv, ch.send)
		if err != nil {
			return err
		}
		next.Forced = append(next.Forced, d)
	}
	return x.add(next)
}

// compare marks the call sites whose matches brought a contrary run onto another way than the observed one, and branches there.
func (x *explorer) compare(it *item, c *course, r *result) error {
	if x.first.Flow == r.Flow && r.Left == "" {
		return nil
	}
	was := x.observed
	for _, site := range was.suspects(it, part(was.log, c.log)) {
		if !x.state.sites[site] {
			if err := x.state.note(line{Site: site}); err != nil {
				return err
			}
		}
	}
	return x.branchAtSites(&item{ID: it.Parent, Purpose: observe}, was)
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
