package finding

import (
	"strings"
	"testing"
)

func TestValidateNamesTheField(t *testing.T) {
	good := func() *Run {
		return &Run{Schema: Schema, Ranks: 2, Findings: []Finding{{Code: Deadlock, Severity: Error, Standing: Manifest,
			Sentence: "s", Ranks: []int{0, 1}, Count: 1,
			Places: []Place{{Rank: 0, State: "blocked", WaitsFor: []int{1}, Last: []Event{{State: "done"}}}}}}}
	}
	if err := good().Validate(); err != nil {
		t.Fatal(err)
	}
	for want, spoil := range map[string]func(*Run){
		`schema is "x/9", expected "unknot.findings/1"`: func(r *Run) { r.Schema = "x/9" },
		`ranks is -1`:                                      func(r *Run) { r.Ranks = -1 },
		`findings[0].code is empty`:                        func(r *Run) { r.Findings[0].Code = "" },
		`findings[0].severity is "bad"`:                    func(r *Run) { r.Findings[0].Severity = "bad" },
		`findings[0].standing is ""`:                       func(r *Run) { r.Findings[0].Standing = "" },
		`findings[0].sentence is empty`:                    func(r *Run) { r.Findings[0].Sentence = "" },
		`findings[0].count is 0`:                           func(r *Run) { r.Findings[0].Count = 0 },
		`findings[0].ranks[1] is 0 after 1`:                func(r *Run) { r.Findings[0].Ranks = []int{1, 0} },
		`findings[0].ranks[0] is 2, expected 0 to 1`:       func(r *Run) { r.Findings[0].Ranks = []int{2} },
		`findings[0].places[0].rank is 5, expected 0 to 1`: func(r *Run) { r.Findings[0].Places[0].Rank = 5 },
		`findings[0].places[0].state is "asleep"`:          func(r *Run) { r.Findings[0].Places[0].State = "asleep" },
		`findings[0].places[0].waits_for[0] is 9`:          func(r *Run) { r.Findings[0].Places[0].WaitsFor[0] = 9 },
		`findings[0].confidence is "low"`:                  func(r *Run) { r.Findings[0].Confidence = "low" },
		`findings[0].places[0].last[0].state is "missed"`: func(r *Run) {
			r.Findings[0].Places[0].Last[0].State = "missed"
		},
	} {
		run := good()
		spoil(run)
		if err := run.Validate(); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
