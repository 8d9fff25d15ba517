//go:build !quick

package probe

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"unknot/internal/observe/ring"
	"unknot/internal/vocab/mpi"
)

// facts starts testdata/arguments.c and reads it to its end.
func (f flavour) facts(t *testing.T, n int, args ...string) *job {
	t.Helper()
	text, err := os.ReadFile("testdata/arguments.c")
	if err != nil {
		t.Fatal(err)
	}
	j := f.launch(t, 4096, n, append([]string{f.compile(t, string(text))}, args...)...)
	if code := j.finish(t); code != 0 && args[0] != "crash" {
		t.Fatalf("exit status %d\n%s", code, j.out.String())
	}
	return j
}

// value is what a call's record says of a parameter: numbers, or a string.
func (r rec) value(t *testing.T, name string) string {
	t.Helper()
	f := table.ByID(r.Func)
	var out string
	found := false
	err := f.Walk(r.Words, r.Kind == ring.Enter, func(p *mpi.Param, v []uint64) {
		if p.Name != name {
			return
		}
		found = true
		if p.Kind == mpi.KStr {
			out = mpi.Text(v)
			return
		}
		signed := []int64{}
		for _, w := range v {
			signed = append(signed, int64(w))
		}
		out = strings.Trim(fmt.Sprint(signed), "[]")
	})
	if err != nil || !found {
		t.Fatalf("%s has no %s in its record (%v)", f.Name, name, err)
	}
	return out
}

// constants are the values of the constants in the job's MPI library.
func (j *job) constants(t *testing.T) func(name string) string {
	words := j.data(t, 0, ring.DataConst)[0].Words
	values := map[string]string{}
	for i, c := range table.Constants() {
		values[c.Name] = fmt.Sprint(int64(words[i]))
	}
	return func(name string) string { return values[name] }
}

func TestEveryArgumentIsRecorded(t *testing.T) {
	onBoth(t, func(t *testing.T, f flavour) {
		j := f.facts(t, 3, "right", filepath.Join(t.TempDir(), "file"))
		k := j.constants(t)
		i, d := k("MPI_INT"), k("MPI_DOUBLE")
		for _, c := range []struct {
			rank   int
			call   string
			nth    int
			values string // name=value, between semicolons
		}{
			{0, "MPI_Type_create_struct", 0,
				"count=2;array_of_blocklengths=1 2;array_of_displacements=0 8;array_of_types=" + i + " " + d},
			{0, "MPI_Type_create_resized", 0, "lb=-8;extent=48"},
			{0, "MPI_Type_create_subarray", 0,
				"ndims=2;array_of_sizes=4 6;array_of_subsizes=2 3;array_of_starts=1 0;oldtype=" + i + ";order=" +
					k("MPI_ORDER_C")},
			{0, "MPI_Type_create_darray", 0, "size=3;rank=1;array_of_gsizes=12;array_of_psizes=3;array_of_distribs=" +
				k("MPI_DISTRIBUTE_BLOCK") + ";array_of_dargs=" + k("MPI_DISTRIBUTE_DFLT_DARG")},
			{0, "MPI_Type_create_hvector", 0, "count=2;blocklength=3;stride=-40"},
			{0, "MPI_Alltoallw", 0, "sendcounts=1;sdispls=0;sendtypes=" + i + ";recvcounts=1;rdispls=0;recvtypes=" + i +
				";comm=" + k("MPI_COMM_SELF")},
			{0, "MPI_Allgatherv", 0, "recvcounts=1 1 1;displs=0 4 8"},
			{0, "MPI_Alltoallv", 0, "sendcounts=;sdispls=;recvcounts=1 1 1;rdispls=0 4 8"},
			{0, "MPI_Gatherv", 0, "sendcount=2;recvcounts=;displs=;root=1;comm=" + k("MPI_COMM_WORLD")},
			{1, "MPI_Gatherv", 0, "recvcounts=2 2 2;displs=0 4 8;root=1"},
			{0, "MPI_Gatherv", 1, "recvcounts=3 3;displs=0 4;root=" + k("MPI_ROOT")},
			{1, "MPI_Gatherv", 1, "recvcounts=;displs=;root=0"},
			{0, "MPI_Reduce_scatter", 0, "recvcounts=1 2 3"},
			{0, "MPI_Dims_create", 0, "nnodes=3;ndims=2;dims=3 1"},
			{0, "MPI_Cart_create", 0, "dims=3 1;periods=1 0;reorder=1"},
			{0, "MPI_Cart_rank", 0, "coords=2 0"},
			{0, "MPI_Cart_sub", 0, "remain_dims=0 1"},
			{0, "MPI_Neighbor_alltoallw", 0, "sendcounts=0 0 0 0;sdispls=0 0 0 0;recvtypes=" +
				strings.Join([]string{i, i, i, i}, " ")},
			{0, "MPI_Graph_create", 0, "index=1 2 2;edges=1 0"},
			{1, "MPI_Dist_graph_create_adjacent", 0, "sources=0;sourceweights=;destinations=2;destweights="},
			{1, "MPI_Dist_graph_create", 0, "sources=1;degrees=1;destinations=2;weights=7"},
			{1, "MPI_Neighbor_allgatherv", 0, "recvcounts=1;displs=5"},
			{0, "MPI_Group_range_incl", 0, "n=2;ranges=0 2 2 1 1 1"},
			{0, "MPI_Group_incl", 0, "ranks=2 0"},
			{0, "MPI_Group_translate_ranks", 0, "ranks1=2 0"},
			{0, "MPI_Info_set", 0, "key=striping_factor;value=16"},
			{0, "MPI_Info_get", 0, "key=striping_factor;valuelen=15"},
			{0, "MPI_Op_create", 0, "commute=1"},
			{0, "MPI_Pack", 0, "incount=1;outsize=64;position=4"},
			{0, "MPI_File_set_view", 0, "disp=12;etype=" + i + ";datarep=native;info=" + k("MPI_INFO_NULL")},
			{0, "MPI_File_seek", 0, "offset=-3;whence=" + k("MPI_SEEK_END")},
		} {
			calls := j.of(t, c.rank, ring.Enter, id(c.call))
			if c.nth >= len(calls) {
				t.Errorf("rank %d calls %s %d times", c.rank, c.call, len(calls))
				continue
			}
			for pair := range strings.SplitSeq(c.values, ";") {
				name, want, _ := strings.Cut(pair, "=")
				if got := calls[c.nth].value(t, name); got != want {
					t.Errorf("rank %d, %s: %s is %q, want %q", c.rank, c.call, name, got, want)
				}
			}
		}
	})
}

// Each is made by one call and freed by another: both tell the same handle or number.
func TestObjectsAreToldWhenTheyAreMadeAndFreed(t *testing.T) {
	onBoth(t, func(t *testing.T, f flavour) {
		j := f.facts(t, 3, "right", filepath.Join(t.TempDir(), "file"))
		for _, c := range []struct{ maker, made, freer, freed string }{
			{"MPI_Type_create_struct", "newtype", "MPI_Type_commit", "datatype"},
			{"MPI_Comm_group", "group", "MPI_Group_range_incl", "group"},
			{"MPI_Group_range_incl", "newgroup", "MPI_Group_free", "group"},
			{"MPI_Info_create", "info", "MPI_Info_free", "info"},
			{"MPI_Op_create", "op", "MPI_Op_free", "op"},
			{"MPI_Comm_get_errhandler", "errhandler", "MPI_Errhandler_free", "errhandler"},
			{"MPI_Comm_create_errhandler", "errhandler", "MPI_Comm_set_errhandler", "errhandler"},
			{"MPI_Comm_create_keyval", "comm_keyval", "MPI_Comm_set_attr", "comm_keyval"},
			{"MPI_Comm_create_keyval", "comm_keyval", "MPI_Comm_free_keyval", "comm_keyval"},
			{"MPI_File_open", "fh", "MPI_File_close", "fh"},
		} {
			ends, frees := j.of(t, 0, ring.Exit, id(c.maker)), j.of(t, 0, ring.Enter, id(c.freer))
			if len(ends) == 0 || len(frees) == 0 {
				t.Errorf("%s ends %d times, %s is called %d times", c.maker, len(ends), c.freer, len(frees))
				continue
			}
			made, _, _ := strings.Cut(ends[0].value(t, c.made), " ")
			if freed := frees[0].value(t, c.freed); made != freed || made == "0" || made == "-1" {
				t.Errorf("%s gives %s, %s gets %s", c.maker, made, c.freer, freed)
			}
		}
		k := j.constants(t)
		if ends := j.of(t, 0, ring.Exit, id("MPI_Type_get_contents")); len(ends) != 1 ||
			ends[0].value(t, "array_of_datatypes") != k("MPI_INT")+" "+k("MPI_DOUBLE") {
			t.Errorf("contents of a type: %v", ends)
		}
	})
}

func TestNullPointersAndErrorsAreTold(t *testing.T) {
	onBoth(t, func(t *testing.T, f flavour) {
		j := f.facts(t, 1, "wrong")
		var nulls, failed []string
		recs := j.recs[j.first(t, 0).PID]
		for i, x := range recs {
			if x.Kind != ring.Data || i+1 == len(recs) {
				continue
			}
			next := recs[i+1]
			switch ring.DataID(x.Func) {
			case ring.DataNull:
				fn := table.ByID(uint16(x.Words[0]))
				if next.Kind != ring.Enter || next.Func != fn.ID {
					t.Errorf("a null pointer of %s is told before %v", fn.Name, next)
				}
				nulls = append(nulls, fn.Name+" "+fn.Params[x.Words[1]].Name)
			case ring.DataError:
				fn := table.ByID(uint16(x.Words[0]))
				text, _ := x.text(2)
				if next.Kind != ring.Exit || next.Func != fn.ID || int32(next.Site) == 0 || x.Words[1] == 0 ||
					!strings.Contains(text, "MPI_ERR") && !strings.Contains(text, "nvalid") {
					t.Errorf("error of %s: class %d, %q, before %v", fn.Name, x.Words[1], text, next)
				}
				failed = append(failed, fn.Name)
			}
		}
		want := "MPI_Comm_size size, MPI_Isend request, MPI_Waitall array_of_requests, MPI_Type_contiguous newtype"
		if got := strings.Join(nulls, ", "); got != want {
			t.Errorf("null pointers:\n%s\nwant\n%s", got, want)
		}
		for _, name := range []string{"MPI_Type_create_struct", "MPI_Group_incl", "MPI_Send", "MPI_Comm_size",
			"MPI_Waitall"} {
			if !slices.Contains(failed, name) {
				t.Errorf("%s is not told to fail, only %v", name, failed)
			}
		}
		// A negative length is recorded as it is, and the array as empty.
		made := j.of(t, 0, ring.Enter, id("MPI_Type_create_struct"))[0]
		if made.value(t, "count") != "-1" || made.value(t, "array_of_types") != "" {
			t.Errorf("count %s, types %q", made.value(t, "count"), made.value(t, "array_of_types"))
		}
		groups := j.of(t, 0, ring.Enter, id("MPI_Group_incl"))
		if groups[0].value(t, "n") != "-2" || groups[0].value(t, "ranks") != "" {
			t.Errorf("a group of %q", groups[0].value(t, "ranks"))
		}
		// What MPI crashes of has been recorded before.
		j = f.facts(t, 1, "crash")
		last := j.of(t, 0, ring.Enter, id("MPI_Group_incl"))[0]
		told := j.data(t, 0, ring.DataNull)
		if last.value(t, "n") != "1" || last.value(t, "ranks") != "" || len(told) != 1 ||
			told[0].Words[0] != uint64(last.Func) || told[0].Words[1] != 2 {
			t.Errorf("before a crash: %v, null pointers %v", last, told)
		}
	})
}

func TestLimitsAndLayoutsAreTold(t *testing.T) {
	onBoth(t, func(t *testing.T, f flavour) {
		j := f.facts(t, 1, "limits")
		k := j.constants(t)
		w := j.data(t, 0, ring.DataLimits)[0].Words
		if w[0] < 32767 || fmt.Sprint(w[1]) != k("MPI_THREAD_FUNNELED") ||
			fmt.Sprint(w[2]) < k("MPI_THREAD_FUNNELED") || w[3] != 1 {
			t.Errorf("limits %d", w[:4])
		}
		layout := map[string]string{}
		for w := j.data(t, 0, ring.DataBasics)[0].Words; len(w) >= 4 && w[0] != 0; w = w[4:] {
			layout[fmt.Sprint(int64(w[0]))] = fmt.Sprint(w[1:4])
		}
		for name, want := range map[string]string{
			"MPI_CHAR": "[1 1 1]", "MPI_BYTE": "[1 1 1]", "MPI_SHORT": "[2 2 2]", "MPI_INT": "[4 4 4]",
			"MPI_DOUBLE":      "[8 8 8]",
			"MPI_LONG_DOUBLE": "[16 16 16]", "MPI_C_DOUBLE_COMPLEX": "[16 16 8]", "MPI_SHORT_INT": "[6 8 4]",
			"MPI_DOUBLE_INT": "[12 16 8]",
			"MPI_FLOAT_INT":  "[8 8 4]", "MPI_INTEGER": "[4 4 4]", "MPI_DOUBLE_PRECISION": "[8 8 8]",
			"MPI_OFFSET": "[8 8 8]",
		} {
			if got := layout[k(name)]; got != want {
				t.Errorf("size, extent and alignment of %s are %s, want %s", name, got, want)
			}
		}
		if k("MPI_UNWEIGHTED") == k("MPI_WEIGHTS_EMPTY") || k("MPI_ERRORS_RETURN") == k("MPI_ERRORS_ARE_FATAL") ||
			k("MPI_MODE_CREATE") == k("MPI_MODE_EXCL") {
			t.Error("constants that differ are told to be the same")
		}
	})
}

func TestAStatusThatTheProgramDoesNotWantIsToldAsSuch(t *testing.T) {
	onBoth(t, func(t *testing.T, f flavour) {
		j := f.facts(t, 3, "right", filepath.Join(t.TempDir(), "file"))
		says := func(v []uint64) string {
			return fmt.Sprint(v[0], mpi.StatusTag(v[1]), v[2], v[1]&mpi.StatusIgnored != 0)
		}
		var got []string
		for _, x := range j.of(t, 0, ring.Exit, id("MPI_Recv")) {
			got = append(got, says(x.Words))
		}
		for _, x := range j.of(t, 0, ring.Exit, id("MPI_Waitall")) {
			got = append(got, says(table.ByName("MPI_Waitall").Values("array_of_statuses", x.Words, false)[3:]))
		}
		if want := "0 5 4 false, 0 5 4 true, 0 5 4 false, 0 5 4 true"; strings.Join(got, ", ") != want {
			t.Errorf("statuses %v, want %s", got, want)
		}
	})
}
