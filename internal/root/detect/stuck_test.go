package detect

import (
	"testing"
	"time"

	"unknot/internal/vocab/message"
)

// The data of all stranded calls counts for each of them: one that has little to move may wait for another's.
func TestStrandedCallsAreGivenTimeForAllData(t *testing.T) {
	for _, c := range []struct {
		name  string
		calls []*message.Stranded
		want  bool
	}{
		{"no data", []*message.Stranded{{Spare: 0}, {Spare: time.Second}}, true},
		{"enough", []*message.Stranded{{Spare: 3 * time.Second, Bytes: 100e6}, {Spare: 2 * time.Second}}, true},
		{"another's data", []*message.Stranded{{Spare: 3 * time.Second, Bytes: 100e6}, {Spare: time.Second}}, false},
		{"data together", []*message.Stranded{{Spare: 3 * time.Second, Bytes: 100e6},
			{Spare: 3 * time.Second, Bytes: 100e6}}, false},
	} {
		if got := longEnough(c.calls); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
