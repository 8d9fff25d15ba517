package judge

import (
	"cmp"
	"maps"
	"slices"

	"unknot/internal/say/explain/shmem"
	"unknot/internal/shmem/layout"
	"unknot/internal/vocab/finding"
)

// wrongKey stands for records of calls that are not allowed: those of one place and kind are one finding.
type wrongKey struct {
	mistake  layout.Mistake
	site     uint32
	argument uint32
}

// wrong are such records.
type wrong struct {
	count int
	by    map[int]layout.Record // of each PE the first
}

func (j *job) mistaken(t int, r *layout.Record) {
	key := wrongKey{layout.Mistake(r.Flags), r.Site, r.Size}
	if key.mistake < layout.WrongPE || key.mistake > layout.ContextThread {
		j.strange++
		return
	}
	w := j.wrong[key]
	if w == nil {
		w = &wrong{by: make(map[int]layout.Record)}
		j.wrong[key] = w
	}
	w.count++
	if _, there := w.by[t]; !there {
		w.by[t] = *r
	}
}

// mistakes makes the findings of calls that are not allowed.
func (j *job) mistakes(p *program) (all []finding.Finding) {
	keys := slices.SortedFunc(maps.Keys(j.wrong), func(a, b wrongKey) int {
		return cmp.Or(cmp.Compare(a.site, b.site), cmp.Compare(a.mistake, b.mistake),
			cmp.Compare(a.argument, b.argument))
	})
	for _, key := range keys {
		all = append(all, j.mistake(p, key, j.wrong[key]))
	}
	return all
}

func (j *job) mistake(p *program, key wrongKey, w *wrong) finding.Finding {
	by := slices.Sorted(maps.Keys(w.by))
	r := w.by[by[0]]
	m := shmem.Mistake{Count: w.count, By: by, Record: &r, PEs: len(j.pes), Site: p.site(key.site)}
	switch key.mistake {
	case layout.FreedTwice, layout.FreedMemory:
		m.Earlier = p.site(uint32(r.Value))
	case layout.NotHeld, layout.HeldAlready, layout.HeldAtEnd:
		m.Earlier, m.Object = p.site(uint32(r.Value)), j.object(p, r.Offset, 0)
	case layout.OutOfBounds:
		if r.Value > 0 {
			m.Object = j.object(p, r.Offset, 0)
		} else if b := j.blocks[r.Offset>>layout.BlockBits]; b != nil { // the one before the address
			m.Object.Block = b.data(p)
		}
	case layout.NotSymmetric:
		if src := j.pes[by[0]].source; src != nil {
			if memory := p.memory(src.stream.PID()); memory != nil {
				m.Region = memory.region(p, r.Offset)
			}
		}
	}
	return m.Finding()
}
