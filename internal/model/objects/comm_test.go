package objects

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"unknot/internal/vocab/op"
)

// TestARankOfACommunicatorIsARankOfTheWorld compares World with a list of the members, for groups of few and of many
// runs, from both sides of an intercommunicator.
func TestARankOfACommunicatorIsARankOfTheWorld(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOfNDistinct(rapid.Map(rapid.IntRange(0, 40), func(n int) op.Rank { return op.Rank(n) }), 1, 20,
			func(r op.Rank) op.Rank { return r }).Draw(t, "members")
		if rapid.Bool().Draw(t, "regular") { // one run
			slices.Sort(list)
			for i := range list {
				list[i] = list[0] + op.Rank(3*i)
			}
		}
		c := &Comm{Members: op.RanksOf(list...), Remote: op.RanksOf(50)}
		if c.Inter = rapid.Bool().Draw(t, "inter"); c.Inter {
			c.Members, c.Remote = c.Remote, c.Members
		}
		for r := int64(-3); r < int64(len(list))+3; r++ {
			want := op.Unknown
			if r >= 0 && r < int64(len(list)) {
				want = list[r]
			}
			if got := c.World(r); got != want {
				t.Fatalf("rank %d of %v is %d, want %d", r, list, got, want)
			}
		}
		if got := c.World(1 << 40); got != op.Unknown {
			t.Fatalf("a rank that is too large is %d", got)
		}
	})
}

func TestPeersAreTheOtherGroupOfAnIntercommunicator(t *testing.T) {
	intra := &Comm{Members: op.FirstRanks(3)}
	inter := &Comm{Inter: true, Members: op.FirstRanks(3), Remote: op.Between(5, 6)}
	for _, x := range []struct {
		what      string
		got, want []op.Rank
	}{
		{"peers of an intracommunicator", intra.Peers().List(), []op.Rank{0, 1, 2}},
		{"peers of an intercommunicator", inter.Peers().List(), []op.Rank{5, 6}},
		{"all of an intracommunicator", intra.All().List(), []op.Rank{0, 1, 2}},
		{"all of an intercommunicator", inter.All().List(), []op.Rank{0, 1, 2, 5, 6}},
	} {
		is(t, x.what, fmt.Sprint(x.got), fmt.Sprint(x.want))
	}
	is(t, "size", inter.Size(), 3)
}

// TestACommunicatorMayBeUsedWhenItsRequestIsComplete is about MPI_Comm_idup (MPI-4.0, 7.4.2).
func TestACommunicatorMayBeUsedWhenItsRequestIsComplete(t *testing.T) {
	const handle = 9
	for _, c := range []struct {
		what   string
		happen func(r *Rank, q *Request)
		making bool
	}{
		{"nothing", func(*Rank, *Request) {}, true},
		{"it is completed", func(r *Rank, _ *Request) { r.EndRequest(handle, Made{}) }, false},
		{"a call that keeps it says it is complete", func(_ *Rank, q *Request) { q.Seen = true }, false},
		{"another request has its handle", func(r *Rank, _ *Request) { r.NewRequest(handle, &Request{}) }, false},
		{"another request has its handle later", func(r *Rank, _ *Request) {
			r.EndRequest(handle, Made{})
			r.NewRequest(handle, &Request{})
		}, false},
		{"another request is made", func(r *Rank, _ *Request) { r.NewRequest(handle+1, &Request{}) }, true},
		{"another request is completed", func(r *Rank, _ *Request) { r.EndRequest(handle+1, Made{}) }, true},
	} {
		r, q, comm := NewRank(0), new(Request), new(Comm)
		r.NewRequest(handle, q)
		comm.MadeBy(handle, q)
		c.happen(r, q)
		is(t, c.what, r.Making(comm) == q, c.making)
		is(t, c.what+": nothing else is made", r.Making(comm) == nil, !c.making)
	}
	is(t, "a communicator that no request makes", NewRank(0).Making(new(Comm)), nil)
}

// TestMembersAgreeOnIdentities computes the identities of what several ranks make together, and of what differs.
func TestMembersAgreeOnIdentities(t *testing.T) {
	a, b := op.RanksOf(0, 2), op.RanksOf(1, 3)
	near, far := NewRank(0), NewRank(1)
	mine, theirs := &Comm{Inter: true, Members: a, Remote: b}, &Comm{Inter: true, Members: b, Remote: a}
	is(t, "both sides of an intercommunicator", fmt.Sprint(MemberWords(a, b)), fmt.Sprint(MemberWords(b, a)))
	is(t, "the first intercommunicator", near.NextIntercomm(mine), far.NextIntercomm(theirs))
	is(t, "the second one", near.NextIntercomm(mine), 2)
	is(t, "the first of other groups", near.NextIntercomm(&Comm{Members: a, Remote: op.RanksOf(1, 4)}), 1)

	seen := make(map[op.CommID]string)
	draw := func(what string, id op.CommID) {
		t.Helper()
		if other, known := seen[id]; known {
			t.Errorf("%s has the identity of %s", what, other)
		}
		seen[id] = what
	}
	for _, m := range []struct {
		what string
		a, b op.Ranks
	}{
		{"0 and 2 with 1 and 3", a, b}, {"0 and 2 alone", a, op.Ranks{}}, {"0 to 3", op.FirstRanks(4), op.Ranks{}},
		{"1 and 3 alone", b, op.Ranks{}}, {"2 and 0 alone", op.RanksOf(2, 0), op.Ranks{}},
		{"0 with 1 to 3", op.RanksOf(0), op.Between(1, 3)}, {"nobody", op.Ranks{}, op.Ranks{}},
		{"high ranks", op.RanksOf(0, 2+1<<16), op.Ranks{}},
	} {
		draw(m.what, Ident(WorldID, MemberWords(m.a, m.b)...))
	}
	draw("0 and 2 of another parent", Ident(WorldID+1, MemberWords(a, op.Ranks{})...))
	draw("a number above 32 bits", Ident(WorldID, 1<<40))
	draw("that number without its high bits", Ident(WorldID, 0))

	sender, receiver := NewRank(0), NewRank(1)
	first, second := sender.PartitionedID(5, 0, 1, 7), sender.PartitionedID(5, 0, 1, 7)
	draw("the first partitioned operation", first)
	draw("the second one", second)
	is(t, "the receiver's first", receiver.PartitionedID(5, 0, 1, 7), first)
	for _, p := range []struct {
		what     string
		comm     op.CommID
		src, dst op.Rank
		tag      int32
	}{{"another tag", 5, 0, 1, 8}, {"another communicator", 6, 0, 1, 7}, {"another receiver", 5, 0, 2, 7},
		{"another sender", 5, 2, 1, 7}, {"the other direction", 5, 1, 0, 7}} {
		draw(p.what, sender.PartitionedID(p.comm, p.src, p.dst, p.tag))
	}
	is(t, "the receiver's second", receiver.PartitionedID(5, 0, 1, 7), second)
}

func TestCreationsOnACommunicatorAreCounted(t *testing.T) {
	c, d := new(Comm), new(Comm)
	is(t, "by a group and tag", c.NextByGroup(5), 1)
	is(t, "again", c.NextByGroup(5), 2)
	is(t, "by another one", c.NextByGroup(6), 1)
	is(t, "on another communicator", d.NextByGroup(5), 1)
	is(t, "a persistent collective", c.NextPersistent(), 1)
	is(t, "a second one", c.NextPersistent(), 2)
	is(t, "on another communicator", d.NextPersistent(), 1)
}

// TestACommunicatorWithManyMembersIsRememberedWithoutThem frees communicators whose groups are of more or fewer runs.
func TestACommunicatorWithManyMembersIsRememberedWithoutThem(t *testing.T) {
	for runs, want := range map[int]bool{1: true, maxPastRuns: true, maxPastRuns + 1: false} {
		var ranks []op.Rank
		for i := range runs {
			ranks = append(ranks, op.Rank(i*i)) // no two distances are equal, so each run has two
		}
		members := op.RanksOf(ranks...)
		for len(members.Runs) < runs {
			n := len(ranks)
			ranks = append(ranks, op.Rank(n*n))
			members = op.RanksOf(ranks...)
		}
		x := newScript(t)
		c := x.addComm("c", &Comm{Derivation: Derivation{Parent: x.Comm(x.value("world"))}, Members: members,
			Name: "many"}, false)
		x.run("MPI_Barrier c ->\nMPI_Comm_free c ->")
		old := x.CommAt(c.Handle, 1)
		if old == nil || old.Name != "many" {
			t.Fatalf("%d runs: the communicator is forgotten", runs)
		}
		is(t, fmt.Sprint(runs, " runs: its members are known"), old.Members.Len() == members.Len(), want)
	}
}
