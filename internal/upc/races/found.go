package races

import (
	"unknot/internal/model/race"
	"unknot/internal/say/explain/upc"
	"unknot/internal/vocab/finding"
)

// findings makes the findings of a job's races.
func (j *job) findings(p *program) (list []finding.Finding) {
	for _, x := range j.detector.Races() {
		r := j.race(p, &x)
		list = append(list, r.Finding())
	}
	return list
}

// race is one as data.
func (j *job) race(p *program, r *race.Race) upc.Race {
	x := upc.Race{Count: r.Count, Threads: len(j.threads), Owner: int(r.Owner), Start: r.Start, End: r.End,
		Accesses: [2]upc.Access{j.party(p, &r.First), j.party(p, &r.Second)},
		Ordered:  r.Standing == race.Predicted,
		Object:   p.object(r.Start),
		Block:    j.blockOf(p, r),
		Apart:    j.apart}
	if a := j.around[sites{r.First.Site, r.Second.Site}]; a != nil {
		x.Around = &upc.Around{First: p.side(&a.first), Second: p.side(&a.second)}
	}
	return x
}

// party is one side of a race.
func (j *job) party(p *program, x *race.Party) upc.Access {
	a := upc.Access{Thread: int(x.Thread), Number: uint32(x.Site), Site: p.sites[uint32(x.Site)], Task: x.Task,
		Strict: x.Strict, Locked: len(x.Locks) > 0}
	switch {
	case j.frees[x.Site]:
		a.Does = upc.Frees
	case j.locks[x.Site]:
		a.Does = upc.TakesLock
	case x.Kind != race.Read && x.Kind != race.AtomicRead:
		a.Does = upc.Writes
	}
	return a
}

// blockOf is the allocated block that a race is in, nil if that is not known.
func (j *job) blockOf(p *program, r *race.Race) (found *upc.Block) {
	for _, b := range j.blocks {
		if r.Start < b.offset || r.Start >= b.offset+b.bytes || !b.all && b.owner != uint16(r.Owner) {
			continue
		}
		if s, ok := p.sites[b.site]; ok {
			found = &upc.Block{Site: s, Byte: r.Start - b.offset}
		}
	}
	return found
}

// side is what a thread did around its access, with the places of the program.
func (p *program) side(s *side) upc.Side {
	steps := func(list []step) (all []upc.Step) {
		for i := range list {
			all = append(all, p.step(&list[i]))
		}
		return all
	}
	out := upc.Side{Thread: s.thread, Task: s.task, Seq: s.seq, Before: steps(s.before), After: steps(s.after)}
	if s.from != nil {
		from := p.step(s.from)
		out.From = &from
	}
	if s.to != nil {
		to := p.step(s.to)
		out.To = &to
	}
	return out
}

func (p *program) step(x *step) upc.Step {
	return upc.Step{Seq: x.seq, Kind: x.kind, Site: p.sites[x.site], Number: x.number, Again: x.again}
}
