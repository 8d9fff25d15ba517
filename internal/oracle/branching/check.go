package branching

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
)

// ForEach checks a property on the programs of many seeds: as many as said, with UNKNOT_NIGHTLY=1 in the environment a hundred times
// as many, with UNKNOT_SEED=n the one of that seed. A program that fails is made smaller and printed with the command that
// repeats it. The property is given the seed for choices of its own.
func ForEach(t *testing.T, programs uint64, property func(p *Program, seed uint64) error) {
	t.Helper()
	from, to := uint64(1), programs
	if os.Getenv("UNKNOT_NIGHTLY") == "1" {
		to *= 100
	}
	if text := os.Getenv("UNKNOT_SEED"); text != "" {
		seed, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			t.Fatalf("UNKNOT_SEED=%s: %v", text, err)
		}
		from, to = seed, seed
	}
	var next, failed atomic.Uint64
	next.Store(from)
	var all sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		all.Go(func() {
			for seed := next.Add(1) - 1; seed <= to && failed.Load() == 0; seed = next.Add(1) - 1 {
				if attempt(Generate(seed), seed, property) != nil {
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
	p, err := Shrink(Generate(seed), func(p *Program) error { return attempt(p, seed, property) })
	t.Fatalf("program of seed %d: %v\n%s\nrepeat with: UNKNOT_SEED=%d go test -run '^%s$'", seed, err, p, seed, t.Name())
}

// attempt makes a panic a failure like any other, so that its program is shrunk and shown.
func attempt(p *Program, seed uint64, property func(*Program, uint64) error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			stack := make([]byte, 4096)
			err = fmt.Errorf("panic: %v\n%s", r, stack[:runtime.Stack(stack, false)])
		}
	}()
	return property(p, seed)
}
