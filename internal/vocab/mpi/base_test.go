package mpi

import "testing"

func TestFormsOfAFunctionHaveOneBase(t *testing.T) {
	table := load(t)
	for name, base := range map[string]string{
		"MPI_Bcast_c": "MPI_Bcast", "MPI_Ibcast": "MPI_Bcast", "MPI_Bcast_init_c": "MPI_Bcast",
		"MPI_Ineighbor_alltoallw": "MPI_Neighbor_alltoallw",
		"MPI_Isend":               "MPI_Send", "MPI_Rsend_init": "MPI_Rsend", "MPI_Irsend": "MPI_Rsend",
		"MPI_Imrecv_c":          "MPI_Mrecv",
		"MPI_Isendrecv_replace": "MPI_Sendrecv_replace", "MPI_Psend_init": "MPI_Psend",
		"MPI_Rget_accumulate":   "MPI_Get_accumulate",
		"MPI_File_iread_at_all": "MPI_File_read_at_all", "MPI_Comm_idup": "MPI_Comm_dup",
		"MPI_Info_create":  "MPI_Info_create",
		"MPI_Session_init": "MPI_Session_init", "MPI_Is_thread_main": "MPI_Is_thread_main", "MPI_Reduce": "MPI_Reduce",
	} {
		if f := table.ByName(name); f.Base != base {
			t.Errorf("the base of %s is %s, want %s", name, f.Base, base)
		}
	}
	for _, f := range table.Funcs() {
		if g := table.ByName(f.Base); g == nil && f.Class != PsendInit && f.Class != PrecvInit || g != nil &&
			(g.Base != f.Base || g.Nonblocking && g.Class != GreqStart || g.Persistent) {
			t.Errorf("the base of %s is %s", f.Name, f.Base)
		}
	}
}

func TestCollectivesThatMayMeetAreOfOneFamily(t *testing.T) {
	table := load(t)
	family := func(name string) uint16 { return table.ByName(name).Family }
	for pair, want := range map[[2]string]bool{
		{"MPI_Bcast", "MPI_Bcast_c"}: true, {"MPI_Bcast", "MPI_Ibcast"}: true, {"MPI_Bcast", "MPI_Reduce"}: false,
		{"MPI_File_read_all", "MPI_File_read_all_c"}: true, {"MPI_File_read_all", "MPI_File_iread_all"}: false,
		{"MPI_Comm_dup", "MPI_Comm_idup"}: false,
	} {
		if got := family(pair[0]) == family(pair[1]); got != want {
			t.Errorf("%v are of one family: %v", pair, got)
		}
	}
}

func TestFunctionsNameSuccessorsThatExist(t *testing.T) {
	table := load(t)
	old := 0
	for _, f := range table.Funcs() {
		for _, name := range []string{f.Removed, f.Deprecated} {
			if name == "" {
				continue
			}
			old++
			if g := table.ByName(name); g == nil || g.Removed != "" || g.Deprecated != "" {
				t.Errorf("%s took the place of %s", name, f.Name)
			}
		}
	}
	if old != 17 {
		t.Errorf("%d functions have successors, want 17", old)
	}
}

func TestConstantsAreInFamilies(t *testing.T) {
	table := load(t)
	for parameter, want := range map[string]int{"lock_type": 2, "whence": 3, "order": 2, "typeclass": 3, "amode": 9,
		"assert": 5, "split_type": 3, "required": 4} {
		if got := table.Values(parameter); len(got) != want {
			t.Errorf("%s takes %v, want %d", parameter, got, want)
		}
	}
	for name, want := range map[string]int{"MPI_Win_fence": 4, "MPI_Win_post": 3, "MPI_Win_start": 1, "MPI_Win_lock": 1,
		"MPI_Win_lock_all": 1, "MPI_Put": 0} {
		if got := table.Assertions(table.ByName(name)); len(got) != want {
			t.Errorf("%s takes %v, want %d", name, got, want)
		}
	}
	nulls := map[Object]string{}
	for _, c := range table.Constants() {
		if c.Null {
			nulls[c.Object] = c.Name
		}
	}
	for o := OComm; o < NumObjects; o++ {
		if nulls[o] != o.Null() {
			t.Errorf("the null handle of a %s is %s, by the list of constants %q", o, o.Null(), nulls[o])
		}
		if free := table.ByName(o.Free()); o != OMessage && o != OKeyval &&
			(free == nil || o != ORequest && free.Freed != o) {
			t.Errorf("%q does not free a %s", o.Free(), o)
		}
	}
}
