package arguments_test

import (
	"strings"
	"testing"

	"unknot/internal/check"
	"unknot/internal/check/feed"
	"unknot/internal/check/registry"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

func TestRanksOfGroupsAreHeldToTheSizeOfTheGroup(t *testing.T) {
	f := feed.New(t, registry.Checkers(), check.Handles, check.Leaks, check.Requests)
	f.Says("", f.Call("MPI_Comm_group", []any{1}, 100))
	f.Says("", f.Call("MPI_Group_incl", []any{100, 3, feed.Ints(3, 0, 1)}, 101))
	f.Says("array-invalid: Rank 0 calls MPI_Group_incl with {ranks}[1] 3; the group has 3 ranks (0 to 2).",
		f.Call("MPI_Group_incl", []any{101, 2, feed.Ints(0, 3)}, 102))
	f.Says("{ranks1}[0] 3; the group has 3 ranks", f.Call("MPI_Group_translate_ranks",
		[]any{101, 1, feed.Ints(3), 100}))
	f.Says("", f.Call("MPI_Group_translate_ranks", []any{101, 2, feed.Ints(2, -2), 100}))
	f.Says("{ranks}[1] 2; {ranks}[0] is the same", f.Call("MPI_Group_excl", []any{101, 2, feed.Ints(2, 2)}, 103))
	f.Says("", f.Call("MPI_Group_free", []any{101}))
	f.Says("", f.Call("MPI_Group_incl", []any{101, 1, feed.Ints(3)}, 104))
	f.Says("a rank must be 0 or more", f.Call("MPI_Group_incl", []any{101, 1, feed.Ints(-1)}, 104))
}

func TestRangesOfRanks(t *testing.T) {
	for _, c := range []struct {
		ranges []int64
		want   string
	}{
		{feed.Ints(0, 3, 1), ""},
		{feed.Ints(3, 0, -1), ""},
		{feed.Ints(0, 3, 2, 1, 3, 2), ""},
		{feed.Ints(2, 2, 7), ""},
		{feed.Ints(0, 5, 3), ""}, // 0 and 3
		{feed.Ints(0, 4, 2), "the group has 4 ranks (0 to 3)"},
		{feed.Ints(0, 3, 0), "the stride must not be 0"},
		{feed.Ints(3, 0, 1), "the stride leads away from the last rank"},
		{feed.Ints(-1, 0, 1), "a rank must be 0 or more"},
		{feed.Ints(0, 1, 1, 3, 1, -2), "rank 1 is in {ranges}[0] too"},
	} {
		f := feed.New(t, registry.Checkers(), check.Handles, check.Leaks, check.Requests)
		f.Call("MPI_Comm_group", []any{1}, 100)
		f.Says(c.want, f.Call("MPI_Group_range_incl", []any{100, len(c.ranges) / 3, c.ranges}, 101))
	}
}

func TestTheSizeOfAGroupMadeOfRangesIsKnown(t *testing.T) {
	f := feed.New(t, registry.Checkers(), check.Handles, check.Leaks, check.Requests)
	f.Call("MPI_Comm_group", []any{1}, 100)
	f.Call("MPI_Group_range_excl", []any{100, 1, feed.Ints(0, 2, 2)}, 101)
	f.Says("", f.Call("MPI_Group_incl", []any{101, 1, feed.Ints(1)}, 102))
	f.Says("the group has 2 ranks", f.Call("MPI_Group_incl", []any{101, 1, feed.Ints(2)}, 102))
	f.Call("MPI_Group_range_incl", []any{100, 1, feed.Ints(3, 0, -1)}, 101)
	f.Says("", f.Call("MPI_Group_incl", []any{101, 1, feed.Ints(3)}, 102))
	f.Call("MPI_Group_union", []any{100, 101}, 101)
	f.Says("", f.Call("MPI_Group_incl", []any{101, 1, feed.Ints(30)}, 102))
}

func TestTopologiesPassFromOneCommunicatorToAnother(t *testing.T) {
	f := feed.New(t, registry.Checkers(), check.Handles, check.Leaks, check.Requests)
	f.Says("", f.Call("MPI_Cart_create", []any{1, 2, feed.Ints(2, 2), feed.Ints(1, 0), 0}, 50))
	f.Says("", f.Call("MPI_Comm_dup", []any{50}, 51))
	f.Says("", f.Call("MPI_Cart_rank", []any{51, feed.Ints(9, 1)}))
	f.Says("{coords}[1] 2; the grid has 2 processes in this dimension (0 to 1), which is not periodic",
		f.Call("MPI_Cart_rank", []any{51, feed.Ints(0, 2)}))
	f.Says("", f.Call("MPI_Cart_sub", []any{51, feed.Ints(0, 1)}, 52))
	f.Says("{direction} 1; the grid has 1 dimension", f.Call("MPI_Cart_shift", []any{52, 1, 1}))
	f.Says("{coords}[0] -1", f.Call("MPI_Cart_rank", []any{52, feed.Ints(-1)}))
	f.Says("", f.Call("MPI_Comm_free", []any{52}))
	f.Says("", f.Call("MPI_Cart_shift", []any{52, 1, 1}))
	f.Says("", f.Call("MPI_Comm_split", []any{51, 0, 0}, 51))
	f.Says("", f.Call("MPI_Cart_rank", []any{51, feed.Ints(0, 2)}))
}

func TestGraphsNameTheirNodes(t *testing.T) {
	f := feed.New(t, registry.Checkers(), check.Handles, check.Leaks, check.Requests)
	f.Says("{index}[1] 1; it is a cumulative count of edges, so it must be at least 2",
		f.Call("MPI_Graph_create", []any{1, 4, feed.Ints(2, 1, 3, 4), feed.Ints(), 0}, 50))
	f.Says("{edges}[2] 4; the graph has 4 nodes",
		f.Call("MPI_Graph_create", []any{1, 4, feed.Ints(1, 2, 3, 4), feed.Ints(1, 0, 4, 2), 0}, 50))
	f.Says("", f.Call("MPI_Graph_create", []any{1, 4, feed.Ints(2, 3, 4, 4), feed.Ints(1, 2, 0, 0), 0}, 50))
	f.Says("{maxneighbors} 1, but the communicator has a graph in which that rank has 2 neighbours",
		f.Call("MPI_Graph_neighbors", []any{50, 0, 1}))
	f.Says("", f.Call("MPI_Graph_neighbors", []any{50, 3, 0}))
	f.Says("{maxedges} 3, but the communicator has a graph of 4 edges", f.Call("MPI_Graph_get", []any{50, 4, 3}))
	f.Says("{maxindex} 3, but the communicator has a graph of 4 nodes", f.Call("MPI_Graph_get", []any{50, 3, 4}))
	f.Says("{destinations}[0] 4; the communicator has 4 ranks (0 to 3)",
		f.Call("MPI_Dist_graph_create", []any{1, 1, feed.Ints(0), feed.Ints(1), feed.Ints(4), feed.Ints(), 0, 0}, 51))
	f.Says("{sourceweights}[0] -3; it must be 0 or more", f.Call("MPI_Dist_graph_create_adjacent",
		[]any{1, 1, feed.Ints(0), feed.Ints(-3), 0, feed.Ints(), feed.Ints(), 0, 0}, 51))
}

func TestSizesOfGridsAreComparedWithTheCommunicator(t *testing.T) {
	f := feed.New(t, registry.Checkers(), check.Handles, check.Leaks, check.Requests)
	f.Says("dims-product: Rank 0 calls MPI_Cart_create with {dims} 2 × 3, a grid of 6 processes, but MPI_COMM_WORLD "+
		"has only 4 processes.",
		f.Call("MPI_Cart_create", []any{1, 2, feed.Ints(2, 3), feed.Ints(0, 0), 0}, 50))
	f.Says("3 of them get MPI_COMM_NULL", f.Call("MPI_Cart_create", []any{1, 1, feed.Ints(1), feed.Ints(0), 0}, 50))
	f.Says("{dims}[0] -2", f.Call("MPI_Cart_create", []any{1, 2, feed.Ints(-2, -2), feed.Ints(0, 0), 0}, 50))
	for _, c := range []struct {
		nodes int
		dims  []int64
		want  string
	}{
		{6, feed.Ints(0, 0), ""},
		{6, feed.Ints(3, 0), ""},
		{6, feed.Ints(2, 3), ""},
		{6, feed.Ints(4, 0), "6 is not a multiple of 4"},
		{6, feed.Ints(3, 1), "with no dimension left to choose"},
	} {
		f.Says(c.want, f.Call("MPI_Dims_create", []any{c.nodes, 2, c.dims}))
	}
}

func TestMPI_IN_PLACEStandsForOneBufferOnly(t *testing.T) {
	const inPlace, buf = 1, 4096
	for _, c := range []struct {
		name   string
		values []any
		rank   int
		want   string
	}{
		{"MPI_Gather", []any{inPlace, 1, 9, buf, 1, 9, 0, 1}, 0, ""},
		{"MPI_Gather", []any{inPlace, 1, 9, buf, 1, 9, 0, 1}, 1, "only the root may pass it"},
		{"MPI_Gather", []any{buf, 1, 9, inPlace, 1, 9, 0, 1}, 1, ""},
		{"MPI_Gather", []any{buf, 1, 9, inPlace, 1, 9, 0, 1}, 0,
			"{recvbuf} MPI_IN_PLACE; it is allowed for sendbuf at the root only"},
		{"MPI_Scatter", []any{buf, 1, 9, inPlace, 1, 9, 0, 1}, 0, ""},
		{"MPI_Scatter", []any{buf, 1, 9, inPlace, 1, 9, 0, 1}, 1, "only the root may pass it"},
		{"MPI_Iallreduce", []any{inPlace, buf, 1, 9, 5, 1}, 0, ""},
		{"MPI_Allreduce", []any{buf, inPlace, 1, 9, 5, 1}, 0, "it is allowed for sendbuf only"},
		{"MPI_Allreduce_init", []any{inPlace, inPlace, 1, 9, 5, 1, 0}, 0, "{recvbuf} MPI_IN_PLACE"},
		{"MPI_Bcast", []any{inPlace, 1, 9, 0, 1}, 0, "it is not allowed in this call"},
		{"MPI_Bcast_c", []any{inPlace, 0, 9, 0, 1}, 0, ""},
		{"MPI_Send", []any{inPlace, 1, 9, 2, 0, 1}, 0, "it is allowed in some collectives only"},
		{"MPI_Send", []any{inPlace, 1, 9, -2, 0, 1}, 0, ""},
		{"MPI_Neighbor_alltoall", []any{inPlace, 1, 9, buf, 1, 9, 1}, 0, "it is not allowed in this call"},
	} {
		f := feed.New(t, registry.Checkers(), check.Handles, check.Leaks, check.Requests)
		f.Comm.Rank = c.rank
		f.Rank.Predefine(mpi.OOp, 5, "MPI_SUM")
		t.Run(c.name, func(t *testing.T) {
			f.T = t
			got := f.Call(c.name, c.values)
			f.Says(c.want, only(got, "in-place-invalid"))
		})
	}
}

func TestMPI_IN_PLACEMayNotStandWithAnIntercommunicator(t *testing.T) {
	f := feed.New(t, registry.Checkers(), check.Handles, check.Leaks, check.Requests)
	f.Comm.Inter, f.Comm.Remote = true, op.FirstRanks(2)
	f.Rank.Predefine(mpi.OOp, 5, "MPI_SUM")
	f.Says("it is not allowed with an intercommunicator", f.Call("MPI_Allreduce", []any{1, 4096, 1, 9, 5, 1}))
	// MPI_PROC_NULL: it takes no part
	f.Says("", only(f.Call("MPI_Reduce", []any{1, 4096, 1, 9, 5, -2, 1}), "in-place-invalid"))
}

func TestNullBuffersCountWhereTheyAreUsed(t *testing.T) {
	const buf = 4096
	for _, c := range []struct {
		name   string
		values []any
		rank   int
		want   string
	}{
		{"MPI_Send", []any{0, 1, 9, 2, 0, 1}, 0, "Rank 0 calls MPI_Send with {buf} NULL, but {count} is 1."},
		{"MPI_Send", []any{0, 0, 9, 2, 0, 1}, 0, ""},
		{"MPI_Send", []any{0, 1, 77, 2, 0, 1}, 0, ""}, // a datatype of the program's
		{"MPI_Recv", []any{0, 1, 9, -2, 0, 1}, 0, ""},
		{"MPI_Gather", []any{buf, 1, 9, 0, 1, 9, 0, 1}, 1, ""},
		{"MPI_Gather", []any{buf, 1, 9, 0, 1, 9, 0, 1}, 0, "{recvbuf} NULL, but {recvcount} is 1"},
		{"MPI_Reduce_scatter", []any{buf, 0, feed.Ints(0, 1, 0, 0), 9, 5, 1}, 0, ""},
		{"MPI_Reduce_scatter", []any{buf, 0, feed.Ints(0, 1, 0, 0), 9, 5, 1}, 1,
			"{recvbuf} NULL, but {recvcounts} has an entry greater than 0"},
		{"MPI_Exscan", []any{buf, 0, 1, 9, 5, 1}, 0, ""},
		{"MPI_Exscan", []any{buf, 0, 1, 9, 5, 1}, 1, "{recvbuf} NULL"},
		{"MPI_Alltoallw", []any{0, feed.Ints(0, 1, 0, 0), feed.Ints(0, 0, 0, 0), feed.Ints(9, 9, 9, 9), buf,
			feed.Ints(), feed.Ints(), feed.Ints(), 1}, 0, "{sendbuf} NULL, but {sendcounts} has an entry"},
		{"MPI_Fetch_and_op", []any{0, buf, 9, 1, 0, 5, 7}, 0, "{origin_addr} NULL, but one element is transferred"},
		{"MPI_Fetch_and_op", []any{0, buf, 9, 1, 0, 6, 7}, 0, ""}, // MPI_NO_OP
	} {
		f := feed.New(t, registry.Checkers(), check.Handles, check.Leaks, check.Requests)
		f.Comm.Rank = c.rank
		f.Rank.Predefine(mpi.OOp, 5, "MPI_SUM")
		f.Rank.Predefine(mpi.OOp, 6, "MPI_NO_OP")
		f.Says(c.want, only(f.Call(c.name, c.values), "null-pointer"))
	}
}

func TestNullPointersAreToldWithAHintForStatuses(t *testing.T) {
	f := feed.New(t, registry.Checkers(), check.Handles, check.Leaks, check.Requests)
	c := f.Made("MPI_Recv", 0, 4096, 1, 9, 0, 0, 1)
	c.Nulls = []int{6}
	f.Enter(c)
	if len(f.Watch.Reports) != 1 || f.Watch.Reports[0].Code != "null-pointer" ||
		f.Watch.Reports[0].Hint != "to ignore the status, pass MPI_STATUS_IGNORE" {
		t.Errorf("%+v", f.Watch.Reports)
	}
}

func TestKeysOfInfoObjectsAreKnownFromTheirBegin(t *testing.T) {
	f := feed.New(t, registry.Checkers(), check.Handles, check.Leaks, check.Requests)
	set := func(info int, key string) string {
		return f.Call("MPI_Info_set", []any{info, feed.Text(key), feed.Text("v")})
	}
	remove := func(info int, key string) string { return f.Call("MPI_Info_delete", []any{info, feed.Text(key)}) }
	f.Says("", f.Call("MPI_Info_create", nil, 30))
	f.Says("", set(30, "alpha"))
	f.Says("", f.Call("MPI_Info_dup", []any{30}, 31))
	f.Says("", remove(30, "alpha"))
	f.Says(`info-key: Rank 0 calls MPI_Info_delete with {key} "alpha", which is not in the info object.`,
		remove(30, "alpha"))
	f.Says("", remove(31, "alpha "))
	f.Says("", set(31, "beta"))
	f.Says("", f.Call("MPI_Info_get_nthkey", []any{31, 0}))
	f.Says("{n} 1, but the info object has 1 keys", f.Call("MPI_Info_get_nthkey", []any{31, 1}))
	f.Says("", f.Call("MPI_Comm_get_info", []any{1}, 31))
	f.Says("", remove(31, "whatever"))
	f.Says("with an empty {key}", set(31, ""))
}

func TestValuesOfSomeArgumentsAreNamed(t *testing.T) {
	f := feed.New(t, registry.Checkers(), check.Handles, check.Leaks, check.Requests)
	lock := func(name string) int { v, _ := f.Rank.Constant(name); return int(v) }
	f.Says("", f.Call("MPI_Win_lock", []any{lock("MPI_LOCK_SHARED"), 0, 0, 7}))
	f.Says("value-invalid: Rank 0 calls MPI_Win_lock with {lock_type} -3; it must be MPI_LOCK_SHARED or "+
		"MPI_LOCK_EXCLUSIVE.", f.Call("MPI_Win_lock", []any{-3, 0, 0, 7}))
	f.Says("", f.Call("MPI_Comm_split", []any{1, -32766, 0}, 50))
	f.Says("{color} -1", f.Call("MPI_Comm_split", []any{1, -1, 0}, 50))
	f.Says("{split_type} -1", f.Call("MPI_Comm_split_type", []any{1, -1, 0, 0}, 50))
	f.Says("{disp_unit} 0; the displacement unit must be at least 1 byte",
		f.Call("MPI_Win_create", []any{4096, 8, 0, 0, 1}, 60))
}

func TestWindowsNameRanksOfTheirCommunicator(t *testing.T) {
	f := feed.New(t, registry.Checkers(), check.Handles, check.Leaks, check.Requests)
	f.Says("", f.Call("MPI_Win_create", []any{4096, 8, 1, 0, 1}, 60))
	f.Says("rank-invalid: Rank 0 calls MPI_Win_flush with {rank} 4, but MPI_COMM_WORLD has 4 ranks (0 to 3).",
		f.Call("MPI_Win_flush", []any{4, 60}))
	f.Says("{target_rank} 4", f.Call("MPI_Put", []any{4096, 1, 9, 4, 0, 1, 9, 60}))
	f.Says("", f.Call("MPI_Put", []any{4096, 1, 9, -2, 0, 1, 9, 60}))
	f.Says("", f.Call("MPI_Win_free", []any{60}))
	f.Says("", f.Call("MPI_Win_flush", []any{4, 60}))
}

// only are the lines of what was said that have a code.
func only(said, code string) string {
	var out []string
	for line := range strings.Lines(said) {
		if strings.HasPrefix(line, code+":") {
			out = append(out, line)
		}
	}
	return strings.Join(out, "")
}
