package loops

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"unknot/internal/agent"
	"unknot/internal/agent/proto"
	"unknot/internal/check"
	"unknot/internal/supervise"
	"unknot/internal/test/testkit"
	"unknot/internal/test/testkit/tape"
	"unknot/internal/test/testkit/whole"
	tracefile "unknot/internal/trace/file"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
)

// TestWhatRepeatsIsJudgedAsIfEachCallWereFollowed plays random loops to an agent that leaves calls out, and to one that
// does not.
func TestWhatRepeatsIsJudgedAsIfEachCallWereFollowed(t *testing.T) {
	testkit.TakesLong(t)
	table, err := mpi.Load()
	if err != nil {
		t.Fatal(err)
	}
	programs := 2000
	if testkit.Nightly() {
		programs = 100_000
	}
	seeds := make([]uint64, programs, programs+3)
	for i := range seeds {
		seeds[i] = uint64(i)
	}
	seeds = append(seeds, 5708, 9685, 91816) // which once differed
	const parts = 2                          // at a time
	var together, folded, calls, found, hangs atomic.Uint64
	t.Run("all", func(t *testing.T) {
		for part := range parts {
			t.Run(fmt.Sprint(part), func(t *testing.T) {
				t.Parallel()
				for i := part; i < len(seeds); i += parts {
					seed := seeds[i]
					p := Make(table, seed)
					o := agent.Options{Checks: check.Selection{{Name: "all", On: seed%4 < 2}}, OnDeadlock: "stop",
						Sends: "strict"}
					// of several agents, periods are left out together
					o.RanksPerAgent = []int{0, 0, 0, 0, 0, 0, 1, 2}[seed/8%8]
					dir, traced := t.TempDir(), seed%8 == 7
					if traced {
						o.Trace = filepath.Join(dir, "each.unk")
					}
					each, saidEach := judged(t, p, table, seed, o, true)
					o.FoldAfter = 1 + seed%16
					if traced {
						o.Trace = filepath.Join(dir, "left.unk")
					}
					left, said := judged(t, p, table, seed, o, false)
					if traced {
						if diff := cmp.Diff(logged(t, filepath.Join(dir, "left.unk")),
							logged(t, filepath.Join(dir, "each.unk"))); diff != "" {
							t.Fatalf("seed %d, traces with calls left out (-) and each followed (+):\n%s", seed, diff)
						}
					}
					if each != left {
						t.Fatalf("seed %d, with calls left out (-) and each followed (+):\n%s", seed,
							cmp.Diff(left, each))
					}
					last, lastEach := said[len(said)-1], saidEach[len(saidEach)-1]
					if lastEach.Folded != 0 || last.Calls != lastEach.Calls {
						t.Fatalf("seed %d: %d calls, %d with calls left out; %d are left out where none may be", seed,
							lastEach.Calls, last.Calls, lastEach.Folded)
					}
					folded.Add(last.Folded)
					if o.RanksPerAgent > 0 {
						together.Add(last.Folded)
					}
					calls.Add(last.Calls)
					if !strings.HasSuffix(each, "[]") {
						found.Add(1)
					}
					if p.Hangs {
						hangs.Add(1)
					}
				}
			})
		}
	})
	t.Logf("%d programs, %d of %d calls left out, %d of several agents, findings in %d, %d hang", programs,
		folded.Load(), calls.Load(), together.Load(), found.Load(), hangs.Load())
	if 16*folded.Load() < calls.Load() || found.Load() < uint64(programs/4) || hangs.Load() < uint64(programs/8) {
		t.Errorf("of %d calls in %d programs only %d are left out, %d programs have findings and %d hang", calls.Load(),
			programs, folded.Load(), found.Load(), hangs.Load())
	}
}

// logged is what a trace tells of each thread, with the names and identities of what has numbers there.
func logged(t *testing.T, path string) (lines []string) {
	t.Helper()
	log, err := tracefile.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := range log.Threads {
		h := &log.Threads[i]
		for k := range h.Ops {
			o := h.Ops[k]
			line := fmt.Sprintf("rank %d call %d: %s %+v", h.Rank, k, log.Funcs[o.Fn], log.Sites[o.Site])
			o.Fn, o.Site = 0, 0
			line += fmt.Sprintf(" %+v", o)
			for _, p := range h.Posts(&o) {
				id := log.Comms[p.Comm].ID
				p.Comm = 0
				line += fmt.Sprintf(" %d %+v", id, p)
			}
			lines = append(lines, line+fmt.Sprintf(" %+v", h.WaitsOf(&o)))
		}
		lines = append(lines, fmt.Sprintf("polls %+v", h.Polls))
	}
	return lines
}

var moments = regexp.MustCompile(` *"moment": \d+,\n`)

// judged is what an agent finds in a program, as text.
func judged(t *testing.T, p *Program, table *mpi.T, seed uint64, o agent.Options, each bool) (string, []proto.Message) {
	t.Helper()
	o.NoFold = each
	made := p.Tape(table, seed, o)
	made.Trace = o.Trace
	said := tape.Play(t, made, tape.AsRecorded)
	run, _, err := supervise.Account(said, 0)
	if err != nil {
		t.Fatal(err)
	}
	manifest := func(f finding.Finding) bool { return f.Code == finding.Deadlock }
	// what its ranks would do without buffering is reported too if the root looks before they hang
	if slices.ContainsFunc(run.Findings, manifest) {
		run.Findings = slices.DeleteFunc(run.Findings, func(f finding.Finding) bool {
			return f.Code == finding.DeadlockUnsafe
		})
	}
	// In which order an agent comes upon them depends on how far it reads each rank ahead; a report has another
	// order.
	slices.SortFunc(run.Findings, func(x, y finding.Finding) int { return strings.Compare(x.Sentence, y.Sentence) })
	text, err := whole.Lasting(run.Findings)
	if err != nil {
		t.Fatal(err)
	}
	// of what is under way from one agent to another when periods are left out, nobody knows on which side of these it
	// is
	if o.RanksPerAgent > 0 {
		text = moments.ReplaceAllString(text, "")
	}
	return fmt.Sprintf("complete %v %s %q\n%s", run.Complete, run.Why, run.Notes, text), said
}
