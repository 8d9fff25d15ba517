package check_test

import (
	"testing"

	"unknot/internal/check"
	"unknot/internal/model/objects"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
)

// tally and other are what two families remember of a rank.
type (
	tally struct{ calls int }
	other struct{ lost bool }
)

func (x *other) LoseTrack() { x.lost = true }

// Checks that ask for a slot of one type share it, rank by rank; who follows pending operations learns that track of
// them is lost.
func TestSlotsAreThoseOfATypeAndARank(t *testing.T) {
	table, err := mpi.Load()
	if err != nil {
		t.Fatal(err)
	}
	const code finding.Code = "made-up"
	var slots []check.Slot[tally]
	var others check.Slot[other]
	models := 0
	checker := check.Checker{Codes: []finding.Doc{{Code: code}}, Watch: func(h *check.Hooks) {
		slots, others = append(slots, check.SlotOf[tally](h)), check.SlotOf[other](h)
		check.Model(h, func() *tally {
			models++
			return &tally{}
		})
	}}
	check.New(table, objects.Follow(table), map[finding.Code]bool{code: true}, []check.Checker{checker, checker})
	one, two := check.NewRank(objects.NewRank(0)), check.NewRank(objects.NewRank(1))
	others.Of(one) // a later slot, asked for first
	slots[0].Of(one).calls = 7
	if slots[1].Of(one).calls != 7 || slots[0].Of(two).calls != 0 || models != 1 {
		t.Errorf("%d by the other check, %d for the other rank, %d models; want 7, 0 and 1", slots[1].Of(one).calls,
			slots[0].Of(two).calls, models)
	}
	one.LoseTrack()
	two.LoseTrack()
	if !others.Of(one).lost || others.Of(two).lost {
		t.Errorf("lost %v and %v; want it of the rank that has such a state", others.Of(one).lost, others.Of(two).lost)
	}
}
