package pairs

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"unknot/internal/test/testkit/tape"
	"unknot/internal/test/testkit/whole"
	"unknot/internal/vocab/finding"
)

// Tapes plays what each MPI library did in the programs of the checks below a directory, and holds what the agent says
// of them to what they want. It needs no MPI.
func Tapes(t *testing.T, root string) {
	for _, dir := range families(t, root) {
		play(t, tape.Open(t, dir), loadAll(t, dir))
	}
}

func play(t *testing.T, tapes *tape.Kept, programs []program) {
	for i := range programs {
		p := &programs[i]
		for _, mpi := range p.recorded() {
			t.Run(p.name()+"/"+mpi, func(t *testing.T) {
				t.Parallel()
				for _, ranksPerAgent := range []int{tape.AsRecorded, 1, 2} {
					if ranksPerAgent != tape.AsRecorded && slices.Contains(together(), p.name()) {
						continue
					}
					var w watched
					w.run, w.exit = whole.Replay(t, tapes.Get(t, mpi, p.name()), ranksPerAgent)
					for _, said := range problems(p, mpi, &w) {
						t.Errorf("%d ranks an agent: %s", ranksPerAgent, said)
					}
				}
			})
		}
	}
}

// TapesInAnyOrder plays the programs of the checks below a directory with the records of their processes in other
// orders, and holds that the agent makes the same of them.
func TapesInAnyOrder(t *testing.T, root string) {
	for _, dir := range families(t, root) {
		tapes, programs := tape.Open(t, dir), loadAll(t, dir)
		for i := range programs {
			p := &programs[i]
			for _, mpi := range p.recorded() {
				t.Run(p.name()+"/"+mpi, func(t *testing.T) {
					t.Parallel()
					var want string
					for i, from := range tapes.Get(t, mpi, p.name()).Orders() {
						got := placed(t, from)
						if i == 0 {
							want = got
						} else if got != want {
							t.Errorf("in order %d:\n%s\nas recorded:\n%s", i, got, want)
						}
					}
				})
			}
		}
	}
}

// placed are the places of what the agent makes of a tape.
func placed(t *testing.T, from *tape.Tape) string {
	t.Helper()
	run, _ := whole.Replay(t, from, tape.AsRecorded)
	text, err := places(run.Findings)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// together are the programs whose findings only one agent that has all ranks makes: what docs/limits.md says of several
// hosts.
func together() []string {
	return []string{"reduction-order/broken-accumulate.c", "rma-conflict/broken-shared.c",
		"rma-conflict/broken-shared-all.c",
		"rma-conflict/broken-told.c", "rma-conflict/broken-apart.c", "rma-conflict/broken-older.c",
		"rma-conflict/broken-plain-told.c",
		"rma-conflict/broken-plain-shared.c", "rma-conflict/broken-plain-synced.c",
		"rma-conflict/broken-plain-exclusive.c", "rma-conflict/broken-lost-update.c",
		"rma-conflict/broken-token.c", "rma-conflict/broken-flush.c", "rma-conflict/broken-parts.c"}
}

// places are the findings without what depends on which rank comes first: their order, and whose words speak for all.
func places(list []finding.Finding) (string, error) {
	var lines []string
	for i := range list {
		f := &list[i]
		for _, at := range f.Places {
			lines = append(lines, fmt.Sprintf("%s %s %s: %s at %s:%d", f.Code, f.Severity, f.Standing, at.Call,
				filepath.Base(at.File), at.Line))
		}
	}
	slices.Sort(lines)
	return strings.Join(slices.Compact(lines), "\n"), nil
}

// FreshTapes records all programs of the checks below a directory: `make record` keeps the tapes, and nightly the agent
// has to make the same of those that are kept.
func FreshTapes(t *testing.T, root string) {
	tape.NeedsRecording(t)
	recorder, err := whole.BuildRecorder(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range families(t, root) {
		record(t, recorder, tape.Renew(t, dir), loadAll(t, dir))
	}
}

func record(t *testing.T, recorder []string, tapes *tape.Kept, programs []program) {
	for i := range programs {
		p := &programs[i]
		for _, mpi := range p.recorded() {
			if !tapes.Wants(mpi, p.name()) {
				continue
			}
			t.Run(p.name()+"/"+mpi, func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				w := watch(t, recorder, p, mpi, dir)
				for _, said := range problems(p, mpi, &w) {
					t.Errorf("%s\n%s", said, w.output)
				}
				whole.Hold(t, tapes, mpi, p.name(), tape.Path(dir), w.run.Findings, places)
			})
		}
	}
}
