package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestSuiteFollowsItsLists(t *testing.T) {
	build, source := t.TempDir(), t.TempDir()
	files := map[string]string{
		filepath.Join(source, "testlist"): "coll\nerrors\n# comment\n",
		filepath.Join(build,
			"coll/testlist"): "red 10 arg=-a arg=b env=X=1 # more\nred 4 xfail=ticket1\nabsent 2\nplain\nred 10 " +
			"arg=-a arg=b env=X=1\n",
		filepath.Join(build, "coll/red"):              "",
		filepath.Join(build, "coll/plain"):            "",
		filepath.Join(build, "errors/testlist"):       "length 4 xfail=ticket2 mpiexecarg=-clean\n",
		filepath.Join(build, "errors/length"):         "",
		filepath.Join(build, "errors/basic/debabort"): "",
		filepath.Join(source, "coll/testlist"):        "never\n",
	}
	for path, text := range files {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cases, unbuilt, err := suite("MPICH", build, source, []string{"mpiexec"})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range cases {
		got = append(got, strings.Join(slices.Concat(c.Env, c.Command, []string{"full"}, c.Full), " "))
	}
	want := []string{"X=1 mpiexec -n 4 ./red -a b full mpiexec -n 10 ./red -a b", "mpiexec -n 2 ./plain full",
		"mpiexec -n 4 -clean ./length full", "mpiexec -n 2 ./debabort full"}
	if !slices.Equal(got, want) {
		t.Errorf("cases:\n%q\nwant\n%q", got, want)
	}
	cases, _, err = suite("Open MPI", build, source, []string{"mpirun"})
	if err != nil || len(cases) != 4 || slices.Contains(cases[2].Command, "-clean") {
		t.Errorf("%v; with Open MPI: %v, want 4 cases without an option of MPICH's launcher", err, cases)
	}
	if !slices.Equal(unbuilt, []string{"coll/absent"}) {
		t.Errorf("not built: %q, want coll/absent", unbuilt)
	}
}

func TestOutputsAreTheSameInAnyOrderAndAtAnyTime(t *testing.T) {
	a := outcome{stdout: []byte("rank 1 took 0.25 s at 0x7f00\n No Errors\n")}
	b := outcome{stdout: []byte(" No Errors\nrank 1 took 1.5e-3 s at 0x5600\n")}
	if x, y := essence(Case{}, a), essence(Case{}, b); !slices.Equal(x, y) {
		t.Errorf("%q and %q differ", x, y)
	}
	c := outcome{stdout: []byte("rank 2 took 0.25 s at 0x7f00\n No Errors\n")}
	if x, y := essence(Case{}, a), essence(Case{}, c); slices.Equal(x, y) {
		t.Errorf("%q and %q are the same", x, y)
	}
}
