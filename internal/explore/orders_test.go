//go:build !quick

package explore

import (
	"reflect"
	"testing"

	"unknot/internal/trace"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/op"
)

// metIn is a run in which the receives of rank 0 from any source met these, in this order.
func metIn(met ...op.Rank) *trace.Log {
	t := trace.Thread{}
	for _, r := range met {
		t.Parts = append(t.Parts, trace.Part{Kind: op.Recv, Wild: true, Peer: op.AnySource, Matched: r})
	}
	return &trace.Log{Threads: []trace.Thread{t}}
}

func TestOrdersAreThoseOfTheRuns(t *testing.T) {
	var o orders
	if o.seen() != nil || len(o.missing()) > 0 {
		t.Error("something is told of no run")
	}
	o.take(metIn(1, 1, 1))
	if o.seen() != nil {
		t.Error("one sender alone has no order")
	}
	// Rank 1 is the first and the fastest, rank 3 the last and the slowest.
	o.take(metIn(1, 2, 1, 2, 1, 3))
	if got, want := o.seen(), (finding.Orders{Senders: 3, First: 1, Last: 2, Fastest: 1, Slowest: 2,
		Pairs: 3}); *got != want {
		t.Errorf("%+v, want %+v", *got, want) // in the run before, rank 1 was alone: also the last and the slowest
	}
	want := [][]op.Rank{{1, 3}, {2}, {1, 2}} // rank 2 first, rank 2 last, rank 3 first
	if got := o.missing(); !reflect.DeepEqual(got, want) {
		t.Errorf("slow ranks of further runs %v, want %v", got, want)
	}
	// Of as many messages, the fastest are those that come sooner.
	o.take(metIn(3, 2, 2, 3, 1))
	if got, want := o.seen(), (finding.Orders{Senders: 3, First: 2, Last: 2, Fastest: 2, Slowest: 2, Pairs: 3,
		Swapped: 3}); *got != want {
		t.Errorf("%+v, want %+v", *got, want)
	}
	o.take(metIn(2, 1, 3, 2))
	if got, want := o.seen(), (finding.Orders{Senders: 3, First: 3, Last: 3, Fastest: 3, Slowest: 2, Pairs: 3,
		Swapped: 3}); *got != want {
		t.Errorf("%+v, want %+v", *got, want)
	}
}
