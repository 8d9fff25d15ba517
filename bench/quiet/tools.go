package quiet

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Median is that of a list, which is not empty and stays as it is.
func Median(list []float64) float64 {
	list = slices.Clone(list)
	slices.Sort(list)
	return (list[(len(list)-1)/2] + list[len(list)/2]) / 2
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

// Do runs a command that prints something only if it fails.
func Do(ctx context.Context, name string, args ...string) error {
	out, err := exec.CommandContext(ctx, name, args...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, out)
	}
	return nil
}
