package ordered

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"unknot/internal/test/testkit"
	"unknot/internal/vocab/finding"
)

// TestThreadsAreJudgedAsEveryInterleavingDoes runs programs of two and three threads: whatever is said of two steps is
// true in some interleaving, and calls that nothing orders are found in each run.
func TestThreadsAreJudgedAsEveryInterleavingDoes(t *testing.T) {
	testkit.NeedsMPI(t)
	n := 60
	if testkit.Nightly() {
		n = 2000
	}
	r := rand.New(rand.NewPCG(49, uint64(n)))
	programs := make([]*Program, n)
	for i := range programs {
		programs[i] = Generate(r)
	}
	source, lines := Source(programs)
	dir := t.TempDir()
	file := filepath.Join(dir, "threads.c")
	if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	unknot := testkit.Unknot(t)
	found := 0
	for turn, library := range testkit.Both() {
		program := filepath.Join(dir, library)
		build := exec.Command(unknot, "mpicc", "--mpicc=mpicc."+library, "-g", "-O1", "-pthread", "-Wall", "-Wextra",
			"-Werror", "-o", program, file)
		if text, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		for i, p := range programs {
			if i%2 != turn%2 && !testkit.Nightly() {
				continue
			}
			report := filepath.Join(dir, "report.json")
			run := exec.Command(unknot, "run", "--json", report, "mpirun."+library, "-n", "1", program, strconv.Itoa(i),
				strconv.Itoa(7*i+turn))
			run.Env = testkit.Gently()
			var said bytes.Buffer
			run.Stdout, run.Stderr = &said, &said
			if err := run.Run(); err != nil && !findings(err) {
				t.Fatalf("program %d, %s: %v\n%s", i, library, err, said.String())
			}
			list := read(t, report)
			found += len(list)
			if wrong := p.wrong(list, lines, i); wrong != "" {
				t.Errorf("program %d, %s: %s\n%s\n%s", i, library, wrong, said.String(), text(source, lines, i))
			}
		}
	}
	t.Logf("found %d", found)
	if found == 0 {
		t.Error("nothing was found in any program")
	}
}

// findings says whether unknot ended as it does when it has found something.
func findings(err error) bool {
	const found = 66
	failed := (*exec.ExitError)(nil)
	return errors.As(err, &failed) && failed.ExitCode() == found
}

func read(t *testing.T, report string) []finding.Finding {
	var run finding.Run
	text, err := os.ReadFile(report)
	if err == nil {
		err = json.Unmarshal(text, &run)
	}
	if err != nil {
		t.Fatal(err)
	}
	return run.Findings
}

// wrong is what is wrong about what was found; "" if nothing is.
func (p *Program) wrong(list []finding.Finding, lines map[int]Site, number int) string {
	meetings, _ := p.Meetings()
	for i := range list {
		f := &list[i]
		if !slices.Contains([]finding.Code{"buffer-overlap", "pending-buffer-accessed", "sent-buffer-modified"}, f.Code) {
			return "a finding of another code"
		}
		if len(f.Places) == 0 || len(f.Related) == 0 {
			return "a finding without two places"
		}
		a, known := lines[f.Places[0].Line]
		b, also := lines[f.Related[0].Line]
		if !known || !also || a.Program != number || b.Program != number {
			return "a finding about other lines"
		}
		if x := pairOf(a.Place, b.Place); a.Thread == b.Thread || !p.Conflicts(x) || !meetings[x] {
			return "what is found happens in no interleaving"
		}
	}
	if p.certain() && !slices.ContainsFunc(list, func(f finding.Finding) bool { return f.Code == "buffer-overlap" }) {
		return "two calls that nothing orders are not found"
	}
	return ""
}

// certain says whether there are two calls that conflict in every run. By another one, also of another thread, a thread
// may learn what has been done, as far as unknot knows.
func (p *Program) certain() bool {
	calls := 0
	for t := range p.Threads {
		calls += p.Calls(t)
	}
	for a := range p.Threads {
		for b := range a {
			if calls != 2 || p.Calls(a) != 1 || p.Calls(b) != 1 {
				continue
			}
			call := Step.Call
			x := pairOf(Place{a, slices.IndexFunc(p.Threads[a], call)}, Place{b, slices.IndexFunc(p.Threads[b], call)})
			if p.Conflicts(x) && p.Apart(x) {
				return true
			}
		}
	}
	return false
}

// text is the part of the source that is a program.
func text(source string, lines map[int]Site, number int) string {
	var out []byte
	for i, line := range bytes.Split([]byte(source), []byte("\n")) {
		if site, known := lines[i+1]; known && site.Program == number {
			out = append(append(out, strconv.Itoa(i+1)+" T"+strconv.Itoa(site.Thread+1)+" "...), append(line, '\n')...)
		}
	}
	return string(out)
}
