package main

import (
	"fmt"
	"strings"
)

// step is one row of the table: a command, and what its success shows.
type step struct {
	what    string
	command []string
	shown   string     // the command as the table has it
	before  [][]string // commands that must have been run
	env     []string
	needs   string // if the output of a failure has this, what the step needs is out of reach: it counts as skipped
}

func (s step) called() string { return s.shown }

// test is a step that runs go test.
func test(what string, args ...string) step {
	return step{
		what: what, shown: "go test " + strings.Join(args, " "), env: []string{"CGO_ENABLED=1"},
		command: append([]string{"go", "test", "-count=1", "-timeout", "150m"}, args...),
	}
}

// seeds are the random programs with control flow, some 2,000, in parts of a quarter of an hour or more each.
func seeds() (parts []step) {
	const part, last = 250, 2001
	for first := 1; first <= last; first += part {
		some := fmt.Sprintf("%d-%d", first, first+part-1)
		s := test("random programs with control flow as C on both MPIs, explored: seeds "+some,
			"-run", "Branch", "-parallel", "3", "-timeout", "0", "./internal/test/testkit/whole")
		s.env = append(s.env, "UNKNOT_SEED="+some)
		parts = append(parts, s)
	}
	return parts
}

// fuzzed are the fuzzers of the UPC front end.
func fuzzed() (steps []step) {
	for _, fuzz := range [][2]string{{"syntax", "FuzzLexer"}, {"syntax", "FuzzParser"}, {"types", "FuzzCheck"}} {
		steps = append(steps, test("whatever is read does not stop the UPC front end, ten minutes of "+fuzz[1],
			"-run", "^$", "-fuzz", "^"+fuzz[1]+"$", "-fuzztime", "10m", "./internal/upc/front/"+fuzz[0]))
	}
	return steps
}

func packages() step {
	s := test("the packages: one commit gives the same bytes; installed in a fresh Debian, as RPM, as a module, by "+
		"recipes, in a container",
		"-timeout", "0", "./packaging")
	s.before = [][]string{{"scripts/probes.sh", "bin/unknot"}}
	return s
}

// all are the steps, in the order in which they are run.
func all() []step {
	steps := []step{
		test("wait states and matching against all interleavings of random programs",
			"./internal/model/match", "./internal/model/waitstate", "./internal/test/testkit/oracle/follow",
			"./internal/root/detect"),
		test("the reference itself, and its 100,000 random programs", "./internal/test/testkit/oracle/..."),
		test("random loops, judged the same whether calls that repeat are left out or followed: 100,000",
			"./internal/test/testkit/loops"),
		test("screening and exact prediction against the reference, 100,000 random programs each",
			"./internal/predict/..."),
		test("logs of 100 million calls, ring and stencil, at most 12 bytes a call", "./internal/trace/..."),
		test("random datatypes against both MPI libraries", "./internal/vocab/datatype"),
		test("data races of random runs against the oracle: 100,000", "./internal/model/race"),
		test("200 random programs as C on both MPIs: predicted, forced, confirmed; the examples without unknot",
			"-skip", "Branch", "./internal/test/testkit/whole", "-plain"),
		test("fresh tapes of the programs of checks against those that are kept",
			"-run", "FreshTapes", "./internal/check/programs"),
		test("20,000 random programs with control flow, explored in memory", "./internal/explore/known"),
	}
	steps = append(steps, seeds()...)
	steps = append(steps,
		step{what: "two hours of jobs that are well, suspended and under load: no false alarm",
			shown: "go run ./bench/healthy", command: []string{"go", "run", "./bench/healthy", "-for", "30m", "-jobs", "4"},
			before: [][]string{{"scripts/apps/measured.sh"}}},
		test("each program of the checks on both MPIs", "./internal/check/..."),
		test("200 jobs that get signals, at unknot, its agent, the launcher, ranks and two of them, on both MPIs",
			"-timeout", "0", "./internal/test/testkit/chaos"),
		test("faults that people reported, on both MPIs, against the grades in docs/reported.md",
			"./internal/test/testkit/reported"),
		test("a loop that hangs behind up to a billion calls: the calls, the iteration, memory",
			"-run", "TheIteration", "-timeout", "0", "./internal/test/testkit/whole"),
		test("random programs with loads and stores of window memory against the oracle, on both MPIs: 200",
			"-timeout", "0", "-v", "./internal/test/testkit/whole/windows"),
		test("all pages of the report in a browser, held to axe-core in light and dark colours",
			"-run", "Browser", "./internal/say/report"),
		test("the probe on both MPIs", "./internal/observe/probe"),
		test("jobs over hosts: all examples, programs of checks, 200 random programs, and 200 jobs in which "+
			"something is killed, cut, stopped or delayed",
			"-timeout", "0", "-v", "./internal/test/testkit/hosted"),
		test("the frames of links, fuzzed for 10 minutes",
			"-run", "^$", "-fuzz", "FuzzFrame", "-fuzztime", "10m", "-fuzzminimizetime", "10x", "./internal/root/link"),
		packages(),
		test("OpenSHMEM programs with each number of PEs, all that deadlock corrected too", "./internal/shmem"),
		test("each script of the command, without the race detector", "./cmd/unknot"),
		test("each script of the command, with the race detector", "-race", "-timeout", "0", "./cmd/unknot"),
		test("the protocol of upc-check in all orders, the large programs too", "./internal/upc/check/model"),
		test("facts of UPC with each number of THREADS, static and dynamic, on both MPIs, optimised; also "+
			"instrumented, and in programs of upc-check",
			"./internal/upc"),
		test("the lowered text of UPC with each number of THREADS, static and dynamic, on both MPIs",
			"./internal/upc/back/lower"),
		test("the run-time of UPC programs, each case on both MPIs, without warnings", "./internal/upc/rt"),
		test("the C programs of the UPC front end, with the sanitizers and warnings of gcc and clang",
			"./internal/upc/driver"),
		test("wrong UPC programs with each number of threads, on both MPIs, on one node and several",
			"./internal/upc/suite"),
	)
	steps = append(steps, fuzzed()...)
	return append(steps,
		step{
			what: "known vulnerabilities of what unknot is built from", shown: "govulncheck ./...",
			command: []string{"go", "tool", "-modfile=tools/go.mod", "govulncheck", "./..."},
			needs:   "fetching vulnerabilities:",
		},
		step{
			what:  "parts of the tests with eight MPI libraries of four Debian releases: bench/MATRIX.md",
			shown: "go run ./bench/matrix", command: []string{"go", "run", "./bench/matrix"},
		},
	)
}
