package screen

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"unknot/internal/trace"
	"unknot/internal/trace/text"
	"unknot/internal/vocab/op"
)

// program reads one of the example programs of the paper.
func program(t *testing.T, name string) *trace.Log {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	l, err := text.Read(f, name)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// parse reads a log that stands in a test.
func parse(t testing.TB, written string) *trace.Log {
	t.Helper()
	l, err := text.Read(strings.NewReader(written), "log")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// allPairs is the all-pairs shortest path program of the paper after its description: 8 processes hold 100 rows of the
// matrix in blocks; in step k the owner of row k sends it to the 7 others, which receive it from anybody. That gives
// the 1,400 calls, 700 of them wildcard receives. The description is silent about tags: in floyd.txt they number the
// steps, here all steps have one.
func allPairs() string {
	const processes, rows = 8, 100
	lines := make([]strings.Builder, processes)
	for k := range rows {
		owner := k * processes / rows
		for p := range processes {
			if p == owner {
				for q := range processes {
					if q != p {
						fmt.Fprintf(&lines[p], " Send(%d,0)", q)
					}
				}
				continue
			}
			fmt.Fprint(&lines[p], " Recv(*,0)")
		}
	}
	var b strings.Builder
	for p := range lines {
		fmt.Fprintf(&b, "P%d:%s\n", p, lines[p].String())
	}
	return b.String()
}

// flagged tells what the published form flags, as in "P1: Send(0)".
func flagged(all [][]Call) []string {
	out := []string{}
	for p, own := range all {
		for i, c := range own {
			if c.Flagged {
				name, partner := "Recv", fmt.Sprint(c.Partner)
				if c.Send {
					name = "Send"
				}
				if c.Partner == op.AnySource {
					partner = "*"
				}
				out = append(out, fmt.Sprintf("P%d.%d: %s(%s)", p, i, name, partner))
			}
		}
	}
	return out
}

func inOrder(l *trace.Log) []int {
	order := make([]int, len(l.Threads))
	for i := range order {
		order[i] = i
	}
	return order
}

// TestPublishedFormOnItsOwnPrograms shows what the letter of the pseudo-code gives for the programs of the paper, and
// what it gives when passes are repeated.
func TestPublishedFormOnItsOwnPrograms(t *testing.T) {
	for _, c := range []struct {
		name         string
		log          *trace.Log
		once, repeat int // flags; the paper says 0, 1, 0 and 0
	}{
		{"diffusion", program(t, "diffusion.txt"), 28, 0},
		{"dependence transition group", program(t, "dtg.txt"), 4, 0},
		{"integrate", program(t, "integrate.txt"), 0, 0},
		{"all-pairs shortest path", program(t, "floyd.txt"), 1041, 1041},
	} {
		once, repeat := flagged(Published(c.log, inOrder(c.log), false)),
			flagged(Published(c.log, inOrder(c.log), true))
		if len(once) != c.once || len(repeat) != c.repeat {
			t.Errorf("%s: %d flags in one pass, want %d: %v; %d when repeated, want %d: %v", c.name, len(once), c.once,
				once, len(repeat), c.repeat, repeat)
		}
	}
}

// TestPublishedFormCannotGiveItsResult proves that no order of the processes makes the pseudo-code flag what the paper
// says it flags, the first send of process 1.
func TestPublishedFormCannotGiveItsResult(t *testing.T) {
	l := program(t, "dtg.txt")
	order := inOrder(l)
	var permute func(n int)
	permute = func(n int) {
		if n == len(order) {
			for _, repeat := range []bool{false, true} {
				if have := flagged(Published(l, order, repeat)); slices.Equal(have, []string{"P1.0: Send(0)"}) {
					t.Errorf("order %v, repeated %v: %v", order, repeat, have)
				}
			}
			return
		}
		for i := n; i < len(order); i++ {
			order[n], order[i] = order[i], order[n]
			permute(n + 1)
			order[n], order[i] = order[i], order[n]
		}
	}
	permute(0)
}
