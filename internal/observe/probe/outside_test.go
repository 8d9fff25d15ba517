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
)

const early = `#include <mpi.h>
#include <string.h>
int main(int argc, char **argv) {
    int flag, version, sub, size, rank;
    MPI_Info info, more;
    MPI_Initialized(&flag);
    MPI_Get_version(&version, &sub);
    if (strcmp(argv[1], "before") == 0) MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (strcmp(argv[1], "finalize") == 0) MPI_Finalize();
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Info_create(&info);
    MPI_Info_create(&more);
    if (strcmp(argv[1], "again") == 0 && rank == 1) MPI_Init(&argc, &argv);
    MPI_Finalize();
    MPI_Finalized(&flag);
    if (strcmp(argv[1], "info") == 0 && rank == 1) {
        MPI_Info_free(&info);
        MPI_Info_free(&more);
    }
    if (strcmp(argv[1], "after") == 0 && rank == 1) MPI_Barrier(MPI_COMM_WORLD);
    if (strcmp(argv[1], "reinit") == 0 && rank == 1) MPI_Init_thread(&argc, &argv, MPI_THREAD_SINGLE, &version);
    return 0;
}`

func TestCallsOutsideOfMPIsLifeAreTold(t *testing.T) {
	onBoth(t, func(t *testing.T, f flavour) {
		program := f.compile(t, early)
		for _, c := range []struct{ how, want string }{
			{"none", ""},
			{"before", "before MPI_Comm_size -1"},
			{"finalize", "before MPI_Finalize -1"},
			{"again", "again MPI_Init 1"},
			{"after", "after MPI_Barrier 1"},
			{"info", "freed MPI_Info_free 1"},
			{"reinit", "after MPI_Init_thread 1"},
		} {
			t.Run(c.how, func(t *testing.T) {
				j := f.launch(t, 512, 2, program, c.how)
				j.finish(t)
				lines := j.outside(t)
				got := strings.Join(slices.Compact(lines), ", ")
				if got != c.want {
					t.Errorf("told %q, want %q\n%s", got, c.want, j.out.String())
				}
			})
		}
	})
}

// outside is what the job's processes have left about calls outside of MPI's life: when, function and rank. Each must
// have a site that its process's maps have.
func (j *job) outside(t *testing.T) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(j.session.Dir, ring.OutsidePrefix+"*"))
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, name := range names {
		if strings.HasSuffix(name, ring.MapsSuffix) {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		maps, err := os.ReadFile(name + ring.MapsSuffix)
		if err != nil || !strings.Contains(string(maps), "r-xp") {
			t.Errorf("%s: maps of %d bytes, %v", name, len(maps), err)
		}
		for line := range strings.Lines(string(text)) {
			var when, function string
			var fn, rank int
			var site, ended uint64
			if _, err := fmt.Sscanf(line, "%s %d %s 0x%x %d 0x%x", &when, &fn, &function, &site, &rank,
				&ended); err != nil {
				t.Fatalf("%q: %v", line, err)
			}
			callers := strings.Fields(line)[6:]
			if len(callers) == 0 || slices.Contains(callers, "0x0") {
				t.Errorf("%q: called from %q, expected who has called main at least", line, callers)
			}
			if (ended != 0) != (when == "after" || when == "freed") {
				t.Errorf("%q: MPI was finalised at %#x", line, ended)
			}
			if f := table.ByID(uint16(fn)); f == nil || f.Name != function || site == 0 {
				t.Errorf("%q: function %d at %#x", line, fn, site)
			}
			lines = append(lines, fmt.Sprint(when, " ", function, " ", rank))
		}
	}
	return lines
}
