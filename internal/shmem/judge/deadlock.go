package judge

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"unknot/internal/shmem/layout"
	"unknot/internal/vocab/finding"
)

// deadlock makes the finding of PEs that wait for ever.
func (j *job) deadlock(p *program) finding.Finding {
	g := j.graph()
	f := finding.Finding{Code: finding.SHMEMDeadlock, Severity: finding.Error, Standing: finding.Manifest,
		Language: finding.OpenSHMEM,
		Count:    1, Ranks: []int{}, Places: []finding.Place{}}
	in := make(map[int]bool)
	for _, n := range g.Core(nil) {
		in[int(n)] = true
	}
	for t := range maps.Clone(in) {
		for _, o := range j.waitsFor(t) {
			if j.pes[o].over() {
				in[o] = true
			}
		}
	}
	var parts []string
	for _, t := range slices.Sorted(maps.Keys(in)) {
		f.Ranks = append(f.Ranks, t)
		f.Places = append(f.Places, j.waiting(p, t))
		parts = append(parts, j.saying(p, t))
	}
	for _, n := range g.Dead() {
		if !in[int(n)] {
			f.Others = append(f.Others, j.waiting(p, int(n)))
		}
	}
	f.Sentence = "Deadlock: " + listed(parts) + "."
	f.Hint = j.remedy(in)
	return f
}

// waitsFor are those of whom a PE waits for something.
func (j *job) waitsFor(t int) (all []int) {
	p := &j.pes[t]
	if p.waits == nil {
		return []int{}
	}
	switch p.waits.Kind {
	case layout.Enter:
		return j.missed(p.in)
	case layout.Locking:
		if h, held := j.locks[p.waits.Offset]; held {
			return []int{h.pe}
		}
		return []int{}
	}
	all = []int{}
	for o := range j.pes {
		if o != t && !j.pes[o].over() {
			all = append(all, o)
		}
	}
	return all
}

// waiting is the part of a PE that waits, or has ended.
func (j *job) waiting(p *program, t int) finding.Place {
	e := &j.pes[t]
	if e.over() {
		if e.ended {
			return p.site(e.end).place(t, "finished")
		}
		return finding.Place{Rank: t, State: "finished", Call: "exit", WaitsFor: []int{}}
	}
	place := p.site(e.waits.Site).place(t, "blocked")
	place.WaitsFor = j.waitsFor(t)
	place.Any = e.waits.Kind == layout.Waits && len(place.WaitsFor) > 1
	place.Meaning.Lock = e.waits.Kind == layout.Locking
	place.Reason = j.reason(p, t)
	if e.source != nil {
		place.PID = e.source.stream.PID()
	}
	return place
}

// reason is what a PE waits for, in words.
func (j *job) reason(p *program, t int) string {
	w := j.pes[t].waits
	switch w.Kind {
	case layout.Enter:
		return fmt.Sprintf("%s to come to %s", pes(j.missed(j.pes[t].in)), p.site(w.Site).call)
	case layout.Locking:
		lock := j.lock(p, w.Offset)
		h, held := j.locks[w.Offset]
		switch {
		case !held:
			return lock
		case h.pe == t:
			return fmt.Sprintf("%s that it has taken itself at %s", lock, p.site(h.site).at())
		}
		return fmt.Sprintf("%s that PE %d has taken at %s", lock, h.pe, p.site(h.site).at())
	}
	return fmt.Sprintf("a value of %s that is %s", j.object(p, w.Offset, uint64(w.Size)), comparison(w))
}

// comparison says which values end a wait.
func comparison(w *layout.Record) string {
	names := [...]string{"EQ", "NE", "GT", "LE", "LT", "GE"}
	words := [...]string{"", "not ", "greater than ", "at most ", "less than ", "at least "}
	value := fmt.Sprint(signed(w.Value, w.Size))
	if int(w.Flags) >= len(names) {
		return value
	}
	return fmt.Sprintf("%s%s (SHMEM_CMP_%s)", words[w.Flags], value, names[w.Flags])
}

// signed is a value of so many bytes.
func signed(v uint64, bytes uint32) int64 {
	shift := 64 - 8*min(max(bytes, 1), 8)
	return int64(v<<shift) >> shift
}

// saying is what a PE is at, in a sentence.
func (j *job) saying(p *program, t int) string {
	e := &j.pes[t]
	if e.over() {
		if e.byItself() {
			return fmt.Sprintf("PE %d %s", t, e.cause(p).Text)
		}
		return fmt.Sprintf("PE %d has ended", t)
	}
	s := p.site(e.waits.Site)
	text := fmt.Sprintf("PE %d waits in %s (%s) for ", t, s.call, s.at())
	switch e.waits.Kind {
	case layout.Enter:
		return text + pes(j.missed(e.in))
	case layout.Waits:
		return text + j.reason(p, t) + ", which no PE can put any more"
	}
	return text + j.reason(p, t)
}

// pes names PEs.
func pes(list []int) string {
	if len(list) == 1 {
		return fmt.Sprintf("PE %d", list[0])
	}
	return "PEs " + strings.TrimPrefix(finding.Ranks(list).Text, "ranks ")
}

// listed joins parts of a sentence that are long. Very many are not all told.
func listed(parts []string) string {
	const most = 6
	if n := len(parts) - most; n > 1 {
		parts = append(slices.Clip(parts[:most]), fmt.Sprintf("%d more PEs wait in the same way", n))
	}
	return finding.JoinLong(parts)
}

// remedy says what to do.
func (j *job) remedy(core map[int]bool) string {
	var kinds []uint8
	for t := range core {
		if j.pes[t].byItself() {
			return fmt.Sprintf("the other PEs cannot continue without PE %d; fix this first", t)
		}
		if w := j.pes[t].waits; w != nil {
			kinds = append(kinds, w.Kind)
		}
	}
	slices.SortFunc(kinds, cmp.Compare)
	switch kinds = slices.Compact(kinds); {
	case slices.Equal(kinds, []uint8{layout.Locking}):
		return "take the locks in the same order on all PEs, and give each back before the next wait"
	case slices.Equal(kinds, []uint8{layout.Waits}):
		return "let one of the PEs put its value before it waits"
	case slices.Equal(kinds, []uint8{layout.Enter}):
		return "let all members of the active sets call the same collectives in the same order"
	}
	return "let the PEs put values and give locks back before they wait in a collective that others do not come to"
}
