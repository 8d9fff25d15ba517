// Package hangs generates MPI programs that hang, each with what is true of it: the call each thread ends in and the
// line of that, its peer and tag, and who waits for whom. A program follows from its seed alone.
//
// A plan (plan.go) says what each rank calls; a value of it, such as a peer, is written in one of many ways (values.go):
// as a constant, a variable, an element, a field, a loop counter, an expression of the rank. The dialects (c.go and
// fortran.go) write it as source.
package hangs

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Language is what a program is written in.
type Language string

// The languages, and the interfaces of Fortran.
const (
	C          Language = "C"
	CPP        Language = "C++"
	FortranH   Language = "mpif.h"
	FortranUse Language = "use mpi"
	FortranF08 Language = "mpi_f08"
)

// Languages are all of them.
var Languages = []Language{C, CPP, FortranH, FortranUse, FortranF08}

// Levels are the options for the compiler that decide how much of a program can still be seen.
var Levels = []string{"-O0 -g", "-O2 -g", "-O2"}

// State is what becomes of a thread if nothing from outside changes the run.
type State string

// The states.
const (
	Deadlocked State = "deadlocked" // never continues
	Waits      State = "waits"      // for somebody who computes, perhaps by way of others
	Computes   State = "computes"   // outside of MPI
)

// Any is a peer or a tag that is MPI_ANY_SOURCE or MPI_ANY_TAG.
const Any = -1 << 20

// Truth is where a thread ends.
type Truth struct {
	Rank, Thread int    // thread 0 is the one that runs main
	Function     string // of MPI; "" if the thread computes
	Line         int    // of its call
	Peer, Tag    *int   // as the call has them, nil if it has none; of a collective call Peer is its root
	Communicator string // world, split, dup or create; "" if the call has none
	State        State
	For          []int // the ranks of MPI_COMM_WORLD one or all of which it waits for
}

// Program is a program that hangs.
type Program struct {
	Seed     uint64
	Family   string
	Language Language
	Options  []string // of the compiler
	Compiler string   // that the wrapper of the MPI library calls, "" for its usual one
	Ranks    int
	Source   string
	Args     []string // of its command line
	Truths   []Truth
}

// File is the name of the program's source.
func (p *Program) File() string {
	switch p.Language {
	case C:
		return "hang.c"
	case CPP:
		return "hang.cc"
	default:
		return "hang.f90"
	}
}

// Wrapper is the compiler of an MPI library: mpicc, mpicxx or mpifort.
func (p *Program) Wrapper() string {
	switch p.Language {
	case C:
		return "mpicc"
	case CPP:
		return "mpicxx"
	default:
		return "mpifort"
	}
}

// Level is the one of Levels that the program is compiled with.
func (p *Program) Level() string {
	level := p.Options[0]
	if len(p.Options) > 1 && p.Options[1] == "-g" {
		level += " -g"
	}
	return level
}

// Generate makes the program of a seed. Seeds that follow each other have all languages, levels and families.
func Generate(seed uint64) *Program {
	r := rand.New(rand.NewPCG(seed, 48))
	p := &Program{Seed: seed, Language: Languages[seed%5]}
	p.Options = strings.Fields(Levels[seed/5%3])
	g := &generator{Rand: r, program: p, locals: r.IntN(2) == 0}
	f := families[seed/15%uint64(len(families))]
	if f.name == "threads" && p.Language != C && p.Language != CPP {
		f = families[r.IntN(4)]
	}
	p.Family = f.name
	if p.Language == C || p.Language == CPP {
		more := [][]string{nil, nil, {"-fcf-protection"}, {"-no-pie", "-fno-pie"}, {"-flto"}, {"clang"}}[r.IntN(6)]
		if len(more) == 1 && more[0] == "clang" {
			p.Compiler = map[Language]string{C: "clang-14", CPP: "clang++-14"}[p.Language]
			more = nil
		}
		p.Options = append(p.Options, more...)
	}
	g.plan.main = make(map[int][]call)
	f.make(g)
	p.Ranks = g.plan.ranks
	if p.Language == C || p.Language == CPP {
		p.Source = g.c()
	} else {
		p.Source = g.fortran()
		p.Options = append(p.Options, "-ffree-line-length-none")
	}
	return p
}

// generator writes one program.
type generator struct {
	*rand.Rand
	program *Program
	plan    plan
	locals  bool     // rank and size are variables of functions, else of the program
	given   int      // how many of the words of the command line are used
	names   int      // of variables
	used    [16]bool // the ways of writing a value that a call has, of those that it can have once
	helpers []string
	out     []line
}

// line is one of the source, and the number of the truth whose call is there, plus one.
type line struct {
	text  string
	truth int
}

func (g *generator) printf(format string, args ...any) {
	g.out = append(g.out, line{text: fmt.Sprintf(format, args...)})
}

// source is what was written, and says where the calls are.
func (g *generator) source() string {
	var b strings.Builder
	for i, l := range g.out {
		b.WriteString(l.text + "\n")
		if l.truth > 0 {
			g.program.Truths[l.truth-1].Line = i + 1
		}
	}
	return b.String()
}

// different is a statement that no other function has, for the end of one: compilers make one function of two that are
// the same, and one end of two.
func (g *generator) different(statement string) string {
	g.names++
	return fmt.Sprintf(statement, 100+g.names)
}

// argument is the number of a new word of the command line, counted from 0.
func (g *generator) argument(v int) int {
	g.program.Args = append(g.program.Args, fmt.Sprint(v))
	g.given++
	return g.given - 1
}

func chance(g *generator, of int) bool { return g.IntN(of) == 0 }

func pick[E any](g *generator, list ...E) E { return list[g.IntN(len(list))] }
