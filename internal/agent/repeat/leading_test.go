package repeat

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"unknot/internal/agent/calls"
	"unknot/internal/model/waitstate"
	"unknot/internal/root/tree"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// sends is a rank that sends another one n messages in a period, gets returned and calls as many collectives on a
// communicator of both.
func sends(rank, other op.Rank, n, returned, collectives int) message.Repeating {
	r := message.Repeating{Rank: rank, Since: 100}
	if n > 0 {
		r.Sent = []message.Flow{{Src: rank, Dst: other, Ctx: 1, Tag: 5, N: n}}
	}
	if returned > 0 {
		r.Got = []message.Flow{{Src: other, Dst: rank, Ctx: 1, Tag: 5, N: returned}}
	}
	if collectives > 0 {
		r.Waves = []message.Turns{{Ctx: 1, Members: op.RanksOf(min(rank, other), max(rank, other)), N: collectives}}
	}
	return r
}

func TestGroupsAreClosed(t *testing.T) {
	for _, c := range []struct {
		name  string
		ranks []message.Repeating
		of    op.Rank
		want  string // ranks, each with its periods to one of the group
	}{
		{"a rank by itself", []message.Repeating{{Rank: 0}}, 0, "0×1"},
		{"as often as each other", []message.Repeating{sends(0, 1, 2, 2, 0), sends(1, 0, 2, 2, 0)}, 0, "0×1 1×1"},
		{"the period of one is two of the other's", []message.Repeating{sends(0, 1, 4, 2, 0), sends(1, 0, 1, 2, 0)}, 0,
			"0×1 1×2"},
		{"collectives alone", []message.Repeating{sends(3, 4, 0, 0, 2), sends(4, 3, 0, 0, 6)}, 4, "3×3 4×1"},
		{"a rank that does not repeat", []message.Repeating{sends(0, 1, 1, 0, 0)}, 0, ""},
		{"one that gets none", []message.Repeating{sends(0, 1, 1, 0, 0), {Rank: 1}}, 0, ""},
		{"more is sent than is got in the same collectives",
			[]message.Repeating{sends(0, 1, 2, 0, 1), sends(1, 0, 0, 1, 1)}, 0, ""},
		{"more periods than are counted", []message.Repeating{sends(0, 1, 5000, 0, 0), sends(1, 0, 0, 1, 0)}, 0, ""},
		{"a group that another rank has nothing to do with",
			[]message.Repeating{sends(0, 1, 1, 1, 0), sends(1, 0, 1, 1, 0), sends(2, 9, 1, 0, 0)}, 0, "0×1 1×1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := newGrouping()
			for i := range c.ranks {
				g.add(&party{rank: c.ranks[i].Rank, summary: summaryOf(&c.ranks[i])})
			}
			var got []string
			for _, p := range g.of(c.of) {
				got = append(got, fmt.Sprintf("%d×%d", p.rank, p.times))
			}
			slices.Sort(got)
			if s := strings.Join(got, " "); s != c.want {
				t.Errorf("the group is %q, want %q", s, c.want)
			}
			if g.of(c.of) != nil {
				t.Error("it is given twice")
			}
		})
	}
}

// leads is the folding of agent 0, which leads, in a job of two agents with one rank each.
func leads(t *testing.T) (*Folding, *tree.Network[message.Message]) {
	t.Helper()
	table, err := mpi.Load()
	if err != nil {
		t.Fatal(err)
	}
	home := func(r op.Rank) int { return int(r) }
	net := tree.New[message.Message](tree.NewShape(2, 0), nil)
	fd := New(nil, calls.New(table, waitstate.NewNode(0, home)), net.Member(0), home)
	fd.On, fd.follow.Now = true, time.Now()
	return fd, net
}

// came is what an agent was sent.
func came(net *tree.Network[message.Message], agent int) string {
	var all []string
	for _, m := range net.Member(agent).Take(nil) {
		all = append(all, strings.TrimPrefix(fmt.Sprintf("%T%+v", m, m), "message."))
	}
	return strings.Join(all, " ")
}

func TestTheAgentThatLeadsHasAllOfAGroupLeaveOutAsMuch(t *testing.T) {
	fd, net := leads(t)
	want := func(what, agent0, agent1 string) {
		t.Helper()
		for i, want := range []string{agent0, agent1} {
			if got := came(net, i); got != want {
				t.Errorf("%s: agent %d was sent\n%s\nwant\n%s", what, i, got, want)
			}
		}
	}
	fd.Message(message.Repeats{From: 0, Ranks: []message.Repeating{sends(0, 1, 2, 0, 1)}})
	fd.FormGroups()
	want("one rank repeats", "", "")
	fd.Message(message.Repeats{From: 1, Ranks: []message.Repeating{sends(1, 0, 0, 2, 1)}})
	fd.FormGroups()
	want("both repeat", "Join{Group:1 Ranks:[{Rank:0 Since:100 Times:1}]}",
		"Join{Group:1 Ranks:[{Rank:1 Since:100 Times:1}]}")

	fd.Message(message.Full{Group: 1})
	want("nobody has said yet whether they are near", "", "")
	fd.Message(message.Near{From: 0, Group: 1, Near: true})
	fd.Message(message.Near{From: 1, Group: 1, Near: true})
	fd.Message(message.Full{Group: 1})
	want("some periods are there", "Count{Group:1}", "Count{Group:1}")
	fd.Message(message.Counted{From: 0, Group: 1, Periods: 7})
	want("one has counted", "", "")
	fd.Message(message.Counted{From: 1, Group: 1, Periods: 3})
	want("both have", "LeaveOut{Group:1 Periods:3}", "LeaveOut{Group:1 Periods:3}")

	other := sends(1, 0, 0, 2, 1)
	other.Since = 900
	fd.Message(message.Repeats{From: 1, Ranks: []message.Repeating{other}})
	want("one repeats something else", "Disband{Group:1}", "Disband{Group:1}")
}

// TestRanksThatAreTooFarFromEachOtherAreLookedAtLater: at once that would be of no use.
func TestRanksThatAreTooFarFromEachOtherAreLookedAtLater(t *testing.T) {
	fd, net := leads(t)
	fd.Message(message.Repeats{From: 0, Ranks: []message.Repeating{sends(0, 1, 2, 0, 0)}})
	fd.Message(message.Repeats{From: 1, Ranks: []message.Repeating{sends(1, 0, 0, 2, 0)}})
	fd.FormGroups()
	fd.Message(message.Near{From: 0, Group: 1, Near: false})
	came(net, 0)
	if got := came(net, 1); !strings.HasSuffix(got, "Disband{Group:1}") {
		t.Errorf("agent 1 was sent %s", got)
	}
	fd.FormGroups()
	if got := came(net, 1); got != "" {
		t.Errorf("agent 1 was sent %s at once", got)
	}
	fd.follow.Now = fd.follow.Now.Add(mostPause)
	fd.FormGroups()
	if got := came(net, 1); !strings.HasPrefix(got, "Join{Group:2") {
		t.Errorf("agent 1 was sent %q later", got)
	}
}

// TestNobodyWaitsForAnAgentThatIsLost: what it would have counted is taken as nothing.
func TestNobodyWaitsForAnAgentThatIsLost(t *testing.T) {
	fd, net := leads(t)
	fd.Message(message.Repeats{From: 0, Ranks: []message.Repeating{sends(0, 1, 2, 0, 0)}})
	fd.Message(message.Repeats{From: 1, Ranks: []message.Repeating{sends(1, 0, 0, 2, 0)}})
	fd.FormGroups()
	fd.Message(message.Near{From: 0, Group: 1, Near: true})
	fd.Message(message.Near{From: 1, Group: 1, Near: true})
	fd.Message(message.Full{Group: 1})
	fd.Message(message.Counted{From: 0, Group: 1, Periods: 7})
	came(net, 0)
	fd.Lost(1)
	if got := came(net, 0); got != "LeaveOut{Group:1 Periods:0} Disband{Group:1}" {
		t.Errorf("agent 0 was sent %s", got)
	}
}

// formed is the folding of an agent that leads a group of two ranks, one of this agent and one of another.
func formed(t *testing.T) (*Folding, *tree.Network[message.Message]) {
	t.Helper()
	fd, net := leads(t)
	fd.Message(message.Repeats{From: 0, Ranks: []message.Repeating{sends(0, 1, 2, 0, 0)}})
	fd.Message(message.Repeats{From: 1, Ranks: []message.Repeating{sends(1, 0, 0, 2, 0)}})
	fd.FormGroups()
	came(net, 0)
	came(net, 1)
	return fd, net
}

// TestRanksOfAGroupThatIsOverAreLookedAtAgain at once.
func TestRanksOfAGroupThatIsOverAreLookedAtAgain(t *testing.T) {
	fd, net := formed(t)
	for i := range 2 {
		fd.Message(message.Near{From: i, Group: 1, Near: true})
	}
	fd.Message(message.Full{Group: 1})
	fd.Message(message.Counted{From: 0, Group: 1, Periods: 7, Over: true})
	fd.Message(message.Full{Group: 1}) // while they are asked already
	fd.Message(message.Counted{From: 1, Group: 1, Periods: 9})
	if got, want := came(net, 1), "Count{Group:1} LeaveOut{Group:1 Periods:7} Disband{Group:1}"; got != want {
		t.Errorf("agent 1 was sent %s, want %s", got, want)
	}
	fd.FormGroups()
	if got := came(net, 1); !strings.HasPrefix(got, "Join{Group:2") {
		t.Errorf("agent 1 was sent %q, want to join again", got)
	}
	fd.Message(message.Counted{From: 1, Group: 1, Periods: 9})
	fd.Message(message.Near{From: 1, Group: 1, Near: true})
	fd.Message(message.Full{Group: 1})
	if got := came(net, 1); got != "" {
		t.Errorf("of a group that has ended agent 1 was sent %s", got)
	}
}

// TestItIsPutOffLongerEachTimeThatRanksAreTooFarFromEachOther, until they are not.
func TestItIsPutOffLongerEachTimeThatRanksAreTooFarFromEachOther(t *testing.T) {
	fd, net := formed(t)
	group := uint32(1)
	// off is how long it takes until the ranks belong to a group again.
	off := func() (wait time.Duration) {
		for came(net, 1); ; wait += time.Millisecond {
			if fd.FormGroups(); strings.HasPrefix(came(net, 1), "Join") {
				group++
				return wait
			}
			fd.follow.Now = fd.follow.Now.Add(time.Millisecond)
		}
	}
	apart := func() { fd.Message(message.Near{From: 0, Group: group, Near: false}) }
	for _, want := range []time.Duration{leastPause, 2 * leastPause, 4 * leastPause} {
		if apart(); off() != want {
			t.Errorf("it is not put off for %v", want)
		}
	}
	for range 10 {
		apart()
		off()
	}
	if apart(); off() != mostPause {
		t.Errorf("it is put off for more or less than %v at most", mostPause)
	}
	for i := range 2 {
		fd.Message(message.Near{From: i, Group: group, Near: true})
	}
	fd.Message(message.Near{From: 0, Group: group, Near: false})
	if got := off(); got != leastPause {
		t.Errorf("after they were near it is put off for %v, want %v", got, leastPause)
	}
}

// TestMembersThatAreTooFarApartInTheirCollectivesBelongToNoGroup, though each agent's are near to each other.
func TestMembersThatAreTooFarApartInTheirCollectivesBelongToNoGroup(t *testing.T) {
	for began, near := range map[int64]bool{5: true, 6: true, 7: false} {
		fd, net := formed(t)
		fd.Message(message.Near{From: 0, Group: 1, Near: true, Waves: []message.Reached{{Ctx: 1, Least: 10, Began: began}}})
		fd.Message(message.Near{From: 1, Group: 1, Near: true, Waves: []message.Reached{{Ctx: 1, Least: 6, Began: 2}}})
		if ended := came(net, 0) != ""; ended == near {
			t.Errorf("one repeats itself from collective %d on, and the other has come to 6: the group has ended: %t", began,
				ended)
		}
	}
}

func TestTheBoundsOfCollectivesAreThoseOfAllMembers(t *testing.T) {
	got := joined([]message.Reached{{Ctx: 2, Least: 9, Began: 4}, {Ctx: 1, Least: 3, Began: 1},
		{Ctx: 2, Least: 7, Began: 2}, {Ctx: 2, Least: 8, Began: 6}})
	if want := []message.Reached{{Ctx: 1, Least: 3, Began: 1}, {Ctx: 2, Least: 7, Began: 6}}; !slices.Equal(got, want) {
		t.Errorf("they are %+v, want %+v", got, want)
	}
}
