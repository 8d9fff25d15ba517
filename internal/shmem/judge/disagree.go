package judge

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"unknot/internal/model/race"
	"unknot/internal/model/waitfor"
	"unknot/internal/shmem/layout"
	"unknot/internal/vocab/finding"
)

// disagreement is calls of a collective that differ, at two places of the program.
type disagreement struct {
	count int
	first layout.Record // the call of the PE by
	by    int
	other map[int]layout.Record // by PE: the first call that differs
	sets  bool                  // the active sets differ
	told  bool                  // with the end of the job, or by what it follows from
}

// compare compares a PE's entry of a call with the first one. What follows from different active sets is not told
// besides.
func (j *job) compare(c *call, t int, r *layout.Record) {
	if difference(&c.first, r) != "" && (c.differ == nil || !c.differ.sets) {
		c.differ = j.differs(c.first, c.by, t, r)
	}
}

// differs notes that the call of one PE differs from that of another one, by.
func (j *job) differs(first layout.Record, by, t int, r *layout.Record) *disagreement {
	key := sites{race.Site(first.Site), race.Site(r.Site)}
	if key.a > key.b {
		key.a, key.b = key.b, key.a
	}
	d := j.disagree[key]
	if d == nil {
		d = &disagreement{first: first, by: by, other: make(map[int]layout.Record)}
		j.disagree[key] = d
	}
	d.count++
	if _, there := d.other[t]; !there && t != d.by && difference(&d.first, r) != "" {
		d.other[t] = *r
	}
	return d
}

// difference is in what two calls differ that have to be the same: "" in nothing, or the words for what all must do.
func difference(a, b *layout.Record) string {
	kind := layout.Collective(a.Flags)
	switch {
	case a.Flags != b.Flags || a.Stride != b.Stride:
		return "call the same function"
	case a.Value != b.Value:
		return "pass the same active set"
	case kind == layout.Broadcast && a.Owner != b.Owner:
		return "pass the same root"
	case kind == layout.AllocateCall && a.Count != b.Count:
		return "ask for the same size"
	case kind != layout.Collect && a.Count != b.Count:
		return "pass the same number of elements"
	case a.Size != b.Size:
		return "have elements of the same size"
	}
	return ""
}

// disagreements makes the findings of collectives in which PEs differ.
func (j *job) disagreements(p *program) (all []finding.Finding) {
	keys := slices.SortedFunc(maps.Keys(j.disagree), func(x, y sites) int {
		return cmp.Or(cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b))
	})
	for _, key := range keys {
		if d := j.disagree[key]; !d.told {
			all = append(all, j.disagreement(p, d))
		}
	}
	return all
}

// hangsIn is the disagreement in which some of the PEs hang that wait for ever, nil if there is none.
func (j *job) hangsIn(dead []waitfor.Node) *disagreement {
	for _, n := range dead {
		if in := j.pes[n].in; in != nil && in.call.differ != nil {
			return in.call.differ
		}
	}
	return nil
}

// hang makes the finding of PEs that have not left calls in which they differ.
func (j *job) hang(p *program, d *disagreement) finding.Finding {
	d.told = true
	f := j.disagreement(p, d)
	f.Notes = append(f.Notes,
		finding.Remark("the PEs that wait there for others have not come further, so the job was ended"))
	return f
}

func (j *job) disagreement(p *program, d *disagreement) finding.Finding {
	f := finding.Finding{Code: finding.SHMEMCollective, Severity: finding.Error, Standing: finding.Manifest,
		Language: finding.OpenSHMEM, Count: d.count}
	by := maps.Clone(d.other)
	by[d.by] = d.first
	f.Ranks = slices.Sorted(maps.Keys(by))
	for _, t := range f.Ranks {
		r := by[t]
		place := p.site(r.Site).place(t, "called")
		place.SetArgs(finding.Plain(passes(&r, &d.first, d.other)))
		f.Places = append(f.Places, place)
	}
	x := d.by
	y := slices.Min(slices.Collect(maps.Keys(d.other)))
	if x > y {
		x, y = y, x
	}
	a, b := by[x], by[y]
	first, second := p.site(a.Site), p.site(b.Site)
	call := second.call
	if call == first.call {
		call = "it"
	}
	why := fmt.Sprintf("all PEs%s must %s", j.of(layout.Set(a.Value)), difference(&a, &b))
	f.Hint = "let all PEs make the same calls in the same order, with values that all of them have"
	if d.sets {
		why = "both are members of both active sets, and each waits for the other one to come to its own"
		f.Hint = "let all members of an active set pass the same PE_start, logPE_stride and PE_size, and make their " +
			"calls for several active sets in the same order"
	}
	f.Sentence = fmt.Sprintf("PE %d calls %s%s at %s, and PE %d calls %s%s at %s: %s.", x, first.call,
		with(passes(&a, &d.first, d.other)), first.at(),
		y, call, with(passes(&b, &d.first, d.other)), second.at(), why)
	return f
}

func with(args string) string {
	if args == "" {
		return ""
	}
	return " with " + args
}

// of says of which active set, if that is not all PEs.
func (j *job) of(v layout.Set) string {
	if _, _, size := v.Parts(); size == len(j.pes) {
		return ""
	}
	return " of the active set"
}

// passes are those arguments of a call in which it differs from others of the same kind.
func passes(r, first *layout.Record, others map[int]layout.Record) string {
	differs := func(of func(*layout.Record) uint64) bool {
		differs := first.Flags == r.Flags && of(first) != of(r)
		for _, o := range others {
			differs = differs || o.Flags == r.Flags && of(&o) != of(r)
		}
		return differs
	}
	var words []string
	start, stride, size := layout.Set(r.Value).Parts()
	if differs(func(x *layout.Record) uint64 { return x.Value >> 32 }) {
		words = append(words, fmt.Sprintf("PE_start %d", start))
	}
	if differs(func(x *layout.Record) uint64 { return x.Value >> 24 & 0xff }) {
		words = append(words, fmt.Sprintf("logPE_stride %d", stride))
	}
	if differs(func(x *layout.Record) uint64 { return x.Value & (1<<24 - 1) }) {
		words = append(words, fmt.Sprintf("PE_size %d", size))
	}
	if layout.Collective(r.Flags) == layout.Broadcast &&
		differs(func(x *layout.Record) uint64 { return uint64(x.Owner) }) {
		words = append(words, fmt.Sprintf("root %d", (int(r.Owner)-start)>>stride))
	}
	if differs(func(x *layout.Record) uint64 { return x.Count }) && r.Count > 0 {
		words = append(words, counted(r))
	}
	if differs(func(x *layout.Record) uint64 { return uint64(x.Size) }) && r.Size > 0 {
		words = append(words, fmt.Sprintf("elements of %s", finding.Count(uint64(r.Size), "byte", "bytes")))
	}
	return finding.JoinAnd(words)
}

// counted is how much a call is about.
func counted(r *layout.Record) string {
	if layout.Collective(r.Flags) == layout.AllocateCall {
		return finding.Count(r.Count, "byte", "bytes")
	}
	return finding.Count(r.Count, "element", "elements")
}
