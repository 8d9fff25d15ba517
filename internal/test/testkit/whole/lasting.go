package whole

import (
	"encoding/json"
	"slices"
	"strings"

	"unknot/internal/vocab/finding"
)

// Lasting writes findings down without what differs from one run to the next: processes, addresses, call stacks (they
// go through the MPI library's progress loop), and how often a poll was repeated.
func Lasting(fs []finding.Finding) (string, error) {
	same := func(k int, places []finding.Place) []finding.Place {
		places = slices.Clone(places)
		threads := slices.ContainsFunc(places, func(p finding.Place) bool { return p.Thread > 0 })
		for i := range places {
			if threads {
				places[i].Moment = 0 // in which order the threads of a rank call is not the program's to say
			}
			places[i].PID, places[i].Host, places[i].Offset = 0, "", 0
			places[i].Stack, places[i].Last = nil, nil
			if fs[k].Code == finding.DeadlockUnsafe && places[i].State == "blocked" {
				places[i].State = "returned" // it will: that depends on when the model was looked at
			}
		}
		return places
	}
	fs = slices.Clone(fs)
	for i := range fs {
		fs[i].Places, fs[i].Others = same(i, fs[i].Places), same(i, fs[i].Others)
		fs[i].Fingerprint = "" // a report has it, what the agent says has not
		if fs[i].Code == finding.RankDied {
			// Whether others waited for the dead rank before MPI ended them is chance.
			fs[i].Sentence, _, _ = strings.Cut(fs[i].Sentence, ",")
			fs[i].Hint, fs[i].Others = "", nil
		}
	}
	text, err := json.MarshalIndent(fs, "", " ")
	return string(text), err
}
