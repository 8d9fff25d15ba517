package detect

import (
	"cmp"
	"slices"

	"unknot/internal/observe/ring"
	"unknot/internal/vocab/message"
)

// Which of several deaths came first. A launcher ends all ranks when one dies, and what is known of when each of them
// died is not exact.

// asGoodAs says whether the order of two deaths that could not tell is not certain: a process counts as ended when the
// last of its threads has, which may come a little after another process that was ended because of it.
func asGoodAs(d, e *message.Death) bool {
	return d.Kind == ring.DeathNone && e.Kind == ring.DeathNone && (d.Late || e.Late || near(d, e))
}

// near says whether two ranks died at about the same time.
func near(d, e *message.Death) bool {
	const apart = 50e6 // nanoseconds
	return d.Nanos < e.Nanos+apart && e.Nanos < d.Nanos+apart
}

// behind says whether a rank was rather killed because the library of another one has given up in a call: a library has
// the launcher end the job before it exits, so that other ranks may be gone first. Who waited in a call then is no
// better explained than by that.
func behind(d, e *message.Death) bool {
	gaveUp := e.Kind == ring.DeathExit && e.Own && e.Within && !e.Ending
	return d.Kind == ring.DeathNone && d.Inside && gaveUp && near(d, e)
}

// waitsFor says whether a rank died in a call that exchanges messages with another one, which was in no such call with
// it.
func waitsFor(d, e *message.Death) bool {
	return d.Inside && slices.Contains(d.Scope.Peers, e.Rank) && !slices.Contains(e.Scope.Peers, d.Rank)
}

// sooner compares two deaths by which of them rather came first.
func sooner(a, b *message.Death) int {
	later := func(test func(d, e *message.Death) bool) int {
		switch one, other := test(a, b), test(b, a); {
		case one && !other:
			return 1
		case other && !one:
			return -1
		}
		return 0
	}
	if n := later(func(d, _ *message.Death) bool { return d.Secondary }); n != 0 {
		return n
	}
	if n := later(behind); n != 0 {
		return n
	}
	if asGoodAs(a, b) {
		// Who waited for others is rather one of those that were ended because of another.
		if n := cmp.Or(later(func(d, _ *message.Death) bool { return d.Inside }), later(waitsFor)); n != 0 {
			return n
		}
	}
	return cmp.Or(cmp.Compare(a.Nanos, b.Nanos), cmp.Compare(a.Nth, b.Nth))
}

// givenUp says whether a rank's library has ended it in a call that needs other ranks. The library may have done so
// because another rank is ending: MPICH's MPI_Finalize fails so when another rank's library aborts the job, which that
// rank does before it exits.
func givenUp(d *message.Death) bool {
	return d.Kind == ring.DeathExit && d.Within && (d.Inside || d.Ending)
}
