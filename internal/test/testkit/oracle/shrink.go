package oracle

import "slices"

// Shrink drops calls from a program as long as it still fails, and returns the smallest found with its failure.
func Shrink(p *Program, fails func(*Program) error) (*Program, error) {
	err := fails(p)
	for again := true; again; {
		again = false
		for r := range p.Ranks {
			for i := len(p.Ranks[r]) - 1; i >= 0; i-- {
				smaller := *p
				smaller.Ranks = slices.Clone(p.Ranks)
				smaller.Ranks[r] = slices.Delete(slices.Clone(p.Ranks[r]), i, i+1)
				if e := fails(&smaller); e != nil {
					p, err, again = &smaller, e, true
				}
			}
		}
	}
	return p, err
}
