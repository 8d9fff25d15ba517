package explore

import "testing"

func TestARunThatMPICouldNotMakeShowsNothing(t *testing.T) {
	const others = `
P1: Send(0,0)
P2: Send(0,0)
P0: `
	for calls, want := range map[string]bool{
		"Irecv(*,0)=a Recv(2,0)<-2 Wait(a)": true,  // held for rank 1, passed by the receive from rank 2
		"Irecv(*,1)=a Recv(2,0)<-2 Wait(a)": false, // of another tag
	} {
		l := logOf(t, others+calls)
		if got := overtaken(l, []decision{{key{Rank: 0}, 1}}); got != want {
			t.Errorf("%s: %v, want %v", calls, got, want)
		}
	}
}
