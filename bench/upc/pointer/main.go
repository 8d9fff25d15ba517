// Command pointer measures what the run-time of UPC programs costs: accesses through pointers-to-shared in both forms
// that were considered for them, barriers and locks. It writes bench/upc/pointer/RESULTS.md and must be started in the
// repository's root.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"unknot/internal/upc/rt"
)

const here = "bench/upc/pointer"

func main() {
	mpicc := flag.String("mpicc", "mpicc.mpich", "the compiler wrapper")
	mpirun := flag.String("mpirun", "mpirun.mpich", "its launcher")
	flag.Parse()
	if err := run(*mpicc, *mpirun); err != nil {
		fmt.Fprintln(os.Stderr, "pointer:", err)
		os.Exit(1)
	}
}

func run(mpicc, mpirun string) error {
	dir, err := os.MkdirTemp("", "unknot-pointer-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := rt.Program().Write(dir); err != nil {
		return err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# Costs of the UPC run-time\n\nWritten by `go run ./bench/upc/pointer`. Nanoseconds, the best "+
		"of many runs; loops that gcc does "+
		"not vectorise (`-O2 -fno-tree-vectorize`), arrays over 4 threads, %s.\n", mpicc)

	access, err := measure(mpicc, mpirun, dir, "access.c", 4)
	if err != nil {
		return err
	}
	b.WriteString("\n| loop over | private | own | indefinite | [64] | [64], 16 bytes | cyclic | cyclic, 16 bytes " +
		"|\n|---|---|---|---|---|---|---|---|\n")
	row(&b, access, "reading", "read-private", "read-own", "read-indefinite", "read-blocked", "read-wide-blocked",
		"read-cyclic", "read-wide-cyclic")
	row(&b, access, "writing", "fill-private", "fill-own", "fill-indefinite", "fill-blocked", "fill-wide-blocked",
		"fill-cyclic", "")
	row(&b, access, "following pointers", "chase-private", "", "chase-packed", "", "", "", "")

	b.WriteString("\n| threads | barrier | lock, nobody else wants it | lock, all want it |\n|---|---|---|---|\n")
	for _, n := range []int{1, 2, 4} {
		sync, err := measure(mpicc, mpirun, dir, "sync.c", n)
		if err != nil {
			return err
		}
		row(&b, sync, strconv.Itoa(n), "barrier", "lock-alone", "lock-contended")
	}
	return os.WriteFile(filepath.Join(here, "RESULTS.md"), []byte(b.String()), 0o644)
}

// measure compiles a program and reads what it prints.
func measure(mpicc, mpirun, dir, source string, threads int) (map[string]float64, error) {
	sources, err := filepath.Glob(filepath.Join(dir, "c", "*.c"))
	if err != nil {
		return nil, err
	}
	program := filepath.Join(dir, strings.TrimSuffix(source, ".c"))
	if _, err := os.Stat(program); err != nil {
		args := append([]string{"-std=gnu11", "-O2", "-fno-tree-vectorize", "-I" + filepath.Join(dir, "c"),
			"-I" + filepath.Join(dir, "include"), "-o", program,
			filepath.Join(here, "src", source)}, sources...)
		if out, err := exec.Command(mpicc, args...).CombinedOutput(); err != nil {
			return nil, fmt.Errorf("%s: %w\n%s", source, err, out)
		}
	}
	out, err := exec.Command(mpirun, "-n", strconv.Itoa(threads), program).Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", source, err)
	}
	values := map[string]float64{}
	for line := range strings.Lines(string(out)) {
		name, number, _ := strings.Cut(strings.TrimSpace(line), " ")
		if values[name], err = strconv.ParseFloat(number, 64); err != nil {
			return nil, fmt.Errorf("%s printed %q", source, line)
		}
	}
	return values, nil
}

// row writes a line of a table; the factor against the first column stands behind the others.
func row(b *strings.Builder, values map[string]float64, title string, names ...string) {
	fmt.Fprintf(b, "| %s |", title)
	for i, name := range names {
		switch {
		case name == "":
			b.WriteString(" |")
		case i == 0 || strings.HasPrefix(name, "lock"):
			fmt.Fprintf(b, " %.2f |", values[name])
		default:
			fmt.Fprintf(b, " %.2f (%.1f ×) |", values[name], values[name]/values[names[0]])
		}
	}
	b.WriteString("\n")
}
