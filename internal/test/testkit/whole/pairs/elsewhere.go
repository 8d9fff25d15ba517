package pairs

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"unknot/internal/test/testkit"
	"unknot/internal/vocab/finding"
)

// Program is a program of a check, for tests that start its jobs in their own way, as on several hosts.
type Program struct{ program }

// Programs reads the programs of a directory of checks.
func Programs(t *testing.T, dir string) []Program {
	t.Helper()
	var list []Program
	for _, p := range loadAll(t, dir) {
		list = append(list, Program{p})
	}
	return list
}

// Name is CODE/FILE.
func (p *Program) Name() string { return p.name() }

// Ranks is how many ranks it wants.
func (p *Program) Ranks(t *testing.T) int {
	t.Helper()
	n, err := strconv.Atoi(p.ranks)
	if err != nil {
		t.Fatalf("%s: %v", p.path, err)
	}
	return n
}

// Options are those of unknot run.
func (p *Program) Options() []string { return p.options }

// Runs says whether the program is for an MPI library.
func (p *Program) Runs(mpi string) bool { return slices.Contains(p.recorded(), mpi) }

// Says whether its source has a text.
func (p *Program) Says(t *testing.T, text string) bool {
	t.Helper()
	return strings.Contains(p.source(t), text)
}

// Apart says whether its findings are the same if different agents watch its ranks.
func (p *Program) Apart() bool { return !slices.Contains(together(), p.name()) }

// Compile builds the program and keeps it in a directory. It gives the command that runs it.
func (p *Program) Compile(t *testing.T, mpi, cache string) []string {
	t.Helper()
	return compile(t, []string{testkit.Unknot(t)}, &p.program, mpi, cache)
}

// Problems compares what unknot said, and its exit status, with what the program wants.
func (p *Program) Problems(mpi string, run finding.Run, exit int) []string {
	return problems(&p.program, mpi, &watched{run: run, exit: exit})
}

// Directories are those of all checks, from a directory of the project's.
func Directories(t *testing.T, root string) []string {
	t.Helper()
	return families(t, filepath.Join(root, "internal/check"))
}

// families are the directories of checks below theirs.
func families(t *testing.T, root string) []string {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(root, "*/testdata"))
	if err != nil || len(list) == 0 {
		t.Fatalf("no programs of checks below %s: %v", root, err)
	}
	for i := range list {
		list[i] = filepath.Dir(list[i])
	}
	return list
}
