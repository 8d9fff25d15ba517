//go:build !quick

package upc_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"unknot/internal/test/testkit"
	"unknot/internal/upc/races"
	"unknot/internal/vocab/finding"
)

// racing is a program of testdata/race with one way to go wrong: with FIXED defined it has no race.
type racing struct {
	name     string
	threads  int
	static   bool   // it is compiled for so many
	standing string // manifest, predicted, or any: it depends on which thread comes first
	sampling string // all, if nothing is said
	hint     string // what the hints say, if the program has that
	flags    []string
	races    []markedRace
}

// markedRace is one that the program says it has: the lines with its mark, and the element.
type markedRace struct {
	lines []int
	words string // "a[1], of thread 1", or the text of an access where memory has no name
}

var (
	racingHead = regexp.MustCompile(`^/\* threads: (\d+)( static)?; (manifest|predicted|any): .+ \*/$`)
	racingWhat = regexp.MustCompile(`^/\* race (\d+): (.+) \*/$`)
	racingFlag = regexp.MustCompile(`^/\* flags: (.+) \*/$`)
	racingHint = regexp.MustCompile(`^/\* hint: (.+) \*/$`)
	racingMark = regexp.MustCompile(`/\* races? ([\d, ]+) \*/$`)
)

// readRacing reads a program's marks.
func readRacing(t testing.TB, path string) racing {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	p := racing{name: strings.TrimSuffix(filepath.Base(path), ".upc")}
	for i, line := range strings.Split(string(text), "\n") {
		if m := racingHead.FindStringSubmatch(line); m != nil {
			p.threads, _ = strconv.Atoi(m[1])
			p.static, p.standing = m[2] != "", m[3]
		}
		if m := racingHint.FindStringSubmatch(line); m != nil {
			p.hint = m[1]
		}
		if m := racingFlag.FindStringSubmatch(line); m != nil {
			p.flags = strings.Fields(m[1])
		}
		if m := racingWhat.FindStringSubmatch(line); m != nil && m[1] == strconv.Itoa(len(p.races)+1) {
			p.races = append(p.races, markedRace{words: m[2]})
		}
		if m := racingMark.FindStringSubmatch(line); m != nil {
			for number := range strings.SplitSeq(m[1], ", ") {
				k, err := strconv.Atoi(number)
				if err != nil || k < 1 || k > len(p.races) {
					t.Fatalf("%s:%d: race %s has no line \"/* race %s: element */\"", path, i+1, number, number)
				}
				p.races[k-1].lines = append(p.races[k-1].lines, i+1)
			}
		}
	}
	if p.threads == 0 || len(p.races) == 0 {
		t.Fatalf("%s: it does not begin with \"/* threads: N; manifest: why */\" and a race", path)
	}
	return p
}

// run compiles a program and runs it with all accesses compared, and gives what is found.
func (p racing) run(t testing.TB, mpi, path, dir string, flags ...string) (finding.Run, int) {
	t.Helper()
	return p.runBy(t, []string{"upcc", "--check=race"}, mpi, path, dir, flags...)
}

// runBy is run by another compiler of unknot's.
func (p racing) runBy(t testing.TB, compiler []string, mpi, path, dir string, flags ...string) (finding.Run, int) {
	t.Helper()
	ctx, stop := context.WithTimeout(context.Background(), 5*time.Minute)
	defer stop()
	unknot, program := testkit.Unknot(t), filepath.Join(dir, p.name+"."+mpi)
	args := slices.Concat(compiler, []string{"--mpicc", "mpicc." + mpi, "-o", program}, p.flags, flags,
		[]string{path})
	if p.static {
		args = slices.Insert(args, 1, "-T", strconv.Itoa(p.threads))
	}
	if out, err := exec.CommandContext(ctx, unknot, args...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	report := program + ".json"
	command := exec.CommandContext(ctx, unknot, "run", "--quiet", "--json", report, "--race-sampling",
		cmp.Or(p.sampling, "all"), unknot, "upcrun", "-n", strconv.Itoa(p.threads), program)
	command.Env = testkit.Gently()
	var told bytes.Buffer
	command.Stdout, command.Stderr = &told, &told
	err := command.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	text, err := os.ReadFile(report)
	if err != nil {
		t.Fatalf("%v\n%s", err, told.Bytes())
	}
	var found finding.Run
	if err := json.Unmarshal(text, &found); err != nil {
		t.Fatal(err)
	}
	return found, command.ProcessState.ExitCode()
}

// confirm has the threads meet at the races that a run has found, and gives the findings and what is said meanwhile.
func (p racing) confirm(t testing.TB, mpi, dir string, options ...string) (confirmed finding.Run, said []byte) {
	t.Helper()
	unknot, program := testkit.Unknot(t), filepath.Join(dir, p.name+"."+mpi)
	report := program + ".confirmed.json"
	command := exec.Command(unknot, slices.Concat([]string{"confirm", "--json", report}, options,
		[]string{program + ".json", unknot, "upcrun", "-n", strconv.Itoa(p.threads), program})...)
	command.Env = testkit.Gently()
	said, _ = command.CombinedOutput() // the exit status is that of the findings
	text, err := os.ReadFile(report)
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	if err := json.Unmarshal(text, &confirmed); err != nil {
		t.Fatal(err)
	}
	return confirmed, said
}

// TestRacesAreTold runs each program with its races, and without.
func TestRacesAreTold(t *testing.T) {
	testkit.TakesLong(t)
	programs, err := filepath.Glob("testdata/race/*.upc")
	if err != nil || len(programs) < 60 {
		t.Fatalf("%d programs, want 60 and more: %v", len(programs), err)
	}
	for i, path := range programs {
		p := readRacing(t, path)
		for _, mpi := range testkit.LibrariesOfMany(i) {
			t.Run(p.name+"/"+mpi, func(t *testing.T) {
				t.Parallel()
				p.judge(t, mpi, path)
			})
		}
	}
}

// TestRacesAreToldInTheSameWordsByCheckedPrograms: the text of a program of upc-check has other words and columns,
// which nobody reads, and threads that report take a lock.
func TestRacesAreToldInTheSameWordsByCheckedPrograms(t *testing.T) {
	testkit.TakesLong(t)
	for i, c := range []struct {
		path  string
		flags []string
	}{
		{"race/halo", []string{"--pointers"}},
		{"race/broadcast-nosync-in", nil},
		{"race/between-notify-and-wait", nil},
		{"race/lock-too-short", nil},
		{"race/linked-list", []string{"--pointers", "-s"}},
		{"race-checked/unset-source", nil},
	} {
		path := filepath.Join("testdata", c.path+".upc")
		p := readRacing(t, path)
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			mpi, dir := testkit.Both()[i%2], t.TempDir()
			plain, _ := p.run(t, mpi, path, dir)
			checked, _ := p.runBy(t, append([]string{"upc-check", "--race"}, c.flags...), mpi, path, dir)
			if want, got := saidOf(plain), saidOf(checked); len(want) == 0 || !slices.Equal(got, want) {
				t.Errorf("told by upc-check:\n%s\nby upcc:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		})
	}
}

// saidOf are the sentences about races, with what is said of the barriers around them.
func saidOf(run finding.Run) (said []string) {
	for _, f := range run.Findings {
		if f.Code != finding.UPCRace {
			continue
		}
		text := f.Sentence
		for _, n := range f.Notes {
			if strings.Contains(n.Text, "barrier") {
				text += "\n" + n.Label + ": " + n.Text
			}
		}
		said = append(said, text)
	}
	slices.Sort(said)
	return said
}

func (p racing) judge(t *testing.T, mpi, path string) {
	dir := t.TempDir()
	found, exit := p.run(t, mpi, path, dir)
	want := 66
	if slices.ContainsFunc(found.Findings, func(f finding.Finding) bool { return f.Standing == finding.Predicted }) {
		want = 0 // a warning
	}
	if exit != want {
		t.Errorf("exit status %d, want %d", exit, want)
	}
	missing := slices.Clone(p.races)
	for i := range found.Findings {
		f := &found.Findings[i]
		at := slices.IndexFunc(missing, func(r markedRace) bool { return r.is(f, filepath.Base(path)) })
		switch {
		case f.Code != finding.UPCRace:
			t.Errorf("also told: %s: %s", f.Code, f.Sentence)
			continue
		case at < 0:
			if !slices.ContainsFunc(p.races, func(r markedRace) bool { return r.is(f, filepath.Base(path)) }) {
				t.Errorf("also told: %s", f.Sentence)
			}
			continue
		case p.standing != "any" && string(f.Standing) != p.standing:
			t.Errorf("%s, want %s: %s", f.Standing, p.standing, f.Sentence)
		}
		if p.hint != "" && f.Hint != p.hint {
			t.Errorf("hint %q, want %q", f.Hint, p.hint)
		}
		if why := misplaced(f); why != "" {
			t.Errorf("%s, in the time line of: %s\n%v", why, f.Sentence, f.Timeline)
		}
		missing = slices.Delete(missing, at, at+1)
	}
	for _, r := range missing {
		t.Errorf("not told: a race on %s at lines %v", r.words, r.lines)
	}
	found, exit = p.run(t, mpi, path, dir, "-DFIXED")
	if exit != 0 || len(found.Findings) > 0 {
		t.Errorf("without the race: exit status %d, %v", exit, found.Findings)
	}
}

// misplaced says what is wrong with the time line of a race: it has the two accesses as the places have them.
func misplaced(f *finding.Finding) string {
	var racing []string
	for _, m := range f.Timeline {
		if m.Racing {
			racing = append(racing, fmt.Sprint(m.Ranks, m.Line))
		}
		if len(m.Ranks) == 0 || m.Line == 0 {
			return "a moment of nobody, or nowhere"
		}
	}
	var want []string
	for _, p := range f.Places {
		want = append(want, fmt.Sprint([]int{p.Rank}, p.Line))
	}
	slices.Sort(racing)
	slices.Sort(want)
	if !slices.Equal(racing, want) {
		return fmt.Sprintf("accesses %v, want %v", racing, want)
	}
	return ""
}

// unmet are the programs whose threads cannot be made to meet, and what is said of them.
func unmet() map[string]string {
	own, beside := "the two accesses are of one thread", "at accesses that do not go on beside them"
	return map[string]string{
		"broadcast-nosync-out": own, "exchange-nosync": own, "nb-get-then-write": own, "nb-memset": own,
		"nb-put-then-write": own, "nbi-two-puts": own,
		"nb-over-barrier": beside, "reduce-nosync": beside, "exchange-own": beside,
		"atomic-flag": "waits in a loop at atomic-flag.upc:22 until another thread has changed `flag`",
		// as the function synchronises more than it has to
		"scatter-mysync": "something that is not seen may order them",
	}
}

// TestRacesAreConfirmed has the threads of races meet: of each kind one in CI, of all nightly.
func TestRacesAreConfirmed(t *testing.T) {
	testkit.TakesLong(t)
	names := []string{"increment", "histogram", "two-locks", "halo", "freed-in-use", "freed-early", "atomic-flag",
		"nb-over-barrier"}
	if testkit.Nightly() {
		names = nil
		paths, err := filepath.Glob("testdata/race/*.upc")
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			names = append(names, strings.TrimSuffix(filepath.Base(path), ".upc"))
		}
	}
	for i, name := range names {
		for _, mpi := range testkit.LibrariesOfMany(i) {
			t.Run(name+"/"+mpi, func(t *testing.T) {
				t.Parallel()
				path, dir := filepath.Join("testdata/race", name+".upc"), t.TempDir()
				p := readRacing(t, path)
				found, _ := p.run(t, mpi, path, dir)
				confirmed, said := p.confirm(t, mpi, dir)
				if len(confirmed.Findings) != len(found.Findings) {
					t.Fatalf("%d findings of %d\n%s", len(confirmed.Findings), len(found.Findings), said)
				}
				for i := range confirmed.Findings {
					f := &confirmed.Findings[i]
					notes := strings.Join(finding.Sentences(f.Notes), "\n")
					why, cannot := unmet()[name]
					switch {
					case cannot && (f.Standing == finding.Confirmed || !strings.Contains(notes, why)):
						t.Errorf("%s, want %q\n%s", f.Standing, why, said)
					case !cannot && (f.Standing != finding.Confirmed || f.Severity != finding.Error ||
						strings.Count(notes, ": in ") != 2):
						t.Errorf("%s, want it confirmed, with two call stacks\n%s", f.Standing, said)
					}
				}
			})
		}
	}
}

// TestSmallProgramsAreSeenWhateverIsSampled has a race that happens in few rounds of a short loop, and handing over by
// locks, which must not be taken for a race because accesses of critical sections were passed over.
func TestSmallProgramsAreSeenWhateverIsSampled(t *testing.T) {
	t.Run("rare", func(t *testing.T) {
		t.Parallel()
		p := readRacing(t, "testdata/sampled/rare.upc")
		p.sampling = races.DefaultSampling
		p.judge(t, testkit.Both()[0], "testdata/sampled/rare.upc")
	})
	for i, p := range []racing{{name: "rounds", threads: 3, sampling: races.DefaultSampling},
		{name: "rounds", threads: 3, sampling: "none"},
		{name: "buffer", threads: 2, sampling: races.DefaultSampling}} {
		t.Run(p.name+"/"+p.sampling, func(t *testing.T) {
			t.Parallel()
			path := "testdata/sampled/" + p.name + ".upc"
			if found, exit := p.run(t, testkit.Both()[i%2], path, t.TempDir()); exit != 0 || len(found.Findings) > 0 {
				t.Errorf("exit status %d, %v", exit, found.Findings)
			}
		})
	}
}

// TestALoopIsAnotherOneForAnotherCaller has a loop that is recorded the first time only, when there is no race yet.
func TestALoopIsAnotherOneForAnotherCaller(t *testing.T) {
	const path = "testdata/sampled/callers.upc"
	t.Run("HA0", func(t *testing.T) {
		t.Parallel()
		p := racing{name: "callers", threads: 2, sampling: "HA0"}
		if found, exit := p.run(t, testkit.Both()[0], path, t.TempDir()); exit != 0 || len(found.Findings) > 0 {
			t.Errorf("exit status %d, %v", exit, found.Findings)
		}
	})
	for i, sampling := range []string{"HA0k2", "P0k4"} {
		t.Run(sampling, func(t *testing.T) {
			t.Parallel()
			p := readRacing(t, path)
			p.sampling = sampling
			p.judge(t, testkit.Both()[i%2], path)
		})
	}
}

// TestOnlyPointersToSharedAreFollowedIfSoChosen: the race is between two accesses by pointers-to-local.
func TestOnlyPointersToSharedAreFollowedIfSoChosen(t *testing.T) {
	p := racing{name: "local-pointer-in-loop", threads: 2, sampling: "NL"}
	path := "testdata/race/" + p.name + ".upc"
	if found, exit := p.run(t, testkit.Both()[0], path, t.TempDir()); exit != 0 || len(found.Findings) > 0 {
		t.Errorf("exit status %d, %v", exit, found.Findings)
	}
}

// TestSeedsSampleOtherAccesses says how many accesses are compared with two seeds, which the same seed repeats.
func TestSeedsSampleOtherAccesses(t *testing.T) {
	program := compiledForRaces(t, "testdata/sampled/scattered.upc")
	compared := func(seed string) string {
		records, accesses := compares(t, program, "P0.1", seed, 0)
		return fmt.Sprint(records, " of ", accesses)
	}
	first, second, again := compared("1"), compared("2"), compared("1")
	if first == second || first != again {
		t.Errorf("seed 1: %s, and again %s; seed 2: %s", first, again, second)
	}
}

// TestShortCopiesAreSampled has 200,000 calls of memcpy, of which a race that the first ones have is found.
func TestShortCopiesAreSampled(t *testing.T) { sampled(t, "testdata/sampled/copies.upc", 20000) }

// TestFunctionsAreSampledWithTheirLoops has 200,000 calls of a function that has but short loops, with 75 accesses.
// What is recorded of it is what the loop that calls it is granted.
func TestFunctionsAreSampledWithTheirLoops(t *testing.T) {
	sampled(t, "testdata/sampled/points.upc", 200)
}

// sampled wants that usual sampling finds the races of a program and makes few records.
func sampled(t *testing.T, path string, most int) {
	t.Run("race", func(t *testing.T) {
		t.Parallel()
		p := readRacing(t, path)
		p.sampling = races.DefaultSampling
		p.judge(t, testkit.Both()[0], path)
	})
	t.Run("records", func(t *testing.T) {
		t.Parallel()
		if records, _ := compares(t, compiledForRaces(t, path), races.DefaultSampling, "0", 66); records > most {
			t.Errorf("%d records were made", records)
		}
	})
}

// compiledForRaces compiles a program with MPICH.
func compiledForRaces(t *testing.T, path string) (program string) {
	t.Helper()
	program = filepath.Join(t.TempDir(), "program")
	if out, err := exec.Command(testkit.Unknot(t), "upcc", "--check=race", "--mpicc", "mpicc.mpich", "-o", program,
		path).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}

// compares runs a program with two threads, which must end with an exit status, and gives how many records of how many
// accesses unknot has compared.
func compares(t *testing.T, program, sampling, seed string, exit int) (records, accesses int) {
	t.Helper()
	unknot := testkit.Unknot(t)
	command := exec.Command(unknot, "run", "--log=races", "--race-sampling", sampling, "--race-seed", seed, unknot,
		"upcrun", "-n", "2", program)
	command.Env = testkit.Gently()
	out, err := command.CombinedOutput()
	m := regexp.MustCompile(`unknot: races: (\d+) records of (\d+) accesses were compared`).FindSubmatch(out)
	if status := command.ProcessState.ExitCode(); status != exit || m == nil {
		t.Fatalf("%v, expected exit status %d, or nothing is logged:\n%s", err, exit, out)
	}
	records, _ = strconv.Atoi(string(m[1]))
	accesses, _ = strconv.Atoi(string(m[2]))
	return records, accesses
}

// is says whether a finding is of the race: it names the element and its owner, and all places of it are marked.
func (r markedRace) is(f *finding.Finding, file string) bool {
	what, owner, owned := strings.Cut(r.words, ", of ")
	words := fmt.Sprintf("ata race on `%s`, which", what)
	if owned {
		words += " " + owner + " owns:"
	}
	if !strings.Contains(f.Sentence, words) || len(f.Places) != 2 {
		return false
	}
	for _, line := range r.lines {
		if !strings.Contains(f.Sentence, fmt.Sprintf("%s:%d:", file, line)) {
			return false
		}
	}
	return !slices.ContainsFunc(f.Places, func(p finding.Place) bool {
		return !slices.Contains(r.lines, p.Line) ||
			filepath.Base(p.File) != file
	})
}

// TestWhatIsOrderedIsNotToldToRace runs programs that are right, whatever they look like.
func TestWhatIsOrderedIsNotToldToRace(t *testing.T) {
	testkit.TakesLong(t)
	programs, err := filepath.Glob("testdata/race-free/*.upc")
	if err != nil || len(programs) < 10 {
		t.Fatalf("%d programs: %v", len(programs), err)
	}
	for i, path := range programs {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		p := racing{name: strings.TrimSuffix(filepath.Base(path), ".upc")}
		if _, err := fmt.Sscanf(string(text), "/* threads: %d */", &p.threads); err != nil {
			t.Fatalf("%s: it does not begin with \"/* threads: N */\"", path)
		}
		for _, mpi := range testkit.LibrariesOfMany(i) {
			t.Run(p.name+"/"+mpi, func(t *testing.T) {
				t.Parallel()
				if found, exit := p.run(t, mpi, path, t.TempDir()); exit != 0 || len(found.Findings) > 0 ||
					len(found.Notes) > 0 {
					t.Errorf("exit status %d, %v, %v", exit, found.Findings, found.Notes)
				}
			})
		}
	}
}
