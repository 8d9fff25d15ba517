package screen

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"unknot/internal/trace"
)

// flagsWritten writes flags as a reader would name them: "contested P1.0 Send".
func flagsWritten(l *trace.Log, r Result) []string {
	out := []string{}
	for _, f := range r.Flags {
		out = append(out, fmt.Sprintf("%v %s", f.Reason, call(l, f.At)))
	}
	return out
}

func call(l *trace.Log, at Place) string {
	t := &l.Threads[at.Thread]
	return fmt.Sprintf("P%d.%d %s", t.Rank, at.Op, strings.TrimPrefix(l.Funcs[t.Ops[at.Op].Fn], "MPI_"))
}

// TestExamplePrograms gives what the paper says of its four programs.
func TestExamplePrograms(t *testing.T) {
	for _, c := range []struct {
		name string
		log  *trace.Log
		want []string
	}{
		{"diffusion", program(t, "diffusion.txt"), []string{}},
		{"dependence transition group", program(t, "dtg.txt"), []string{"contested P1.0 Send"}},
		{"integrate", program(t, "integrate.txt"), []string{}},
		{"all-pairs shortest path", program(t, "floyd.txt"), []string{}},
	} {
		r := Log(c.log)
		if have := flagsWritten(c.log, r); !slices.Equal(have, c.want) || r.Certificate() != (len(c.want) == 0) ||
			r.Ended != len(c.log.Threads) {
			t.Errorf("%s: %v, certificate %v, %d threads ended, want %v", c.name, have, r.Certificate(),
				r.Ended, c.want)
		}
	}
}

// TestAllPairsWithoutTags keeps a known weakness in sight: without tags or collectives nothing parts the steps, and
// most sends are suspected although no course blocks.
func TestAllPairsWithoutTags(t *testing.T) {
	r := Log(parse(t, allPairs()))
	suspected := 0
	for _, f := range r.Flags {
		if f.Reason == Contested && !f.Definite {
			suspected++
		}
	}
	if suspected != len(r.Flags) || suspected < 500 || r.Ended != 8 {
		t.Errorf("%d flags, %d of them suspicions, %d processes ended", len(r.Flags), suspected, r.Ended)
	}
}
