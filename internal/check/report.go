package check

import (
	"cmp"
	"slices"

	"unknot/internal/observe/ring"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
)

// Report is a wrong use, for the owner of the Watch to put into a finding.
type Report struct {
	Code     finding.Code
	Severity finding.Severity
	Standing finding.Standing
	Call     Call // its words are a copy
	Param    int  // at fault; -1 for none
	// Sentence says what is wrong. "{dest}" stands for a parameter, which the reader may know by an expression.
	Sentence  finding.Wording
	Notes     []finding.Note
	Hint      string
	Related   []Related
	Elsewhere []Elsewhere
	// Pair says that it is about two calls, this one and the first of Related.
	Pair bool
	// Meets says of it that the first of Elsewhere is a call that could be made at the same moment; nil for any other.
	Meets *Meets
	// Apart says that two threads may be made to meet at this call and at the first of Related.
	Apart bool
	// Count says how often the rank did the same at the same place.
	Count int
}

// Related is another call that belongs to a report: "it was freed". Its note has a label where the call is all that
// there is to say.
type Related struct {
	Label string
	Text  string
	Func  *mpi.Func
	Site  uint64
}

// Elsewhere is a call of another rank that belongs to a report, or without Func an access by its own loads and stores.
type Elsewhere struct {
	Related
	Rank int    // world rank
	At   string // the place, if it is known already
}

// Meets is the memory that two calls of different ranks conflict in: whose it is, and the bytes of its window.
type Meets struct {
	Owner      int // world rank
	Start, End uint64
}

// Words are what a checker says.
type Words struct {
	Sentence  finding.Wording
	Notes     []finding.Note
	Hint      string
	Related   []Related
	Elsewhere []Elsewhere
	Meets     *Meets
	Apart     bool             // two threads of the rank may be made to meet: at the call, and at the first of Related
	Severity  finding.Severity // if it is not the usual one of the code
	Standing  finding.Standing // if it is not manifest
}

// seenKey is what makes two wrong uses of a rank the same.
type seenKey struct {
	code  finding.Code
	site  uint64
	param int
	other uint64 // the call site of another call, where the two belong together
}

// mostWays bounds by how many ways to one call site a wrong use is reported; further ones are counted with the first.
const mostWays = 16

// Say reports a wrong use of parameter i, or of the call as a whole with -1. The words are asked for once a call site;
// after that the report's Count goes up.
func (c *Call) Say(code finding.Code, i int, words func() Words) { c.SayWith(code, i, 0, words) }

// Remark is Say for what is no reason for the call to fail, and need not be counted: calls with the same arguments that
// follow are not looked at.
func (c *Call) Remark(code finding.Code, i int, words func() Words) {
	said := c.Said
	c.Say(code, i, words)
	c.Said = said
}

// SayWith is Say for what concerns two calls: another call site of the other one makes another report.
func (c *Call) SayWith(code finding.Code, i int, other uint64, words func() Words) {
	if !c.watch.enabled[code] {
		return
	}
	c.Said = true
	key := seenKey{code, c.Site, i, other}
	if r := c.Rank.seen[key]; r != nil {
		r.Count++
		return
	}
	place := seenKey{code, ring.Place(c.Site), i, ring.Place(other)}
	if ways := c.Rank.ways[place]; len(ways) == mostWays {
		ways[0].Count++
		return
	}
	w := words()
	r := &Report{
		Code:      code,
		Severity:  w.Severity,
		Standing:  cmp.Or(w.Standing, finding.Manifest),
		Call:      *c,
		Param:     i,
		Sentence:  w.Sentence,
		Notes:     w.Notes,
		Hint:      w.Hint,
		Related:   w.Related,
		Elsewhere: w.Elsewhere,
		Meets:     w.Meets,
		Apart:     w.Apart,
		Pair:      other != 0,
		Count:     1,
	}
	if r.Severity == "" {
		r.Severity = c.watch.docs[code].Severity
	}
	r.Call.Words = append([]uint64(nil), c.Words...)
	r.Call.Out, r.Call.Requests, r.Call.Handles, r.Call.Beside, r.Call.Nulls, r.Call.Beneath, r.Call.Arrays, r.Call.Held, r.Call.Filling = nil, nil, nil, nil, nil, nil, nil, nil, nil
	r.Call.Lengths = nil
	c.Rank.seen[key] = r
	if c.Rank.ways == nil {
		c.Rank.ways = make(map[seenKey][]*Report)
	}
	c.Rank.ways[place] = append(c.Rank.ways[place], r)
	c.watch.Reports = append(c.watch.Reports, r)
}

// At are the reports about calls of some sites.
func (r *Rank) At(sites ...uint64) (all []*Report) {
	for key, report := range r.seen {
		if slices.Contains(sites, key.site) {
			all = append(all, report)
		}
	}
	return all
}
