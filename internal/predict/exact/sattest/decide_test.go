package sattest

import (
	"time"

	"unknot/internal/predict/exact"
	"unknot/internal/trace"
)

// options ask package exact the question that the formula asks: is there a deadlock. Whoever asks bounds the time.
func options(b exact.Buffering) exact.Options {
	return exact.Options{Buffering: b, Collectives: exact.CollectStrict, Max: 1,
		Budget: exact.Budget{Time: time.Hour, States: 1 << 30}}
}

// decide asks the solver.
func decide(l *trace.Log, b exact.Buffering, counts bool) (answer, error) {
	c, err := read(l, b)
	if err != nil {
		return answer{}, err
	}
	return encode(c, counts).solve()
}

func (a answer) verdict() exact.Verdict {
	if a.deadlocks {
		return exact.Deadlocks
	}
	return exact.Free
}
