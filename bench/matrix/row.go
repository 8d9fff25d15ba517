package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"
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
	failed []failure
	state  string // of the repository, and when
	// excused and unknown are set by judge: numbers of the reasons for known failures, and how many failures have none.
	excused []int
	unknown int
}

// failure is a test that failed, of whose subtests none did.
type failure struct {
	test     string
	messages []string // what it said
}

func (r *row) name() string { return r.release + "/" + r.library }

// arch is the kind of machine that the row is for, as Go calls it.
func (r *row) arch() string {
	if _, arch, another := strings.Cut(r.release, "-"); another {
		return arch
	}
	return runtime.GOARCH
}

// skip are the tests that are left out of the row, as go test -skip has it: of the standard ABI only C is tried.
func (r *row) skip() string {
	if strings.HasSuffix(r.library, byABI) {
		return "/(fortran|python)-|.*/.*/(broken|fixed)[.](f90|py)"
	}
	return ""
}

// packages are what each chroot has; those of both libraries, as one of them compiles objects that serve both.
func packages() []string {
	return []string{"gcc", "g++", "gfortran", "libc6-dev", "openmpi-bin", "libopenmpi-dev", "mpich", "libmpich-dev",
		"python3-mpi4py", "python3-numpy", "procps"}
}

// chroot makes that of a release, if it is not there, with the headers for plugins of its gcc.
func (m *machine) chroot(release, root string) error {
	if err := m.command("scripts/chroot.sh", append([]string{release, root}, packages()...)...).Run(); err != nil {
		return err
	}
	ask := m.command("scripts/inside.sh", root, "gcc", "-dumpversion")
	ask.Stdout = nil
	version, err := ask.Output()
	if err != nil {
		return fmt.Errorf("gcc -dumpversion in %s: %w", root, err)
	}
	return m.command("scripts/chroot.sh", release, root, "gcc-"+strings.TrimSpace(string(version))+"-plugin-dev").Run()
}

// run makes the row's chroot and runs the parts there, or one of them. One that does not run to its end is an error,
// and the others run all the same.
func (m *machine) run(r *row, o options) error {
	var errs []error
	root := filepath.Join(m.roots, r.release)
	if !o.read {
		if err := m.chroot(r.release, root); err != nil {
			return err
		}
	}
	logs := filepath.Join("build/matrix", r.release+"-"+r.library)
	if err := os.MkdirAll(logs, 0o755); err != nil {
		return err
	}
	for _, p := range parts() {
		if o.only != "" && p.name != o.only || !p.abi && strings.HasSuffix(r.library, byABI) {
			continue
		}
		one, log := result{part: p}, filepath.Join(logs, p.name+".log")
		if _, err := os.Stat(log); o.read && err != nil {
			continue
		}
		if !o.read {
			fmt.Printf("matrix: %s: %s\n", r.name(), p.what)
			if err := m.tests(r, p, root, log); err != nil {
				return err
			}
		}
		if err := one.read(log, r); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", p.name, err))
			continue
		}
		r.results = append(r.results, one)
	}
	return errors.Join(errs...)
}

// tests runs a part in the row's chroot. What it says goes to a log; whether tests failed is in there.
func (m *machine) tests(r *row, p part, root, log string) error {
	state, err := state()
	if err != nil {
		return err
	}
	to, err := os.Create(log)
	if err != nil {
		return err
	}
	fmt.Fprintf(to, "matrix: state: %s, %s\n", state, time.Now().UTC().Format("2006-01-02 15:04"))
	programs, unknot := filepath.Join(m.programs, r.arch()), m.unknot
	if r.arch() != runtime.GOARCH {
		unknot = filepath.Join(programs, "unknot")
	}
	cmd := m.command("scripts/inside.sh", "-b", m.repository, "-b", m.programs, root, "bash",
		filepath.Join(m.repository, "bench/matrix/inside.sh"), r.library, unknot, programs, p.run, r.skip())
	cmd.Args = append(cmd.Args, p.packages...)
	cmd.Stdout, cmd.Stderr = to, to
	var failed *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &failed) {
		return err
	}
	return to.Close()
}

// state names what is tested: the commit, with -dirty if files differ from it. The tables of results do not count, as
// each row is written there.
func state() (string, error) {
	commit, err := exec.Command("git", "describe", "--always").Output()
	if err != nil {
		return "sources without a history", nil
	}
	name := strings.TrimSpace(string(commit))
	changed, err := exec.Command("git", "status", "--porcelain", "--untracked-files=no", "--", ".", ":!bench/MATRIX.md",
		":!bench/NIGHTLY.md").Output()
	if len(changed) > 0 {
		name += "-dirty"
	}
	return name, err
}

func (m *machine) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(m.repository, name), args...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	return cmd
}

var (
	turn     = regexp.MustCompile(`^=== (?:RUN|PAUSE|CONT|NAME) +(\S*)`)
	message  = regexp.MustCompile(`^ {4}\S+\.go:\d+: (.*)`)
	verdict  = regexp.MustCompile(`^\s*--- (PASS|FAIL|SKIP): (\S+)`)
	crashed  = regexp.MustCompile(`^panic: |^fatal error: `)
	versions = regexp.MustCompile(`^matrix: (library|compiler|state|package): (.*)`)
	ended    = regexp.MustCompile(`^(PASS|FAIL)$`)
)

// read counts the tests in what a part has written: those that have no subtests. What is not at the margin belongs to
// the test whose turn it is.
func (one *result) read(path string, r *row) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	verdicts, said, packages, from := map[string]string{}, map[string][]string{}, 0, ""
	var names []string
	var speaker string
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		if m := turn.FindStringSubmatch(lines.Text()); m != nil {
			speaker = from + m[1]
		} else if m := verdict.FindStringSubmatch(lines.Text()); m != nil {
			name := from + m[2]
			verdicts[name], names = m[1], append(names, name)
		} else if m := message.FindStringSubmatch(lines.Text()); m != nil {
			said[speaker] = append(said[speaker], m[1])
		} else if more, ok := strings.CutPrefix(lines.Text(), "        "); ok && len(said[speaker]) > 0 {
			said[speaker][len(said[speaker])-1] += "\n" + more
		} else if m := versions.FindStringSubmatch(lines.Text()); m != nil {
			*map[string]*string{"library": &r.version, "compiler": &r.compiler, "state": &one.state, "package": &from}[m[1]] = m[2]
		} else if ended.MatchString(lines.Text()) {
			packages++
		} else if crashed.MatchString(lines.Text()) {
			one.failed = append(one.failed, failure{test: from + lines.Text()})
		}
	}
	if err := lines.Err(); err != nil {
		return err
	}
	one.count(names, verdicts, said)
	if len(one.failed) == 0 && (packages < len(one.part.packages) || one.passed == 0) {
		return fmt.Errorf("the tests did not run to their end; hint: %s has what they said", path)
	}
	return nil
}

// count takes the tests by their names; what has subtests counts only if it failed and none of these did.
func (one *result) count(names []string, verdicts map[string]string, said map[string][]string) {
	slices.Sort(names)
	for i, name := range names {
		switch {
		case i+1 < len(names) && strings.HasPrefix(names[i+1], name+"/"):
			if verdicts[name] == "FAIL" && !slices.ContainsFunc(names, func(sub string) bool {
				return strings.HasPrefix(sub, name+"/") && verdicts[sub] == "FAIL"
			}) {
				one.failed = append(one.failed, failure{name, said[name]})
			}
		case verdicts[name] == "PASS":
			one.passed++
		case verdicts[name] == "FAIL":
			one.failed = append(one.failed, failure{name, said[name]})
		}
	}
}
