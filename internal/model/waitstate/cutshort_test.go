package waitstate

import (
	"testing"

	"unknot/internal/vocab/datatype"
	"unknot/internal/vocab/op"
)

// TestAReceiveThatNoMessageFitsIsCutShort: a rank dies in a receive from any source, and which message it had met is
// unknown.
func TestAReceiveThatNoMessageFitsIsCutShort(t *testing.T) {
	double, err := datatype.Predefined("MPI_DOUBLE", 8, 8, 8)
	if err != nil {
		t.Fatal(err)
	}
	numbers := func(n int64) Content { return Content{Type: double, Count: n} }
	for _, c := range []struct {
		name    string
		sent    []int64 // by rank 1, rank 2 and so on
		forced  op.Rank // whose message a plan had it take, 0 for any
		earlier bool    // a receive that was posted before, and is not over, may take any of them
		over    bool    // the receive has returned
		certain bool    // a message was too long
		want    int
		others  int // that are too long, too, or fit
	}{
		{"none fits", []int64{3, 4}, 0, false, false, false, 1, 1},
		{"one fits", []int64{3, 2}, 0, false, false, false, 0, 0},
		{"a plan chose one that fits", []int64{3, 2}, 2, false, false, false, 0, 0},
		{"a plan chose one that does not fit", []int64{3, 2}, 1, false, false, false, 1, 0},
		{"one fits, and one was too long", []int64{2, 3, 2}, 0, false, false, true, 1, 2},
		{"one fits, and one of two was too long", []int64{4, 2, 3}, 0, false, false, true, 1, 2},
		{"all fit", []int64{2, 1}, 0, false, false, true, 0, 0},
		{"there are none", nil, 0, false, false, false, 0, 0},
		{"an earlier receive may have taken it", []int64{3}, 0, true, false, false, 0, 0},
		{"the receive is over", []int64{3}, 0, false, true, false, 0, 0},
	} {
		n := NewNode(0, func(op.Rank) int { return 0 })
		receiver := n.NewThread(0, 0)
		if c.earlier {
			p := &Part{Kind: op.Recv, Src: op.AnySource, Tag: op.AnyTag, Ctx: 1, Content: numbers(9)}
			n.Enter(receiver, &Op{Posts: []*Part{p}})
		}
		p := &Part{Kind: op.Recv, Src: op.AnySource, Tag: op.AnyTag, Ctx: 1, Content: numbers(2),
			Origin: &Origin{Site: 1}}
		if c.forced != 0 {
			p.Forced = &Forced{Src: c.forced, Tag: op.AnyTag}
		}
		n.Enter(receiver, &Op{Blocking: true, Posts: []*Part{p}, Waits: []*Part{p}, Origin: p.Origin})
		for i, count := range c.sent {
			src := op.Rank(i + 1)
			s := &Part{Kind: op.Send, Src: src, Ctx: 1, Content: numbers(count), Origin: &Origin{Rank: src, Site: 2}}
			n.Enter(n.NewThread(src, 0), &Op{Posts: []*Part{s}, Origin: s.Origin})
		}
		if c.over {
			n.Return(receiver)
		}
		n.CutShort(receiver, c.certain)
		if len(n.Misfits) != c.want {
			t.Errorf("%s: %d messages do not fit, want %d", c.name, len(n.Misfits), c.want)
		} else if c.want > 0 && len(n.Misfits[0].Long)+len(n.Misfits[0].Fit) != c.others {
			t.Errorf("%s: %+v, want %d others", c.name, n.Misfits[0], c.others)
		}
	}
}
