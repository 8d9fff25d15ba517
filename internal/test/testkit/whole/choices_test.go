package whole

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	tracefile "unknot/internal/trace/file"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/op"
	"unknot/internal/vocab/plan"
)

// reporting is a plan for what the first calls of rank 0 report.
func reporting(outcomes ...plan.Outcome) plan.Plan {
	for i := range outcomes {
		outcomes[i].Nth = uint32(i)
	}
	return plan.Plan{Ranks: 3, Outcomes: outcomes}
}

var (
	nothing = plan.Outcome{Nothing: true}
	all     = plan.Outcome{}
)

func done(at ...int32) plan.Outcome { return plan.Outcome{Done: at} }

// reportedBy are the lines that the program prints of a call, in order.
func reportedBy(result Result, form string) []string {
	var out []string
	for line := range strings.Lines(result.Output) {
		if rest, ok := strings.CutPrefix(strings.TrimSpace(line), form+" "); ok && strings.Contains(rest, ": flag ") {
			_, rest, _ = strings.Cut(rest, ": ")
			out = append(out, rest)
		}
	}
	return out
}

// traced is how the trace of a run tells the calls of rank 0 to a function that report something, each with its number
// and with the positions of what it reported, and its polls, in the order of these numbers.
func traced(t *testing.T, path, function string) []string {
	t.Helper()
	log, err := tracefile.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	th, told := log.Thread(0, 0), map[uint32]string{}
	for i := range th.Ops {
		if o := &th.Ops[i]; o.Choice && log.Funcs[o.Fn] == function {
			s := fmt.Sprint(o.Nth)
			for _, w := range th.WaitsOf(o) {
				if w.Done && th.Parts[w.Part].Kind == op.Recv && function != "MPI_Improbe" {
					s += fmt.Sprintf(" [%d]", w.At)
				} else if w.Done {
					s += fmt.Sprintf(" from %d", th.Parts[w.Part].Matched)
				}
			}
			told[o.Nth] = s
		}
	}
	for _, p := range th.Polls {
		if log.Funcs[p.Fn] == function {
			told[p.Nth] = fmt.Sprintf("%d nothing %d times", p.Nth, p.Count)
		}
	}
	var nths []uint32
	for nth := range told {
		nths = append(nths, nth)
	}
	slices.Sort(nths)
	out := make([]string, len(nths))
	for i, nth := range nths {
		out[i] = told[nth]
	}
	return out
}

// TestAPlanChoosesWhatCallsReport has each call report each thing that it may, when all could be there and when nothing
// is yet.
func TestAPlanChoosesWhatCallsReport(t *testing.T) {
	onBothMPIs(t, func(t *testing.T, unknot, mpi string) {
		r := newReplay(t, unknot, mpi, "choices.c", 3)
		r.trace = r.dir + "/run.unk"
		for turn, c := range []struct {
			form, state string
			outcomes    []plan.Outcome
			sources     []int32 // of probes
			printed     []string
			traced      []string // where it is not as printed
		}{
			{"test", "ready", []plan.Outcome{nothing, nothing, all}, nil,
				[]string{"flag 0", "flag 0", "flag 1, 0 from 1"}, []string{"0 nothing 2 times", "2 [0]"}},
			{"test", "late", []plan.Outcome{nothing, done(0)}, nil, []string{"flag 0", "flag 1, 0 from 1"},
				[]string{"0 nothing 1 times", "1 [0]"}},
			{"testall", "ready", []plan.Outcome{nothing, all}, nil, []string{"flag 0", "flag 1, 0 from 1, 1 from 2"},
				[]string{"0 nothing 1 times", "1 [0] [1]"}},
			{"testall", "late", []plan.Outcome{all}, nil, []string{"flag 1, 0 from 1, 1 from 2"},
				[]string{"0 [0] [1]"}},
			{"testany", "ready", []plan.Outcome{nothing, done(1), nothing, done(0)}, nil,
				[]string{"flag 0", "flag 1, 1 from 2", "flag 0", "flag 1, 0 from 1"},
				[]string{"0 nothing 1 times", "1 [1]", "2 nothing 1 times", "3 [0]"}},
			{"testany", "late", []plan.Outcome{done(1), done(0)}, nil, []string{"flag 1, 1 from 2", "flag 1, 0 from 1"},
				[]string{"0 [1]", "1 [0]"}},
			{"waitany", "ready", []plan.Outcome{done(1), done(0)}, nil,
				[]string{"flag 1, 1 from 2", "flag 1, 0 from 1"}, []string{"0 [1]", "1 [0]"}},
			{"waitany", "ready", []plan.Outcome{done(0), done(1)}, nil,
				[]string{"flag 1, 0 from 1", "flag 1, 1 from 2"}, []string{"0 [0]", "1 [1]"}},
			{"testsome", "ready", []plan.Outcome{nothing, done(1), done(0)}, nil, []string{"flag 0", "flag 1, 1 from 2",
				"flag 1, 0 from 1"},
				[]string{"0 nothing 1 times", "1 [1]", "2 [0]"}},
			{"testsome", "late", []plan.Outcome{done(1, 0)}, nil, []string{"flag 1, 1 from 2, 0 from 1"},
				[]string{"0 [0] [1]"}},
			{"testsome", "late", []plan.Outcome{all}, nil, []string{"flag 1, 0 from 1, 1 from 2"},
				[]string{"0 [0] [1]"}},
			{"waitsome", "ready", []plan.Outcome{done(1), done(0)}, nil,
				[]string{"flag 1, 1 from 2", "flag 1, 0 from 1"}, []string{"0 [1]", "1 [0]"}},
			{"waitsome", "late", []plan.Outcome{done(0, 1)}, nil, []string{"flag 1, 0 from 1, 1 from 2"},
				[]string{"0 [0] [1]"}},
			{"iprobe", "ready", []plan.Outcome{nothing, all, nothing, all}, []int32{2, 1},
				[]string{"flag 0", "flag 1, 0 from 2", "flag 0", "flag 1, 0 from 1"},
				[]string{"0 nothing 1 times", "1 from 2", "2 nothing 1 times", "3 from 1"}},
			{"iprobe", "late", []plan.Outcome{all, all}, []int32{1, 2},
				[]string{"flag 1, 0 from 1", "flag 1, 0 from 2"}, []string{"0 from 1", "1 from 2"}},
			{"improbe", "ready", []plan.Outcome{nothing, all, all}, []int32{2, 1},
				[]string{"flag 0", "flag 1, 0 from 2", "flag 1, 0 from 1"},
				[]string{"0 nothing 1 times", "1 from 2", "2 from 1"}},
			{"improbe", "late", []plan.Outcome{all, all}, []int32{1, 2},
				[]string{"flag 1, 0 from 1", "flag 1, 0 from 2"}, []string{"0 from 1", "1 from 2"}},
		} {
			if !hasTurn(mpi, turn) {
				continue
			}
			p := reporting(c.outcomes...)
			for i, s := range c.sources {
				p.Decisions = append(p.Decisions, plan.Decision{Nth: uint32(i), Source: s, Tag: -1})
			}
			name := fmt.Sprintf("%s %s %v", c.form, c.state, c.outcomes)
			result, run := r.under(t, p, c.form, c.state, fmt.Sprint(len(c.outcomes)))
			if have := reportedBy(result, c.form); result.Exit != 0 || len(run.Findings) > 0 ||
				!slices.Equal(have, c.printed) {
				t.Errorf("%s: printed %q, want %q\n%s", name, have, c.printed, result.Output)
				continue
			}
			have := traced(t, r.trace, "MPI_"+strings.ToUpper(c.form[:1])+c.form[1:])
			if len(have) > len(c.traced) && strings.HasSuffix(c.form, "probe") { // the program's own, in the end
				have = have[:len(c.traced)]
			}
			if !slices.Equal(have, c.traced) {
				t.Errorf("%s: traced %q, want %q", name, have, c.traced)
			}
		}
	})
}

// TestOutcomesThatCannotBeAreTold names requests that are not there or null, has calls report nothing that cannot, and
// has more outcomes than calls.
func TestOutcomesThatCannotBeAreTold(t *testing.T) {
	onBothMPIs(t, func(t *testing.T, unknot, mpi string) {
		r := newReplay(t, unknot, mpi, "choices.c", 3)
		for turn, c := range []struct {
			form    string
			outcome plan.Outcome
		}{
			{"testany", done(2)}, {"testany", done(7)}, {"testany", done(0, 1)}, {"waitany", nothing},
			{"waitsome", nothing}, {"testall", done(1)}, {"iprobe", done(0)},
		} {
			if !hasTurn(mpi, turn) {
				continue
			}
			p := reporting(c.outcome, all)
			p.Outcomes[1].Nth = 9
			result, run := r.under(t, p, c.form, "ready", "2")
			want := "whose outcome MPI may choose, and could not be given 2 outcomes of the plan: the program " +
				"diverged from the plan."
			if len(run.Findings) != 1 || run.Findings[0].Code != finding.ReplayDiverged ||
				!strings.HasSuffix(run.Findings[0].Sentence, want) || result.Exit != 0 {
				t.Errorf("%s %v: exit status %d\n%s", c.form, c.outcome, result.Exit, result.Output)
			}
		}
	})
}

// TestAForcedPollThatWaitsForEverIsADeadlock has polls wait for what is never sent, by a rank that waits for rank 0.
func TestAForcedPollThatWaitsForEverIsADeadlock(t *testing.T) {
	onBothMPIs(t, func(t *testing.T, unknot, mpi string) {
		r := newReplay(t, unknot, mpi, "choices.c", 3)
		for turn, c := range []struct {
			form    string
			outcome plan.Outcome
		}{{"test", all}, {"testall", all}, {"testany", done(0)}, {"waitany", done(0)}, {"testsome", done(1, 0)},
			{"waitsome", done(0)}, {"iprobe", all}, {"improbe", all}} {
			if !hasTurn(mpi, turn) {
				continue
			}
			p := reporting(c.outcome)
			p.Decisions = []plan.Decision{{Source: 1, Tag: -1}}
			result, run := r.under(t, p, c.form, "late", "1", "1")
			if strings.HasSuffix(c.form, "probe") {
				// Another message is there, which only the plan keeps the call from.
				if len(run.Findings) != 1 || run.Findings[0].Code != finding.ReplayDiverged {
					t.Errorf("%s: exit status %d\n%s", c.form, result.Exit, result.Output)
				}
				continue
			}
			if len(run.Findings) != 1 || run.Findings[0].Code != finding.Deadlock ||
				run.Findings[0].Standing != finding.Manifest || result.Exit != 66 {
				t.Errorf("%s: exit status %d\n%s", c.form, result.Exit, result.Output)
				continue
			}
			at, state := run.Findings[0].Places[0], "polling"
			if strings.HasPrefix(c.form, "wait") {
				state = "blocked"
			}
			if at.State != state {
				t.Errorf("%s: rank 0 is said to be %s, want %s", c.form, at.State, state)
			}
			if at.Line != lineOf(t, "choices.c", "/* "+c.form+" */") || !strings.EqualFold(at.Call, "MPI_"+c.form) {
				t.Errorf("%s: rank 0 is said to be in %s at line %d\n%s", c.form, at.Call, at.Line, result.Output)
			}
		}
	})
}

// TestFortranIsToldPositionsFromOne is the same in Fortran, where positions count from 1.
func TestFortranIsToldPositionsFromOne(t *testing.T) {
	onBothMPIs(t, func(t *testing.T, unknot, mpi string) {
		for _, source := range []string{"choices_mpi.f90", "choices_f08.f90"} {
			if mpi == "mpich" && source == "choices_f08.f90" {
				continue // MPICH 4.0 gives C's positions there, with or without a plan
			}
			r := newReplay(t, unknot, mpi, source, 3)
			result, run := r.under(t, reporting(done(1), nothing, done(2, 0), nothing, done(0), all, nothing, all))
			want := []string{"waitany 2 from 2", "testsome 0", "testsome 2: 3 from 1, 1 from 1", "testany F",
				"testany T 1 from 1", "test T from 2", "improbe F", "improbe T from 1"}
			var have []string
			for line := range strings.Lines(result.Output) {
				have = append(have, strings.Join(strings.Fields(line), " "))
			}
			if result.Exit != 0 || len(run.Findings) > 0 || !slices.Equal(have, want) {
				t.Errorf("%s: exit status %d, printed %q, want %q\n%s", source, result.Exit, have, want, result.Output)
			}
		}
	})
}
