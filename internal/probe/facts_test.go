package probe

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"unknot/internal/probe/mpiapi"
	"unknot/internal/ring"
)

// facts starts testdata/arguments.c and reads it to its end.
func (f flavour) facts(t *testing.T, n int, args ...string) *job {
	t.Helper()
	text, err := os.ReadFile("testdata/arguments.c")
	if err != nil {
		t.Fatal(err)
	}
	j := f.launch(t, 4096, n, append([]string{f.compile(t, string(text))}, args...)...)
	if code := j.finish(t); code != 0 {
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
	err := f.Walk(r.Words, r.Kind == ring.Enter, func(p *mpiapi.Param, v []uint64) {
		if p.Name != name {
			return
		}
		found = true
		if p.Kind == mpiapi.KStr {
			out = mpiapi.Text(v)
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
			{0, "MPI_Type_create_struct", 0, "count=2;array_of_blocklengths=1 2;array_of_displacements=0 8;array_of_types=" + i + " " + d},
			{0, "MPI_Type_create_resized", 0, "lb=-8;extent=48"},
			{0, "MPI_Type_create_subarray", 0, "ndims=2;array_of_sizes=4 6;array_of_subsizes=2 3;array_of_starts=1 0;oldtype=" + i + ";order=" + k("MPI_ORDER_C")},
			{0, "MPI_Type_create_darray", 0, "size=3;rank=1;array_of_gsizes=12;array_of_psizes=3;array_of_distribs=" + k("MPI_DISTRIBUTE_BLOCK") + ";array_of_dargs=" + k("MPI_DISTRIBUTE_DFLT_DARG")},
			{0, "MPI_Type_create_hvector", 0, "count=2;blocklength=3;stride=-40"},
			{0, "MPI_Alltoallw", 0, "sendcounts=1;sdispls=0;sendtypes=" + i + ";recvcounts=1;rdispls=0;recvtypes=" + i + ";comm=" + k("MPI_COMM_SELF")},
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
			{0, "MPI_Neighbor_alltoallw", 0, "sendcounts=0 0 0 0;sdispls=0 0 0 0;recvtypes=" + strings.Join([]string{i, i, i, i}, " ")},
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

// Each pair is a call that makes something and one that gets or frees it: the same handle or number is told by both.
func TestObjectsAreToldWhenTheyAreMadeAndFreed(t *testing.T) {
	onBoth(t, func(t *testing.T, f flavour) {
		j := f.facts(t, 1, "right", filepath.Join(t.TempDir(), "file"))
		_ = j
	})
}
