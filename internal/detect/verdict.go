package detect

import (
	"cmp"
	"slices"
	"strings"
	"syscall"

	"unknot/internal/explain"
	"unknot/internal/finding"
	"unknot/internal/message"
	"unknot/internal/ring"
)

// Verdict tells the rest when everything has been read: who died, what was not modelled, and hands over what was not
// yet. It is called after the root has ended.
func (r *Root) Verdict(watched int) (calls uint64, complete bool, why string) {
	r.tellDeaths(watched)
	if len(r.passed) > 0 {
		r.findings.tell(explain.Passed(r.passed))
	}
	slices.SortFunc(r.unused, func(a, b message.Unused) int {
		return cmp.Or(cmp.Compare(a.Rank, b.Rank), cmp.Compare(a.Thread, b.Thread))
	})
	for i := range r.unused {
		r.findings.tell(explain.Unused(&r.unused[i]))
	}
	r.findings.foldLost()
	r.findings.foldEarly()
	r.findings.sendRest()
	for _, p := range r.progress {
		calls += p.Calls
	}
	r.logFolded(r.Folded(), calls)
	if len(r.lost) > 0 {
		return calls, false, strings.Join(r.lost, "; ")
	}
	if watched < r.size {
		return calls, false, explain.Unwatched(watched, r.size, len(r.deaths) > 0)
	}
	if r.outside != "" {
		return calls, false, r.outside
	}
	if r.broken != nil {
		return calls, false, explain.Unfollowed(r.broken)
	}
	if r.hurried {
		return calls, false, explain.Hurried()
	}
	return calls, true, ""
}

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

// tellDeaths reports the rank whose death came first; the launcher ends the others.
func (r *Root) tellDeaths(watched int) {
	if r.stopped || len(r.deaths) == 0 {
		return
	}
	r.interrupted()
	slices.SortStableFunc(r.deaths, sooner)
	first := r.deaths[0]
	if len(r.lost) > 0 {
		// A rank of which nothing is known may have ended before, for which the launcher ends the others.
		i := slices.IndexFunc(r.deaths, func(d *message.Death) bool { return d.Own })
		if i < 0 {
			return
		}
		first = r.deaths[i]
	}
	if first.Secondary {
		// A rank has finished with a status other than 0, for which some launchers end the others; or something has
		// ended the launcher.
		if len(r.deaths) == watched && !r.orphan { // those of an orphan may be seen in time, or not
			r.outside = explain.EndedByLauncher(first)
			r.standing(explain.EndedBy(first))
		}
		return
	}
	if r.fromOutside(watched) {
		r.outside = explain.EndedFromOutside(first)
		r.standing(explain.EndedBy(first))
		return
	}
	if first.Kind == ring.DeathNone && slices.ContainsFunc(r.failures, func(d *message.Death) bool {
		return d.Nanos < first.Nanos
	}) {
		return // the same, and known to be so
	}
	if r.explainDeaths(first) {
		return
	}
	f := explain.Death(first)
	for _, d := range r.deaths {
		if d != first && asGoodAs(first, d) && first.Inside == d.Inside && !first.Secondary && !d.Secondary {
			f.Notes = append(f.Notes, finding.Remark(explain.DiedTogether(d)))
		}
	}
	r.findings.tell(f)
}

// interrupted takes ranks that were killed without notice for the launcher's victims if it has interrupted others: no
// launcher does so because a rank has died. That of MPICH passes an interrupt on, and kills what is left right after
// it. That of Open MPI does so with SIGTERM, but also because a rank was killed: then that rank is the first to end,
// and the launcher's exit status says that a rank was killed.
func (r *Root) interrupted() {
	var first *message.Death // that the launcher asked to end
	asked := false
	for _, d := range r.deaths {
		if !d.Secondary {
			continue
		}
		asked = asked || d.Kind == ring.DeathSignal && d.Code == int32(syscall.SIGINT) ||
			d.Signal == int32(syscall.SIGINT)
		if first == nil || d.Nanos < first.Nanos {
			first = d
		}
	}
	killed := r.exit == 128+int(syscall.SIGKILL) || r.exit == int(syscall.SIGKILL)
	for _, d := range r.deaths {
		if d.Kind == ring.DeathNone && (asked || first != nil && !killed && first.Nanos < d.Nanos && !d.Late) {
			d.Secondary = true
		}
	}
}

// fromOutside says whether others than the launcher have ended all ranks by signals, as batch systems do. If that is
// one of several ranks, the launcher has ended the others for it.
func (r *Root) fromOutside(watched int) bool {
	n := 0
	for _, d := range r.deaths {
		switch {
		case d.Outside:
			n++
		case !d.Secondary:
			return false
		}
	}
	return len(r.deaths) == watched && (n > 1 || n == watched)
}

// Folded is how many calls of the ranks repeat others and were left out.
func (r *Root) Folded() (calls uint64) {
	for _, p := range r.progress {
		calls += p.Folded
	}
	return calls
}
