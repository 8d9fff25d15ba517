package explain

import (
	"slices"

	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/op"
)

// locked says which of the ranks hold a lock for which another of their threads waits, and where that is.
func (s *Story) locked(f *finding.Finding) {
	var at []finding.Frame
	holders := make(map[finding.Frame][]op.Rank)
	for i := range s.Members {
		d := s.Members[i].Described
		for _, frame := range d.Shape.Wanted {
			if holders[frame] == nil {
				at = append(at, frame)
			}
			holders[frame] = append(holders[frame], d.Key.Rank)
			for r := range s.Alike[d.Key].All() {
				holders[frame] = append(holders[frame], r)
			}
		}
	}
	for _, frame := range at {
		ranks := holders[frame]
		slices.Sort(ranks)
		ranks = slices.Compact(ranks)
		f.Notes = append(f.Notes, finding.Remarkf("%s %s a lock meanwhile, for which another thread of the rank waits at %v",
			finding.Ranks(ranks), inflect(len(ranks), "holds", "each hold"), frame.Worded()))
		f.Related = append(f.Related, frame)
	}
	if len(at) > 0 {
		f.Hint = "do not hold a lock in a blocking call: give it back first, if the thread that waits for it may be the " +
			"one that calls MPI next, or use non-blocking calls under the lock"
	}
}
