package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"unknot/internal/observe/launch"
	"unknot/internal/observe/probe"
	"unknot/internal/observe/record"
	"unknot/internal/supervise"
)

const probeHelp = `usage: unknot probe build [-o DIR] [--mpicc PATH]

Compiles the probes for the MPI libraries of this machine into the cache, where unknot run finds them, and the recorders
of unknot record. With -o, compiles those for one library into DIR. Set UNKNOT_PROBE_DIR to DIR on machines without a
compiler.

    unknot probe build
    unknot probe build -o /shared/unknot-probes --mpicc mpicc.mpich

{options}
`

func probeCommand() *cobra.Command {
	dir, mpicc := "", ""
	define := func(f options) {
		f.output(&dir, "DIR", "where to put the probe (default: the cache)")
		f.compiler(&mpicc)
	}
	c, f := verb("probe", "build [-o DIR] [--mpicc PATH]", "prepare probes, also for machines without a compiler",
		probeHelp)
	define(f)
	c.RunE = does(func(ctx context.Context, args []string, stdout, stderr io.Writer) int {
		if dir == "" || len(args) > 0 {
			return fail(stderr, "probe: expected `probe build`; hint: `unknot help probe`")
		}
		return buildProbe(ctx, dir, mpicc, args, stdout, stderr)
	})
	build, f := verb("build", "[-o DIR] [--mpicc PATH]", "compile the probes for MPI libraries", "")
	define(f)
	build.ValidArgsFunction = cobra.NoFileCompletions
	build.RunE = does(func(ctx context.Context, args []string, stdout, stderr io.Writer) int {
		return buildProbe(ctx, dir, mpicc, args, stdout, stderr)
	})
	c.AddCommand(build)
	return c
}

func buildProbe(ctx context.Context, dir, mpicc string, args []string, stdout, stderr io.Writer) int {
	if len(args) > 0 {
		return fail(stderr, "probe build: unexpected %s; hint: `unknot help probe`", args[0])
	}
	if dir == "" {
		return cacheProbes(ctx, mpicc, stdout, stderr)
	}
	path, err := filepath.Abs(dir)
	if err != nil {
		return fail(stderr, "probe build: %v", err)
	}
	p, err := probe.Prebuild(ctx, mpicc, path)
	if err != nil {
		complain(stderr, err)
		return supervise.ExitTool
	}
	fmt.Fprintf(stdout, "%s: %s (%s)\n", p.Path, p.MPI, p.Soname)
	if p, err = record.Prebuild(ctx, mpicc, path); err != nil {
		complain(stderr, err)
		return supervise.ExitTool
	}
	fmt.Fprintf(stdout, "%s: the recorder\n", p.Path)
	return 0
}

// cacheProbes makes those that are not in the cache: for all compiler wrappers that are found, or for one.
func cacheProbes(ctx context.Context, mpicc string, stdout, stderr io.Writer) (status int) {
	wrappers := []string{mpicc}
	if mpicc == "" {
		wrappers = launch.Wrappers()
	}
	if len(wrappers) == 0 {
		return fail(stderr, "probe build: no mpicc in PATH; hint: install the development package of your MPI")
	}
	for _, w := range wrappers {
		p, err := probe.Build(ctx, probe.Options{MPICC: w, Say: supervise.NewStatus(os.Stderr).Say})
		if err != nil {
			complain(stderr, err)
			status = supervise.ExitTool
			continue
		}
		fmt.Fprintf(stdout, "%s: %s (%s)\n", p.Path, p.MPI, p.Soname)
		if p, err = record.Build(ctx, probe.Options{MPICC: w, Say: supervise.NewStatus(os.Stderr).Say}); err != nil {
			complain(stderr, err)
			status = supervise.ExitTool
			continue
		}
		fmt.Fprintf(stdout, "%s: the recorder\n", p.Path)
	}
	return status
}
