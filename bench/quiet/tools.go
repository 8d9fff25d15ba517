package quiet

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Median is that of a list, which is not empty and stays as it is.
func Median(list []float64) float64 {
	list = slices.Clone(list)
	slices.Sort(list)
	return (list[(len(list)-1)/2] + list[len(list)/2]) / 2
}

// MedianOf is the median of a number that each item of a list has. The list is not empty.
func MedianOf[T any](list []T, number func(T) float64) float64 {
	var numbers []float64
	for _, item := range list {
		numbers = append(numbers, number(item))
	}
	return Median(numbers)
}

// Numbers are those of a list with commas between them, such as an option has.
func Numbers(list string) (numbers []int, err error) {
	for word := range strings.SplitSeq(list, ",") {
		n, err := strconv.Atoi(word)
		if err != nil || n < 1 {
			return nil, fmt.Errorf("%q: expected numbers from 1 on with commas between them", list)
		}
		numbers = append(numbers, n)
	}
	return numbers, nil
}

// Unknot builds unknot in a directory, and returns its path. It must be called in the repository's root.
func Unknot(ctx context.Context, dir string) (string, error) {
	path := filepath.Join(dir, "unknot")
	return path, Do(ctx, "go", "build", "-trimpath", "-o", path, "./cmd/unknot")
}

// Jobs are settings with which Open MPI runs jobs as root and with more ranks than cores.
func Jobs() []string {
	return []string{"OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
		"OMPI_MCA_rmaps_base_oversubscribe=1"}
}

// Aligned are the compiler's options that begin loops and functions with a line of the processor's cache. Where a loop
// falls without them depends on all the code before it, and the same loop may take a third longer.
func Aligned() []string { return []string{"-falign-loops=64", "-falign-functions=64"} }

// Crowded are settings for jobs with many more ranks than cores: beyond Jobs, ranks that wait give the processor away,
// and neither library looks for devices.
func Crowded() []string {
	return append(Jobs(), "OMPI_MCA_mpi_yield_when_idle=1", "HWLOC_COMPONENTS=-pci,-linuxio",
		"HWLOC_PLUGINS_PATH=/nonexistent", "UCX_TLS=self,posix,sysv,cma")
}

// Polite builds in a directory what has ranks give the processor away while they wait, also those of MPICH, which have no
// setting for it: LD_PRELOAD names it. It must be called in the repository's root.
func Polite(ctx context.Context, dir string) (string, error) {
	path := filepath.Join(dir, "polite.so")
	return path, Do(ctx, "gcc", "-std=gnu11", "-O2", "-shared", "-fPIC", "-o", path,
		"internal/test/testkit/csrc/polite.c")
}

// Do runs a command that prints something only if it fails.
func Do(ctx context.Context, name string, args ...string) error {
	out, err := exec.CommandContext(ctx, name, args...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, out)
	}
	return nil
}
