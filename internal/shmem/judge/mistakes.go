package judge

import (
	"cmp"
	"maps"
	"slices"

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
	if key.mistake < layout.WrongPE || key.mistake > layout.WrongSize {
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
	f := finding.Finding{Code: codeOf(key.mistake), Severity: finding.Error, Standing: finding.Manifest,
		Language: finding.OpenSHMEM,
		Count:    w.count,
		Ranks:    slices.Sorted(maps.Keys(w.by))}
	if key.mistake == layout.HeldAtEnd {
		f.Severity = finding.Warning
	}
	s := p.site(key.site)
	for _, t := range f.Ranks {
		f.Places = append(f.Places, s.place(t, "called"))
	}
	first := f.Ranks[0]
	r := w.by[first]
	f.Sentence, f.Hint = j.sentence(p, s, first, &r)
	return f
}

// codeOf is the code of the finding about a mistake.
func codeOf(m layout.Mistake) finding.Code {
	switch m {
	case layout.BeforeInit, layout.AfterFinalize, layout.InitTwice, layout.WrongContext, layout.DefaultContext,
		layout.WrongThread, layout.WrongLevel:
		return finding.SHMEMOrder
	case layout.NotHeld, layout.HeldAlready, layout.HeldAtEnd:
		return finding.SHMEMLock
	}
	return finding.SHMEMArgument
}
