package objects

import (
	"fmt"
	"slices"
	"testing"

	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// TestTheSizeOfAGroupFollowsFromItsCall says how many processes the group g has that a call makes; -1 if that is not
// known.
func TestTheSizeOfAGroupFollowsFromItsCall(t *testing.T) {
	for _, c := range []struct {
		calls string
		want  int
	}{
		{"MPI_Comm_group world -> g", 4},
		{"MPI_Comm_group inter -> g", 2},
		{"MPI_Comm_remote_group inter -> g", 3},
		{"MPI_Comm_remote_group world -> g", -1}, // an error, which MPI may not notice
		{"MPI_Comm_group what -> g", -1},
		{"MPI_Group_incl what 2 [0 3] -> g", 2},
		{"MPI_Comm_group world -> w\nMPI_Group_excl w 3 [0 1 3] -> g", 1},
		{"MPI_Group_excl what 3 [0 1 3] -> g", -1},
		{"MPI_Group_range_incl what 1 [0 3 1] -> g", 4},
		{"MPI_Group_range_incl what 2 [0 3 2 9 5 -3] -> g", 4},
		{"MPI_Comm_group world -> w\nMPI_Group_range_excl w 1 [3 1 -1] -> g", 1},
		{"MPI_Group_union what w -> g", -1},
		{"MPI_Group_incl what 2 [0 3] -> g\nMPI_Group_union what w -> g", -1}, // the handle is used again
		{"MPI_Group_incl what 2 [0 3] -> g\nMPI_Group_free g ->", -1},
		{"MPI_Win_get_group win -> g", -1},
		{"MPI_Group_incl what 2 [0 3] -> ", -1}, // its record is cut off
	} {
		x := newScript(t)
		x.addComm("inter", &Comm{Inter: true, Members: op.FirstRanks(2), Remote: op.Between(2, 4)}, false)
		x.run(c.calls)
		n, known := x.GroupSize(x.value("g"))
		if !known {
			n = -1
		}
		is(t, c.calls, n, c.want)
	}
}

func TestARangeOfRanksHasALengthAndAnEnd(t *testing.T) {
	for _, c := range []struct {
		Triplet
		length int
		end    int64
	}{
		{Triplet{0, 3, 1}, 4, 3}, {Triplet{0, 4, 3}, 2, 3}, {Triplet{2, 2, 1}, 1, 2}, {Triplet{2, 2, -5}, 1, 2},
		{Triplet{5, 1, -2}, 3, 1}, {Triplet{5, 2, -2}, 2, 3}, {Triplet{0, 3, 5}, 1, 0},
		{Triplet{0, 3, 0}, 0, 0}, {Triplet{0, 3, -1}, 0, 1}, {Triplet{3, 0, 1}, 0, 2}, {Triplet{3, 2, 5}, 0, -2},
	} {
		is(t, fmt.Sprint(c.Triplet, " length"), c.Length(), c.length)
		is(t, fmt.Sprint(c.Triplet, " end"), c.End(), c.end)
	}
}

// TestACommunicatorHasTheTopologyOfItsCall says what is known of the communicator c.
func TestACommunicatorHasTheTopologyOfItsCall(t *testing.T) {
	const grid = "MPI_Cart_create world 2 [2 3] [1 0] 0 -> cart\n"
	for _, c := range []struct{ calls, want string }{
		{"MPI_Cart_create world 2 [2 3] [1 0] 0 -> c", "[2 3] [true false]"},
		{"MPI_Cart_create world 2 [2 3] [1 0] 0 -> MPI_COMM_NULL\nMPI_Comm_group world -> c", "none"},
		{grid + "MPI_Cart_sub cart [0 1] -> c", "[3] [false]"},
		{grid + "MPI_Cart_sub cart [1 0] -> c", "[2] [true]"},
		{grid + "MPI_Cart_sub cart [0 0] -> c", "[] []"},
		{grid + "MPI_Cart_sub cart [1] -> c", "none"},
		{"MPI_Cart_sub world [1 0] -> c", "none"},
		{grid + "MPI_Comm_dup cart -> c", "[2 3] [true false]"},
		{grid + "MPI_Comm_dup_with_info cart MPI_INFO_NULL -> c", "[2 3] [true false]"},
		{grid + "MPI_Comm_split cart 0 0 -> c", "none"},
		{"MPI_Comm_dup world -> c", "none"},
		{"MPI_Graph_create world 3 [1 3 4] [1 0 2 1] 0 -> c", "3 nodes, [1 3 4] [1 0 2 1]"},
		{"MPI_Dist_graph_create_adjacent world 1 [2] [] 2 [1 0] [] MPI_INFO_NULL 0 -> c", "from [2] to [1 0]"},
		{"MPI_Dist_graph_create_adjacent world 0 [] [] 0 [] [] MPI_INFO_NULL 0 -> c", "from [] to []"},
		{"MPI_Dist_graph_create world 1 [0] [1] [1] [] MPI_INFO_NULL 0 -> c", "none"}, // of other processes too
		{"MPI_Cart_create world 2 [2 3] [1 0] 0 -> c\nMPI_Comm_free c ->", "none"},
		{"MPI_Cart_create world 2 [2 3] [1 0] 0 -> c\nMPI_Comm_split world 0 0 -> c", "none"}, // the handle is used again
		{"MPI_Cart_create world 2 [2 3] [1 0] 0 -> fails", "none"},
	} {
		x := newScript(t)
		x.run(c.calls)
		got := "none"
		switch a := x.Arranged(x.value("c")); {
		case a == nil:
		case a.Sources != nil:
			got = fmt.Sprintf("from %v to %v", a.Sources, a.Destinations)
		case a.Nodes > 0:
			got = fmt.Sprintf("%d nodes, %v %v", a.Nodes, a.Index, a.Edges)
		default:
			got = fmt.Sprint(a.Dims, " ", a.Periods)
		}
		is(t, c.calls, got, c.want)
	}
}

// TestNeighboursOfADistributedGraphAreReported takes in what the process says of a graph that others have described.
func TestNeighboursOfADistributedGraphAreReported(t *testing.T) {
	x := newScript(t)
	world := x.Comm(x.value("world"))
	_, _, known := x.Neighbours(world)
	is(t, "before", known, false)
	x.Arrange(world.Handle, []int64{3, -2}, []int64{0})
	to, from, known := x.Neighbours(world)
	is(t, "after", fmt.Sprint(to, from, known), "[0] [3 -1] true")
	world.Freed = true
	_, _, known = x.Neighbours(world)
	is(t, "freed", known, false)
}

// TestTheKeysOfAnInfoObjectAreKnownIfItWasMadeEmpty says whether the keys of the info object i are known.
func TestTheKeysOfAnInfoObjectAreKnownIfItWasMadeEmpty(t *testing.T) {
	for calls, want := range map[string]bool{
		"MPI_Info_create -> i":                           true,
		"MPI_Comm_get_info world -> i":                   false,
		"MPI_Info_dup what -> i":                         false,
		"MPI_Info_create -> old\nMPI_Info_dup old -> i":  true,
		"MPI_Info_create -> i\nMPI_Info_free i ->":       false,
		"MPI_Info_create -> i\nMPI_Win_get_info w -> i":  false, // the handle is used again
		"MPI_Info_create -> fails":                       false,
		"MPI_Info_create -> i\nMPI_Info_create -> other": true,
	} {
		x := newScript(t)
		x.run(calls)
		is(t, calls, x.InfoKeys(x.value("i")) != nil, want)
	}
	x := newScript(t)
	x.run("MPI_Info_create -> i")
	x.InfoKeys(x.value("i"))["a"] = true
	x.run("MPI_Info_dup i -> j")
	x.InfoKeys(x.value("i"))["b"] = true
	is(t, "keys of a copy", fmt.Sprint(x.InfoKeys(x.value("j"))), "map[a:true]")
}

// TestAnAttributeKeyIsForOneKindOfObject says for which kind of object the key k is; none if it is not known.
func TestAnAttributeKeyIsForOneKindOfObject(t *testing.T) {
	for calls, want := range map[string]mpi.Object{
		"MPI_Comm_create_keyval -> k":                                mpi.OComm,
		"MPI_Keyval_create -> k":                                     mpi.OComm,
		"MPI_Type_create_keyval -> k":                                mpi.OType,
		"MPI_Win_create_keyval -> k":                                 mpi.OWin,
		"MPI_Win_create_keyval ->":                                   mpi.NoObject, // its record is cut off
		"MPI_Win_create_keyval -> k\nMPI_Win_free_keyval k ->":       mpi.NoObject,
		"MPI_Type_create_keyval -> k\nMPI_Win_free_keyval k ->":      mpi.OType, // which is wrong, and frees nothing
		"MPI_Type_create_keyval -> k\nMPI_Type_free_keyval other ->": mpi.OType,
	} {
		x := newScript(t)
		x.run(calls)
		key, known := x.Key(x.value("k"))
		is(t, calls, key.Kind, want)
		is(t, calls+": known", known, want != mpi.NoObject)
		if known {
			is(t, calls+": made at", key.Made.Site, 1)
		}
	}
}

// TestAFunctionKnowsWhichCallsChangeObjects compares what a Follower says of functions with what their calls do.
func TestAFunctionKnowsWhichCallsChangeObjects(t *testing.T) {
	for call, want := range map[string]struct{ changes, counts bool }{
		"MPI_Barrier world ->":                      {false, false},
		"MPI_Comm_size world ->":                    {false, false},
		"MPI_Send 1 2 MPI_INT 0 5 world ->":         {false, false},
		"MPI_Group_incl what 2 [0 3] -> g":          {true, true},
		"MPI_Info_create -> i":                      {true, true},
		"MPI_Comm_free world ->":                    {true, true},
		"MPI_Type_vector 3 2 4 MPI_INT -> v/24":     {true, false}, // Rank.State says it
		"MPI_Type_vector 3 2 4 MPI_INT -> fails":    {true, true},
		"MPI_Type_commit v ->":                      {true, false},
		"MPI_Type_free v ->":                        {true, false},
		"MPI_Op_create 1 -> o":                      {true, false},
		"MPI_Op_free o ->":                          {true, false},
		"MPI_Type_dup v -> w/8":                     {true, true}, // attributes
		"MPI_Type_create_f90_integer 9 -> f90/4":    {true, true}, // it may be there already
		"MPI_Type_match_size 1 4 -> MPI_INT":        {true, false},
		"MPI_Comm_set_attr world k ->":              {true, true},
		"MPI_Comm_set_name world name ->":           {false, false},
		"MPI_Comm_call_errhandler world 5 ->":       {true, true},
		"MPI_Session_init 1 MPI_ERRORS_RETURN -> s": {true, true},
	} {
		x := newScript(t)
		before := x.Rank.Changes
		c := x.call(call)
		is(t, call+": may change objects", x.follow.Changes(c.Func), want.changes)
		is(t, call+": counts as a change", x.Rank.Changes != before, want.counts)
	}
}

// TestTheStateOfADatatypeTellsItsChanges compares the states of a handle before and after calls.
func TestTheStateOfADatatypeTellsItsChanges(t *testing.T) {
	x := newScript(t)
	var states []uint64
	for _, call := range []string{
		"MPI_Type_vector 3 2 4 MPI_INT -> v/24", "MPI_Type_commit v ->", "MPI_Type_create_keyval -> k",
		"MPI_Type_set_attr v k ->", "MPI_Type_free v ->", "MPI_Type_vector 3 2 5 MPI_INT -> v/24",
		"MPI_Type_get_contents w 9 9 9 -> [v]",
	} {
		x.call(call)
		state, known := x.State(mpi.OType, x.value("v"))
		is(t, call+": known", known, call != "MPI_Type_free v ->")
		if same := slices.Contains(states, state); same != (call == "MPI_Type_create_keyval -> k") {
			t.Errorf("%s: the state is one of before: %v", call, same)
		}
		states = append(states, state)
	}
	x.run("MPI_Type_vector 3 2 4 MPI_INT -> a/24\nMPI_Type_vector 3 2 4 MPI_INT -> b/24")
	a, _ := x.State(mpi.OType, x.value("a"))
	b, _ := x.State(mpi.OType, x.value("b"))
	is(t, "two datatypes with equal arguments that share no models are the same", a == b, false)
	x.Models = make(Models)
	x.run("MPI_Type_vector 3 2 4 MPI_INT -> a/24\nMPI_Type_vector 3 2 4 MPI_INT -> b/24\nMPI_Op_create 1 -> o")
	a, _ = x.State(mpi.OType, x.value("a"))
	b, _ = x.State(mpi.OType, x.value("b"))
	is(t, "two that share a model are the same", a == b, true)
	_, known := x.State(mpi.OOp, x.value("o"))
	is(t, "an operator has a state", known, true)
	_, known = x.State(mpi.OOp, 1234)
	is(t, "an unknown operator has one", known, false)
}

// TestNoTwoDatatypesLookAlike draws likenesses for the ranks of a large job.
func TestNoTwoDatatypesLookAlike(t *testing.T) {
	seen := make(map[uint64]bool)
	for world := range 200 {
		r := NewRank(world)
		for range 50 {
			seen[r.likeness()] = true
		}
	}
	is(t, "likenesses", len(seen), 200*50)
}
