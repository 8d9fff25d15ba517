package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// maxRanks is how many ranks a test of a suite gets: more would only wait for each other on a small machine. A test
// that fails with them gets as many as its list says.
const maxRanks = 4

const suiteGroup = "MPICH test suite"

// suite reads the lists of tests of MPICH's test/mpi: a line is "program ranks [key=value …]" or the name of a
// directory with its own list. build is where the suite was compiled, source where it came from; a list may be in
// either. Tests that were not built are counted, not returned.
func suite(mpi, build, source string, launcher []string) (cases []Case, unbuilt []string, err error) {
	seen := make(map[string]bool)
	var visit func(dir string) error
	visit = func(dir string) error {
		list, err := openList(filepath.Join(build, dir), filepath.Join(source, dir))
		if err != nil {
			return err
		}
		defer list.Close()
		for s := bufio.NewScanner(list); s.Scan(); {
			fields := strings.Fields(strings.SplitN(s.Text(), "#", 2)[0])
			if len(fields) == 0 {
				continue
			}
			path := filepath.Join(dir, fields[0])
			fi, err := os.Stat(filepath.Join(build, path))
			switch {
			case err != nil:
				if !seen[path] {
					unbuilt = append(unbuilt, path)
				}
				seen[path] = true
				continue
			case fi.IsDir():
				if err := visit(path); err != nil {
					return err
				}
				continue
			}
			c, ok := testCase(mpi, build, path, fields, launcher)
			if ok && !seen[c.Name] {
				seen[c.Name] = true
				cases = append(cases, c)
			}
		}
		return nil
	}
	err = visit(".")
	for _, path := range unlisted {
		if _, missing := os.Stat(filepath.Join(build, path)); err == nil && missing == nil {
			c, _ := testCase(mpi, build, path, []string{filepath.Base(path)}, launcher)
			cases = append(cases, c)
		}
	}
	return cases, unbuilt, err
}

// erroneous says whether a case makes errors on purpose.
func (c Case) erroneous() bool {
	_, path, _ := strings.Cut(c.Name, ":")
	return c.Group == suiteGroup && strings.HasPrefix(path, "errors/")
}

// unlisted are programs with errors that the suite compiles and that none of its lists names.
var unlisted = []string{"errors/basic/debabort", "errors/basic/lefthandles"}

func openList(dirs ...string) (*os.File, error) {
	for _, dir := range dirs {
		if f, err := os.Open(filepath.Join(dir, "testlist")); err == nil {
			return f, nil
		}
	}
	return nil, fmt.Errorf("no testlist in %s; hint: scripts/apps/prepare.sh builds it", strings.Join(dirs, " or "))
}

// testCase makes a case of one line of a list. Tests that are known to fail with the library itself are left out,
// except those of errors, which fail because the library does not see the error.
func testCase(mpi, build, path string, fields []string, launcher []string) (Case, bool) {
	ranks := 2
	if len(fields) > 1 {
		if n, err := strconv.Atoi(fields[1]); err == nil {
			ranks = n
		}
	}
	if strings.HasPrefix(path, "errors/comm/too_many_") {
		ranks = 2 // more would poll for minutes while thousands of communicators are made
	}
	c := Case{Group: suiteGroup, MPI: mpi, Dir: filepath.Join(build, filepath.Dir(path))}
	var args, launch []string
	for _, f := range fields[min(2, len(fields)):] {
		key, value, _ := strings.Cut(f, "=")
		switch key {
		case "arg":
			args = append(args, value)
		case "env":
			c.Env = append(c.Env, value)
		case "mpiexecarg": // of MPICH's launcher
			if mpi == "MPICH" {
				launch = append(launch, value)
			}
		case "xfail":
			if !strings.HasPrefix(path, "errors/") {
				return Case{}, false
			}
		}
	}
	c.Name = strings.Join(slices.Concat([]string{mpi + ":" + path}, c.Env, args), " ")
	command := func(ranks int) []string {
		return slices.Concat(launcher, []string{"-n", strconv.Itoa(ranks)}, launch,
			[]string{"./" + filepath.Base(path)}, args)
	}
	c.Command = command(min(ranks, maxRanks))
	if strings.Contains(path, "io/") {
		c.Shared = c.Dir // these tests all write the same file
	}
	if ranks > maxRanks {
		c.Full = command(ranks)
	}
	return c, true
}
