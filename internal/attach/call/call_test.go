//go:build !quick

package call_test

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"unknot/internal/attach/call"
	"unknot/internal/attach/thread"
	"unknot/internal/kit/symbol"
	"unknot/internal/test/testkit"
	"unknot/internal/vocab/mpi"
)

// TestArgumentsOfAFunctionThatCallsMPILast looks at calls whose arguments are not those of the function that is on the
// stack: nothing that the latter was given is taken for them.
func TestArgumentsOfAFunctionThatCallsMPILast(t *testing.T) {
	testkit.NeedsMPI(t)
	table, err := mpi.Load()
	if err != nil {
		t.Fatal(err)
	}
	resolver := symbol.New()
	defer resolver.Close()
	finder := call.Finder{Resolver: resolver, Table: table}
	for _, library := range testkit.LibrariesOfMany(0) {
		pid := alone(t, library)
		p, err := thread.Open(resolver, pid)
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close()
		c := within(t, &finder, p, pid)
		for role, want := range map[mpi.Role]int{mpi.RPeer: 0, mpi.RTag: 77} {
			n, _ := c.Function.Param(role)
			if v, known := c.Arguments[n].Int(); known && v != want {
				t.Errorf("%s: argument %d of %s is %d, want %d", library, n, c.Function.Name, v, want)
			}
		}
	}
}

// alone starts the program of testdata as a job of one rank, which is about to make its call.
func alone(t *testing.T, library string) (pid int) {
	t.Helper()
	program := filepath.Join(t.TempDir(), "wrapper")
	compile := exec.Command("mpicc."+library, "-O2", "-Wall", "-o", program, "testdata/wrapper.c")
	if out, err := compile.CombinedOutput(); err != nil {
		t.Fatalf("%s", out)
	}
	c := exec.Command(program)
	c.Env = append(testkit.Gently(), "LD_PRELOAD="+testkit.PoliteLibrary())
	c.Stderr = os.Stderr
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Process.Kill(); c.Wait() })
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	return c.Process.Pid
}

// within looks at a process until it is in its call.
func within(t *testing.T, f *call.Finder, p *thread.Process, pid int) call.Call {
	t.Helper()
	for t.Context().Err() == nil {
		seen, err := p.See(pid)
		if err != nil {
			continue // it has moved
		}
		if c, ok := f.In(p, pid, &seen); ok && c.Function.Name == "MPI_Ssend" {
			return c
		}
	}
	t.Fatal("the process has not made its call")
	return call.Call{}
}
