// Package faults runs correct programs with MPI libraries that have faults: messages that never arrive, calls that
// never return, processes that are stopped. It grades what unknot says of the jobs, and of others in which the program is at
// fault or merely slow. The faults are made below the profiling interface (csrc/fault.c).
package faults

import (
	"fmt"
	"slices"
	"strings"

	"unknot/internal/vocab/finding"
)

// Case is one job.
type Case struct {
	MPI     string // openmpi or mpich
	Pattern string // of csrc/program.c
	Ranks   int
	Bytes   int // of a message
	// Fault is FUNCTION:N:RANK:KIND, as csrc/fault.c reads it; "" if the library has none.
	Fault string
	// Transport is the setting by which the library uses TCP; "" for what it uses by itself.
	Transport string
	Want      Grade
}

func (c Case) String() string {
	what := c.Fault
	if what == "" {
		what = "no fault"
	}
	return fmt.Sprintf("%s, %s, %d ranks, %d bytes, %s", c.MPI, c.Pattern, c.Ranks, c.Bytes, what)
}

// Kind is that of the fault, or the pattern of a job without one.
func (c Case) Kind() string {
	if c.Fault == "" {
		return c.Pattern
	}
	return c.Fault[strings.LastIndexByte(c.Fault, ':')+1:]
}

// Grade is what a report says of who is at fault.
type Grade string

// Grades.
const (
	Library Grade = "the library" // stalled-in-library
	System  Grade = "the system"  // stall, which names a process that is stopped or in an uninterruptible sleep
	Program Grade = "the program" // an error
	Slow    Grade = "slow"        // stall, which names a rank outside MPI
	Nothing Grade = "nothing"     // or where each rank is, without a cause
)

// Right says whether a grade is the one that a job is to get. A process that does not get on by the kernel's doing may
// also be reported as in the library, whose call it is in; an operator that does not return, as a rank that is slow.
func (c Case) Right(g Grade) bool {
	return g == c.Want || c.Want == System && g == Library && c.Kind() == "deep" || g == Slow && c.Kind() == "folds"
}

// Of grades a report.
func Of(run *finding.Run) Grade {
	grade := Nothing
	for i := range run.Findings {
		f := &run.Findings[i]
		switch {
		case f.Severity == finding.Error:
			return Program
		case f.Code == finding.StalledInLibrary:
			grade = Library
		case f.Code == finding.Stall && grade == Nothing:
			grade = ofStall(f)
		}
	}
	return grade
}

func ofStall(f *finding.Finding) Grade {
	outside := false
	for i := range f.Places {
		stay := f.Places[i].Stay
		if stay == nil {
			continue
		}
		if slices.Contains([]string{"stopped", "traced", "uninterruptible"}, stay.Process) {
			return System
		}
		outside = outside || stay.Outside
	}
	if outside {
		return Slow
	}
	return Nothing
}

// Faulty are the jobs with a fault: each function of each pattern with each kind of fault, with both libraries.
func Faulty() (list []Case) {
	functions := []struct{ pattern, function string }{{"ring", "Send"}, {"ring", "Recv"}, {"sync", "Ssend"},
		{"sync", "Recv"}, {"wild", "Send"}, {"wild", "Recv"}, {"halo", "Waitall"}, {"coll", "Bcast"},
		{"coll", "Allreduce"}, {"coll", "Barrier"}, {"half", "Bcast"}, {"half", "Allreduce"},
		{"half", "Barrier"}, {"rma", "Win_flush"}, {"rma", "Win_unlock"}}
	kinds := []string{"lose", "spin", "poll", "thread", "pipe", "late", "stop", "trace", "deep"}
	for i, f := range functions {
		for k, kind := range kinds {
			if kind == "lose" && !strings.HasSuffix(f.function, "end") {
				continue
			}
			want := Library
			if slices.Contains([]string{"stop", "trace", "deep"}, kind) {
				want = System
			}
			for m, mpi := range []string{"openmpi", "mpich"} {
				n := i + k + m
				ranks, bytes := 2+n%3, []int{4, 100000}[(i+k)%2]
				list = append(list, Case{mpi, f.pattern, ranks, bytes,
					fmt.Sprintf("%s:%d:%d:%s", f.function, 2+n%3, n%ranks, kind), "", want})
			}
		}
	}
	for i, pattern := range []string{"ring", "wild", "halo", "coll"} {
		fault := fmt.Sprintf("wire:%d:%d:drop", 2+i%3, i%2)
		list = append(list, Case{"openmpi", pattern, 2 + i%2, 30000, fault, "OMPI_MCA_btl=tcp,self", Library},
			Case{"mpich", pattern, 2 + i%2, 30000, fault, "UCX_TLS=tcp,self", Library})
	}
	return list
}

// Sound are the jobs without a fault of the library: of programs with an error, and of such that are slow.
func Sound() (list []Case) {
	for _, p := range []struct {
		pattern string
		want    Grade
	}{{"wrong", Program}, {"chooses", Program}, {"skips", Program}, {"computes", Slow}, {"reads", Slow},
		{"sleeps", Slow},
		{"keeps", Program}, {"holds", Slow}, {"folds", Nothing}} {
		for m, mpi := range []string{"openmpi", "mpich"} {
			for k, bytes := range []int{4, 100000} {
				list = append(list, Case{MPI: mpi, Pattern: p.pattern, Ranks: 2 + (m+k)%2, Bytes: bytes, Want: p.want})
			}
		}
	}
	return list
}
