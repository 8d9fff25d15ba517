package mpi

import (
	"strings"
	"testing"

	"unknot/internal/vocab/op"
)

func load(t testing.TB) *T {
	t.Helper()
	table, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func TestRowsAreNumberedByName(t *testing.T) {
	table := load(t)
	before := Func{}
	for i, f := range table.Funcs() {
		if f.Since < before.Since || f.Since == before.Since && f.Name <= before.Name || int(f.ID) != i+1 ||
			f.ID >= FirstUnknown {
			t.Errorf("%s after %s has id %d", f.Name, before.Name, f.ID)
		}
		before = f
		if table.ByName(f.Name).ID != f.ID || table.ByID(f.ID).Name != f.Name {
			t.Errorf("%s is not found by its id or name", f.Name)
		}
	}
	for _, id := range []uint16{0, uint16(len(table.Funcs()) + 1), FirstUnknown, 65535} {
		if f := table.ByID(id); f != nil {
			t.Errorf("id %d is %s", id, f.Name)
		}
	}
}

// TestWhatMayBeCalledAtAnyTime compares the rows with table 11.1 of MPI-4.1 and with MPI-5.0, 20.2. What has sessions
// may be called without MPI_Init (11.3), and the deprecated functions of info objects as those that took their places.
func TestWhatMayBeCalledAtAnyTime(t *testing.T) {
	listed := map[string]bool{"MPI_Get_hw_resource_info": true} // not on the list; see the head of functions.tsv
	for _, name := range strings.Fields(`MPI_Initialized MPI_Finalized MPI_Get_version MPI_Get_library_version
		MPI_Info_create MPI_Info_create_env MPI_Info_set MPI_Info_delete MPI_Info_get_string MPI_Info_get_nkeys MPI_Info_get_nthkey MPI_Info_dup MPI_Info_free
		MPI_Session_create_errhandler MPI_Session_call_errhandler MPI_Errhandler_free MPI_Error_string MPI_Error_class
		MPI_Add_error_class MPI_Remove_error_class MPI_Add_error_code MPI_Remove_error_code MPI_Add_error_string MPI_Remove_error_string
		MPI_Info_get MPI_Info_get_valuelen MPI_Abi_get_version MPI_Abi_get_info`) {
		listed[name] = true
	}
	for _, f := range load(t).Funcs() {
		session := strings.Contains(f.Name, "_Session_")
		if f.Anytime != listed[f.Name] && !session {
			t.Errorf("%s may be called at any time: %v, want %v", f.Name, f.Anytime, listed[f.Name])
		}
		delete(listed, f.Name)
	}
	for name := range listed {
		t.Errorf("%s has no row", name)
	}
}

func TestTheRowsThatAnalysesRestOnSayWhatTheStandardSays(t *testing.T) {
	table := load(t)
	role := func(f *Func, r Role) string {
		for _, p := range f.Params {
			if p.Role == r {
				return p.Name
			}
		}
		return ""
	}
	for _, c := range []struct {
		name  string
		class Class
		mode  op.SendMode
		sync  op.Sync
		req   string // n: makes a request, p: an inactive one
		roles string
	}{
		{"MPI_Ssend", Send, op.Synchronous, op.SyncNone, "", "peer=dest tag=tag comm=comm count=count"},
		{"MPI_Irsend_c", Isend, op.Ready, op.SyncNone, "n", "peer=dest request=request"},
		{"MPI_Bsend_init", SendInit, op.Buffered, op.SyncNone, "p", "request=request"},
		{"MPI_Sendrecv", Sendrecv, op.Standard, op.SyncNone, "",
			"peer=dest source=source recvtag=recvtag status=status"},
		{"MPI_Sendrecv_replace", Sendrecv, op.Standard, op.SyncNone, "",
			"peer=dest source=source recvtag=recvtag count=count"},
		{"MPI_Ireduce", Coll, op.Standard, op.SyncToRoot, "n", "root=root op=op comm=comm"},
		{"MPI_Bcast_init", Coll, op.Standard, op.SyncFromRoot, "p", "root=root"},
		{"MPI_Exscan", Coll, op.Standard, op.SyncLower, "", "op=op"},
		{"MPI_Comm_idup", CommCreate, op.Standard, op.SyncAll, "n", "newcomm=newcomm request=request"},
		{"MPI_Intercomm_create", IntercommCreate, op.Standard, op.SyncAll, "",
			"comm=local_comm peercomm=peer_comm peer=remote_leader newcomm=newintercomm"},
		{"MPI_Win_post", WinPost, op.Standard, op.SyncNone, "", "group=group win=win"},
		{"MPI_Rput", Rrma, op.Standard, op.SyncNone, "n", "peer=target_rank request=request"},
		{"MPI_File_iwrite_at_all", FileIcoll, op.Standard, op.SyncNone, "n", "file=fh request=request"},
	} {
		f := table.ByName(c.name)
		if f == nil {
			t.Errorf("%s has no row", c.name)
			continue
		}
		req := map[[2]bool]string{{true, false}: "n", {false, true}: "p"}[[2]bool{f.Nonblocking, f.Persistent}]
		if f.Class != c.class || f.Mode != c.mode || f.Sync != c.sync || req != c.req {
			t.Errorf("%s is %d %d %d %q, want %d %d %d %q", c.name, f.Class, f.Mode, f.Sync, req, c.class, c.mode,
				c.sync, c.req)
		}
		names := map[string]Role{"peer": RPeer, "tag": RTag, "comm": RComm, "count": RCount, "request": RRequest,
			"source":  RSource,
			"recvtag": RRecvTag, "status": RStatus, "root": RRoot, "op": ROp, "newcomm": RNewComm,
			"peercomm": RPeerComm,
			"group":    RGroup, "win": RWin, "file": RFile}
		for pair := range strings.FieldsSeq(c.roles) {
			name, want, _ := strings.Cut(pair, "=")
			if got := role(f, names[name]); got != want {
				t.Errorf("the %s of %s is %q, want %q", name, c.name, got, want)
			}
		}
	}
}

// Rules that a new row could break without anything else noticing.
func TestRowsAreConsistent(t *testing.T) {
	for _, f := range load(t).Funcs() {
		made := f.ExitAt[RRequest] != absent
		if made != (f.Nonblocking || f.Persistent) {
			t.Errorf("%s: makes a request: %v, says so: %v", f.Name, made, !made)
		}
		if flag := f.ExitAt[RFlag] != absent || f.Class == Testsome || f.Class == GetStatusSome; f.Poll != flag {
			t.Errorf("%s: poll %v, tells its success %v", f.Name, f.Poll, flag)
		}
		if f.Class == Local && f.HasExit {
			t.Errorf("%s is local and has words at exit", f.Name)
		}
		if made := f.ExitAt[RNewHandle] != absent; f.Class.Quiet() && f.HasExit && !made && f.Class != TypeGet {
			t.Errorf("%s is quiet and has words at exit, but makes nothing", f.Name)
		}
		if comm := f.EnterAt[RComm] != absent; f.Class == Coll && !comm {
			t.Errorf("%s: a collective without a communicator", f.Name)
		}
		for _, p := range f.Params {
			array := p.Kind.Varying() && p.Kind != KStr && p.Kind != KGroup
			if p.Kind != KSkip && array != p.Array() || p.Len >= len(f.Params) {
				t.Errorf("%s: %s has its length in parameter %d", f.Name, p.Name, p.Len)
			}
			if _, root := f.Param(RRoot); p.AtRoot && !root {
				t.Errorf("%s: %s is significant at a root that the function does not have", f.Name, p.Name)
			}
			if _, comm := f.Param(RComm); (p.By >= ByMembers || p.AtRoot) && !comm {
				t.Errorf("%s: the length of %s comes from a communicator that the function does not have",
					f.Name, p.Name)
			}
		}
		// An analysis finds what has a fixed length by its place: only arrays float.
		for _, p := range f.Params {
			if p.Role == RNone || p.Kind.Varying() {
				continue
			}
			if f.EnterAt[p.Role] == floating || f.ExitAt[p.Role] == floating {
				t.Errorf("%s: the place of %s depends on the length of an array", f.Name, p.Name)
			}
		}
	}
}

// What a wrapper makes of an array without a length parameter (MPI-4.0, 6.5 to 6.10, 8.6).
func TestArraysOfMembersHaveTheLengthOfTheStandard(t *testing.T) {
	table := load(t)
	for _, c := range []struct {
		name, param string
		by          Extent
		atRoot      bool
	}{
		{"MPI_Gatherv", "recvcounts", ByMembers, true},
		{"MPI_Iscatterv", "displs", ByMembers, true},
		{"MPI_Allgatherv_init", "recvcounts", ByMembers, false},
		{"MPI_Alltoallw_c", "sendtypes", ByMembers, false},
		{"MPI_Ireduce_scatter", "recvcounts", ByLocal, false},
		{"MPI_Neighbor_allgatherv", "displs", ByIn, false},
		{"MPI_Ineighbor_alltoallw", "sdispls", ByOut, false},
		{"MPI_Ineighbor_alltoallw", "recvtypes", ByIn, false},
		{"MPI_Cart_sub", "remain_dims", ByDims, false},
		{"MPI_Graph_create", "edges", ByLast, false},
		{"MPI_Dist_graph_create", "weights", BySum, false},
		{"MPI_Comm_spawn_multiple", "array_of_info", ByParam, true},
	} {
		f := table.ByName(c.name)
		for _, p := range f.Params {
			if p.Name == c.param && (p.By != c.by || p.AtRoot != c.atRoot || !p.Array()) {
				t.Errorf("%s of %s: length %d, at the root %v; want %d, %v", c.param, c.name, p.By, p.AtRoot,
					c.by, c.atRoot)
			}
		}
	}
}

// The calls that are made most often have records of one slot, whose cost is what a program pays for being watched.
func TestTheCommonestCallsTakeOneSlot(t *testing.T) {
	const slot = 6 // ring.WordsFirst
	table := load(t)
	for _, name := range []string{"MPI_Send", "MPI_Recv", "MPI_Isend", "MPI_Irecv", "MPI_Wait", "MPI_Test",
		"MPI_Iprobe"} {
		f := table.ByName(name)
		enter, exit := 0, 0
		for _, p := range f.Params {
			switch {
			case p.Kind.AtEntry():
				enter += p.Kind.fixed()
			case p.Kind.AtExit():
				exit += p.Kind.fixed()
			}
		}
		if enter > slot || exit > slot {
			t.Errorf("%s has %d words at entry and %d at exit, more than the %d of a slot", name, enter, exit, slot)
		}
	}
}

func TestWindowsAndFilesAreWhatRanksStoreIn(t *testing.T) {
	table := load(t)
	for name, want := range map[string]bool{"MPI_Win_create": true, "MPI_Win_fence": true, "MPI_Put": true,
		"MPI_Rget_c": true, "MPI_File_open": true,
		"MPI_File_iwrite_all": true, "MPI_File_delete": true, "MPI_Send": false, "MPI_Comm_create_group": false,
		"MPI_Open_port": false} {
		if got := table.ByName(name).Stores(); got != want {
			t.Errorf("%s stores: %v, want %v", name, got, want)
		}
	}
}

func TestRowsAreInTheOrderOfTheNames(t *testing.T) {
	table := load(t)
	rows := table.Rows([]string{"MPI_Test", "pthread_join", "MPI_Send"})
	if rows[0] != table.ByName("MPI_Test") || rows[2] != table.ByName("MPI_Send") {
		t.Errorf("rows of %s and %s, want MPI_Test and MPI_Send", rows[0].Name, rows[2].Name)
	}
	if f := rows[1]; f.Name != "pthread_join" || f.Class != Local || f.Poll || f.Stores() {
		t.Errorf("a function without a row is %+v, want only its name", f)
	}
}
