package exact

import (
	"context"
	"testing"
	"time"
)

func TestScaleTrial(t *testing.T) {
	for _, c := range []struct {
		name string
		b    Buffering
	}{{"any", BufferAny}, {"none", BufferNone}, {"all", BufferAll}} {
		t0 := time.Now()
		r, err := Predict(context.Background(), static(63, 31), Options{Buffering: c.b, Budget: Budget{Time: 20 * time.Second}})
		t.Logf("static %s: %v %v %v %+v %d %v", c.name, time.Since(t0), err, r.Verdict, r.Stats, len(r.Deadlocks), r.Why)
		t0 = time.Now()
		r, err = Predict(context.Background(), dynamic(63, 1937), Options{Buffering: c.b, Budget: Budget{Time: 20 * time.Second}})
		t.Logf("dynamic %s: %v %v %v %+v %d %v", c.name, time.Since(t0), err, r.Verdict, r.Stats, len(r.Deadlocks), r.Why)
		for i, d := range r.Deadlocks {
			if i < 3 {
				t.Logf("  %v %v %v", d.Core, d.Decisions, len(d.Stuck))
			}
		}
	}
}
