package waitstate

import (
	"fmt"
	"slices"
	"testing"

	"unknot/internal/vocab/datatype"
	"unknot/internal/vocab/op"
)

func predefined(t *testing.T, name string, size int64) *datatype.Type {
	t.Helper()
	ty, err := datatype.Predefined(name, size, size, size)
	if err != nil {
		t.Fatal(err)
	}
	return ty
}

// meet lets the members of a group come to one collective in the given order, and says what did not fit.
func meetIn(blocks []Blocks, order []int) []string { return meetBelow(op.AnySource, blocks, order) }

// meetBelow is meetIn of a collective with a root.
func meetBelow(root op.Rank, blocks []Blocks, order []int) (out []string) {
	for _, u := range together(root, blocks, order).Uneven {
		out = append(out, fmt.Sprintf("%d gives %v, %d expects %v", u.Give.Rank, u.Given, u.Take.Rank, u.Expected))
	}
	return out
}

// together is a node on which they have met.
func together(root op.Rank, blocks []Blocks, order []int) *Node {
	n := NewNode(0, func(op.Rank) int { return 0 })
	for _, r := range order {
		t := n.NewThread(op.Rank(r), 0)
		o := &Op{Origin: new(Origin), Blocking: true}
		p := &Part{Kind: op.Coll, Origin: o.Origin,
			Collective: &Collective{Member: n.Join(op.Rank(r), 7, membersAt(blocks, r)), Blocks: &blocks[r],
				Sig: Signature{Root: root, Side: op.AnySource}}}
		o.Post(p)
		o.Wait(p)
		n.Enter(t, o)
	}
	return n
}

// of are the members of a side.
func of(blocks []Blocks, s Side) (list []op.Rank) {
	for i := range blocks {
		if blocks[i].Side == s {
			list = append(list, op.Rank(i))
		}
	}
	return list
}

// membersAt are all members as one of them has them: of an intercommunicator those of its own side, then the others.
func membersAt(blocks []Blocks, i int) op.Ranks {
	s := blocks[i].Side
	if s == Whole {
		return op.FirstRanks(len(blocks))
	}
	return op.RanksOf(of(blocks, s)...).Then(op.RanksOf(of(blocks, s.facing())...))
}

// TestTheRootIsWhoGives: of a broadcast, in which all have the same, the one who comes first need not be the root.
func TestTheRootIsWhoGives(t *testing.T) {
	integer := predefined(t, "MPI_INT", 4)
	blocks := []Blocks{{}, {}}
	for i := range blocks {
		blocks[i].Give = []datatype.Content{{Type: integer, Count: int64(4 + i)}}
		blocks[i].Take = blocks[i].Give
	}
	want := []string{"1 gives 5 × MPI_INT, 0 expects 4 × MPI_INT"}
	for _, order := range [][]int{{0, 1}, {1, 0}} {
		if got := meetBelow(1, blocks, order); !slices.Equal(got, want) {
			t.Errorf("in the order %v: %q, want %q", order, got, want)
		}
	}
}

// apart is meetIn with each member on a separate node, or two on each, and what the root makes of that.
func apart(blocks []Blocks, onEach int) (out []string) {
	root := op.AnySource
	if i := slices.IndexFunc(blocks, func(b Blocks) bool { return b.Root }); i >= 0 {
		root = op.Rank(i)
	}
	var nodes []*Node
	for i := range blocks {
		if i%onEach == 0 {
			nodes = append(nodes, NewNode(i/onEach, func(r op.Rank) int { return int(r) / onEach }))
		}
		n, b := nodes[len(nodes)-1], &blocks[i]
		b.Peers = len(of(blocks, b.Side.facing()))
		o := &Op{Origin: new(Origin), Blocking: true}
		p := &Part{Kind: op.Coll, Origin: o.Origin,
			Collective: &Collective{Member: n.Join(op.Rank(i), 7, membersAt(blocks, i)), Blocks: b,
				Sig: Signature{Root: root, Side: op.AnySource}}}
		o.Post(p)
		o.Wait(p)
		n.Enter(n.NewThread(op.Rank(i), 0), o)
	}
	say := func(u *Uneven) []string {
		return []string{fmt.Sprintf("%d gives %v, %d expects %v", u.Give.Rank, u.Given, u.Take.Rank, u.Expected)}
	}
	var all Balance
	var standing, lists []*Share
	for _, n := range nodes {
		for i := range n.Uneven {
			out = say(&n.Uneven[i])
		}
		standing = append(standing, n.Out[0].Shares...)
		all.Add(n.Out[0].Balance)
		n.Out = nil
		n.Handle(Message{Kind: CollectiveAck, Ctx: 7, Gathered: Gathered{Uneven: true}})
		lists = append(lists, n.Out[0].Shares...)
	}
	for _, list := range [][]*Share{standing, lists} {
		for i, s := range list {
			for _, other := range list[:i] {
				if u, uneven := Differ(*other, *s); uneven && out == nil {
					out = say(&u)
				}
			}
		}
		if all.Members < len(blocks) || all.Sum == 0 {
			break
		}
	}
	return out
}

func TestMembersOfACollectiveAreCompared(t *testing.T) {
	integer, double := predefined(t, "MPI_INT", 4), predefined(t, "MPI_DOUBLE", 8)
	two, err := datatype.Contiguous(2, integer)
	if err != nil {
		t.Fatal(err)
	}
	one := func(ty *datatype.Type, n int64) []Content { return []Content{{Type: ty, Count: n}} }
	each := func(n ...int64) (out []Content) {
		for _, k := range n {
			out = append(out, Content{Type: integer, Count: k})
		}
		return out
	}
	line := func(give, take []Content, neighbours ...int) Blocks {
		return Blocks{Shape: Adjacent, Give: give, Take: take, To: neighbours, From: neighbours}
	}
	same := func(c []Content) Blocks { return Blocks{Give: c, Take: c} }
	for _, x := range []struct {
		name   string
		blocks []Blocks
		want   []string
	}{
		{"all the same", []Blocks{same(one(integer, 4)), same(one(two, 2)), same(one(integer, 4))}, nil},
		{"another count", []Blocks{same(one(integer, 4)), same(one(integer, 4)), same(one(integer, 3))},
			[]string{"2 gives 3 × MPI_INT, 0 expects 4 × MPI_INT"}},
		{"another type of the same size", []Blocks{same(one(integer, 4)), same(one(double, 2))},
			[]string{"1 gives 2 × MPI_DOUBLE, 0 expects 4 × MPI_INT"}},
		{"nothing and something", []Blocks{same(one(integer, 0)), same(one(integer, 1))},
			[]string{"1 gives 1 × MPI_INT, 0 expects 0 × MPI_INT"}},
		{"a type that is not known", []Blocks{same(one(integer, 4)), same(one(nil, 9)), same(one(integer, 4))}, nil},
		{"own parts differ", []Blocks{{Give: one(integer, 2), Take: one(integer, 3)}},
			[]string{"0 gives 2 × MPI_INT, 0 expects 3 × MPI_INT"}},
		{"in place", []Blocks{{Take: one(integer, 3)}, {Give: one(integer, 3), Take: one(integer, 3)}}, nil},
		{"gather", []Blocks{{Shape: ToRoot, Root: true, Give: one(integer, 1), Take: one(integer, 1)},
			{Shape: ToRoot, Give: one(integer, 1)}, {Shape: ToRoot, Give: one(integer, 2)}},
			[]string{"2 gives 2 × MPI_INT, 0 expects 1 × MPI_INT"}},
		{"gatherv", []Blocks{{Shape: ToRoot, Root: true, Give: one(integer, 1), Take: each(1, 2, 3)},
			{Shape: ToRoot, Give: one(integer, 2)}, {Shape: ToRoot, Give: one(integer, 3)}}, nil},
		{"scatterv", []Blocks{{Shape: FromRoot, Root: true, Give: each(1, 2, 3), Take: one(integer, 1)},
			{Shape: FromRoot, Take: one(integer, 2)}, {Shape: FromRoot, Take: one(integer, 2)}},
			[]string{"0 gives 3 × MPI_INT, 2 expects 2 × MPI_INT"}},
		{"alltoallv", []Blocks{{Shape: Pairwise, Give: each(1, 2, 3), Take: each(1, 4, 7)},
			{Shape: Pairwise, Give: each(4, 5, 6), Take: each(2, 5, 8)}, {Shape: Pairwise, Give: each(7, 8, 9),
				Take: each(3, 6, 9)}}, nil},
		{"alltoallv with one wrong", []Blocks{{Shape: Pairwise, Give: each(1, 2, 3), Take: each(1, 4, 7)},
			{Shape: Pairwise, Give: each(4, 5, 5), Take: each(2, 5, 8)}, {Shape: Pairwise, Give: each(7, 8, 9),
				Take: each(3, 6, 9)}},
			[]string{"1 gives 5 × MPI_INT, 2 expects 6 × MPI_INT"}},
		{"neighbours on a line", []Blocks{line(each(1), each(2), 1), line(each(2, 3), each(1, 4), 0, 2),
			line(each(4), each(3), 1)}, nil},
		{"one of them is wrong", []Blocks{line(each(1), each(2), 1), line(each(2, 3), each(1, 4), 0, 2),
			line(each(4), each(2), 1)},
			[]string{"1 gives 3 × MPI_INT, 2 expects 2 × MPI_INT"}},
		{"those who are no neighbours", []Blocks{line(each(1), each(1), -1), line(each(2), each(2), 2),
			line(each(2), each(2), 1)}, nil},
		{"two edges between the same two, in any order", []Blocks{line(each(1, 2), each(3, 4), 1, 1),
			line(each(3, 4), each(2, 1), 0, 0)}, nil},
		{"and one of them wrong", []Blocks{line(each(1, 2), each(3, 4), 1, 1), line(each(3, 4), each(5, 1), 0, 0)},
			[]string{"0 gives 2 × MPI_INT, 1 expects 5 × MPI_INT"}},
		{"a neighbour of oneself", []Blocks{line(each(1), each(2), 0)},
			[]string{"0 gives 1 × MPI_INT, 0 expects 2 × MPI_INT"}},
		{"two groups", []Blocks{{Side: Left, Give: one(integer, 1), Take: one(integer, 2)},
			{Side: Right, Give: one(integer, 2), Take: one(integer, 1)}}, nil},
		{"two groups, one differs", []Blocks{{Side: Left, Give: one(integer, 1), Take: one(integer, 2)},
			{Side: Right, Give: one(integer, 2), Take: one(integer, 3)}},
			[]string{"0 gives 1 × MPI_INT, 1 expects 3 × MPI_INT"}},
		{"root and the other group", []Blocks{{Shape: FromRoot, Side: Left, Root: true, Give: one(integer, 1)},
			{Shape: FromRoot, Side: Right, Take: one(integer, 2)}},
			[]string{"0 gives 1 × MPI_INT, 1 expects 2 × MPI_INT"}},
		{"the third of those who give to the root", []Blocks{{Shape: ToRoot, Root: true, Take: each(1, 2, 3, 4)},
			{Shape: ToRoot, Give: one(integer, 2)}, {Shape: ToRoot, Give: one(integer, 3)},
			{Shape: ToRoot, Give: one(integer, 5)}},
			[]string{"3 gives 5 × MPI_INT, 0 expects 4 × MPI_INT"}},
		{"the second of those whom the root gives", []Blocks{{Shape: FromRoot, Take: one(integer, 1)},
			{Shape: FromRoot, Take: one(integer, 7)}, {Shape: FromRoot, Root: true, Give: each(1, 2, 3)}},
			[]string{"2 gives 2 × MPI_INT, 1 expects 7 × MPI_INT"}},
		{"a root of another group, idle members beside it",
			[]Blocks{{Shape: ToRoot, Side: Left, Root: true, Take: each(1, 2)}, {Shape: ToRoot, Side: Left, Idle: true},
				{Shape: ToRoot, Side: Right, Give: one(integer, 1)},
				{Shape: ToRoot, Side: Right, Give: one(integer, 3)}},
			[]string{"3 gives 3 × MPI_INT, 0 expects 2 × MPI_INT"}},
		{"and all is right", []Blocks{{Shape: ToRoot, Side: Left, Root: true, Take: each(1, 2)},
			{Shape: ToRoot, Side: Left, Idle: true}, {Shape: ToRoot, Side: Right, Give: one(integer, 1)},
			{Shape: ToRoot, Side: Right, Give: one(integer, 2)}}, nil},
		{"pairs of two groups", []Blocks{{Shape: Pairwise, Side: Left, Give: each(1, 2), Take: each(3, 4)},
			{Shape: Pairwise, Side: Right, Give: each(3), Take: each(1)}, {Shape: Pairwise, Side: Right, Give: each(4),
				Take: each(9)}},
			[]string{"0 gives 2 × MPI_INT, 2 expects 9 × MPI_INT"}},
		{"two groups, a second member differs", []Blocks{{Side: Left, Give: one(integer, 1), Take: one(integer, 2)},
			{Side: Left, Give: one(integer, 4), Take: one(integer, 2)}, {Side: Right, Give: one(integer, 2),
				Take: one(integer, 1)}},
			[]string{"1 gives 4 × MPI_INT, 2 expects 1 × MPI_INT"}},
	} {
		order := make([]int, len(x.blocks))
		for i := range order {
			order[i] = i
		}
		if got := meetIn(x.blocks, order); !slices.Equal(got, x.want) {
			t.Errorf("%s: %q, want %q", x.name, got, x.want)
		}
		slices.Reverse(order)
		if got := meetIn(x.blocks, order); len(got) != len(x.want) {
			t.Errorf("%s, in reverse: %q, want as many as %q", x.name, got, x.want)
		}
		for onEach := range len(x.blocks) - 1 {
			if got := apart(x.blocks, onEach+1); len(got) != len(x.want) {
				t.Errorf("%s, %d on each node: %q, want as many as %q", x.name, onEach+1, got, x.want)
			}
		}
	}
}

// TestTheRootGivesOrGets: of what all members have alike, the root gives it in MPI_Bcast, and gets it in MPI_Reduce.
func TestTheRootGivesOrGets(t *testing.T) {
	integer := predefined(t, "MPI_INT", 4)
	member := func(rank op.Rank, n int64, up bool) Share {
		all := []Content{{Type: integer, Count: n}}
		return Share{Blocks: &Blocks{Give: all, Take: all, Root: rank == 1, Up: up}, Origin: &Origin{Rank: rank},
			Sig: Signature{Root: 1, Side: op.AnySource}, Index: int(rank)}
	}
	for _, up := range []bool{false, true} {
		for _, pair := range [2][2]op.Rank{{0, 1}, {1, 0}} {
			u, uneven := Differ(member(pair[0], int64(pair[0]), up), member(pair[1], int64(pair[1]), up))
			if want := map[bool]op.Rank{false: 1, true: 0}[up]; !uneven || u.Give.Rank != want {
				t.Errorf("up %v, %v: rank %d gives, want rank %d", up, pair, u.Give.Rank, want)
			}
		}
	}
}

// TestMembersThatMeetAtTheRootAreComparedThere: in MPI_Bcast and MPI_Reduce, two members that are not the root give
// each other nothing. If the root is there, what it has is compared with that of the others, whoever came first.
func TestMembersThatMeetAtTheRootAreComparedThere(t *testing.T) {
	integer := predefined(t, "MPI_INT", 4)
	for _, up := range []bool{false, true} {
		var blocks []Blocks
		for i, n := range []int64{4, 4, 4, 5} {
			all := []Content{{Type: integer, Count: n}}
			blocks = append(blocks, Blocks{Give: all, Take: all, Root: i == 1, Up: up})
		}
		for _, x := range []struct {
			order      []int
			via        Shape
			give, take op.Rank
		}{
			{[]int{2, 3}, map[bool]Shape{false: FromRoot, true: ToRoot}[up], 2, 3},
			{[]int{3, 0}, map[bool]Shape{false: FromRoot, true: ToRoot}[up], 0, 3},
			{[]int{2, 1, 3}, Uniform, map[bool]op.Rank{false: 1, true: 3}[up], map[bool]op.Rank{false: 3, true: 1}[up]},
			{[]int{3, 1}, Uniform, map[bool]op.Rank{false: 1, true: 3}[up], map[bool]op.Rank{false: 3, true: 1}[up]},
		} {
			n := together(1, blocks, x.order)
			if len(n.Uneven) != 1 {
				t.Fatalf("up %v, %v: %d differences", up, x.order, len(n.Uneven))
			}
			if u := n.Uneven[0]; u.Via != x.via || u.Give.Rank != x.give || u.Take.Rank != x.take {
				t.Errorf("up %v, %v: via %v, rank %d and rank %d, want via %v, rank %d and rank %d", up, x.order, u.Via,
					u.Give.Rank, u.Take.Rank, x.via, x.give, x.take)
			}
		}
	}
}

func TestMessagesAreComparedWithTheirReceives(t *testing.T) {
	integer, double := predefined(t, "MPI_INT", 4), predefined(t, "MPI_DOUBLE", 8)
	for _, x := range []struct {
		name       string
		sent, room Content
		want       int
	}{
		{"the same", Content{Type: integer, Count: 3}, Content{Type: integer, Count: 3}, 0},
		{"more room than needed", Content{Type: integer, Count: 3}, Content{Type: integer, Count: 9}, 0},
		{"too long", Content{Type: integer, Count: 3}, Content{Type: integer, Count: 2}, 1},
		{"another type", Content{Type: integer, Count: 2}, Content{Type: double, Count: 2}, 1},
		{"nothing", Content{Type: integer, Count: 0}, Content{Type: double, Count: 2}, 0},
		{"not known", Content{Type: nil, Count: 2}, Content{Type: double, Count: 1}, 0},
	} {
		n := NewNode(0, func(op.Rank) int { return 0 })
		for range 3 { // reported once
			s, r := &Op{Origin: &Origin{Site: 1}}, &Op{Origin: &Origin{Site: 2}, Blocking: true}
			s.Post(&Part{Kind: op.Send, Origin: s.Origin, Src: 0, Dst: 1, Content: x.sent})
			r.Post(&Part{Kind: op.Recv, Origin: r.Origin, Src: 0, Dst: 1, Content: x.room})
			r.Wait(r.Posts[0])
			n.Enter(n.NewThread(0, 0), s)
			n.Enter(n.NewThread(1, 0), r)
		}
		if len(n.Misfits) != x.want {
			t.Errorf("%s: %d misfits, want %d", x.name, len(n.Misfits), x.want)
		}
	}
}
