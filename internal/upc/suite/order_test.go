//go:build !quick

package suite

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"unknot/internal/test/testkit"
	"unknot/internal/upc/check/catalogue"
)

// launches of a program: by turns with one of its numbers of threads and with the MPI libraries, some on several nodes.
// In the nightly run all numbers of threads are combined with both libraries, on one node and on several, by turns with
// 1, 2, 3 threads a node.
func launches(p *program, i int) []launch {
	var all []launch
	for j, threads := range p.threads {
		one := launch{mpi: mpis[(i+j)%2], threads: threads, args: []string{p.name}}
		if (i/2+j)%3 == 0 {
			one.node = (threads + 1) / 2
		}
		if !testkit.Nightly() {
			if few() && i%6 != 0 {
				one.mpi = "mpich"
			}
			if j == i%len(p.threads) {
				all = append(all, one)
			}
			continue
		}
		for _, mpi := range mpis {
			for _, node := range []int{0, 1 + (i+j)%min(threads-1, 3)} {
				one.mpi, one.node = mpi, node
				all = append(all, one)
			}
		}
	}
	return all
}

// chosen are the programs that are graded if few will do: the first one for each code with each function whose check is
// wanted, and each thirtieth one.
func chosen(all []*program) map[*program]bool {
	chosen, seen := map[*program]bool{}, map[string]bool{}
	for i, p := range all {
		chosen[p] = !few() || i%30 == 0
		for _, w := range p.wants {
			for _, id := range w.ids {
				function, _, _ := strings.Cut(id, "-")
				kind := w.code + function
				chosen[p] = chosen[p] || !seen[kind]
				seen[kind] = true
			}
		}
	}
	return chosen
}

// together are the programs that are compiled as one, with the options for it.
func together(all []*program, stack bool) ([]*program, []string) {
	var some []*program
	for _, p := range all {
		if p.stack == stack {
			some = append(some, p)
		}
	}
	if stack {
		return some, []string{"-s"}
	}
	return some, nil
}

func wrongOf(p *program) []source { return p.wrong }
func twinOf(p *program) []source  { return p.twin }

// made is the program that has all of some programs, or their twins.
func made(t testing.TB, mpi string, some []*program, options []string, twins bool) string {
	form := wrongOf
	if twins {
		form = twinOf
	}
	one, two := text(some, form)
	return shared.link(t, mpi, twins, options, source{"all.upc", one}, source{"more.upc", two})
}

// judge runs a wrong program and grades what is reported of it: the grades of its wants.
func judge(t *testing.T, p *program, l launch, path string) []int {
	t.Helper()
	status, told := run(t, l, path)
	wantStatus := 0
	for _, w := range p.wants {
		if w.severity == "error" {
			wantStatus = 66
		}
	}
	if status != wantStatus && !launcherBroke(status, told) {
		t.Errorf("%v: exit status %d, want %d; told:\n%s", l, status, wantStatus, told)
	}
	if n := reports(told); n != len(p.wants) {
		t.Errorf("%v: %d messages, want %d:\n%s", l, n, len(p.wants), told)
	}
	r := reading{p.marks(), l.threads}
	var grades []int
	for _, w := range p.wants {
		best, why := 0, []string{"no message"}
		for _, m := range messages(told) {
			if got, missing := grade(w, m, r); got > best || best == 0 {
				best, why = got, missing
			}
		}
		if best < points {
			t.Errorf("%v: %d of %d:\n  %s\ntold:\n%s", l, best, points, strings.Join(why, "\n  "), told)
		}
		grades = append(grades, best)
	}
	return grades
}

// launcherBroke says that the launcher has lost the exit status: MPICH's, which all processes had left at once, or
// which tells that of a process that it ended itself, or the 1 that it notes for one that has left MPI unexpectedly
// until it knows better, and takes for SIGHUP; Open MPI's, which has died of a signal after it had sent the status, or
// hangs.
func launcherBroke(status int, told string) bool {
	return status == statusLost || strings.Contains(told, "[mpiexec@") &&
		strings.Contains(told, "assert (!closed) failed") ||
		strings.Contains(told, "BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES") &&
			(strings.Contains(told, "Killed (signal 9)") || status == 1 &&
				strings.Contains(told, "Hangup (signal 1)")) ||
		status == -1 && strings.Contains(told, "Exit code:    66")
}

// silent runs twins, of which nothing may be reported. If something is, each is run by itself, to name the one.
func silent(t *testing.T, l launch, path string, some []*program) {
	t.Helper()
	l.args = []string{"twins"}
	status, told := run(t, l, path)
	if isZero(status) && told == "" {
		return
	}
	t.Errorf("%v: the twins end with status %d and:\n%s", l, status, told)
	for _, p := range some {
		if !p.alone() && inside(p, l.threads) {
			silentOne(t, l, path, p)
		}
	}
}

func silentOne(t *testing.T, l launch, path string, p *program) {
	t.Helper()
	l.args = []string{p.name}
	if status, told := run(t, l, path); !isZero(status) || told != "" {
		t.Errorf("%s, %v: the corrected twin ends with status %d and:\n%s", p.name, l, status, told)
	}
}

func inside(p *program, threads int) bool {
	for _, n := range p.threads {
		if n == threads {
			return true
		}
	}
	return false
}

// programSections runs the programs and gives the grades of each section.
func programSections(t *testing.T, s *scores) {
	all := programs(t)
	if len(all) < 150 {
		t.Errorf("%d programs", len(all))
	}
	for _, stack := range []bool{false, true} {
		some, options := together(all, stack)
		for _, mpi := range mpis {
			made(t, mpi, some, options, false) // so that it is reported once if it cannot be made
		}
	}
	graded := chosen(all)
	for i, p := range all {
		s.has(p.section, p.name)
		if !graded[p] {
			continue
		}
		some, options := together(all, p.stack)
		t.Run(p.section+"/"+p.name, func(t *testing.T) {
			t.Parallel()
			for _, l := range launches(p, i) {
				s.add(p.section, p.name, l, judge(t, p, l, made(t, l.mpi, some, options, false)))
			}
		})
	}
}

// TestEveryInsertedCheckHasAProgram wants a program for each row that a check in the source tells; those with
// --pointers have theirs in Go.
func TestEveryInsertedCheckHasAProgram(t *testing.T) {
	have := map[string]bool{}
	for _, p := range programs(t) {
		for _, w := range p.wants {
			for _, id := range w.ids {
				have[id] = true
			}
		}
	}
	for _, w := range slices.Concat(wrongAccesses, wrongWalks, wrongLocals, wrongUnasked) {
		have[w.id] = true
	}
	for _, r := range catalogue.Rows() {
		if r.Where == catalogue.Inserted && !have[r.ID] {
			t.Errorf("%s (%s, %s: %s) has no program in testdata/programs", r.ID, r.Function, r.Argument, r.When)
		}
	}
}

// TestTwins: nothing is reported of the corrected programs.
func TestTwins(t *testing.T) {
	all := programs(t)
	for _, stack := range []bool{false, true} {
		some, options := together(all, stack)
		for _, l := range twinLaunches(stack) {
			t.Run(fmt.Sprintf("%s-%d-%d-%v", l.mpi, l.threads, l.node, stack), func(t *testing.T) {
				t.Parallel()
				silent(t, l, made(t, l.mpi, some, options, true), some)
			})
		}
		for i, p := range some {
			if p.alone() {
				t.Run(p.name, func(t *testing.T) {
					t.Parallel()
					for _, l := range launches(p, i) {
						silentOne(t, l, made(t, l.mpi, some, options, true), p)
					}
				})
			}
		}
	}
}

// twinLaunches are those of all corrected programs together: nightly all numbers of threads with both MPI libraries, on
// one node and on several.
func twinLaunches(stack bool) []launch {
	if !testkit.Nightly() && stack {
		return []launch{{mpi: "mpich", threads: 2}, {mpi: "openmpi", threads: 4}, {mpi: "mpich", threads: 5, node: 2}}
	}
	if !testkit.Nightly() {
		return []launch{{mpi: "mpich", threads: 2}, {mpi: "openmpi", threads: 4, node: 2}, {mpi: "openmpi", threads: 5}}
	}
	var all []launch
	for _, mpi := range mpis {
		all = append(all, launch{mpi: mpi, threads: 2})
		for _, threads := range []int{4, 5} {
			all = append(all, launch{mpi: mpi, threads: threads}, launch{mpi: mpi, threads: threads, node: 2})
		}
	}
	return all
}

// TestStaticThreads: what is reported does not depend on whether the number of threads is known when a program is
// compiled.
func TestStaticThreads(t *testing.T) {
	const threads = 4
	each := 60
	if testkit.Nightly() {
		each = 5
	}
	var some []*program
	for i, p := range programs(t) {
		if i%each == 0 && !p.stack && inside(p, threads) {
			some = append(some, p)
		}
	}
	options := []string{"-T", fmt.Sprint(threads)}
	for _, p := range some {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			l := launch{mpi: "mpich", threads: threads, args: []string{p.name}}
			judge(t, p, l, made(t, l.mpi, some, options, false))
		})
	}
	silent(t, launch{mpi: "mpich", threads: threads}, made(t, "mpich", some, options, true), some)
}
