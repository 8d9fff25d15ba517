//go:build !quick

package hosted

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"unknot/internal/observe/probe"
	"unknot/internal/test/testkit"
)

// atATime is how many tests run at a time: they mostly wait for what was cut, stopped or killed.
const atATime = "3"

// TestMain builds the probes of both MPI libraries where the hosts look for them: tests that run side by side would
// otherwise each do so.
func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("test.parallel", atATime); err != nil {
		panic(err)
	}
	for _, mpi := range testkit.Both() {
		o := probe.Options{MPICC: "mpicc." + mpi, CacheDir: filepath.Join(cache(), "unknot")}
		if _, err := probe.Build(context.Background(), o); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	os.Exit(m.Run())
}
