package usage

import (
	"slices"
	"strings"
	"testing"

	"unknot/internal/mpi"
)

func TestRanksOfGroupsAreHeldToTheSizeOfTheGroup(t *testing.T) {
	f := feed(t)
	f.says("", f.call("MPI_Comm_group", []any{1}, 100))
	f.says("", f.call("MPI_Group_incl", []any{100, 3, ints(3, 0, 1)}, 101))
	f.says("array-invalid: Rank 0 calls MPI_Group_incl with {ranks}[1] 3; the group has 3 ranks (0 to 2).", f.call("MPI_Group_incl", []any{101, 2, ints(0, 3)}, 102))
	f.says("{ranks1}[0] 3; the group has 3 ranks", f.call("MPI_Group_translate_ranks", []any{101, 1, ints(3), 100}))
	f.says("", f.call("MPI_Group_translate_ranks", []any{101, 2, ints(2, -2), 100}))
	f.says("{ranks}[1] 2; {ranks}[0] is the same", f.call("MPI_Group_excl", []any{101, 2, ints(2, 2)}, 103))
	f.says("", f.call("MPI_Group_free", []any{101}))
	f.says("", f.call("MPI_Group_incl", []any{101, 1, ints(3)}, 104))
	f.says("a rank must be 0 or more", f.call("MPI_Group_incl", []any{101, 1, ints(-1)}, 104))
}

func TestRangesOfRanks(t *testing.T) {
	for _, c := range []struct {
		ranges []int64
		want   string
	}{
		{ints(0, 3, 1), ""},
		{ints(3, 0, -1), ""},
		{ints(0, 3, 2, 1, 3, 2), ""},
		{ints(2, 2, 7), ""},
		{ints(0, 5, 3), ""}, // 0 and 3
		{ints(0, 4, 2), "the group has 4 ranks (0 to 3)"},
		{ints(0, 3, 0), "the stride must not be 0"},
		{ints(3, 0, 1), "the stride leads away from the last rank"},
		{ints(-1, 0, 1), "a rank must be 0 or more"},
		{ints(0, 1, 1, 3, 1, -2), "rank 1 is in {ranges}[0] too"},
	} {
		f := feed(t)
		f.call("MPI_Comm_group", []any{1}, 100)
		f.says(c.want, f.call("MPI_Group_range_incl", []any{100, len(c.ranges) / 3, c.ranges}, 101))
	}
}

func TestTheSizeOfAGroupMadeOfRangesIsKnown(t *testing.T) {
	f := feed(t)
	f.call("MPI_Comm_group", []any{1}, 100)
	f.call("MPI_Group_range_excl", []any{100, 1, ints(0, 2, 2)}, 101)
	f.says("", f.call("MPI_Group_incl", []any{101, 1, ints(1)}, 102))
	f.says("the group has 2 ranks", f.call("MPI_Group_incl", []any{101, 1, ints(2)}, 102))
	f.call("MPI_Group_range_incl", []any{100, 1, ints(3, 0, -1)}, 101)
	f.says("", f.call("MPI_Group_incl", []any{101, 1, ints(3)}, 102))
	f.call("MPI_Group_union", []any{100, 101}, 101)
	f.says("", f.call("MPI_Group_incl", []any{101, 1, ints(30)}, 102))
}

func TestTopologiesPassFromOneCommunicatorToAnother(t *testing.T) {
	f := feed(t)
	f.says("", f.call("MPI_Cart_create", []any{1, 2, ints(2, 2), ints(1, 0), 0}, 50))
	f.says("", f.call("MPI_Comm_dup", []any{50}, 51))
	f.says("", f.call("MPI_Cart_rank", []any{51, ints(9, 1)}))
	f.says("{coords}[1] 2; the grid has 2 processes in this dimension (0 to 1), which is not periodic", f.call("MPI_Cart_rank", []any{51, ints(0, 2)}))
	f.says("", f.call("MPI_Cart_sub", []any{51, ints(0, 1)}, 52))
	f.says("{direction} 1; the grid has 1 dimensions", f.call("MPI_Cart_shift", []any{52, 1, 1}))
	f.says("{coords}[0] -1", f.call("MPI_Cart_rank", []any{52, ints(-1)}))
	f.says("", f.call("MPI_Comm_free", []any{52}))
	f.says("", f.call("MPI_Cart_shift", []any{52, 1, 1}))
	f.says("", f.call("MPI_Comm_split", []any{51, 0, 0}, 51))
	f.says("", f.call("MPI_Cart_rank", []any{51, ints(0, 2)}))
}

func TestGraphsNameTheirNodes(t *testing.T) {
	f := feed(t)
	f.says("{index}[1] 1; it is a cumulative count of edges, so it must be at least 2", f.call("MPI_Graph_create", []any{1, 4, ints(2, 1, 3, 4), ints(), 0}, 50))
	f.says("{edges}[2] 4; the graph has 4 nodes", f.call("MPI_Graph_create", []any{1, 4, ints(1, 2, 3, 4), ints(1, 0, 4, 2), 0}, 50))
	f.says("", f.call("MPI_Graph_create", []any{1, 4, ints(2, 3, 4, 4), ints(1, 2, 0, 0), 0}, 50))
	f.says("{maxneighbors} 1, but the communicator has a graph in which that rank has 2 neighbours", f.call("MPI_Graph_neighbors", []any{50, 0, 1}))
	f.says("", f.call("MPI_Graph_neighbors", []any{50, 3, 0}))
	f.says("{maxedges} 3, but the communicator has a graph of 4 edges", f.call("MPI_Graph_get", []any{50, 4, 3}))
	f.says("{maxindex} 3, but the communicator has a graph of 4 nodes", f.call("MPI_Graph_get", []any{50, 3, 4}))
	f.says("{destinations}[0] 4; the communicator has 4 ranks (0 to 3)", f.call("MPI_Dist_graph_create", []any{1, 1, ints(0), ints(1), ints(4), ints(), 0, 0}, 51))
	f.says("{sourceweights}[0] -3; it must be 0 or more", f.call("MPI_Dist_graph_create_adjacent", []any{1, 1, ints(0), ints(-3), 0, ints(), ints(), 0, 0}, 51))
}

func TestSizesOfGridsAreComparedWithTheCommunicator(t *testing.T) {
	f := feed(t)
	f.says("dims-product: Rank 0 calls MPI_Cart_create with {dims} 2 × 3, a grid of 6 processes, but MPI_COMM_WORLD has only 4 processes.",
		f.call("MPI_Cart_create", []any{1, 2, ints(2, 3), ints(0, 0), 0}, 50))
	f.says("3 of them get MPI_COMM_NULL", f.call("MPI_Cart_create", []any{1, 1, ints(1), ints(0), 0}, 50))
	f.says("{dims}[0] -2", f.call("MPI_Cart_create", []any{1, 2, ints(-2, -2), ints(0, 0), 0}, 50))
	for _, c := range []struct {
		nodes int
		dims  []int64
		want  string
	}{
		{6, ints(0, 0), ""},
		{6, ints(3, 0), ""},
		{6, ints(2, 3), ""},
		{6, ints(4, 0), "6 is not a multiple of 4"},
		{6, ints(3, 1), "with no dimension left to choose"},
	} {
		f.says(c.want, f.call("MPI_Dims_create", []any{c.nodes, 2, c.dims}))
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
		{"MPI_Gather", []any{buf, 1, 9, inPlace, 1, 9, 0, 1}, 0, "{recvbuf} MPI_IN_PLACE; it is allowed for sendbuf at the root only"},
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
		f := feed(t)
		f.comm.Rank = c.rank
		f.rank.Predefine(mpi.OOp, 5, "MPI_SUM")
		t.Run(c.name, func(t *testing.T) {
			f.t = t
			f.rank.seen = make(map[seenKey]*Report)
			got := f.call(c.name, c.values)
			f.says(c.want, only(got, "in-place-invalid"))
		})
	}
}

func TestMPI_IN_PLACEMayNotStandWithAnIntercommunicator(t *testing.T) {
	f := feed(t)
	f.comm.Inter, f.comm.Remote = true, ranks(2)
	f.rank.Predefine(mpi.OOp, 5, "MPI_SUM")
	f.says("it is not allowed with an intercommunicator", f.call("MPI_Allreduce", []any{1, 4096, 1, 9, 5, 1}))
	f.says("", only(f.call("MPI_Reduce", []any{1, 4096, 1, 9, 5, -2, 1}), "in-place-invalid")) // MPI_PROC_NULL: it takes no part
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
		{"MPI_Reduce_scatter", []any{buf, 0, ints(0, 1, 0, 0), 9, 5, 1}, 0, ""},
		{"MPI_Reduce_scatter", []any{buf, 0, ints(0, 1, 0, 0), 9, 5, 1}, 1, "{recvbuf} NULL, but {recvcounts} has an entry greater than 0"},
		{"MPI_Exscan", []any{buf, 0, 1, 9, 5, 1}, 0, ""},
		{"MPI_Exscan", []any{buf, 0, 1, 9, 5, 1}, 1, "{recvbuf} NULL"},
		{"MPI_Alltoallw", []any{0, ints(0, 1, 0, 0), ints(0, 0, 0, 0), ints(9, 9, 9, 9), buf, ints(), ints(), ints(), 1}, 0, "{sendbuf} NULL, but {sendcounts} has an entry"},
		{"MPI_Fetch_and_op", []any{0, buf, 9, 1, 0, 5, 7}, 0, "{origin_addr} NULL, but one element is transferred"},
		{"MPI_Fetch_and_op", []any{0, buf, 9, 1, 0, 6, 7}, 0, ""}, // MPI_NO_OP
	} {
		f := feed(t)
		f.comm.Rank = c.rank
		f.rank.Predefine(mpi.OOp, 5, "MPI_SUM")
		f.rank.Predefine(mpi.OOp, 6, "MPI_NO_OP")
		f.says(c.want, only(f.call(c.name, c.values), "null-pointer"))
	}
}

func TestNullPointersAreToldWithAHintForStatuses(t *testing.T) {
	f := feed(t)
	c := f.made("MPI_Recv", 0, 4096, 1, 9, 0, 0, 1)
	c.Nulls = []int{6}
	f.enter(c)
	if len(f.watch.Reports) != 1 || f.watch.Reports[0].Code != nullPointer || f.watch.Reports[0].Hint != "to ignore the status, pass MPI_STATUS_IGNORE" {
		t.Errorf("%+v", f.watch.Reports)
	}
}

func TestKeysOfInfoObjectsAreKnownFromTheirBegin(t *testing.T) {
	f := feed(t)
	set := func(info int, key string) string { return f.call("MPI_Info_set", []any{info, text(key), text("v")}) }
	remove := func(info int, key string) string { return f.call("MPI_Info_delete", []any{info, text(key)}) }
	f.says("", f.call("MPI_Info_create", nil, 30))
	f.says("", set(30, "alpha"))
	f.says("", f.call("MPI_Info_dup", []any{30}, 31))
	f.says("", remove(30, "alpha"))
	f.says(`info-key: Rank 0 calls MPI_Info_delete with {key} "alpha", which is not in the info object.`, remove(30, "alpha"))
	f.says("", remove(31, "alpha "))
	f.says("", set(31, "beta"))
	f.says("", f.call("MPI_Info_get_nthkey", []any{31, 0}))
	f.says("{n} 1, but the info object has 1 keys", f.call("MPI_Info_get_nthkey", []any{31, 1}))
	f.says("", f.call("MPI_Comm_get_info", []any{1}, 31))
	f.says("", remove(31, "whatever"))
	f.says("with an empty {key}", set(31, ""))
}

func TestValuesOfSomeArgumentsAreNamed(t *testing.T) {
	f := feed(t)
	lock := func(name string) int { v, _ := f.rank.Constant(name); return int(v) }
	f.says("", f.call("MPI_Win_lock", []any{lock("MPI_LOCK_SHARED"), 0, 0, 7}))
	f.says("value-invalid: Rank 0 calls MPI_Win_lock with {lock_type} -3; it must be MPI_LOCK_SHARED or MPI_LOCK_EXCLUSIVE.", f.call("MPI_Win_lock", []any{-3, 0, 0, 7}))
	f.says("", f.call("MPI_Comm_split", []any{1, -32766, 0}, 50))
	f.says("{color} -1", f.call("MPI_Comm_split", []any{1, -1, 0}, 50))
	f.says("{split_type} -1", f.call("MPI_Comm_split_type", []any{1, -1, 0, 0}, 50))
	f.says("{disp_unit} 0; the displacement unit must be at least 1 byte", f.call("MPI_Win_create", []any{4096, 8, 0, 0, 1}, 60))
}

func TestWindowsNameRanksOfTheirCommunicator(t *testing.T) {
	f := feed(t)
	f.says("", f.call("MPI_Win_create", []any{4096, 8, 1, 0, 1}, 60))
	f.says("rank-invalid: Rank 0 calls MPI_Win_flush with {rank} 4, but MPI_COMM_WORLD has 4 ranks (0 to 3).", f.call("MPI_Win_flush", []any{4, 60}))
	f.says("{target_rank} 4", f.call("MPI_Put", []any{4096, 1, 9, 4, 0, 1, 9, 60}))
	f.says("", f.call("MPI_Put", []any{4096, 1, 9, -2, 0, 1, 9, 60}))
	f.says("", f.call("MPI_Win_free", []any{60}))
	f.says("", f.call("MPI_Win_flush", []any{4, 60}))
}

func TestContradictionsOfAccessModes(t *testing.T) {
	const readWrite, create, excl = "MPI_MODE_RDWR", "MPI_MODE_CREATE", "MPI_MODE_EXCL"
	for _, c := range []struct {
		bits []string
		ok   bool
	}{
		{[]string{readOnly}, true}, {[]string{writeOnly, create, excl}, true}, {[]string{readWrite, create}, true}, {[]string{writeOnly, sequential}, true},
		{nil, false}, {[]string{create}, false}, {[]string{readOnly, writeOnly}, false}, {[]string{readOnly, create}, false}, {[]string{readOnly, excl}, false},
		{[]string{readWrite, sequential}, false},
	} {
		rule := contradiction(func(k string) bool { return slices.Contains(c.bits, k) })
		if (rule == "") != c.ok {
			t.Errorf("%v: %q", c.bits, rule)
		}
	}
}

func TestAReturnedErrorIsToldInTheWordsOfMPI(t *testing.T) {
	f := feed(t)
	c := f.made("MPI_Send", 5, 4096, 1, 9, 0, 0, 1)
	f.enter(c)
	c.Failed, c.Message = true, "MPI_ERR_RANK: invalid rank"
	f.exit(c)
	f.exit(c)
	if len(f.watch.Reports) != 1 || f.watch.Reports[0].Sentence != "Rank 0's call to MPI_Send returned an error: MPI_ERR_RANK: invalid rank" {
		t.Errorf("%+v", f.watch.Reports)
	}
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
