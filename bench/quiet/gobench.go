package quiet

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
)

// GoBench runs Go benchmarks of a package, count times each, and returns what they print. The environment is ours and
// env.
func GoBench(ctx context.Context, pkg, pattern, benchtime string, count int, env ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", "test", "-run", "^$", "-bench", pattern, "-benchtime", benchtime,
		"-count", strconv.Itoa(count), "-timeout", "30m", pkg)
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("go test -bench %s %s: %w %.200s", pattern, pkg, err, out)
	}
	return string(out), nil
}

// Metric returns a metric of what GoBench returned, by the benchmark's name.
func Metric(out, metric string) (map[string][]float64, error) {
	got := make(map[string][]float64)
	for l := range strings.Lines(out) {
		f := strings.Fields(l)
		if len(f) < 4 || !strings.HasPrefix(f[0], "Benchmark") {
			continue
		}
		name, _, _ := strings.Cut(strings.TrimPrefix(f[0], "Benchmark"), "-"+strconv.Itoa(runtime.GOMAXPROCS(0)))
		for k := 3; k < len(f); k += 2 {
			if f[k] != metric {
				continue
			}
			v, err := strconv.ParseFloat(f[k-1], 64)
			if err != nil {
				return nil, fmt.Errorf("go test -bench printed %q: %w", l, err)
			}
			got[name] = append(got[name], v)
		}
	}
	return got, nil
}
