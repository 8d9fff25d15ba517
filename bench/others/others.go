// Package others has programs that are not ours, as Debian packages them, for what is measured with real jobs.
package others

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
)

// Prepared is where scripts/apps/measured.sh puts their inputs, below the repository's root.
const Prepared = "build/measured"

// Program is a command, and the directory in which it finds its input.
type Program struct {
	Name, Dir string
	Command   []string
}

// All are these programs, with inputs in a directory. The error says how to prepare it.
func All(prepared string) ([]Program, error) {
	prepared, err := filepath.Abs(prepared)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(prepared); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: the programs of others are not there; hint: run scripts/apps/measured.sh", prepared)
	}
	openmpi := func(ranks int, command ...string) []string {
		return append([]string{"mpirun.openmpi", "-n", strconv.Itoa(ranks)}, command...)
	}
	water := func(steps string) []string {
		return openmpi(2, "gmx_mpi", "-quiet", "-nobackup", "mdrun", "-s", "water.tpr", "-ntomp", "1", "-pin", "off",
			"-nsteps", steps)
	}
	// Ranks that wait give the processor away, as there may be fewer than four. The testers of LU and LLT are left out:
	// PDLACON of ScaLAPACK 2.2.1 takes another branch on some ranks by what is on the stack, and they deadlock.
	tester := func(name string) []string {
		return openmpi(4, "--mca", "mpi_yield_when_idle", "1", "/usr/lib/x86_64-linux-gnu/scalapack/openmpi-tests/"+name)
	}
	list := []Program{
		{"LAMMPS, melt, 2 ranks", "lammps", openmpi(2, "lmp", "-in", "in.melt", "-log", "none")},
		{"HPCC, 2 ranks", "hpcc", openmpi(2, "hpcc")},
		{"NetPIPE, 2 ranks", "netpipe", openmpi(2, "NPopenmpi", "-u", "65536", "-n", "500")},
		{"GROMACS, box of water, 2 ranks", "gromacs", water("1000")},
		{"GROMACS, box of water, ten times as long", "gromacs", water("10000")},
		{"ScaLAPACK, QR, 4 ranks", "scalapack", tester("xdqr")},
		{"ScaLAPACK, tridiagonal form, 4 ranks", "scalapack", tester("xdtrd")},
		{"ScaLAPACK, symmetric eigenproblem, 4 ranks", "scalapack", tester("xdsep")},
		{"ScaLAPACK, least squares, 4 ranks", "scalapack", tester("xdls")},
	}
	for i := range list {
		list[i].Dir = filepath.Join(prepared, list[i].Dir)
	}
	return list, nil
}
