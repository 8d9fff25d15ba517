package shmem_test

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"unknot/internal/test/testkit"
	"unknot/internal/vocab/finding"
)

// raceMark is the comment at a call that races: the name of the case, which side it is, and a question mark if only
// what a PE may have read orders them.
var raceMark = regexp.MustCompile(`/\* ([a-z0-9_-]+) (a|b|ab)( \?)? \*/`)

// marked are the races that a source says it has, as found says them.
func marked(t *testing.T, source string) (all []string) {
	lines, parts := remarks(t, source, raceMark)
	sides := make(map[string][]int)
	standing := make(map[string]finding.Standing)
	for i, m := range parts {
		sides[m[1]] = append(sides[m[1]], lines[i])
		if m[2] == "ab" {
			sides[m[1]] = append(sides[m[1]], lines[i])
		}
		if standing[m[1]] == "" {
			standing[m[1]] = finding.Manifest
		}
		if m[3] != "" {
			standing[m[1]] = finding.Predicted
		}
	}
	for name, pair := range sides {
		if len(pair) != 2 {
			t.Fatalf("%s: %s has %d sides", source, name, len(pair))
		}
		slices.Sort(pair)
		all = append(all, fmt.Sprintf("%s: lines %d and %d", standing[name], pair[0], pair[1]))
	}
	slices.Sort(all)
	return all
}

// told are the races that were found, and all else by its sentence.
func told(run finding.Run) (all []string) {
	for _, f := range run.Findings {
		if f.Code != finding.SHMEMRace || len(f.Places) == 0 {
			all = append(all, f.Sentence)
			continue
		}
		pair := []int{f.Places[0].Line, f.Places[len(f.Places)-1].Line}
		slices.Sort(pair)
		all = append(all, fmt.Sprintf("%s: lines %d and %d", f.Standing, pair[0], pair[1]))
	}
	slices.Sort(all)
	return all
}

func TestEachPairOfAccessesThatRacesIsTold(t *testing.T) {
	for _, source := range sources(t, "testdata/races/*.c") {
		t.Run(strings.TrimSuffix(filepath.Base(source), ".c"), func(t *testing.T) {
			want := marked(t, source)
			if run, text := watched(t, "4", compiled(t, source)); !slices.Equal(told(run), want) {
				t.Errorf("told %q, want %q\n%s", told(run), want, text)
			}
			if run, text := watched(t, "4", compiled(t, source, "FIXED")); len(run.Findings) > 0 || run.Exit != 0 ||
				!run.Complete {
				t.Errorf("corrected: %q, status %d\n%s", told(run), run.Exit, text)
			}
		})
	}
}

// Each program runs with 2 or 4 PEs, nightly with both; compiled by unknot, with the other number.
func TestProgramsWithoutErrorsAreLeftAlone(t *testing.T) {
	for i, source := range sources(t, "testdata/correct/*.c") {
		t.Run(strings.TrimSuffix(filepath.Base(source), ".c"), func(t *testing.T) {
			for n, pes := range []string{"2", "4"} {
				if !testkit.Nightly() && n == (i+instrumented(t))%2 {
					continue
				}
				if run, text := watched(t, pes, compiled(t, source)); len(run.Findings) > 0 || run.Exit != 0 ||
					!run.Complete {
					t.Errorf("%s PEs: %q, status %d\n%s", pes, told(run), run.Exit, text)
				}
			}
		})
	}
}

// mistakeMark is the comment at a call with a mistake: the name of the case, the code, and a part of the sentence.
var mistakeMark = regexp.MustCompile(`/\* ([a-z0-9_-]+): (shmem-[a-z]+): (.+?) \*/`)

func TestMistakesAreToldWithTheirPlaces(t *testing.T) {
	for _, source := range []string{"testdata/mistakes.c", "testdata/collectives.c"} {
		lines, parts := remarks(t, sources(t, source)[0], mistakeMark)
		program := compiled(t, source)
		seen := make(map[string]bool)
		for i, m := range parts {
			if seen[m[1]] {
				continue
			}
			seen[m[1]] = true
			t.Run(m[1], func(t *testing.T) {
				t.Parallel()
				run, text := watched(t, "2", program, m[1])
				if !slices.ContainsFunc(run.Findings, func(f finding.Finding) bool {
					return string(f.Code) == m[2] && f.Standing == finding.Manifest && strings.Contains(f.Sentence,
						m[3]) && f.Language == finding.OpenSHMEM &&
						slices.ContainsFunc(f.Places, func(p finding.Place) bool { return p.Line == lines[i] })
				}) {
					t.Errorf("%s at line %d with %q is not told\n%s", m[2], lines[i], m[3], text)
				}
				if strings.HasPrefix(m[1], "thread") && len(run.Findings) > 1 {
					t.Errorf("%d findings of one call\n%s", len(run.Findings), text)
				}
			})
		}
		t.Run("fixed", func(t *testing.T) {
			if run, text := watched(t, "2", program, "fixed"); len(run.Findings) > 0 || run.Exit != 0 {
				t.Errorf("status %d\n%s", run.Exit, text)
			}
		})
	}
}

// countMark is the comment that says with how many PEs a case is run.
var countMark = regexp.MustCompile(`^/\* ([a-z0-9_-]+), (\d+) PEs: `)

// waitMark is the comment where a PE waits forever.
var waitMark = regexp.MustCompile(`/\* ([a-z0-9_-]+) pe (\d+) \*/`)

func TestDeadlocksAreToldWithAllTheirPlaces(t *testing.T) {
	const source = "testdata/deadlocks.c"
	lines, parts := remarks(t, sources(t, source)[0], waitMark)
	program := compiled(t, source)
	where := make(map[string][]string)
	many := make(map[string]string)
	_, counts := remarks(t, source, countMark)
	for _, m := range counts {
		many[m[1]] = m[2]
	}
	var names []string
	for i, m := range parts {
		if where[m[1]] == nil {
			names = append(names, m[1])
		}
		where[m[1]] = append(where[m[1]], fmt.Sprintf("PE %s at line %d", m[2], lines[i]))
	}
	for turn, name := range names {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			run, text := watched(t, many[name], program, name)
			var got []string
			for _, f := range run.Findings {
				if f.Code != finding.SHMEMDeadlock && f.Code != finding.SHMEMCollective {
					continue
				}
				if f.Standing != finding.Manifest {
					t.Errorf("it is %s", f.Standing)
				}
				for _, p := range slices.Concat(f.Places, f.Others) {
					if p.State != "finished" {
						got = append(got, fmt.Sprintf("PE %d at line %d", p.Rank, p.Line))
					}
				}
			}
			want := where[name]
			slices.Sort(want)
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Errorf("told %q, want %q\n%s", got, want, text)
			}
		})
		const every = 3 // of the corrected ones, of which there are other programs too
		if turn%every != 0 && !testkit.Nightly() && !testkit.Chosen() {
			continue
		}
		t.Run("fixed-"+name, func(t *testing.T) {
			t.Parallel()
			if run, text := watched(t, many[name], program, "fixed-"+name); len(run.Findings) > 0 || run.Exit != 0 {
				t.Errorf("status %d\n%s", run.Exit, text)
			}
		})
	}
}
