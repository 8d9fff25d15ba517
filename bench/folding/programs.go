package main

import (
	"fmt"
	"path/filepath"
	"strconv"

	"unknot/bench/others"
	"unknot/bench/quiet"
)

// program is a command, and the directory in which it finds its input.
type program struct {
	name, dir string
	command   []string
	options   []string // of unknot run
}

// programs are those that are measured: some of bench/workloads, with both MPI libraries, then those of others.
func (b *bench) programs() ([]program, error) {
	var list []program
	for _, mpi := range []struct{ name, suffix string }{{"Open MPI", "openmpi"}, {"MPICH", "mpich"}} {
		for _, w := range []struct {
			what, source string
			ranks        int
			args         []string
			options      []string
		}{
			{"exchange (MPI_Isend, MPI_Recv, MPI_Wait)", "exchange", 2, []string{"300000", "three"}, nil},
			{"exchange (MPI_Isend, MPI_Recv, MPI_Wait), an agent for each rank", "exchange", 2,
				[]string{"300000", "three"}, []string{"--ranks-per-agent=1"}},
			{"exchange (MPI_Sendrecv)", "exchange", 2, []string{"500000", "one"}, nil},
			{"alternating, 10 calls each", "alternate", 2, []string{"300000", "10"}, nil},
			{"alternating, 100 calls each", "alternate", 2, []string{"300000", "100"}, nil},
			{"alternating, 1,000 calls each", "alternate", 2, []string{"300000", "1000"}, nil},
			{"CG", "cg", 2, []string{"400"}, nil}, {"FT", "ft", 2, []string{"8"}, nil},
			{"MG", "mg", 2, []string{"16"}, nil}, {"IS", "is", 2, []string{"20"}, nil},
		} {
			binary := filepath.Join(b.dir, w.source+"."+mpi.suffix)
			if err := quiet.Do(b.ctx, "mpicc."+mpi.suffix, "-std=gnu11", "-g", "-O2", "-o", binary,
				"bench/workloads/"+w.source+".c", "-lm"); err != nil {
				return nil, err
			}
			command := append([]string{"mpirun." + mpi.suffix, "-n", strconv.Itoa(w.ranks), binary}, w.args...)
			list = append(list, program{fmt.Sprintf("%s, %d ranks, %s", w.what, w.ranks, mpi.name), b.dir,
				command, w.options})
		}
	}
	real, err := others.All(b.prepared)
	if err != nil {
		return nil, err
	}
	for _, p := range real {
		list = append(list, program{p.Name, p.Dir, p.Command, nil})
	}
	return list, nil
}
