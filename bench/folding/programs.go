package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

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
	if _, err := os.Stat(b.prepared); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: the programs of others are not there; hint: run scripts/apps/measured.sh",
			b.prepared)
	}
	openmpi := func(ranks int, command ...string) []string {
		return append([]string{"mpirun.openmpi", "-n", strconv.Itoa(ranks)}, command...)
	}
	water := func(steps string) []string {
		return openmpi(2, "gmx_mpi", "-quiet", "-nobackup", "mdrun", "-s", "water.tpr", "-ntomp", "1", "-pin", "off",
			"-nsteps", steps)
	}
	testers := "/usr/lib/x86_64-linux-gnu/scalapack/openmpi-tests/"
	for _, p := range []program{
		{"LAMMPS, melt, 2 ranks", "lammps", openmpi(2, "lmp", "-in", "in.melt", "-log", "none"), nil},
		{"HPCC, 2 ranks", "hpcc", openmpi(2, "hpcc"), nil},
		{"NetPIPE, 2 ranks", "netpipe", openmpi(2, "NPopenmpi", "-u", "65536", "-n", "500"), nil},
		{"GROMACS, box of water, 2 ranks", "gromacs", water("1000"), nil},
		{"GROMACS, box of water, ten times as long", "gromacs", water("10000"), nil},
		{"ScaLAPACK, LU, 4 ranks", "scalapack", openmpi(4, testers+"xdlu"), nil},
		{"ScaLAPACK, LLT, 4 ranks", "scalapack", openmpi(4, testers+"xdllt"), nil},
		{"ScaLAPACK, symmetric eigenproblem, 4 ranks", "scalapack", openmpi(4, testers+"xdsep"), nil},
		{"ScaLAPACK, least squares, 4 ranks", "scalapack", openmpi(4, testers+"xdls"), nil},
	} {
		p.dir = filepath.Join(b.prepared, p.dir)
		list = append(list, p)
	}
	return list, nil
}
