package agent

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"unknot/internal/check"
	"unknot/internal/kit/symbol"
	"unknot/internal/trace"
)

// TestOptionsReachTheAgentProcess proves that every option survives the way as JSON.
func TestOptionsReachTheAgentProcess(t *testing.T) {
	given := Options{Distribution: Distribution{RanksPerAgent: 2, FanIn: 3, LinkTimeout: time.Minute,
		Listen: []string{"10.0.0.1:0"}}, Sends: "observed", OnDeadlock: "leave", LivelockTimeout: time.Second,
		Stall: time.Minute, History: true, Folding: Folding{NoFold: true, FoldAfter: 7}, Log: "detect",
		Trace: "run.unk", TraceParts: true, Version: "0.1", Job: "17", Parts: "/a/parts",
		Command: []string{"mpirun", "a b"}, Start: "now", Recording: "1 0 1",
		Checks: check.Selection{{Name: "all"}, {Name: "message-race", On: true}},
		Owners: symbol.Owners{Own: []string{"/a"}, Library: []string{"/b"}},
		Head:   trace.Head{Ranks: 3, Command: []string{"mpirun", "a b"}, MPI: "m", Unknot: "v", Start: "now"}}
	for i := range reflect.TypeFor[Options]().NumField() {
		if f := reflect.TypeFor[Options]().Field(i); f.Tag.Get("json") != "-" &&
			reflect.ValueOf(given).Field(i).IsZero() {
			t.Errorf("%s is not tried; hint: give it a value above", f.Name)
		}
	}
	text, err := json.Marshal(given)
	if err != nil {
		t.Fatal(err)
	}
	got := Options{}
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(given, got); diff != "" {
		t.Errorf("%s comes back with (- given, + got):\n%s", text, diff)
	}
}
