package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// row is a library of a release, and what came of its tests.
type row struct {
	release, library string
	version          string // of the library
	compiler         string
	results          []result
}

// result is what came of a part.
type result struct {
	part   part
	passed int
	failed []string // names of tests, those without subtests that failed
	// excused and cured are set by judge: failures that are known, and numbers of their reasons.
	excused []int
}

func (r *row) name() string { return r.release + "/" + r.library }

// packages are what each chroot has; those of both libraries, as one of them compiles objects that serve both.
func packages() []string {
	return []string{"gcc", "g++", "gfortran", "libc6-dev", "openmpi-bin", "libopenmpi-dev", "mpich", "libmpich-dev", "python3-mpi4py", "python3-numpy", "procps"}
}

// run makes the row's chroot and runs the parts there, or one of them.
func (m *machine) run(r *row, only string) error {
	root := filepath.Join(m.roots, r.release)
	if err := m.command("scripts/chroot.sh", append([]string{r.release, root}, packages()...)...).Run(); err != nil {
		return err
	}
	logs := filepath.Join("build/matrix", r.release+"-"+r.library)
	if err := os.MkdirAll(logs, 0o755); err != nil {
		return err
	}
	for _, p := range parts() {
		if only != "" && p.name != only {
			continue
		}
		one := result{part: p}
		log, err := os.Create(filepath.Join(logs, p.name+".log"))
		if err != nil {
			return err
		}
		fmt.Printf("matrix: %s: %s\n", r.name(), p.what)
		cmd := m.command("scripts/inside.sh", "-b", m.repository, root, "bash", filepath.Join(m.repository, "bench/matrix/inside.sh"), r.library, m.unknot, m.tests, p.run)
		cmd.Args = append(cmd.Args, p.packages...)
		cmd.Dir, cmd.Stdout, cmd.Stderr = "", log, log
		failure := cmd.Run()
		if err := log.Close(); err != nil {
			return err
		}
		if err := one.read(log.Name(), r); err != nil {
			return err
		}
		if one.passed+len(one.failed) == 0 || failure != nil && len(one.failed) == 0 {
			return fmt.Errorf("%s: the tests did not run to their end (%v); hint: %s has what they said", p.name, failure, log.Name())
		}
		r.results = append(r.results, one)
	}
	return nil
}

func (m *machine) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(m.repository, name), args...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	return cmd
}

var (
	verdict  = regexp.MustCompile(`^\s*--- (PASS|FAIL|SKIP): (\S+)`)
	crashed  = regexp.MustCompile(`^panic: |^fatal error: `)
	versions = regexp.MustCompile(`^matrix: (library|compiler): (.*)`)
)

// read counts the tests in what a part has written: those that have no subtests.
func (one *result) read(path string, r *row) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	verdicts := map[string]string{}
	var names []string
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		if m := verdict.FindStringSubmatch(lines.Text()); m != nil {
			verdicts[m[2]], names = m[1], append(names, m[2])
		} else if m := versions.FindStringSubmatch(lines.Text()); m != nil && m[1] == "library" {
			r.version = m[2]
		} else if m != nil {
			r.compiler = m[2]
		} else if crashed.MatchString(lines.Text()) {
			one.failed = append(one.failed, lines.Text())
		}
	}
	slices.Sort(names)
	for i, name := range names {
		switch {
		case i+1 < len(names) && strings.HasPrefix(names[i+1], name+"/"):
			if verdicts[name] == "FAIL" && !slices.ContainsFunc(names, func(sub string) bool { return strings.HasPrefix(sub, name+"/") && verdicts[sub] == "FAIL" }) {
				one.failed = append(one.failed, name)
			}
		case verdicts[name] == "PASS":
			one.passed++
		case verdicts[name] == "FAIL":
			one.failed = append(one.failed, name)
		}
	}
	return lines.Err()
}
