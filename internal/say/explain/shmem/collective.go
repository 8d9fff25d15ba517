package shmem

import (
	"fmt"
	"slices"

	"unknot/internal/shmem/layout"
	"unknot/internal/vocab/finding"
)

// Disagreement is calls of a collective in which PEs differ.
type Disagreement struct {
	Count  int
	PEs    int        // of the program
	Calls  []Call     // one of each PE, in order
	First  int        // which of these the others differ from
	Other  int        // the first one that does
	Differ Difference // in what these two differ
	// Sets says that the active sets differ, and each member waits in its own call.
	Sets bool
	// Ended says that the PEs hang in the calls, for which the job is ended.
	Ended bool
}

// Call is the call of a PE.
type Call struct {
	PE     int
	Record layout.Record // Enter
	Site   *Site
}

// Difference is in what two calls of a collective differ.
type Difference uint8

// Differences.
const (
	Same Difference = iota
	OtherFunction
	OtherSet
	OtherRoot
	OtherBytes // of memory that is asked for
	OtherCount
	OtherSize
)

// must is what all PEs have to do.
func (d Difference) must() string {
	return [...]string{Same: "", OtherFunction: "call the same function", OtherSet: "pass the same active set",
		OtherRoot: "pass the same root", OtherBytes: "ask for the same size",
		OtherCount: "pass the same number of elements", OtherSize: "have elements of the same size"}[d]
}

// Finding is that of the disagreement.
func (d *Disagreement) Finding() finding.Finding {
	f := manifest(finding.SHMEMCollective)
	f.Count = d.Count
	for i := range d.Calls {
		c := &d.Calls[i]
		f.Ranks = append(f.Ranks, c.PE)
		place := c.Site.place(c.PE, "called")
		place.SetArgs(finding.Plain(d.passes(&c.Record)))
		f.Places = append(f.Places, place)
	}
	a, b := &d.Calls[min(d.First, d.Other)], &d.Calls[max(d.First, d.Other)]
	call := b.Site.Call
	if call == a.Site.Call {
		call = "it"
	}
	why := fmt.Sprintf("all PEs%s must %s", d.of(layout.Set(a.Record.Value)), d.Differ.must())
	f.Hint = "let all PEs make the same calls in the same order, with values that all of them have"
	if d.Sets {
		why = "both are members of both active sets, and each waits for the other one to come to its own"
		f.Hint = "let all members of an active set pass the same PE_start, logPE_stride and PE_size, and make their " +
			"calls for several active sets in the same order"
	}
	f.Sentence = fmt.Sprintf("PE %d calls %s%s at %s, and PE %d calls %s%s at %s: %s.", a.PE, a.Site.Call,
		with(d.passes(&a.Record)), a.Site.at(),
		b.PE, call, with(d.passes(&b.Record)), b.Site.at(), why)
	if d.Ended {
		f.Notes = append(f.Notes,
			finding.Remark("the PEs that wait there for others have not come further, so the job was ended"))
	}
	return f
}

func with(args string) string {
	if args == "" {
		return ""
	}
	return " with " + args
}

// of says of which active set, if that is not all PEs.
func (d *Disagreement) of(v layout.Set) string {
	if _, _, size := v.Parts(); size == d.PEs {
		return ""
	}
	return " of the active set"
}

// passes are those arguments of a call in which it differs from others of the same kind.
func (d *Disagreement) passes(r *layout.Record) string {
	differs := func(of func(*layout.Record) uint64) bool {
		return slices.ContainsFunc(d.Calls, func(c Call) bool {
			return c.Record.Flags == r.Flags && of(&c.Record) != of(r)
		})
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
