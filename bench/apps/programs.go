package main

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Case is one program with its arguments, to be run plain and watched.
type Case struct {
	Group, Name, MPI string
	Dir              string
	Env              []string
	Command          []string
	Full             []string // Command with more ranks, for programs that fail with few
	// Shared is what only one case at a time may use, "" for nothing.
	Shared string
	// Output is a file in Dir that the program writes its results to, besides standard output.
	Output string
	// Keep, if set, matches the lines of the output that must be the same; what it leaves out is timings. Of a line
	// only the first group counts, if there is one.
	Keep *regexp.Regexp
}

var (
	openmpi = []string{"mpirun.openmpi"}
	mpich   = []string{"mpiexec.mpich"}
)

// plan lists all cases, and what could not be had.
func plan(dir string) (cases []Case, missing []string, err error) {
	// The thermodynamic state at every fiftieth step.
	cases = append(cases, Case{Group: "LAMMPS", Name: "LAMMPS melt", MPI: "Open MPI", Dir: filepath.Join(dir, "lammps"),
		Command: append(openmpi[:1:1], "-n", "4", "lmp", "-in", "in.melt", "-log", "none"),
		Keep:    regexp.MustCompile(`^( +\d+ +[-\d.]+ .*)$`)})
	cases = append(cases, Case{Group: "HPCC", Name: "HPCC", MPI: "Open MPI", Dir: filepath.Join(dir, "hpcc"),
		Command: append(openmpi[:1:1], "-n", "4", "hpcc"), Output: "hpccoutf.txt",
		Keep: regexp.MustCompile(
			`^(.*PASSED|.*FAILED|Success=.*|HPL_N=.*|.*_n=.*|.*_N=.*|.*errors?=.*|.*Failures=.*)$`)})
	sizes := regexp.MustCompile(`^ *\d+: +(\d+) bytes`)
	cases = append(cases,
		Case{Group: "NetPIPE", Name: "NetPIPE", MPI: "Open MPI", Dir: filepath.Join(dir, "netpipe"), Keep: sizes,
			Command: append(openmpi[:1:1], "-n", "2", "NPopenmpi", "-u", "65536", "-n", "50")},
		Case{Group: "NetPIPE", Name: "NetPIPE, both directions", MPI: "Open MPI", Dir: filepath.Join(dir, "netpipe"),
			Keep:    sizes,
			Command: append(openmpi[:1:1], "-n", "2", "NPopenmpi", "-u", "16384", "-n", "50", "-a", "-2")},
		Case{Group: "NetPIPE", Name: "NetPIPE", MPI: "MPICH", Dir: filepath.Join(dir, "netpipe"), Keep: sizes,
			Command: append(mpich[:1:1], "-n", "2", "NPmpich2", "-u", "65536", "-n", "50")})
	// Six processes, which are no power of two: only then the BLACS use all their ways of combining.
	combine := filepath.Join(dir, "scalapack")
	cases = append(cases,
		Case{Group: "ScaLAPACK", Name: "ScaLAPACK combine", MPI: "Open MPI", Dir: combine,
			Command: append(openmpi[:1:1], "-n", "6", "./combine.openmpi")},
		Case{Group: "ScaLAPACK", Name: "ScaLAPACK combine", MPI: "MPICH", Dir: combine,
			Command: append(mpich[:1:1], "-n", "6", "./combine.mpich")})
	cases = append(cases, Case{Group: "mpi4py", Name: "mpi4py exercise", MPI: "Open MPI", Dir: dir,
		Command: append(openmpi[:1:1], "-n", "4", "/usr/bin/python3", "exercise.py")})
	// Programs of the package itself; the number of loops is kept, their time is not.
	cases = append(cases,
		Case{Group: "mpi4py", Name: "mpi4py.bench helloworld", MPI: "Open MPI", Dir: dir,
			Command: append(openmpi[:1:1], "-n", "4", "/usr/bin/python3", "-m", "mpi4py.bench", "helloworld")},
		Case{Group: "mpi4py", Name: "mpi4py.bench ringtest", MPI: "Open MPI", Dir: dir,
			Keep: regexp.MustCompile(`^(time for \d+ loops)`),
			Command: append(openmpi[:1:1], "-n", "4", "/usr/bin/python3", "-m", "mpi4py.bench", "ringtest",
				"-l", "2000")})
	tests := filepath.Join(dir, "mpi4py", "test")
	if _, err := os.Stat(filepath.Join(tests, "runtests.py")); err == nil {
		cases = append(cases, Case{Group: "mpi4py", Name: "mpi4py test suite", MPI: "Open MPI", Dir: tests,
			Command: append(openmpi[:1:1], "-n", "4", "/usr/bin/python3", "runtests.py", "-e", "spawn",
				"-e", "dynproc"),
			Keep: regexp.MustCompile(`^(FAILED.*|OK.*|ERROR.*|FAIL:.*)$`)})
	} else {
		missing = append(missing, "the mpi4py test suite: its Debian source package could not be fetched")
	}
	source := filepath.Join(dir, "mpich", "test", "mpi")
	var suites [2][]Case
	for i, s := range []struct {
		mpi, build string
		launcher   []string
	}{{"MPICH", "suite-mpich", mpich}, {"Open MPI", "suite-openmpi", openmpi}} {
		of, unbuilt, err := suite(s.mpi, filepath.Join(dir, s.build), source, s.launcher)
		if err != nil {
			return nil, nil, err
		}
		suites[i] = of
		if len(unbuilt) > 0 {
			missing = append(missing, fmt.Sprintf("%d tests of the suite on %s, which were not built: %s", len(unbuilt),
				s.mpi, strings.Join(unbuilt, ", ")))
		}
	}
	// In an order that mixes everything, so that a run that is cut short has seen some of all.
	spread := slices.Concat(suites[0], suites[1])
	slices.SortFunc(spread, func(a, b Case) int { return cmp.Compare(spot(a), spot(b)) })
	return append(cases, spread...), missing, nil
}

func spot(c Case) uint64 {
	h := fnv.New64a()
	h.Write([]byte(c.Name))
	return h.Sum64()
}
