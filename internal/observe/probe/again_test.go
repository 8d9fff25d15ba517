//go:build !quick

package probe

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"unknot/internal/observe/ring"
	"unknot/internal/vocab/mpi"
)

//go:embed testdata/again.c
var againProgram string

// said is a call, as the program or its records tell it.
type said struct {
	name  string
	words []string // "-" for a buffer
	made  string
}

func (s said) String() string {
	return strings.Join(append([]string{s.name}, s.words...), " ") + " > " + s.made
}

// printed are the calls that the program has printed.
func printed(text string) (all []said) {
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if f[0] == ">" {
			all[len(all)-1].made = f[1]
			continue
		}
		all = append(all, said{name: f[0], words: f[1:]})
	}
	return all
}

// retold makes the calls of a rank's records, those of what was made again as well. Untold says how many records of
// such there were.
func retold(t *testing.T, recs []rec) (all []said, again int) {
	t.Helper()
	type known struct{ made, committed said }
	ways := map[uint64]known{}
	number := func(v uint64) string { return strconv.FormatUint(v, 10) }
	for _, r := range recs {
		f := table.ByID(r.Func)
		switch {
		case r.Kind == ring.Enter:
			s := said{name: f.Name}
			for i := range f.Params {
				if p := &f.Params[i]; p.Kind.AtEntry() {
					word := number(r.Words[len(s.words)])
					if p.Kind == mpi.KPtr {
						word = "-"
					}
					s.words = append(s.words, word)
				}
			}
			all = append(all, s)
		case r.Kind == ring.Exit && len(r.Words) > 0 && f.HasExit:
			all[len(all)-1].made = number(r.Words[0])
		case r.Kind == ring.Data && ring.DataID(r.Func) == ring.DataKnown:
			handle, maker := number(r.Words[1]), table.ByID(uint16(r.Words[2])).Name
			var k known
			for _, s := range slices.Backward(all) {
				if s.name == "MPI_Type_commit" && s.words[0] == handle && k.committed.name == "" {
					k.committed = s
				}
				if s.name == maker && s.made == handle {
					k.made = s
					break
				}
			}
			if k.made.name == "" || (r.Site != 0) != (k.committed.name != "") {
				t.Fatalf("nothing was made that has number %d, handle %s", r.Words[0], handle)
			}
			ways[r.Words[0]] = k
		case r.Kind == ring.Data && ring.DataID(r.Func) == ring.DataAgain:
			again++
			if free := table.ByID(uint16(r.Words[2])); free != nil {
				if r.Site == 0 {
					t.Fatalf("record %v does not say where the object was freed", r)
				}
				all = append(all, said{name: free.Name, words: []string{number(r.Words[1])}})
			}
			k, there := ways[r.Words[0]]
			if !there {
				t.Fatalf("nothing is known of number %d", r.Words[0])
			}
			all = append(all, k.made)
			if k.committed.name != "" {
				all = append(all, k.committed)
			}
		}
	}
	return all, again
}

// of are the calls that name an object with a handle, or make it.
func callsOf(all []said, handle string) (list []said) {
	for _, s := range all {
		if s.made == handle || slices.Contains(s.words, handle) {
			list = append(list, s)
		}
	}
	return list
}

// without are the calls of other functions.
func without(all []said, leaves func(f *mpi.Func) bool) (list []said) {
	for _, s := range all {
		if !leaves(table.ByName(s.name)) {
			list = append(list, s)
		}
	}
	return list
}

// TestWhatIsMadeAgainIsToldAgain has programs make, use and free datatypes and operators in random ways. What their
// records tell is what they have done: the same calls in the same order, but that an object may be freed later, though
// not after anything else that its handle is given to; and questions that were asked before are counted.
func TestWhatIsMadeAgainIsToldAgain(t *testing.T) {
	onBoth(t, func(t *testing.T, f flavour) {
		program := f.compile(t, againProgram)
		short := 0
		for seed := range seeds(4) {
			s := session(t, ring.Options{Ranks: 1, Slots: 4096, Fold: []uint32{ring.FoldLeast, 20}[seed%2]})
			j := f.launchIn(t, s, 1, program, fmt.Sprint(seed))
			if code := j.finish(t); code != 0 {
				t.Fatalf("seed %d: exit status %d\n%s", seed, code, j.out.String())
			}
			want := printed(j.out.String())
			got, again := retold(t, j.recs[j.rings[0].PID])
			short += again
			asks := func(f *mpi.Func) bool { return f.Asks }
			if n := len(want) - len(got); uint64(n) != j.rings[0].Untold() || n == 0 {
				t.Errorf("seed %d: %d of %d calls are not told, and %d are counted", seed, n, len(want),
					j.rings[0].Untold())
			}
			late := func(f *mpi.Func) bool { return f.Asks || f.Class == mpi.TypeFree || f.Class == mpi.OpFree }
			compare(t, fmt.Sprint("seed ", seed), without(got, late), without(want, late))
			handles := map[string]bool{}
			for _, s := range want {
				if s.made != "" {
					handles[s.made] = true
				}
			}
			for handle := range handles {
				compare(t, fmt.Sprintf("seed %d, handle %s", seed, handle), without(callsOf(got, handle), asks),
					without(callsOf(want, handle), asks))
			}
			if t.Failed() {
				return
			}
		}
		if short < 100 {
			t.Errorf("only %d objects were made again", short)
		}
	})
}

func compare(t *testing.T, what string, got, want []said) {
	t.Helper()
	for i := range max(len(got), len(want)) {
		switch {
		case i >= len(got):
			t.Errorf("%s: nothing is told of call %d, %v", what, i, want[i])
		case i >= len(want):
			t.Errorf("%s: call %d is told, %v, and was not made", what, i, got[i])
		case got[i].String() != want[i].String():
			t.Errorf("%s: call %d is told as %v, but was %v", what, i, got[i], want[i])
		default:
			continue
		}
		return
	}
}
