package whole

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"unknot/internal/observe/probe"
	"unknot/internal/test/testkit"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/plan"
)

// replay is a program that is run under a plan.
type replay struct {
	unknot, mpi, dir string
	program          []string
	ranks            int
	trace            string // file that the run records, empty for none
}

func newReplay(t *testing.T, unknot, mpi, source string, ranks int) *replay {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("testdata", source))
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	program, err := Compile(Program{Path: path, Text: string(text)}, mpi, programCache(t))
	if err != nil {
		t.Fatal(err)
	}
	return &replay{unknot: unknot, mpi: mpi, dir: keptDir(t, "unknot-replay-"), program: program, ranks: ranks}
}

// under runs the program with arguments under a plan, and gives the run's record.
func (r *replay) under(t *testing.T, p plan.Plan, args ...string) (Result, finding.Run) {
	t.Helper()
	file, report := filepath.Join(r.dir, "plan"), filepath.Join(r.dir, "out.json")
	if err := plan.Write(file, p); err != nil {
		t.Fatal(err)
	}
	options := []string{"--no-check=message-race", "--plan", file, "--json", report}
	if r.trace != "" {
		options = append(options, "--trace", r.trace)
	}
	argv := slices.Concat([]string{r.unknot, "run"}, options, Launcher(r.mpi, r.ranks), r.program, args)
	result, err := Run(argv, r.dir, Settings(r.dir), 10*time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if result.TimedOut || len(result.Left) > 0 {
		t.Fatalf("timed out: %v, left %v\n%s\nagain: %s", result.TimedOut, result.Left, result.Output,
			repeat(r.dir, argv))
	}
	run, err := ReadRun(report)
	if err != nil {
		t.Fatalf("%v\n%s", err, result.Output)
	}
	if run.Plan != file {
		t.Errorf("the run was forced by %q, want %q", run.Plan, file)
	}
	return result, run
}

// deciding is a plan for the wildcard receives of rank 0, in their order.
func deciding(ranks int, sources ...int32) plan.Plan {
	p := plan.Plan{Ranks: ranks}
	for i, s := range sources {
		p.Decisions = append(p.Decisions, plan.Decision{Nth: uint32(i), Source: s, Tag: -1})
	}
	return p
}

// some is all of a list in a nightly run, and the first three of it else.
func some(list ...string) []string {
	if !testkit.Nightly() {
		return list[:3]
	}
	return list
}

// hasTurn says whether a case of a test that runs on both MPIs runs on this one: cases take turns, and nightly each
// runs on both.
func hasTurn(mpi string, turn int) bool { return slices.Contains(testkit.LibrariesOfMany(turn), mpi) }

func onBothMPIs(t *testing.T, test func(t *testing.T, unknot, mpi string)) {
	unknot := buildUnknot(t)
	for _, mpi := range testkit.Both() {
		// The probe is built before anything has a time limit.
		if _, err := probe.Build(t.Context(), probe.Options{MPICC: "mpicc." + mpi}); err != nil {
			t.Fatal(err)
		}
		t.Run(mpi, func(t *testing.T) { test(t, unknot, mpi) })
	}
}

// TestAPlanDecidesWhomWildcardReceivesMeet has both messages there before each pair of receives, so that MPI's own
// choice differs from the plan's in one of two runs, whatever it is. The programs print whom each receive met, as its
// status says.
func TestAPlanDecidesWhomWildcardReceivesMeet(t *testing.T) {
	onBothMPIs(t, func(t *testing.T, unknot, mpi string) {
		for turn, source := range []string{"forms.cpp", "forms.c", "forms.f", "forms_f08.f90", "forms_mpi.f90",
			"forms.py"} {
			switch {
			case source == "forms.py" && mpi != "openmpi":
				continue // the distribution's mpi4py is built for Open MPI
			case source != "forms.py" && !slices.Contains(testkit.Libraries(turn), mpi):
				continue
			}
			t.Run(source, func(t *testing.T) {
				t.Parallel()
				r := newReplay(t, unknot, mpi, source, 3)
				for _, pair := range [][]int32{{2, 1}, {1, 2}} {
					const most = 40
					result, run := r.under(t, deciding(3, slices.Repeat(pair, most)...))
					if result.Exit != 0 {
						t.Fatalf("exit status %d\n%s", result.Exit, result.Output)
					}
					forms := 0
					for line := range strings.Lines(result.Output) {
						form, met, ok := strings.Cut(strings.TrimSpace(line), " met ")
						if !ok {
							continue
						}
						forms++
						if want := fmt.Sprint(pair[0], pair[1]); strings.Join(strings.Fields(met), " ") != want {
							t.Errorf("%s met %s, the plan says %s", form, met, want)
						}
					}
					left := "made %d receives from any source, but the plan decides %d more"
					if want := fmt.Sprintf(left, 2*forms, 2*(most-forms)); forms == 0 ||
						!strings.Contains(result.Output, want) {
						t.Errorf("%d forms; the report does not say %q:\n%s", forms, want, result.Output)
					}
					if len(run.Findings) != 1 || run.Findings[0].Code != finding.ReplayDiverged ||
						run.Findings[0].Severity != finding.Info {
						t.Errorf("findings %+v", run.Findings)
					}
				}
			})
		}
	})
}

// TestAPlanCountsTheCallsOfEachThread has the two threads of a rank meet the others in opposite orders.
func TestAPlanCountsTheCallsOfEachThread(t *testing.T) {
	onBothMPIs(t, func(t *testing.T, unknot, mpi string) {
		r := newReplay(t, unknot, mpi, "threads.c", 3)
		for turn, pair := range [][]int32{{2, 1}, {1, 2}} {
			if !hasTurn(mpi, turn) {
				continue
			}
			p := deciding(3, pair...)
			for i := range pair {
				p.Decisions = append(p.Decisions, plan.Decision{Thread: 1, Nth: uint32(i), Source: pair[1-i], Tag: -1})
			}
			result, run := r.under(t, p)
			for thread, met := range [][2]int32{{pair[0], pair[1]}, {pair[1], pair[0]}} {
				if want := fmt.Sprintf("thread %d met %d %d", thread, met[0], met[1]); !strings.Contains(result.Output,
					want) {
					t.Errorf("exit status %d, want %q\n%s", result.Exit, want, result.Output)
				}
			}
			if len(run.Findings) > 0 {
				t.Errorf("findings %+v", run.Findings)
			}
		}
	})
}

// TestAPlanMakesSendsSynchronous has two ranks send small messages to each other before they receive.
func TestAPlanMakesSendsSynchronous(t *testing.T) {
	onBothMPIs(t, func(t *testing.T, unknot, mpi string) {
		r := newReplay(t, unknot, mpi, "sends.c", 2)
		for turn, form := range some("send", "sendrecv", "init", "isend", "replace") {
			if !hasTurn(mpi, turn) {
				continue
			}
			// The second send of each rank is the one that the program names.
			both := plan.Plan{Ranks: 2, Sends: []plan.Send{{Rank: 0, Nth: 1}, {Rank: 1, Nth: 1}}}
			result, run := r.under(t, both, form)
			if len(run.Findings) != 1 || run.Findings[0].Code != finding.Deadlock ||
				run.Findings[0].Standing != finding.Manifest ||
				fmt.Sprint(run.Findings[0].Ranks) != "[0 1]" || result.Exit != 66 {
				t.Errorf("%s: exit status %d\n%s", form, result.Exit, result.Output)
				continue
			}
			if !strings.Contains(result.Output, "sends.c:") || strings.Contains(result.Output, "Ssend") {
				t.Errorf("%s: the report is not about what the program called:\n%s", form, result.Output)
			}
		}
		// One of them alone does no harm, and neither does the plan of another thread.
		one := plan.Plan{Ranks: 2, Sends: []plan.Send{{Rank: 0, Nth: 1}, {Rank: 1, Thread: 1, Nth: 1}}}
		for turn, form := range []string{"send", "init"} {
			if !hasTurn(mpi, turn) {
				continue
			}
			if result, run := r.under(t, one, form); result.Exit != 0 || !strings.Contains(result.Output,
				"all received") {
				t.Errorf("%s: exit status %d, findings %v\n%s", form, result.Exit, run.Findings, result.Output)
			}
		}
		if !hasTurn(mpi, 1) {
			return
		}
		every := plan.Plan{Ranks: 2, Synchronous: true}
		if _, run := r.under(t, every, "init"); len(run.Findings) != 1 || run.Findings[0].Code != finding.Deadlock {
			t.Errorf("with all sends synchronous: %v", run.Findings)
		}
	})
}

// TestAPlanForcesADeadlockOfTheProgramsOwn is the orphan of the MSPOE paper: a wildcard receive that takes the message
// which a later receive needs.
func TestAPlanForcesADeadlockOfTheProgramsOwn(t *testing.T) {
	onBothMPIs(t, func(t *testing.T, unknot, mpi string) {
		r := newReplay(t, unknot, mpi, "orphan.c", 3)
		forced := deciding(3, 2)
		result, run := r.under(t, forced)
		if len(run.Findings) == 0 {
			t.Fatalf("nothing is found\n%s", result.Output)
		}
		f := run.Findings[0]
		if f.Code != finding.Deadlock || f.Standing != finding.Manifest || !slices.Contains(f.Ranks, 0) ||
			result.Exit != 66 {
			t.Errorf("exit status %d\n%s", result.Exit, result.Output)
		}
		if at := f.Places[0]; at.Call != "MPI_Recv" || filepath.Base(at.File) != "orphan.c" ||
			at.Line != lineOf(t, "orphan.c", "starves") {
			t.Errorf("rank 0 is said to be in %s at %s:%d", at.Call, at.File, at.Line)
		}
		forced.Decisions[0].Source = 1
		if result, run = r.under(t, forced); result.Exit != 0 || len(run.Findings) > 0 {
			t.Errorf("with the other source: exit status %d\n%s", result.Exit, result.Output)
		}
	})
}

// lineOf is the line of a program that holds a word.
func lineOf(t *testing.T, source, word string) int {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", source))
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(string(text), "\n") {
		if strings.Contains(line, word) {
			return i + 1
		}
	}
	t.Fatalf("%s has no %q", source, word)
	return 0
}

// TestAReplayThatLeavesItsPlanIsEnded has the plan wait for a rank that never sends.
func TestAReplayThatLeavesItsPlanIsEnded(t *testing.T) {
	onBothMPIs(t, func(t *testing.T, unknot, mpi string) {
		r := newReplay(t, unknot, mpi, "left.c", 3)
		for turn, form := range some("irecv", "waitall", "start", "recv", "probe") {
			if !hasTurn(mpi, turn) {
				continue
			}
			line := func(word string) int { return lineOf(t, "left.c", "/* "+word+" */") }
			call := ""
			switch form {
			case "recv":
				call = fmt.Sprintf("MPI_Recv at main (left.c:%d)", line("recv"))
			case "probe":
				call = fmt.Sprintf("MPI_Probe at main (left.c:%d)", line("probe"))
			case "irecv":
				call = fmt.Sprintf("MPI_Wait (MPI_Irecv at main (left.c:%d)) at main (left.c:%d)", line("irecv"),
					line("wait irecv"))
			case "start":
				call = fmt.Sprintf("MPI_Wait (MPI_Startall at main (left.c:%d)) at main (left.c:%d)", line("start"),
					line("wait start"))
			case "waitall":
				call = fmt.Sprintf("MPI_Waitall (request 1, MPI_Irecv at main (left.c:%d)) at main (left.c:%d)",
					line("waitall"), line("wait waitall"))
			}
			p := deciding(3, 2)
			if form == "waitall" || form == "start" {
				p = deciding(3, 1, 2)
			}
			result, run := r.under(t, p, form)
			want := "Rank 0 waits in " + call +
				" for a message from rank 2, as planned, while one from rank 1 is available: the program diverged " +
				"from the plan."
			if len(run.Findings) != 1 || run.Findings[0].Code != finding.ReplayDiverged ||
				run.Findings[0].Sentence != want {
				t.Errorf("%s: want %q\n%s", form, want, result.Output)
				continue
			}
			f := run.Findings[0]
			if f.Severity != finding.Info || f.Standing != finding.Predicted || fmt.Sprint(f.Ranks) != "[0]" ||
				!slices.Contains(f.Places[0].WaitsFor, 2) {
				t.Errorf("%s: %+v", form, f)
			}
			if result.Exit == 66 || result.Exit != run.Exit {
				t.Errorf("%s: exit status %d, the job's is %d", form, result.Exit, run.Exit)
			}
		}
	})
}
