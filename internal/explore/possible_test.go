//go:build !quick

package explore

import (
	"testing"

	"unknot/internal/vocab/plan"
)

// TestOnlyWhatMPICouldMakeShowsAnything holds a receive from any source of rank 0 for rank 1, and lets a later one take
// the message of rank 2. MPI can do that only if the message of rank 1 can be there by then (MPI-4.0, 3.5).
func TestOnlyWhatMPICouldMakeShowsAnything(t *testing.T) {
	held := []plan.Decision{{Rank: 0, Nth: 0, Source: 1, Tag: -1}}
	for _, x := range []struct {
		name, log string
		want      bool
	}{
		{"it has met its message, which nobody was told", `
P0: Irecv(*,0)=a Recv(2,0) Recv(2,7)
P1: Send(0,0)
P2: Send(0,0)`, true},
		{"its sender waits for that", `
P0: Irecv(*,0)=a Recv(2,0) Recv(2,7)
P1: Ssend(0,0)
P2: Send(0,0)`, true},
		{"nobody sends it one", `
P0: Irecv(*,0)=a Recv(2,0) Recv(2,7)
P1: Send(2,0)
P2: Send(0,0) Recv(1,0)`, false},
		{"of another tag", `
P0: Irecv(*,1)=a Recv(2,0) Recv(2,7)
P1: Send(2,0)
P2: Send(0,0) Recv(1,0)`, true},
		{"its message is sent only when the later one is over", `
P0: Irecv(*,0)=a<-1 Recv(2,0) Send(1,3) Wait(a)
P1: Recv(0,3) Send(0,0)
P2: Send(0,0)`, false},
		{"its message is sent only when the later one is over, and it has not completed", `
P0: Irecv(*,0)=a Recv(2,0) Send(1,3) Recv(2,7)
P1: Recv(0,3) Send(0,0)
P2: Send(0,0)`, false},
		{"a barrier lies between", `
P0: Irecv(*,0)=a<-1 Recv(2,0) Barrier Wait(a)
P1: Barrier Send(0,0)
P2: Send(0,0) Barrier`, false},
		{"through others", `
P0: Irecv(*,0)=a<-1 Recv(2,0) Send(2,3) Wait(a)
P1: Recv(2,3) Send(0,0)
P2: Send(0,0) Recv(0,3) Send(1,3)`, false},
		{"the later one too is held, and both wait at once", `
P0: Irecv(*,0)=a<-1 Irecv(*,0)=b<-2 Wait(b) Wait(a)
P1: Send(0,0)
P2: Send(0,0)`, true},
		{"what it waits for is unknown: another receive from any source", `
P0: Irecv(*,0)=a Irecv(*,0)=b Recv(2,7)
P1: Send(0,0)
P2: Send(0,0)`, true},
	} {
		l := logOf(t, x.log)
		for i := range l.Threads { // the last call of rank 0 may wait forever
			if o := l.Threads[i].Ops; l.Threads[i].Rank == 0 {
				for k := range l.Threads[i].Parts {
					if p := &l.Threads[i].Parts[k]; p.Tag == 7 {
						o[l.Threads[i].Starter(uint32(k))].Returned = false
					}
				}
			}
		}
		p := plan.Plan{Ranks: 3, Decisions: held}
		if got := possible(l, p); got != x.want {
			t.Errorf("%s: %v, want %v\n%s", x.name, got, x.want, x.log)
		}
	}
}
