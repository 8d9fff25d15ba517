//go:build !quick

package upc_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"unknot/internal/test/testkit"
	"unknot/internal/upc/check/catalogue"
	"unknot/internal/vocab/finding"
)

// rowSource is the program of all rows that the detection of data races tells: each is a function, which main calls if
// an argument names it.
type rowSource struct {
	text  string
	rows  []catalogue.Row
	lines map[string][]int // of a row: those of its race
}

const rowHead = `#include <stdlib.h>
#include <string.h>
#include <upc.h>
#include <upc_atomic.h>
#include <upc_castable.h>
#include <upc_collective.h>
#include <upc_io.h>
#include <upc_nb.h>
#ifdef WITHOUT
#define BROKEN(...)
#define FIXED(...) __VA_ARGS__
#else
#define BROKEN(...) __VA_ARGS__
#define FIXED(...)
#endif
int use;
void turn(void);
void await(void);
static upc_file_t *opened(const char *name)
{
    static char bytes[16];
    upc_file_t *f = upc_all_fopen(name, UPC_RDWR | UPC_CREATE | UPC_INDIVIDUAL_FP, 0, 0);
    if (MYTHREAD)
        upc_all_fseek(f, 8, UPC_SEEK_SET);
    else
        upc_all_fseek(f, 0, UPC_SEEK_SET);
    upc_all_fwrite_local(f, bytes, 1, 8, 0);
    upc_all_fsync(f);
    upc_all_fseek(f, 8 * MYTHREAD, UPC_SEEK_SET);
    return f;
}
`

func rowsOfRaces(t testing.TB) *rowSource {
	t.Helper()
	s := &rowSource{lines: map[string][]int{}}
	var text, calls strings.Builder
	text.WriteString(rowHead)
	for _, r := range catalogue.Rows() {
		if r.Where != catalogue.Races {
			continue
		}
		body := rowProgram(&r)
		if body == "" {
			t.Fatalf("%s: %s, %s, %s: there is no program", r.ID, r.Function, r.Argument, r.When)
		}
		name := strings.ReplaceAll(r.ID, "-", "_")
		typ := "int"
		if m := reductionOf.FindStringSubmatch(r.Function); m != nil {
			typ = reducedTypes[m[2]]
		}
		declared := "shared [16] char $d[32], $s[32];\nshared int $i[4];\nshared " + typ + " $t[2], $r[2];\n" +
			"shared struct { int low : 4, high : 4; } $b;\nstatic upc_handle_t $h, $h2;\nstatic upc_lock_t *$l;\n"
		text.WriteString(strings.ReplaceAll(declared+"static void $(void)\n{\n"+body+
			"(void)$h; (void)$h2; (void)$l;\n}\n", "$", name))
		fmt.Fprintf(&calls, "        if (!strcmp(argv[i], \"%s\")) {\n            %s();\n            "+
			"upc_barrier;\n        }\n", r.ID, name)
		s.rows = append(s.rows, r)
	}
	text.WriteString("int main(int argc, char **argv)\n{\n    for (int i = 1; i < argc; i++) {\n" + calls.String() +
		"    }\n    return 0;\n}\n")
	s.text = text.String()
	row := ""
	for i, line := range strings.Split(s.text, "\n") {
		if name, ok := strings.CutPrefix(line, "static void "); ok {
			row = strings.ReplaceAll(strings.TrimSuffix(name, "(void)"), "_", "-")
		}
		if strings.HasSuffix(line, "/* race */") {
			s.lines[row] = append(s.lines[row], i+1)
		}
	}
	return s
}

// turns is compiled without checks, so that nobody sees that a thread waits for another one.
const turns = `#include <stdatomic.h>
#include <stdio.h>
#include <sched.h>
#include <unistd.h>
void turn(void);
void await(void);
static int turned, awaited;
static const char *name(int n)
{
    static char text[32];
    snprintf(text, sizeof text, "turn.%d", n);
    return text;
}
void turn(void)
{
    FILE *f = fopen(name(turned++), "w");
    if (f)
        fclose(f);
}
void await(void)
{
    while (access(name(awaited), F_OK) != 0)
        sched_yield();
    awaited++;
}
`

// compile makes the program, with the races or without, by upc-check or by upcc.
func (s *rowSource) compile(t testing.TB, mpi, dir string, how []string, flags ...string) string {
	t.Helper()
	ctx, stop := context.WithTimeout(context.Background(), 20*time.Minute)
	defer stop()
	source, beside := filepath.Join(dir, "rows.upc"), filepath.Join(dir, "turns.c")
	program := filepath.Join(dir, "rows."+strings.Join(append([]string{mpi}, flags...), ""))
	for path, text := range map[string]string{source: s.text, beside: turns} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	args := slices.Concat(how, []string{"-T", "2", "--mpicc", "mpicc." + mpi, "-o", program}, flags,
		[]string{source, "-x", "c", beside})
	if out, err := exec.CommandContext(ctx, testkit.Unknot(t), args...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}

// run gives what is found when the program runs with some rows.
func (s *rowSource) run(t testing.TB, program string, rows ...string) finding.Run {
	t.Helper()
	ctx, stop := context.WithTimeout(context.Background(), 5*time.Minute)
	defer stop()
	unknot, report := testkit.Unknot(t), filepath.Join(t.TempDir(), "report.json")
	c := exec.CommandContext(ctx, unknot, slices.Concat([]string{"run", "--quiet", "--json", report, "--race-sampling",
		"all", unknot, "upcrun", "-n", "2", program}, rows)...)
	c.Dir, c.Env = t.TempDir(), testkit.Gently()
	var told bytes.Buffer
	c.Stdout, c.Stderr = &told, &told
	var exit *exec.ExitError
	if err := c.Run(); err != nil && !errors.As(err, &exit) {
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
	return found
}

// judge says whether a row's race is reported with both lines, and with the function if it is one's.
func (s *rowSource) judge(t *testing.T, found *finding.Run, r *catalogue.Row) {
	t.Helper()
	lines := s.lines[r.ID]
	first, last := fmt.Sprintf("rows.upc:%d:", lines[0]), fmt.Sprintf("rows.upc:%d:", lines[len(lines)-1])
	for i := range found.Findings {
		f := &found.Findings[i]
		if f.Code != finding.UPCRace || !strings.Contains(f.Sentence, first) || !strings.Contains(f.Sentence, last) {
			continue
		}
		if strings.HasPrefix(r.Function, "upc_") && r.Function != "upc_cast" && r.Function != "upc_forall" &&
			r.Function != "upc_fence" && !strings.Contains(f.Sentence, r.Function+"(") {
			t.Errorf("%s: %s is not named: %s", r.ID, r.Function, f.Sentence)
		}
		return
	}
	t.Errorf("%s, %s, %s: no race is told of lines %v", r.ID, r.Function, r.When, lines)
}

// endsBefore is a row whose error upc-check finds by itself, and ends the program: a lock is taken that was freed.
const endsBefore = "ALFR-12"

// TestRowsOfRaces runs the program of each row of the catalogue that the detection of data races tells: all in one run,
// and nightly each in a separate one, with both libraries. Without the races nothing is reported.
func TestRowsOfRaces(t *testing.T) {
	testkit.TakesLong(t)
	s := rowsOfRaces(t)
	var all []string
	for _, r := range s.rows {
		all = append(all, r.ID)
	}
	ways := [][]string{{"upcc", "--check=race"}}
	libraries := []string{"mpich"}
	if testkit.Nightly() {
		ways, libraries = append(ways, []string{"upc-check", "--race"}), testkit.Both()
	}
	for _, mpi := range libraries {
		for _, how := range ways {
			dir := t.TempDir()
			broken := s.compile(t, mpi, dir, how)
			checked := how[0] == "upc-check"
			told := all
			if checked {
				told = slices.DeleteFunc(slices.Clone(all), func(id string) bool { return id == endsBefore })
			}
			found := s.run(t, broken, told...)
			for i, r := range s.rows {
				if slices.Contains(told, r.ID) {
					s.judge(t, &found, &s.rows[i])
				}
			}
			for _, f := range found.Findings {
				if f.Code != finding.UPCRace {
					t.Errorf("%s: also told: %s", how[0], f.Sentence)
				}
			}
			if testkit.Nightly() {
				for i, r := range s.rows {
					one := s.run(t, broken, r.ID)
					if checked && r.ID == endsBefore {
						if len(one.Findings) != 1 || one.Findings[0].Code == finding.UPCRace ||
							!strings.Contains(one.Findings[0].Sentence, "points to a lock that was freed") {
							t.Errorf("%s: %v", r.ID, one.Findings)
						}
						continue
					}
					s.judge(t, &one, &s.rows[i])
				}
			}
			if found := s.run(t, s.compile(t, mpi, dir, how, "-DWITHOUT"), all...); len(found.Findings) > 0 ||
				!found.Complete {
				t.Errorf("%s: without the races: %v", how[0], found.Findings)
			}
		}
	}
}
