package report

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"unknot/internal/vocab/finding"
)

// Findings whose calls have an order in time, with some ranks each, stand in that order wherever two share a rank,
// whatever the order in which they come in.
func TestFindingsStandAsTheyCameOnARank(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(t, "findings")
		list := make([]finding.Finding, n)
		when := make(map[string]int)
		times := rapid.Permutation(numbers(n)).Draw(t, "times")
		for i := range list {
			f := finding.Finding{Code: finding.Code(fmt.Sprintf("code-%02d", i)), Severity: finding.Error,
				Ranks: []int{}}
			for _, rank := range rapid.SliceOfNDistinct(rapid.IntRange(0, 4), 1, 3, rapid.ID).Draw(t, "ranks") {
				f.Ranks = append(f.Ranks, rank)
				f.Places = append(f.Places, finding.Place{Rank: rank, Moment: uint64(times[i]) + 1, WaitsFor: []int{}})
			}
			when[string(f.Code)] = times[i]
			list[i] = f
		}
		shuffled := rapid.Permutation(list).Draw(t, "shuffled")
		got := normal(&finding.Run{Findings: shuffled}).Findings
		if len(got) != n {
			t.Fatalf("%d of %d findings are left", len(got), n)
		}
		again := normal(&finding.Run{Findings: list}).Findings
		for i := range got {
			if got[i].Code != again[i].Code {
				t.Fatalf("the order of input matters: %s or %s", got[i].Code, again[i].Code)
			}
			for k := range i {
				shared := slices.ContainsFunc(got[i].Ranks,
					func(r int) bool { return slices.Contains(got[k].Ranks, r) })
				if shared && when[string(got[k].Code)] > when[string(got[i].Code)] {
					t.Fatalf("%s stands before %s, which came first", got[k].Code, got[i].Code)
				}
			}
		}
	})
}

func numbers(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// Ranks that contradict each other lose nothing and cost no endless loop.
func TestContradictingRanksLoseNoFinding(t *testing.T) {
	place := func(rank int, moment uint64) finding.Place { return finding.Place{Rank: rank, Moment: moment} }
	run := &finding.Run{Findings: []finding.Finding{
		{Code: "a", Ranks: []int{0, 2}, Places: []finding.Place{place(0, 1), place(2, 2)}},
		{Code: "b", Ranks: []int{0, 1}, Places: []finding.Place{place(0, 2), place(1, 1)}},
		{Code: "c", Ranks: []int{1, 2}, Places: []finding.Place{place(1, 2), place(2, 1)}},
	}}
	var codes []string
	for _, f := range normal(run).Findings {
		codes = append(codes, string(f.Code))
	}
	if got := fmt.Sprint(codes); got != "[a b c]" {
		t.Errorf("order %s, want [a b c]", got)
	}
}

// The death of a rank stands after what is wrong with its last call.
func TestADeathStandsAfterItsCause(t *testing.T) {
	p := []finding.Place{{Rank: 1, Moment: 7}}
	run := &finding.Run{Findings: []finding.Finding{
		{Code: finding.RankDied, Ranks: []int{1}, Places: p}, {Code: "tag-invalid", Ranks: []int{1}, Places: p},
	}}
	if first := normal(run).Findings[0].Code; first != "tag-invalid" {
		t.Errorf("first finding %s, want tag-invalid", first)
	}
}
