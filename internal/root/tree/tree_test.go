package tree

import (
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
)

func TestMessagesKeepTheirOrder(t *testing.T) {
	net := New[int](NewShape(2, 0), nil)
	if net.Agents() != 2 || net.Member(1).ID != 1 || net.Member(Root).ID != Root {
		t.Errorf("%d agents, the second is %d, the root %d", net.Agents(), net.Member(1).ID, net.Member(Root).ID)
	}
	for i := range 3 {
		net.Member(0).Send(Root, i)
	}
	net.Member(Root).Broadcast(7)
	<-net.Member(Root).Wake()
	if got := net.Member(Root).Take(nil); !slices.Equal(got, []int{0, 1, 2}) {
		t.Errorf("the root got %v", got)
	}
	for i := range 2 {
		if got := net.Member(i).Take([]int{1, 2, 3}); !slices.Equal(got, []int{7}) {
			t.Errorf("agent %d got %v", i, got)
		}
	}
}

// Each direction between two members is a separate link, which sees all messages that take it.
func TestEachLinkIsItsOwn(t *testing.T) {
	net := New(NewShape(2, 0), func(int, int) Link[string] {
		n := 0
		return func(s string) string { n++; return fmt.Sprint(s, n) }
	})
	net.Member(0).Send(1, "a")
	net.Member(0).Send(1, "b")
	net.Member(1).Send(0, "c")
	net.Member(Root).Broadcast("d")
	if got := net.Member(1).Take(nil); !slices.Equal(got, []string{"a1", "b2", "d1"}) {
		t.Errorf("agent 1 got %v", got)
	}
	if got := net.Member(0).Take(nil); !slices.Equal(got, []string{"c1", "d1"}) {
		t.Errorf("agent 0 got %v", got)
	}
}

func TestMembersOfOtherProcessesAreReachedByTheirCarrier(t *testing.T) {
	var carried []string
	net := Part(NewShape(3, 0), func(id int) bool { return id == 1 }, func(from, to int, m string) {
		carried = append(carried, fmt.Sprintf("%d %d %s", from, to, m))
	}, nil)
	net.Member(1).Send(Root, "a")
	net.Member(1).Send(1, "b")
	net.Member(1).Everyone("c")
	if want := []string{"1 -1 a", "1 0 c", "1 2 c"}; !slices.Equal(carried, want) {
		t.Errorf("carried %q, want %q", carried, want)
	}
	if !net.Deliver(1, "d") || net.Deliver(0, "e") || net.Deliver(3, "f") || net.Deliver(-2, "g") {
		t.Error("what is for a member of this process is delivered, and nothing else")
	}
	if got := net.Member(1).Take(nil); !slices.Equal(got, []string{"b", "c", "d"}) {
		t.Errorf("agent 1 got %q", got)
	}
}

// TestWhoSendsHoldsBackUntilTheReceiverHasTakenSomething is for members of one process.
func TestWhoSendsHoldsBackUntilTheReceiverHasTakenSomething(t *testing.T) {
	net := New[int](NewShape(2, 0), nil)
	a := net.Member(0)
	for i := range Much {
		a.Send(1, i)
	}
	if a.Congested() {
		t.Errorf("%d messages wait, and no more may be sent", Much)
	}
	a.Send(1, Much)
	if !a.Congested() || net.Member(1).Congested() {
		t.Errorf("%d messages wait, and more may be sent", Much+1)
	}
	net.Member(1).Take(nil)
	if a.Congested() {
		t.Error("nothing waits, and no more may be sent")
	}
}

// TestWhatComesFromOtherProcessesWaits: whoever delivers waits while much is in the receiver's box, and not for one
// that is gone.
func TestWhatComesFromOtherProcessesWaits(t *testing.T) {
	for what, free := range map[string]func(*Member[int]){
		"taken": func(m *Member[int]) { m.Take(nil) },
		"gone":  func(m *Member[int]) { m.Close() },
	} {
		synctest.Test(t, func(t *testing.T) {
			net := Part(NewShape(2, 0), func(id int) bool { return id == 1 }, func(int, int, int) {}, nil)
			delivered := 0
			go func() {
				for range Much + 2 {
					net.Deliver(1, 0)
					delivered++
				}
			}()
			synctest.Wait()
			if delivered != Much {
				t.Errorf("%d messages were delivered before any was taken, want %d", delivered, Much)
			}
			free(net.Member(1))
			synctest.Wait()
			if delivered != Much+2 {
				t.Errorf("%s: %d messages were delivered, want %d", what, delivered, Much+2)
			}
		})
	}
}

func TestAMemberHoldsBackForWhatIsCarriedAway(t *testing.T) {
	full := false
	net := Part(NewShape(2, 0), func(id int) bool { return id == 1 }, func(int, int, int) {},
		func() bool { return full })
	for _, full = range []bool{true, false} {
		if net.Member(1).Congested() != full {
			t.Errorf("too much is under way: %v, and it holds back: %v", full, !full)
		}
	}
}
