package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"unknot/bench/quiet"
)

// ranksOfAProgram is how many each has.
const ranksOfAProgram = 16

// subject is a program, and what it resembles of SPEC MPI2007.
type subject struct {
	name, like, workload string
	args                 []string
	// others' programs
	dir     string
	command []string
}

func subjects() []subject {
	testers := "/usr/lib/x86_64-linux-gnu/scalapack/openmpi-tests/"
	return []subject{
		{name: "field", like: "107.leslie3d, 121.pop2: stencil, a norm each step", workload: "field", args: []string{"400"}},
		{name: "lattice", like: "104.milc, 142.dmilc: lattice field theory", workload: "lattice", args: []string{"4"}},
		{name: "molecules", like: "126.lammps: molecular dynamics", workload: "molecules", args: []string{"150"}},
		{name: "molecules, MPI_Send", like: "126.lammps, with its unsafe sends", workload: "molecules",
			args: []string{"150", "send"}},
		{name: "rays", like: "122.tachyon: a master and workers", workload: "rays", args: []string{"500"}},
		{name: "wavefront", like: "137.lu: pipelined sweeps of small messages", workload: "wavefront",
			args: []string{"200"}},
		{name: "cg", like: "128.GAPgeofem: conjugate gradients", workload: "cg", args: []string{"150"}},
		{name: "mg", like: "NPB MG: multigrid", workload: "mg", args: []string{"20"}},
		{name: "is", like: "NPB IS: all-to-all", workload: "is", args: []string{"6"}},
		{name: "stencil", like: "132.zeusmp2: stencil in two dimensions", workload: "stencil", args: []string{"2000"}},
		{name: "LAMMPS, melt", like: "126.lammps itself", dir: "lammps",
			command: []string{"lmp", "-in", "in.melt", "-log", "none"}},
		{name: "HPCC", like: "HPL, FFT, random access and others", dir: "hpcc", command: []string{"hpcc"}},
		{name: "GROMACS, box of water", like: "molecular dynamics", dir: "gromacs", command: strings.Fields(
			"gmx_mpi -quiet -nobackup mdrun -s water.tpr -ntomp 1 -pin off -nsteps 200")},
		{name: "ScaLAPACK, LU", like: "dense algebra", dir: "scalapack", command: []string{testers + "xdlu"}},
	}
}

func programsPart() part {
	return part{
		name: "programs", heading: "## Programs with 16 ranks",
		about: func(b *bench) string {
			return fmt.Sprintf("SPEC MPI2007 cannot be had; these do what\n"+
				"its programs do. Those of `bench/must/programs` and `bench/workloads` compute for a known result, "+
				"and check it; the last ones are Debian's packages. Plain and watched runs in turns,\n"+
				"%d pairs; the slow-down is the median of the pairs', behind it their range. Times are those of the "+
				"slowest rank, of Debian's programs those of the whole run. Ranks that wait give the processor away.",
				b.pairs)
		},
		tables: []table{{
			head: "| program | library | like | plain | watched | slow-down | range |", keys: 2,
			rows: func(b *bench) (rows []row, err error) {
				for _, s := range subjects() {
					for _, l := range libraries() {
						if s.command != nil && l.suffix != "openmpi" {
							continue
						}
						rows = append(rows, row{s.name + " | " + l.name,
							func() (string, error) { return b.subject(&s, l) }})
					}
				}
				return rows, nil
			},
			below: distribution,
		}},
	}
}

func (b *bench) subject(s *subject, l library) (string, error) {
	j := b.ranks(l, ranksOfAProgram, s.workload, s.args...)
	if s.command != nil {
		j.dir = filepath.Join(b.prepared, s.dir)
		if _, err := os.Stat(j.dir); err != nil {
			return "", fmt.Errorf("%w; hint: run scripts/apps/measured.sh", err)
		}
		j.argv = append([]string{"mpirun." + l.suffix, "-n", strconv.Itoa(ranksOfAProgram)}, s.command...)
	}
	j.limit = 2 * time.Minute
	all, err := b.inTurns(b.pairs, func(watch bool) (once, error) {
		if watch {
			return b.once(b.watched(j))
		}
		return b.once(j)
	})
	if err != nil {
		return "", err
	}
	var ratios []float64
	for _, p := range all {
		ratios = append(ratios, ratio(p))
	}
	return fmt.Sprintf("%s | %.2f s | %.2f s | %.2f | %.2f to %.2f", s.like, quiet.MedianOf(all, plainSeconds),
		quiet.MedianOf(all, watchedSeconds), quiet.Median(ratios), slices.Min(ratios), slices.Max(ratios)), nil
}

var slowdown = regexp.MustCompile(` s \| [0-9.]+ s \| ([0-9.]+) \| [0-9.]+ to `)

// distribution says of all programs how much slower they are.
func distribution(lines []string) string {
	var ratios []float64
	for _, l := range lines {
		if m := slowdown.FindStringSubmatch(l); m != nil {
			n, err := strconv.ParseFloat(m[1], 64)
			if err == nil {
				ratios = append(ratios, n)
			}
		}
	}
	if len(ratios) == 0 {
		return "Nothing was measured."
	}
	sum := 0.0
	for _, r := range ratios {
		sum += r
	}
	return fmt.Sprintf("Of %d rows the least slow-down is %.2f, the median %.2f, the mean %.2f and the largest "+
		"%.2f. The paper's mean is 1.34, at 2,048 processes, without 126.lammps and 128.GAPgeofem.", len(ratios),
		slices.Min(ratios), quiet.Median(ratios), sum/float64(len(ratios)), slices.Max(ratios))
}
