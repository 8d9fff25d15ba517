// Command matrix runs tests with the MPI libraries of several Debian releases, each in a separate chroot, and writes
// what came of it as a table. `make matrix` runs all rows for this kind of machine; one row is `go run ./bench/matrix
// sid/mpich`. Those for another kind, which QEMU runs, are run if they are named: `go run ./bench/matrix
// bookworm-arm64`.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

func main() {
	var o options
	flag.StringVar(&o.unknot, "unknot", "bin/unknot", "the tool, statically linked")
	flag.StringVar(&o.out, "o", "bench/MATRIX.md", "the table to write; rows that are not run stay as they are")
	flag.StringVar(&o.roots, "roots", "",
		"the `directory` with a chroot for each release; empty means unknot-test/matrix in the user's cache")
	flag.StringVar(&o.differences, "differences", "bench/matrix/differences.tsv",
		"the tests that are known to fail with a library, and why")
	flag.StringVar(&o.only, "only", "", "run only this `part`, and write only its lines of the table")
	flag.BoolVar(&o.read, "read", false, "run nothing: read again what the last runs have left in build/matrix")
	flag.Parse()
	if err := run(o, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "matrix:", err)
		os.Exit(1)
	}
}

type options struct {
	unknot, out, roots, differences, only string
	read                                  bool
}

// releases are those of Debian whose libraries are tested, for this kind of machine or that which is named, as
// scripts/chroot.sh takes them.
func releases() []string { return []string{"bullseye", "bookworm", "bookworm-arm64", "trixie", "sid"} }

// libraries are the MPI libraries of each release, as Debian calls its commands; and those that have the ABI of the MPI
// standard once more, for programs that are linked with that.
func libraries(release string) []string {
	list := []string{"openmpi", "mpich"}
	if release == "sid" {
		list = append(list, "openmpi"+byABI, "mpich"+byABI)
	}
	return list
}

// byABI is how the name of a library ends whose programs are linked by the standard ABI.
const byABI = "-abi"

// choose gives the rows that are asked for as RELEASE/LIBRARY or RELEASE; none means all for this kind of machine.
func choose(words []string) (rows []row, err error) {
	for _, release := range releases() {
		for _, library := range libraries(release) {
			r := row{release: release, library: library}
			if len(words) == 0 && !strings.Contains(release, "-") || slices.Contains(words, release) ||
				slices.Contains(words, r.name()) {
				rows = append(rows, r)
			}
		}
	}
	for _, w := range words {
		if !slices.ContainsFunc(rows, func(r row) bool { return r.release == w || r.name() == w }) {
			return nil, fmt.Errorf("no row %q; hint: a row is RELEASE or RELEASE/LIBRARY, of %s and %s", w,
				strings.Join(releases(), ", "), strings.Join(libraries("sid"), ", "))
		}
	}
	return rows, nil
}

func run(o options, words []string) error {
	rows, err := choose(words)
	if err != nil {
		return err
	}
	known, err := readDifferences(o.differences)
	if err != nil {
		return err
	}
	if o.roots == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return err
		}
		o.roots = filepath.Join(cache, "unknot-test", "matrix")
	}
	m := machine{roots: o.roots}
	for _, path := range []struct {
		to   *string
		from string
	}{{&m.repository, "."}, {&m.unknot, o.unknot}, {&m.programs, "build/matrix/tests"}} {
		if *path.to, err = filepath.Abs(path.from); err != nil {
			return err
		}
	}
	if !o.read {
		wanted := slices.DeleteFunc(parts(), func(p part) bool { return o.only != "" && p.name != o.only })
		if len(wanted) == 0 {
			return fmt.Errorf("no part %q", o.only)
		}
		if err := m.compile(wanted, rows); err != nil {
			return err
		}
	}
	wrong := 0
	var errs []error
	for _, r := range rows {
		failed := m.run(&r, o)
		if failed != nil {
			errs = append(errs, fmt.Errorf("%s: %w", r.name(), failed))
		}
		unexpected := r.judge(known, o.only == "" && failed == nil)
		wrong += len(unexpected)
		for _, u := range unexpected {
			fmt.Printf("matrix: %s: %s\n", r.name(), u)
		}
		if err := r.write(o.out, known); err != nil {
			return err
		}
	}
	if wrong > 0 {
		errs = append(errs, fmt.Errorf("%d tests did not do what is expected of them; hint: "+
			"build/matrix/RELEASE-LIBRARY/PART.log has what each said", wrong))
	}
	return errors.Join(errs...)
}

// machine is what all rows share: unknot for this kind of machine, and the directory of the tests' programs, which has
// one for each kind.
type machine struct {
	roots, repository, unknot, programs string
}

// compile makes the tests' programs of parts, which need neither Go nor a C library to run. For other kinds of machines
// it makes unknot too.
func (m *machine) compile(wanted []part, rows []row) error {
	var packages []string
	for _, p := range wanted {
		packages = append(packages, p.packages...)
	}
	slices.Sort(packages)
	packages = slices.Compact(packages)
	made := map[string]bool{}
	for _, r := range rows {
		arch := r.arch()
		if made[arch] {
			continue
		}
		made[arch] = true
		tests := filepath.Join(m.programs, arch)
		if err := os.MkdirAll(tests, 0o755); err != nil {
			return err
		}
		if err := m.compileFor(arch, append([]string{"test", "-c", "-ldflags=-s -w", "-o", tests + "/"},
			packages...)); err != nil {
			return err
		}
		if arch == runtime.GOARCH {
			continue
		}
		if err := m.compileFor(arch, []string{"build", "-o", filepath.Join(tests, "unknot"),
			"./cmd/unknot"}); err != nil {
			return err
		}
	}
	return nil
}

// compileFor runs go for a kind of machine.
func (m *machine) compileFor(arch string, args []string) error {
	cmd := exec.Command("go", args...)
	cmd.Dir = m.repository
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOARCH="+arch)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	return cmd.Run()
}
