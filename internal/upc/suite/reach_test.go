//go:build !quick

package suite

import (
	"debug/elf"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// symbolsOf gives the symbols of a program's section.
func symbolsOf(t *testing.T, program, name string) map[string]elf.Symbol {
	t.Helper()
	f, err := elf.Open(program)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	symbols, err := f.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]elf.Symbol{}
	for _, s := range symbols {
		if int(s.Section) < len(f.Sections) && f.Sections[s.Section].Name == name {
			all[s.Name] = s
		}
	}
	return all
}

// What runs out of a program's shared objects does not come to those of the checks: they are in a part of each segment
// with addresses without memory around it.
func TestTheChecksAreOutOfReach(t *testing.T) {
	const text = `#include <upc.h>
#include <stdio.h>
#include <stdlib.h>
shared int a[4 * THREADS];
static void writes(long i)
{
	a[i * THREADS + THREADS - 1] = 1;
}
int main(int argc, char **argv)
{
	upc_barrier;
	if (MYTHREAD == 0)
		for (long i = 0; argc > 1 && labs(i) < 100000; i += atoi(argv[1]))
			writes(i);
	upc_barrier;
	if (MYTHREAD == 0)
		printf("done\n");
	return 0;
}
`
	program := shared.compile(t, "mpich", true, nil, source{"program.upc", text})
	objects, hidden := symbolsOf(t, program, "upcr_shared"), symbolsOf(t, program, "upcr_hidden")
	for name := range objects {
		if strings.HasPrefix(name, "upck_") {
			t.Errorf("%s is among the objects of the program", name)
		}
	}
	if _, ok := hidden["upck_records"]; !ok || len(objects) == 0 {
		t.Errorf("objects of the program %v, of the checks %v", objects, hidden)
	}
	for _, l := range []launch{{mpi: "mpich", threads: 3, args: []string{"1"}},
		{mpi: "mpich", threads: 3, args: []string{"-1"}}, {mpi: "mpich", threads: 3, node: 1, args: []string{"1"}}} {
		status, told := run(t, l, program)
		if status == 0 || reports(told) != 0 || strings.Count(told, "upc: thread 0 accesses address 0x") != 1 ||
			strings.Contains(told, "done") {
			t.Errorf("%v: status %d, told:\n%s", l, status, told)
		}
	}
}

// With another compiler the program may write over what the checks know. A report that would contradict itself is not
// made, and what is no record is no ground for one.
func TestNoReportContradictsItself(t *testing.T) {
	const text = `#include <upc.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
shared int a[4 * THREADS];
int main(int argc, char **argv)
{
	/* From a on: the counts of operations and the records of these, in ints. A record begins with its number; its hash and its operation come later. */
	long counts = atol(argv[1]), records = atol(argv[2]), size = atol(argv[3]), way = atol(argv[4]);
	(void)argc;
	upc_barrier;
	if (MYTHREAD == 0) {
		while (a[counts * THREADS + 1] == a[counts * THREADS])
			usleep(500);
		for (long r = records; r < records + 64 * size; r += size)
			for (long i = 2; i < (way ? size : 15); i++)
				if (way || i < 4 || i == 14)
					a[(r + i) * THREADS + 1] = 100000; /* no operation has this number */
	}
	upc_barrier;
	upc_barrier;
	if (MYTHREAD == 0)
		printf("done\n");
	return 0;
}
`
	program := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(program+".upc", []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	// The other compiler is upcc, which does not optimise here and has its run-time where it always is; the checks
	// compiled with it are for this test only.
	native := filepath.Join(t.TempDir(), "otherupc")
	script := "#!/bin/sh\nXDG_CACHE_HOME=" + cache + " exec " + shared.unknot + " upcc --mpicc mpicc.mpich \"$@\" -O0\n"
	if err := os.WriteFile(native, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	compiler := exec.Command(shared.unknot, "upc-check", "--native="+native, "-g", "-o", program, program+".upc")
	compiler.Env = append(os.Environ(), "XDG_CACHE_HOME="+t.TempDir())
	if out, err := compiler.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	objects := symbolsOf(t, program, "upcr_shared")
	from := func(name string) string {
		return fmt.Sprint((int64(objects[name].Value) - int64(objects["a"].Value)) / 4)
	}
	if objects["a"].Value == 0 || objects["upck_records"].Size == 0 {
		t.Fatalf("objects %v", objects)
	}
	for _, way := range []string{"0", "1"} {
		l := launch{mpi: "mpich", threads: 2, args: []string{from("upck_count"), from("upck_records"),
			fmt.Sprint(objects["upck_records"].Size / 64 / 4), way}}
		if status, told := run(t, l, program); status != 0 || told != "done\n" {
			t.Errorf("%v: status %d, told:\n%s", l, status, told)
		}
	}
}
