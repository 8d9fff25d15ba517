package rma

import (
	"testing"

	"unknot/internal/check"
	"unknot/internal/check/used"
	"unknot/internal/model/objects"
	"unknot/internal/vocab/datatype"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"

	"pgregory.net/rapid"
)

// room is a Watch whose ranks each have a window of 64 bytes with displacements in bytes.
type room struct {
	watch *check.Watch
	far   *remote
	put   *mpi.Func
	char  *datatype.Type
}

func newRoom(t interface{ Fatal(...any) }, ranks int) *room {
	table, err := mpi.Load()
	if err != nil {
		t.Fatal(err)
	}
	r := &room{put: table.ByName("MPI_Put")}
	list := append(Checkers(), check.Checker{Codes: []finding.Doc{{Code: Conflict, Severity: finding.Error}},
		Watch: func(h *check.Hooks) { r.far = model(h).far }})
	r.watch = check.New(table, objects.Follow(table), check.Selection(nil).Codes(list), list)
	if r.char, err = datatype.Predefined("MPI_BYTE", 1, 1, 1); err != nil {
		t.Fatal(err)
	}
	for i := range ranks {
		r.far.ranks[op.Rank(i)] = check.NewRank(objects.NewRank(i))
	}
	return r
}

func (r *room) window(rank int) *window { return r.another(rank, 1) }

func (r *room) another(rank int, id uint64) *window {
	w := &window{rank: r.far.ranks[op.Rank(rank)], id: id, kind: "create",
		windowMemory: windowMemory{size: 64, unit: 1}, made: objects.Made{Func: r.put}}
	r.far.targets.add(r.watch, r.far, w)
	return w
}

func (r *room) act(site uint64, how mpi.Access, op string, lo, n int64) act {
	return act{call: check.Past{Fn: r.put, Site: site}, manner: how, op: op, disp: lo, known: true,
		layout: used.Covering{From: 0, To: n, Datatype: r.char, Count: n}}
}

func (r *room) said() map[finding.Code]int {
	out := make(map[finding.Code]int)
	for _, x := range r.watch.Reports {
		out[x.Code]++
	}
	return out
}

func TestWhatIsToldBeforeTheWindowIsKnownIsJudgedAfterwards(t *testing.T) {
	r := newRoom(t, 2)
	r.far.arrived(r.watch, &batch{win: 1, from: 1, to: 0, key: epochKey{kind: passive},
		acts: []act{r.act(1, mpi.Writes, "", 60, 8)}})
	if len(r.watch.Reports) > 0 {
		t.Fatalf("%v before the window is known", r.watch.Reports)
	}
	r.window(0)
	if r.said()[rmaBounds] != 1 {
		t.Errorf("%v, want one %s", r.said(), rmaBounds)
	}
}

func TestEpochsOfStartMeetThoseOfPostByTheirNumber(t *testing.T) {
	r := newRoom(t, 3)
	w := r.window(0)
	tell := func(from op.Rank, nth uint64) {
		r.far.arrived(r.watch, &batch{win: 1, from: from, to: 0, key: epochKey{byStart, nth},
			acts: []act{r.act(uint64(from), mpi.Writes, "", 0, 4)}})
	}
	// Rank 1 is let in twice, rank 2 only in the second epoch: its first is rank 1's second.
	tell(1, 1)
	tell(2, 1)
	r.far.post(r.watch, w, []op.Rank{1}, false, objects.Made{})
	r.far.post(r.watch, w, []op.Rank{1, 2}, false, objects.Made{})
	if n := len(r.watch.Reports); n > 0 {
		t.Fatalf("%d reports of epochs that do not meet", n)
	}
	tell(1, 2)
	if r.said()[Conflict] != 1 {
		t.Errorf("%v, want one %s", r.said(), Conflict)
	}
}

// The log of one rank may be read many epochs ahead of another's; nothing is kept of epochs without end.
func TestARankThatIsReadFarAheadIsCompared(t *testing.T) {
	r := newRoom(t, 3)
	w := r.window(0)
	const epochs = 100
	for from := range 3 {
		for nth := range uint64(epochs) {
			a := r.act(100*uint64(from)+nth, mpi.Writes, "", int64(nth%8)*8, 4)
			r.far.arrived(r.watch, &batch{win: 1, from: op.Rank(from), to: 0, key: epochKey{byFence, nth},
				acts: []act{a}})
		}
	}
	if r.said()[Conflict] < epochs {
		t.Errorf("%d conflicts, want one of each of %d epochs", r.said()[Conflict], epochs)
	}
	for nth := range uint64(3 * maxExposures) {
		r.far.arrived(r.watch, &batch{win: 1, from: 1, to: 0, key: epochKey{byFence, epochs + nth},
			acts: []act{r.act(1, mpi.Writes, "", 0, 4)}})
	}
	if x := r.far.targets.of(w); len(x.exposures) != maxExposures || len(x.byKey) != maxExposures ||
		x.placed != maxExposures {
		t.Errorf("%d epochs, %d by their keys, %d acts are kept, want %d", len(x.exposures), len(x.byKey), x.placed,
			maxExposures)
	}
}

// The same holds of windows that their owner has freed long before another rank's calls are read.
func TestAWindowThatWasFreedFarAheadIsCompared(t *testing.T) {
	r := newRoom(t, 3)
	const windows = 1000
	for id := range uint64(windows) {
		r.far.targets.drop(r.another(0, id+1))
	}
	for from := range 2 {
		for id := range uint64(windows) {
			a := r.act(windows*uint64(from)+id+1, mpi.Writes, "", 0, 4)
			r.far.arrived(r.watch, &batch{win: id + 1, from: op.Rank(from + 1), to: 0, key: epochKey{byFence, 1},
				acts: []act{a}})
		}
	}
	if r.said()[Conflict] != windows {
		t.Errorf("%d conflicts, want one of each of %d windows", r.said()[Conflict], windows)
	}
	many := r.another(0, windows+1)
	for id := range uint64(2 * maxGoneWins) {
		r.far.targets.drop(r.another(0, windows+1+id))
	}
	if x := &r.far.targets; len(x.gone) != maxGoneWins || len(x.windows) != maxGoneWins || x.acts != 0 ||
		x.of(many) != nil {
		t.Errorf("%d windows are kept, and found %d, with %d acts, want %d", len(x.gone), len(x.windows),
			x.acts, maxGoneWins)
	}
}

// Whatever the order in which the ranks' acts of an epoch are heard of, a conflict is found if and only if some pair
// has one.
func TestConflictsAreThoseOfAllPairs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := newRoom(t, 4)
		r.window(0)
		var all []*spot
		var batches []*batch
		for from := range 4 {
			b := &batch{win: 1, from: op.Rank(from), to: 0, key: epochKey{byFence, 1}}
			for range rapid.IntRange(0, 3).Draw(t, "acts") {
				how := mpi.Access(rapid.IntRange(0, 2).Draw(t, "manner"))
				what := ""
				if how == mpi.Updates {
					what = rapid.SampledFrom([]string{"MPI_SUM", "MPI_MAX", "MPI_NO_OP"}).Draw(t, "op")
				}
				lo := rapid.Int64Range(0, 40).Draw(t, "lo")
				a := r.act(uint64(len(all)+1), how, what, lo, rapid.Int64Range(1, 12).Draw(t, "length"))
				b.acts = append(b.acts, a)
				all = append(all, &spot{act: &a, at: lo, lo: lo, hi: lo + a.layout.To, from: b.from})
			}
			batches = append(batches, b)
		}
		want := false
		for i, p := range all {
			for _, q := range all[:i] {
				want = want || p.lo < q.hi && q.lo < p.hi && clashOf(p, q, false) != noClash
			}
		}
		for _, b := range rapid.Permutation(batches).Draw(t, "order") {
			r.far.arrived(r.watch, b)
		}
		r.watch.End()
		r.watch.Complete()
		if have := r.said()[Conflict] > 0; have != want {
			t.Fatalf("a conflict is found: %v, want %v", have, want)
		}
	})
}
