package main

import (
	"os"
	"path/filepath"
	"strconv"

	"unknot/bench/others"
	"unknot/bench/quiet"
)

// program is a command, and the directory whose content it needs; "" for none.
type program struct {
	name, needs string
	command     []string
}

// build compiles the programs of bench/workloads for both MPI libraries, and adds those of others.
func (b *bench) build() error {
	for _, mpi := range [][2]string{{"Open MPI", "openmpi"}, {"MPICH", "mpich"}} {
		for _, w := range []struct {
			what, source string
			ranks        int
			args         []string
		}{
			{"ring", "exchange", 4, []string{"400000", "three"}},
			{"allreduce", "calls", 4, []string{"300000", "allreduce"}},
			{"polls", "calls", 2, []string{"2000000", "poll"}},
			{"CG-like kernel", "cg", 4, []string{"2000"}}, {"FT-like kernel", "ft", 2, []string{"40"}},
			{"MG-like kernel", "mg", 2, []string{"200"}}, {"IS-like kernel", "is", 4, []string{"100"}},
			{"stencil, MPI_Win_fence", "onesided", 2, []string{"fence", "100000"}},
			{"stencil, MPI_Win_lock", "onesided", 2, []string{"lock", "100000"}},
			{"stencil, MPI_Win_flush_all", "onesided", 2, []string{"flush", "100000"}},
			{"stencil, MPI_Win_post", "onesided", 2, []string{"post", "100000"}},
		} {
			binary := filepath.Join(b.dir, w.source+"."+mpi[1])
			if _, err := os.Stat(binary); err != nil {
				if err := quiet.Do(b.ctx, "mpicc."+mpi[1], "-std=gnu11", "-g", "-O2", "-o", binary,
					"bench/workloads/"+w.source+".c", "-lm"); err != nil {
					return err
				}
			}
			command := append([]string{"mpirun." + mpi[1], "-n", strconv.Itoa(w.ranks), binary}, w.args...)
			b.programs = append(b.programs, program{w.what + ", " + mpi[0], "", command})
		}
	}
	real, err := others.All(others.Prepared)
	for _, p := range real {
		b.programs = append(b.programs, program{p.Name, p.Dir, p.Command})
	}
	return err
}
