package screen

// Hit is a flag of Columns that were filled by hand, in terms of their steps.
type Hit struct {
	Reason   Reason
	Thread   int32   // counted in the order in which threads were added; ranks without any have one
	Step     int32   // what it is about
	In       int32   // where the thread stands; Step if it is no wait
	Definite bool    // see Flag
	Partners []int32 // see Flag
}

// Screen screens the columns and uses them up. Flags are empty in the result; they are returned as steps.
func (c *Columns) Screen() (Result, []Hit) {
	c.close()
	steps := len(c.kind)
	s := newSimulation(c.link())
	s.run()
	hits, ended := s.judge()
	exact := c.limits == 0 && len(s.taken) == 0 && len(s.open) == 0 && len(c.unseen) == 0 && !s.probes
	for i := range hits {
		hits[i].Definite = exact && hits[i].Reason <= Stuck
	}
	return Result{Steps: steps, Limits: c.limits.sentences(), Ended: ended}, hits
}
