package waitstate

import (
	"testing"

	"unknot/internal/vocab/datatype"
	"unknot/internal/vocab/op"
)

// TestWhatThreadsStartAtATimeIsNotCompared: which of two threads of a rank gets which message, or sends first, is
// unknown if their calls overlap.
func TestWhatThreadsStartAtATimeIsNotCompared(t *testing.T) {
	double, err := datatype.Predefined("MPI_DOUBLE", 8, 8, 8)
	if err != nil {
		t.Fatal(err)
	}
	numbers := func(n int64) Content { return Content{Type: double, Count: n} }
	recv := func(tag int32, n int64) *Part {
		return &Part{Kind: op.Recv, Src: 1, Tag: tag, Ctx: 1, Content: numbers(n)}
	}
	probe := func() *Part { return &Part{Kind: op.Recv, Src: 1, Tag: 5, Ctx: 1, Taking: new(Taking)} }
	for _, c := range []struct {
		name   string
		first  *Part // of thread 0
		second *Part // of thread 1
		over   bool  // thread 0 has returned before thread 1 begins
		want   int
	}{
		{"receives of the same size", recv(5, 2), recv(5, 2), false, 2},
		{"receives of different sizes", recv(5, 2), recv(5, 1), false, 0},
		{"receives of different sizes, one after the other", recv(5, 2), recv(5, 1), true, 2},
		{"receives with other tags", recv(6, 2), recv(5, 1), false, 1},
		{"receives with any tag", recv(op.AnyTag, 2), recv(5, 1), false, 0},
		{"matched probes", probe(), probe(), false, 0},
		{"matched probes, one after the other", probe(), probe(), true, 2},
	} {
		n := NewNode(0, func(op.Rank) int { return 0 })
		threads := []*Thread{n.NewThread(0, 0), n.NewThread(0, 1)}
		for i, p := range []*Part{c.first, c.second} {
			o := &Op{Blocking: true, Posts: []*Part{p}, Waits: []*Part{p}, Origin: &Origin{Site: uint64(i)}}
			p.Origin = o.Origin
			if i == 1 {
				if c.over {
					n.Return(threads[0])
				}
				n.Beside(o, threads[0])
			}
			n.Enter(threads[i], o)
		}
		sender := n.NewThread(1, 0)
		for range 2 {
			s := &Part{Kind: op.Send, Src: 1, Tag: 5, Ctx: 1, Content: numbers(3), Origin: &Origin{Rank: 1, Site: 7}}
			n.Enter(sender, &Op{Posts: []*Part{s}, Origin: s.Origin})
		}
		for i, p := range []*Part{c.first, c.second} {
			n.Take(p, numbers(1), &Origin{Site: uint64(i)})
		}
		if len(n.Misfits) != c.want {
			t.Errorf("%s: %d messages do not fit, want %d", c.name, len(n.Misfits), c.want)
		}
	}
}

// TestWhatThreadsSendAtATimeIsNotCompared: the same of two threads that send.
func TestWhatThreadsSendAtATimeIsNotCompared(t *testing.T) {
	double, err := datatype.Predefined("MPI_DOUBLE", 8, 8, 8)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		second int64 // that the second thread sends, where the first sends 3
		want   int
	}{{3, 2}, {4, 0}} {
		n := NewNode(0, func(op.Rank) int { return 0 })
		threads := []*Thread{n.NewThread(1, 0), n.NewThread(1, 1)}
		for i, count := range []int64{3, c.second} {
			s := &Part{Kind: op.Send, Src: 1, Tag: 5, Ctx: 1, Content: Content{Type: double, Count: count},
				Origin: &Origin{Rank: 1, Site: uint64(i)}}
			o := &Op{Blocking: true, Posts: []*Part{s}, Waits: []*Part{s}, Origin: s.Origin}
			if i == 1 {
				n.Beside(o, threads[0])
			}
			n.Enter(threads[i], o)
		}
		receiver := n.NewThread(0, 0)
		for range 2 {
			p := &Part{Kind: op.Recv, Src: 1, Tag: 5, Ctx: 1, Content: Content{Type: double, Count: 2},
				Origin: &Origin{Site: 7}}
			n.Enter(receiver, &Op{Posts: []*Part{p}, Origin: p.Origin})
		}
		if len(n.Misfits) != c.want {
			t.Errorf("%d and 3: %d messages do not fit, want %d", c.second, len(n.Misfits), c.want)
		}
	}
}
