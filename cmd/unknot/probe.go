package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"unknot/internal/observe/probe"
)

const probeHelp = `usage: unknot probe build -o DIR [--mpicc PATH]

Compiles the probe for an MPI library into DIR. Set UNKNOT_PROBE_DIR to DIR on machines without a compiler.

    unknot probe build -o /shared/unknot-probes --mpicc mpicc.mpich

{options}
`

func probeCommand() *cobra.Command {
	dir, mpicc := "", ""
	define := func(f options) {
		f.output(&dir, "DIR", "where to put the probe")
		f.compiler(&mpicc)
	}
	c, f := verb("probe", "build -o DIR [--mpicc PATH]", "prepare probes for machines without a compiler", probeHelp)
	define(f)
	c.RunE = does(func(ctx context.Context, args []string, stdout, stderr io.Writer) int {
		if dir == "" || len(args) > 0 {
			return fail(stderr, "probe: expected `probe build -o DIR`; hint: `unknot help probe`")
		}
		return buildProbe(ctx, dir, mpicc, args, stdout, stderr)
	})
	build, f := verb("build", "-o DIR [--mpicc PATH]", "compile the probe for an MPI library", "")
	define(f)
	build.ValidArgsFunction = cobra.NoFileCompletions
	build.RunE = does(func(ctx context.Context, args []string, stdout, stderr io.Writer) int {
		return buildProbe(ctx, dir, mpicc, args, stdout, stderr)
	})
	c.AddCommand(build)
	return c
}

func buildProbe(ctx context.Context, dir, mpicc string, args []string, stdout, stderr io.Writer) int {
	if dir == "" || len(args) > 0 {
		return fail(stderr, "probe build: expected -o DIR and nothing else; hint: `unknot help probe`")
	}
	path, err := filepath.Abs(dir)
	if err != nil {
		return fail(stderr, "probe build: %v", err)
	}
	p, err := probe.Prebuild(ctx, mpicc, path)
	if err != nil {
		complain(stderr, err)
		return 3
	}
	fmt.Fprintf(stdout, "%s: %s (%s)\n", p.Path, p.MPI, p.Soname)
	return 0
}
