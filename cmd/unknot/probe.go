package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"unknot/internal/probe"
)

const probeHelp = `usage: unknot probe build -o DIR [--mpicc PATH]

Compiles the probe for an MPI library into DIR. Set UNKNOT_PROBE_DIR to DIR on machines without a compiler.

    unknot probe build -o /shared/unknot-probes --mpicc mpicc.mpich
`

func probeCommand(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	f := newFlags("probe", probeHelp, stdout)
	if len(args) > 0 && args[0] == "build" {
		args = args[1:]
	} else if len(args) == 0 || !strings.HasPrefix(args[0], "-") {
		return fail(stderr, "probe: expected `probe build -o DIR`; hint: `unknot help probe`")
	}
	dir := f.String("o", "", "")
	mpicc := f.String("mpicc", "", "")
	if status, ok := parse(f, args, stderr); !ok {
		return status
	}
	if *dir == "" || f.NArg() > 0 {
		return fail(stderr, "probe build: expected -o DIR and nothing else; hint: `unknot help probe`")
	}
	path, err := filepath.Abs(*dir)
	if err != nil {
		return fail(stderr, "probe build: %v", err)
	}
	p, err := probe.Prebuild(ctx, *mpicc, path)
	if err != nil {
		complain(stderr, err)
		return 3
	}
	fmt.Fprintf(stdout, "%s: %s (%s)\n", p.Path, p.MPI, p.Soname)
	return 0
}
