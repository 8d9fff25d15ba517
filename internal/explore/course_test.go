//go:build !quick

package explore

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"unknot/internal/trace"
	"unknot/internal/trace/text"
)

func logOf(t *testing.T, lines string) *trace.Log {
	t.Helper()
	l, err := text.Read(strings.NewReader(lines), "log")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// candidates are the ranks whose messages each completed wildcard receive could have met instead of its own, in order.
func candidates(c *course) string {
	var out []string
	for _, w := range c.wild {
		list, _ := c.alternatives(w)
		var ranks []int
		for _, s := range list {
			ranks = append(ranks, int(c.rank(s)))
		}
		slices.Sort(ranks)
		out = append(out, fmt.Sprintf("%d:%v", c.at(w).Matched, ranks))
	}
	return strings.Join(out, " ")
}

func TestAlternativesAreThoseOfPOE(t *testing.T) {
	for _, x := range []struct {
		name, log, want string
		sync            bool
	}{
		{"all that has been sent and not been taken", `
P0: Send(3,0)
P1: Send(3,0)
P2: Send(3,0)
P3: Recv(*,0)<-0 Recv(*,0)<-1 Recv(*,0)<-2`, "0:[1 2] 1:[2] 2:[]", false},
		{"not what is sent only after the receive", `
P0: Send(2,0)
P1: Recv(2,0) Send(2,0)
P2: Recv(*,0)<-0 Send(1,0) Recv(*,0)<-1`, "0:[] 1:[]", false},
		{"not what has another tag, but any tag fits", `
P0: Send(2,0)
P1: Send(2,1) Send(2,0)
P2: Recv(*,0)<-0 Recv(*,*)<-1 Recv(*,*)<-1`, "0:[1] 1:[] 1:[]", false},
		{"a later message of the same source is none", `
P0: Send(1,0) Send(1,0)
P1: Recv(*,0)<-0 Recv(*,0)<-0`, "0:[] 0:[]", false},
		{"without buffering a sender does not get to its second message", `
P0: Send(2,0)
P1: Send(2,1) Send(2,0)
P2: Recv(*,0)<-0 Recv(1,1) Recv(*,0)<-1`, "0:[] 1:[]", true},
		{"with buffering it does", `
P0: Send(2,0)
P1: Send(2,1) Send(2,0)
P2: Recv(*,0)<-0 Recv(1,1) Recv(*,0)<-1`, "0:[1] 1:[]", false},
		{"a barrier keeps apart what is sent behind it", `
P0: Send(2,0) Barrier
P1: Barrier Send(2,0)
P2: Recv(*,0)<-0 Barrier Recv(*,0)<-1`, "0:[] 1:[]", false},
		{"a request that is waited for later can meet what is sent in between", `
P0: Send(2,0)
P1: Recv(2,0) Send(2,0)
P2: Irecv(*,0)=a<-0 Send(1,0) Irecv(*,0)=b<-1 Waitall(a,b)`, "0:[1] 1:[]", false},
	} {
		if got := candidates(follow(logOf(t, x.log), x.sync)); got != x.want {
			t.Errorf("%s: %s, want %s", x.name, got, x.want)
		}
	}
}

func TestRunsWithTheSameCallsHaveTheSameFlow(t *testing.T) {
	const a = `
P0: Send(2,0)
P1: Send(2,0)
P2: Recv(*,0)<-0 Recv(*,0)<-1`
	met := strings.Replace(strings.Replace(a, "<-0", "<-x", 1), "<-1", "<-0", 1)
	met = strings.Replace(met, "<-x", "<-1", 1)
	if flow(logOf(t, a)) != flow(logOf(t, met)) {
		t.Error("whom a wildcard met is taken for another course")
	}
	for _, other := range []string{strings.Replace(a, "P1: Send(2,0)", "P1: Send(2,1)", 1), a + " Recv(*,0)",
		strings.Replace(a, "P0: Send", "P0: Ssend", 1)} {
		if flow(logOf(t, a)) == flow(logOf(t, other)) {
			t.Errorf("taken for the same course:\n%s\n%s", a, other)
		}
	}
}

func TestWhereRunsPartIsSaid(t *testing.T) {
	was := logOf(t, "P0: Recv(*,0)<-1 Send(1,0)\nP1: Send(0,0) Recv(0,0)\nP2: Send(0,0)")
	is := logOf(t, "P0: Recv(*,0)<-2 Send(2,0)\nP1: Send(0,0) Recv(0,0)\nP2: Send(0,0)")
	p := part(was, is)
	const want = "the 2nd call on rank 0 was MPI_Send to rank 2 with tag 0, not MPI_Send to rank 1 with tag 0"
	if p == nil || !strings.HasPrefix(p.String(), want) {
		t.Errorf("%v, want %s", p, want)
	}
	if p := part(was, was); p != nil {
		t.Errorf("a run parts from itself: %v", p)
	}
}

func TestOnlyWhatCompetesWithANamedSourceMatters(t *testing.T) {
	for _, x := range []struct {
		log  string
		want string
	}{
		{"P0: Send(2,0)\nP1: Send(2,0)\nP2: Recv(*,0)<-0 Recv(1,0)", "[1]"},
		{"P0: Send(2,0)\nP1: Send(2,0)\nP2: Recv(*,0)<-0 Recv(*,0)<-1", "[]"},
		{"P0: Send(2,0)\nP1: Send(2,0) Barrier Send(2,0)\nP2: Recv(*,0)<-0 Recv(*,0)<-1 Barrier Recv(1,0)\nP0: Barrier",
			"[]"},
	} {
		c := follow(logOf(t, x.log), false)
		list, _ := c.alternatives(c.wild[0])
		ranks := []int{}
		for _, s := range list {
			if c.competes(c.wild[0], s) {
				ranks = append(ranks, int(c.rank(s)))
			}
		}
		if got := fmt.Sprint(ranks); got != x.want {
			t.Errorf("%s: %s, want %s", x.log, got, x.want)
		}
	}
}
