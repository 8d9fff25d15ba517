package race

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"unknot/internal/test/testkit"
	"unknot/internal/test/testkit/oracle/seeds"
)

var transferRuns = seeds.Kind[trace]{Generate: generateTransfers, Shrink: shrink}

// generateTransfers makes a random run whose threads have tasks that catch up with them, learn of each other and show
// what they know, and that suspect and see things.
func generateTransfers(seed uint64) trace {
	rnd := rand.New(rand.NewPCG(seed, 3))
	g := generator{rnd: rnd, r: trace{threads: 2 + rnd.IntN(2)}, owner: map[uint64]int{}, keys: 1 + rnd.IntN(2),
		tasks: true, atomics: rnd.IntN(2) == 0,
		transfers: true, suspects: rnd.IntN(2) == 0, sees: rnd.IntN(2) == 0}
	g.held, g.open = make([][]uint64, g.r.threads), make([][]int, g.r.threads)
	g.barriers, g.waits = make([]uint64, g.r.threads), make([]bool, g.r.threads)
	for range 8 + rnd.IntN(24) {
		g.step(rnd.IntN(g.r.threads))
	}
	return g.r
}

// transfer has a thread do one of these things; it says whether it can.
func (g *generator) transfer(t int) bool {
	key, open := uint64(g.rnd.IntN(g.keys)), g.open[t]
	task := 0
	if len(open) > 0 {
		task = open[g.rnd.IntN(len(open))]
	}
	switch n := g.rnd.IntN(6); {
	case n == 4 && g.suspects:
		g.add(t, action{what: "suspect", key: key})
	case n == 5 && g.sees:
		g.add(t, action{what: "see", key: uint64(g.rnd.IntN(bytesOfTrace - 2))})
	case task == 0:
		return false
	case n == 0:
		g.add(t, action{what: "catch", task: task})
	case n == 1:
		g.add(t, action{what: "part", task: task})
	case n == 2:
		g.add(t, action{what: "show", key: key, task: task})
	case n == 3 && len(open) > 1:
		if from := open[g.rnd.IntN(len(open))]; from != task {
			g.add(t, action{what: "learn", task: task, from: from})
		}
	}
	return true
}

// numbered says of each step which part of its task it belongs to, or up to which it tells of it.
func (r trace) numbered() []step {
	steps, parts := slices.Clone(r.steps), map[int]int{}
	for i := range steps {
		s := &steps[i]
		switch s.what {
		case "part":
			parts[s.task]++
		case "learn":
			s.part = parts[s.from]
			continue
		}
		s.part = parts[s.task]
	}
	return steps
}

// tells says whether a step is in what a later one says of a task: all that it came after, and its accesses of the
// parts before.
func (s *step) tells(later *step, task int) bool {
	switch s.what {
	case "access":
		return s.task == task && s.part < later.part
	case "begin", "catch", "learn":
		return s.task == task
	}
	return false
}

// seen says whether a later step comes after a write to a byte because somebody has seen it: only the first to do so
// counts, or anybody.
func (r trace) seen(before [][]bool, write, later int, at uint64, first bool) bool {
	for i := write + 1; i < later; i++ {
		if s := &r.steps[i]; s.what == "see" && at >= s.key && at < s.key+2 {
			if before[later][i] {
				return true
			}
			if first {
				return false
			}
		}
	}
	return false
}

// racesBut are the races that are left with what threads have seen: the first to see a write counts, or anybody who has
// seen it or what came after it.
func (r trace) racesBut(first bool) map[[2]int][]uint64 {
	all, before := r.races(), r.order(true)
	for pair, bytes := range all {
		bytes = slices.DeleteFunc(bytes, func(at uint64) bool {
			for i := pair[0]; i < pair[1]; i++ {
				x := &r.steps[i]
				is := i == pair[0] || !first && before[i][pair[0]] && x.what == "access" && x.access.touched()[at]
				if is && x.access.Kind.modifies() && r.seen(before, i, pair[1], at, first) {
					return true
				}
			}
			return false
		})
		if all[pair] = bytes; len(bytes) == 0 {
			delete(all, pair)
		}
	}
	return all
}

// TestRacesWithTransfers holds the detector to all pairs of accesses of random runs with tasks that learn while they go
// on: it tells those that nothing orders.
func TestRacesWithTransfers(t *testing.T) {
	testkit.TakesLong(t)
	t.Parallel()
	transferRuns.ForEach(t, 6000, 200_000, func(r trace, _ uint64) error {
		may, must := r.racesBut(true), r.racesBut(false)
		found := map[[2]Site]bool{}
		for _, x := range detect(r, 0).Races() {
			if x.Standing != Manifest {
				continue
			}
			found[[2]Site{x.First.Site, x.Second.Site}] = true
			if !slices.Contains(may[r.between(x)], x.Start) {
				return fmt.Errorf("sites %d and %d do not race at byte %d", x.First.Site, x.Second.Site, x.Start)
			}
		}
		for pair, at := range must {
			for _, b := range at {
				if !r.toldAt(may, found, pair[1], b) {
					return fmt.Errorf("that step %d races with step %d at byte %d is not told, nor with another one",
						pair[1], pair[0], b)
				}
			}
		}
		return nil
	})
}

// TestWhatOnlySuspicionOrdersIsPredicted has each predicted race of runs without locks be of accesses that nothing
// certain orders.
func TestWhatOnlySuspicionOrdersIsPredicted(t *testing.T) {
	t.Parallel()
	transferRuns.ForEach(t, 3000, 100_000, func(r trace, _ uint64) error {
		certain := trace{r.threads, slices.Clone(r.steps)}
		for i := range certain.steps {
			if certain.steps[i].what == "suspect" {
				certain.steps[i].what = "nothing"
			}
		}
		want := certain.races()
		for _, x := range detect(r, 0).Races() {
			if x.Standing == Predicted && !slices.Contains(want[r.between(x)], x.Start) {
				return fmt.Errorf("something certain orders sites %d and %d", x.First.Site, x.Second.Site)
			}
		}
		return nil
	})
}

// TestASuspicionMakesARacePredicted has a thread that may have learned of what another one did.
func TestASuspicionMakesARacePredicted(t *testing.T) {
	d, key := New(Options{Threads: 2}), Key{A: 1}
	d.Access(0, Access{Size: 8, Kind: Write, Site: 1})
	d.Release(0, key)
	d.Access(0, Access{Start: 8, Size: 8, Kind: Write, Site: 2})
	d.Suspect(1, key)
	d.Access(1, Access{Size: 8, Site: 3})
	d.Access(1, Access{Start: 8, Size: 8, Site: 4})
	races := d.Races()
	if len(races) != 2 || races[0].Standing != Predicted || races[1].Standing != Manifest {
		t.Errorf("got %+v, want the first predicted and the second manifest", races)
	}
	d.Acquire(1, key)
	d.Access(1, Access{Size: 8, Site: 5})
	if n := len(d.Races()); n != 2 {
		t.Errorf("%d races, though what was suspected is certain by now", n)
	}
}

// TestWhatWasSeenIsComplete has a thread see what a task wrote, which orders that alone, and only if it is sure.
func TestWhatWasSeenIsComplete(t *testing.T) {
	for _, sure := range []bool{true, false} {
		d, key := New(Options{Threads: 2}), Key{A: 1}
		put := d.Begin(0)
		flag, data := Access{Size: 8, Kind: Write, Site: 1}, Access{Start: 8, Size: 8, Kind: Write, Site: 2}
		d.AccessTask(put, data)
		d.AccessTask(put, flag)
		d.See(1, 0, 0, 8, sure)
		d.Release(1, key)
		d.Acquire(0, key)
		d.Catch(put)
		if d.Meets(put, flag) || !d.Meets(put, data) {
			t.Errorf("sure %v: the flag meets what was seen, or the data meet nothing", sure)
		}
		d.Access(0, Access{Start: 8, Size: 8, Kind: Write, Site: 4})
		d.Access(0, Access{Size: 8, Kind: Write, Site: 3})
		if n := len(d.Races()); sure && n != 1 || !sure && n != 2 {
			t.Errorf("sure %v: races %+v", sure, d.Races())
		}
	}
}

// TestWhatAThreadOnlySuspectsStaysSuspected has a task carry it back to its thread.
func TestWhatAThreadOnlySuspectsStaysSuspected(t *testing.T) {
	d, key := New(Options{Threads: 2}), Key{A: 1}
	d.Access(0, Access{Size: 8, Kind: Write, Site: 1})
	d.Release(0, key)
	d.Suspect(1, key)
	task := d.Begin(1)
	d.AccessTask(task, Access{Start: 8, Size: 8, Kind: Write, Site: 2})
	d.Join(1, task)
	d.Access(1, Access{Size: 8, Site: 3})
	if races := d.Races(); len(races) != 1 || races[0].Standing != Predicted {
		t.Errorf("got %+v, want a predicted race", races)
	}
}

// TestALockHandsOnNothingOfTheTasksOfItsHolder has a transfer complete before a lock is taken, which is then given
// back.
func TestALockHandsOnNothingOfTheTasksOfItsHolder(t *testing.T) {
	d := New(Options{Threads: 2})
	write := Access{Owner: 0, Start: 0, Size: 8, Kind: Write, Site: 1}
	k := d.Begin(0)
	d.AccessTask(k, write)
	d.Join(0, k)
	d.Lock(0, 1)
	d.Unlock(0, 1)
	d.Lock(1, 1)
	write.Site = 2
	d.Access(1, write)
	d.Unlock(1, 1)
	if races := d.Races(); len(races) != 1 || races[0].Standing != Predicted {
		t.Errorf("%+v", races)
	}
}
