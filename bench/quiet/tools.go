package quiet

import (
	"context"
	"fmt"
	"os/exec"
	"slices"
	"strings"
)

// Median is that of a list, which is not empty and stays as it is.
func Median(list []float64) float64 {
	list = slices.Clone(list)
	slices.Sort(list)
	return (list[(len(list)-1)/2] + list[len(list)/2]) / 2
}

// Do runs a command that prints something only if it fails.
func Do(ctx context.Context, name string, args ...string) error {
	out, err := exec.CommandContext(ctx, name, args...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, out)
	}
	return nil
}
