package objects

import (
	"testing"

	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// TestCallsMakeAndFreeObjects gives for calls of a rank the objects that it has not freed.
func TestCallsMakeAndFreeObjects(t *testing.T) {
	for _, c := range []struct{ name, calls, left string }{
		{"a group is made and freed", `
			MPI_Group_incl world_group 2 [0 3] -> g
			MPI_Group_free g ->`, ""},
		{"two groups, of which one is freed", `
			MPI_Group_incl world_group 2 [0 3] -> g
			MPI_Group_excl world_group 1 [0] -> h
			MPI_Group_free g ->`, "group h"},
		{"a group that is asked for twice is to be freed twice (MPI-4.0, 7.3.2)", `
			MPI_Comm_group world -> g
			MPI_Comm_group world -> g
			MPI_Group_free g ->`, "group g at several sites"},
		{"a group that is asked for twice at one place", `
			@7 MPI_Comm_group world -> g
			@7 MPI_Comm_group world -> g`, "group g 2 times"},
		{"a null handle is no object", `
			MPI_Group_incl world_group 0 [] -> MPI_GROUP_NULL
			MPI_Info_create -> MPI_INFO_NULL`, ""},
		{"the empty group is predefined, and counts as often as it was given", `
			MPI_Group_incl world_group 0 [] -> MPI_GROUP_EMPTY`, "group MPI_GROUP_EMPTY"},
		{"a predefined group that was given may be freed more often than it was given", `
			MPI_Group_incl world_group 0 [] -> MPI_GROUP_EMPTY
			MPI_Group_free MPI_GROUP_EMPTY ->
			MPI_Group_free MPI_GROUP_EMPTY ->`, ""},
		{"what fails to be made is not there", `
			MPI_Info_create -> fails`, ""},
		{"what fails to be freed is still there", `
			MPI_Info_create -> i
			MPI_Info_free i -> fails`, "info object i"},
		{"an error handler that is asked for is to be freed", `
			MPI_Comm_create_errhandler -> e
			MPI_Comm_get_errhandler world -> e
			MPI_Errhandler_free e ->`, "error handler e at several sites"},
		{"a predefined error handler that is asked for", `
			MPI_Comm_get_errhandler world -> MPI_ERRORS_RETURN`, "error handler MPI_ERRORS_RETURN"},
		{"setting an error handler makes none", `
			MPI_Comm_create_errhandler -> e
			MPI_Comm_set_errhandler world e ->
			MPI_Errhandler_free e ->`, ""},
		{"an operator", `
			MPI_Op_create 1 -> o
			MPI_Op_create 1 -> p
			MPI_Op_free o ->`, "operator p"},
		{"info objects", `
			MPI_Info_create -> i
			MPI_Info_dup i -> j
			MPI_Comm_get_info world -> k
			MPI_Info_free i ->`, "info object j, info object k"},
		{"an attribute key", `
			MPI_Comm_create_keyval -> k
			MPI_Type_create_keyval -> l
			MPI_Comm_free_keyval k ->`, "attribute key l"},
		{"a window and its group", `
			MPI_Win_create 1 8 1 MPI_INFO_NULL world -> w
			MPI_Win_get_group w -> g`, "group g, window w"},
		{"a window is freed", `
			MPI_Win_create 1 8 1 MPI_INFO_NULL world -> w
			MPI_Win_free w ->`, ""},
		{"a session", `
			MPI_Session_init MPI_INFO_NULL MPI_ERRORS_RETURN -> s
			MPI_Session_init MPI_INFO_NULL MPI_ERRORS_RETURN -> t
			MPI_Session_finalize s ->`, "session t"},
		{"a message that a matched probe gave and nobody received", `
			MPI_Mprobe 0 5 world -> m`, "message m"},
		{"a message that was received", `
			MPI_Mprobe 0 5 world -> m
			MPI_Mrecv 1 2 MPI_INT m ->`, ""},
		{"a matched probe that found nothing gives no message", `
			MPI_Improbe 0 5 world -> 0 m`, ""},
		{"a matched probe that found a message", `
			MPI_Improbe 0 5 world -> 1 m`, "message m"},
		{"a message from MPI_PROC_NULL needs no receive", `
			MPI_Mprobe MPI_PROC_NULL 5 world -> MPI_MESSAGE_NO_PROC`, ""},
		{"a datatype that was not committed", `
			MPI_Type_vector 3 2 4 MPI_INT -> v/24`, "datatype v uncommitted"},
		{"a datatype that was committed", `
			MPI_Type_vector 3 2 4 MPI_INT -> v/24
			MPI_Type_commit v ->`, "datatype v committed"},
		{"a datatype that was freed", `
			MPI_Type_vector 3 2 4 MPI_INT -> v/24
			MPI_Type_free v ->`, ""},
		{"a copy of a datatype is committed if that is", `
			MPI_Type_contiguous 2 MPI_INT -> u/8
			MPI_Type_contiguous 2 MPI_INT -> c/8
			MPI_Type_commit c ->
			MPI_Type_dup u -> u2/8
			MPI_Type_dup c -> c2/8
			MPI_Type_free u ->
			MPI_Type_free c ->`, "datatype c2 committed, datatype u2 uncommitted"},
		{"a copy of a datatype that nobody knows", `
			MPI_Type_dup what -> v/8`, "datatype v perhaps committed unknown"},
		{"a size that disagrees with the arguments: the model is not used", `
			MPI_Type_contiguous 2 MPI_INT -> v/12`, "datatype v uncommitted unknown"},
		{"what MPI_Type_get_contents gives is to be freed, unless it is predefined", `
			MPI_Type_get_contents v 9 9 9 -> [MPI_INT old]`,
			"datatype MPI_INT, datatype old perhaps committed unknown"},
		{"what MPI_File_get_view gives is committed", `
			MPI_File_open world name 1 MPI_INFO_NULL -> f
			MPI_File_get_view f -> e t`, "datatype e committed unknown, datatype t committed unknown, file f"},
		{"a datatype that MPI chooses by its size or precision is a predefined one", `
			MPI_Type_match_size 1 4 -> MPI_INT
			MPI_Type_match_size 1 16 -> big
			MPI_Type_create_f90_integer 9 -> f90/4`, "datatype MPI_INT"},
		{"a handle that is used again names the new object", `
			MPI_Type_contiguous 2 MPI_INT -> v/8
			MPI_Type_commit v ->
			MPI_Type_contiguous 2 MPI_INT -> v/8`, "datatype v uncommitted"},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := newScript(t)
			x.names["world_group"] = 99
			x.run(c.calls)
			is(t, "left", x.left(), c.left)
		})
	}
}

// TestFunctionsThatMayHaveBeenCalled says after which calls of a rank MPI may have called functions of the program, in
// which the program may have called MPI.
func TestFunctionsThatMayHaveBeenCalled(t *testing.T) {
	const keys = `
		MPI_Comm_create_keyval -> k
		MPI_Type_create_keyval -> tk
		MPI_Type_contiguous 2 MPI_INT -> v/8
	`
	for _, c := range []struct {
		name, calls string
		want        bool
	}{
		{"nothing", "", false},
		{"an attribute is set", "MPI_Comm_set_attr world k ->", false},
		{"and read", "MPI_Comm_set_attr world k ->\nMPI_Comm_get_attr world k ->", false},
		{"and replaced", "MPI_Comm_set_attr world k ->\nMPI_Comm_set_attr world k ->", true},
		{"an attribute of an unknown communicator", "MPI_Comm_set_attr what k ->", true},
		{"an attribute is deleted", "MPI_Comm_delete_attr world k ->", true},
		{"a datatype with an attribute is copied", "MPI_Type_set_attr v tk ->\nMPI_Type_dup v -> w/8", true},
		{"a datatype without one is copied", "MPI_Type_dup v -> w/8", false},
		{"a datatype with an attribute is freed", "MPI_Type_set_attr v tk ->\nMPI_Type_free v ->", true},
		{"a datatype without one is freed", "MPI_Type_free v ->", false},
		{"a communicator with an attribute is duplicated", "MPI_Comm_set_attr world k ->\nMPI_Comm_dup world ->", true},
		{"a communicator without one is duplicated", "MPI_Comm_dup world ->", false},
		{"a communicator with an attribute is split", "MPI_Comm_set_attr world k ->\nMPI_Comm_split world 0 0 ->",
			false},
		{"a generalised request", "MPI_Grequest_start ->", true},
		{"an error handler of the program is made", "MPI_Comm_create_errhandler -> e", false},
		{"and called", "MPI_Comm_create_errhandler -> e\nMPI_Comm_call_errhandler world 5 ->", true},
		{"a predefined error handler is called", "MPI_Comm_call_errhandler world 5 ->", false},
		{"a call fails", "MPI_Barrier world -> fails", false},
		{"a call fails and there is an error handler", "MPI_Comm_create_errhandler -> e\nMPI_Barrier world -> fails",
			true},
	} {
		x := newScript(t)
		x.run(keys + c.calls)
		is(t, c.name, x.Callbacks, c.want)
		x.Certain = func() bool { return true }
		is(t, c.name+": sure", x.Sure(), !c.want)
		x.Certain = func() bool { return false }
		is(t, c.name+", and calls are missing: sure", x.Sure(), false)
	}
	is(t, "nobody says what is certain", newScript(t).Sure(), false)
}

// TestRequestsAreUncertainAfterErrors says after which calls it is not known any more which requests there are.
func TestRequestsAreUncertainAfterErrors(t *testing.T) {
	for calls, want := range map[string]bool{
		"MPI_Wait q ->": false, "MPI_Wait q -> fails": true, "MPI_Waitall 1 [q] -> fails": true,
		"MPI_Waitany 1 [q] -> fails": true, "MPI_Waitsome 1 [q] -> fails": true, "MPI_Test q -> fails": true,
		"MPI_Testall 1 [q] -> fails": true, "MPI_Testany 1 [q] -> fails": true, "MPI_Testsome 1 [q] -> fails": true,
		"MPI_Start q -> fails": true, "MPI_Startall 1 [q] -> fails": true, "MPI_Request_free q -> fails": true,
		"MPI_Cancel q -> fails": false, "MPI_Request_get_status q -> fails": false, "MPI_Barrier world -> fails": false,
	} {
		x := newScript(t)
		x.run(calls)
		is(t, calls, x.Lost, want)
	}
}

// TestStartMayReplaceABufferedSend says that a started request whose send is buffered may have another handle
// afterwards (MPI-4.0, 3.9).
func TestStartMayReplaceABufferedSend(t *testing.T) {
	for name, want := range map[string]bool{"MPI_Bsend_init": true, "MPI_Send_init": false, "MPI_Ssend_init": false,
		"": false} {
		x := newScript(t)
		c := &Call{Rank: x.Rank, Func: x.table.ByName("MPI_Start"), Words: []uint64{8},
			Requests: []*Request{nil, {Made: Made{Func: x.table.ByName(name)}}}}
		x.follow.Begin(c)
		x.follow.Enter(c)
		is(t, name, x.Lost, want)
	}
}

// TestAPythonLibraryKeepsWhatItCaches: mpi4py makes a key, uses it at one place, and frees with a communicator the
// duplicates on which its lower-case calls work. A script can free neither.
func TestAPythonLibraryKeepsWhatItCaches(t *testing.T) {
	x := newScript(t)
	x.run(`
		@py7 MPI_Comm_create_keyval -> k
		@py7 MPI_Comm_set_attr world k ->`)
	is(t, "left", x.left(), "attribute key k kept")
	is(t, "functions may have been called", x.Callbacks, false)
	at := x.call("@py7 MPI_Barrier world ->").Site
	made := func(name string, parent *Comm, by uint64) *Comm {
		return x.addComm(name, &Comm{Derivation: Derivation{Parent: parent, Made: Made{Site: by}}}, false)
	}
	world := x.Comm(x.value("world"))
	private := made("private", world, at)
	is(t, "a duplicate made where the key was set", private.Private, true)
	is(t, "what is made of that", made("below", private, at+1).Private, true)
	is(t, "a duplicate made elsewhere", made("other", world, at+1).Private, false)
	is(t, "one made by C", made("c", world, 7).Private, false)
	is(t, "without a parent", made("alone", nil, at).Private, false)
	ordinary := made("ordinary", world, at+2)
	is(t, "of one that the script made", made("again", ordinary, at+2).Private, true)
	is(t, "of another one that the script made", made("more", ordinary, at+3).Private, false)
	x.run(`
		@py8 MPI_Comm_create_keyval -> script
		@py9 MPI_Comm_set_attr ordinary script ->`)
	is(t, "an attribute of the script", x.Object(mpi.OComm, ordinary.Handle).Attributed, true)
	x.run(`
		@7 MPI_Comm_create_keyval -> inc
		@7 MPI_Comm_set_attr c inc ->`)
	is(t, "a key of C that was made and used at one place", x.Object(mpi.OKeyval, x.value("inc")).Kept, false)
	is(t, "that communicator's attribute", x.Object(mpi.OComm, x.value("c")).Attributed, false)
}

// TestCommunicatorsAreLookedUp looks communicators up after calls that free them.
func TestCommunicatorsAreLookedUp(t *testing.T) {
	x := newScript(t)
	c := x.addComm("c", &Comm{ID: 77, Members: op.RanksOf(1, 3)}, false)
	is(t, "by handle", x.Comm(c.Handle), c)
	is(t, "by handle again", x.Comm(c.Handle), c)
	is(t, "by identity", x.CommByID(77), c)
	is(t, "by an identity that none has", x.CommByID(78), nil)
	is(t, "a handle that was never seen", x.Comm(1234), nil)
	x.run("MPI_Win_create 1 8 1 MPI_INFO_NULL c -> w")
	is(t, "that of a window", x.WindowComm(x.value("w")), c)
	is(t, "that of an unknown window", x.WindowComm(1234), nil)
	freed := x.call("MPI_Comm_free c ->")
	is(t, "freed", c.Freed, true)
	is(t, "by handle, freed", x.Comm(c.Handle), nil)
	by, known := x.FreedBy(mpi.OComm, c.Handle)
	is(t, "where it was freed", by, freed.By())
	is(t, "and that this is known", known, true)
	d := x.addComm("c", &Comm{ID: 79}, false)
	is(t, "the new one of that handle", x.Comm(d.Handle), d)
	_, known = x.FreedBy(mpi.OComm, d.Handle)
	is(t, "the new one counts as freed", known, false)
	is(t, "number", x.Number(mpi.OComm), 2)
	x.run("MPI_Comm_free c -> fails")
	is(t, "failed to be freed", d.Freed, false)
	is(t, "by handle, failed to be freed", x.Comm(d.Handle), d)
	is(t, "usable", x.Usable(mpi.OComm, d.Handle), true)
}

func TestASessionIsOpenUntilItIsFinalised(t *testing.T) {
	x := newScript(t)
	is(t, "before", x.InSession(), false)
	x.run("MPI_Session_init MPI_INFO_NULL MPI_ERRORS_RETURN -> s")
	is(t, "during", x.InSession(), true)
	x.run("MPI_Session_finalize s ->")
	is(t, "after", x.InSession(), false)
}
