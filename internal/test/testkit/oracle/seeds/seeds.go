// Package seeds runs properties on random programs by their seeds, for the references in packages oracle and
// oracle/branching.
package seeds

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"unknot/internal/test/testkit"
)

// Range is the seeds of a test, both ends included: 1 to few, with UNKNOT_NIGHTLY=1 in the environment 1 to nightly,
// with UNKNOT_SEED=n that one, with UNKNOT_SEED=n-m those.
func Range(t *testing.T, few, nightly uint64) (from, to uint64) {
	t.Helper()
	if text := os.Getenv("UNKNOT_SEED"); text != "" {
		first, last, several := strings.Cut(text, "-")
		if !several {
			last = first
		}
		from, wrong := strconv.ParseUint(first, 10, 64)
		to, err := strconv.ParseUint(last, 10, 64)
		if wrong != nil || err != nil || to < from {
			t.Fatalf("UNKNOT_SEED=%s: want a seed, or two as in 1-100", text)
		}
		return from, to
	}
	if testkit.Nightly() {
		return 1, nightly
	}
	return 1, few
}

// Kind is a kind of random program.
type Kind[P any] struct {
	Generate func(seed uint64) P
	Shrink   func(p P, fails func(P) error) (P, error)
}

// ForEach checks a property on the programs of a range of seeds. A program that fails is made smaller and printed with
// the command that repeats it. The property gets the seed for its own choices.
func (k Kind[P]) ForEach(t *testing.T, few, nightly uint64, property func(p P, seed uint64) error) {
	t.Helper()
	from, to := Range(t, few, nightly)
	var next, failed atomic.Uint64
	next.Store(from)
	var all sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		all.Go(func() {
			for seed := next.Add(1) - 1; seed <= to && failed.Load() == 0; seed = next.Add(1) - 1 {
				if attempt(k.Generate(seed), seed, property) != nil {
					failed.CompareAndSwap(0, seed)
				}
			}
		})
	}
	all.Wait()
	seed := failed.Load()
	if seed == 0 {
		return
	}
	p, err := k.Shrink(k.Generate(seed), func(p P) error { return attempt(p, seed, property) })
	t.Fatalf("program of seed %d: %v\n%v\nrepeat with: UNKNOT_SEED=%d go test -run '^%s$'", seed, err, p,
		seed, t.Name())
}

// attempt makes a panic a failure like any other, so that its program is shrunk and shown.
func attempt[P any](p P, seed uint64, property func(P, uint64) error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			stack := make([]byte, 4096)
			err = fmt.Errorf("panic: %v\n%s", r, stack[:runtime.Stack(stack, false)])
		}
	}()
	return property(p, seed)
}
