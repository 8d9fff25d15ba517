package detect

import (
	"slices"
	"syscall"

	"unknot/internal/observe/ring"
	"unknot/internal/say/explain"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/op"
)

// deaths are the ranks that died. If an error explains why, they are remarks on it. Else the death that came first is a
// finding.
type deaths struct {
	*job
	findings *findings
	list     []*message.Death
	failures []*message.Death // after MPI_Finalize, by a signal or a status other than 0
	outside  string           // who has ended all ranks, if none of them is at fault
}

// hear takes in that a rank has died.
func (ds *deaths) hear(m *message.Death) {
	if m.Final {
		ds.failures = append(ds.failures, m)
	} else {
		ds.list = append(ds.list, m)
	}
}

// judge reports the rank whose death came first; the launcher ends the others.
func (ds *deaths) judge(watched int, allKnown bool) {
	if ds.stopped || len(ds.list) == 0 {
		return
	}
	ds.interrupted()
	slices.SortStableFunc(ds.list, sooner)
	first := ds.list[0]
	if !allKnown {
		// A rank of which nothing is known may have ended before, for which the launcher ends the others.
		i := slices.IndexFunc(ds.list, func(d *message.Death) bool { return d.Own })
		if i < 0 {
			return
		}
		first = ds.list[i]
	}
	if first.Secondary {
		// A rank has finished with a status other than 0, for which some launchers end the others; or something has
		// ended the launcher.
		if len(ds.list) == watched && !ds.orphan { // those of an orphan may be seen in time, or not
			ds.outside = explain.EndedByLauncher(first)
			ds.standing(explain.EndedBy(first))
		}
		return
	}
	if ds.fromOutside(watched) {
		ds.outside = explain.EndedFromOutside(first)
		ds.standing(explain.EndedBy(first))
		return
	}
	if first.Kind == ring.DeathNone && slices.ContainsFunc(ds.failures, func(d *message.Death) bool {
		return d.Nanos < first.Nanos
	}) {
		return // the same, and known to be so
	}
	if ds.explain(first) {
		return
	}
	f := explain.Death(first)
	for _, d := range ds.list {
		if d != first && asGoodAs(first, d) && first.Inside == d.Inside && !first.Secondary && !d.Secondary {
			f.Notes = append(f.Notes, finding.Remark(explain.DiedTogether(d)))
		}
	}
	ds.findings.tell(f)
}

// interrupted takes ranks that were killed without notice for the launcher's victims if it has interrupted others: no
// launcher does so because a rank has died. That of MPICH passes an interrupt on, and kills what is left right after
// it. That of Open MPI does so with SIGTERM, but also because a rank was killed: then that rank is the first to end,
// and the launcher's exit status says that a rank was killed.
func (ds *deaths) interrupted() {
	var first *message.Death // that the launcher asked to end
	asked := false
	for _, d := range ds.list {
		if !d.Secondary {
			continue
		}
		asked = asked || d.Kind == ring.DeathSignal && d.Code == int32(syscall.SIGINT) ||
			d.Signal == int32(syscall.SIGINT)
		if first == nil || d.Nanos < first.Nanos {
			first = d
		}
	}
	killed := ds.exit == 128+int(syscall.SIGKILL) || ds.exit == int(syscall.SIGKILL)
	for _, d := range ds.list {
		if d.Kind == ring.DeathNone && (asked || first != nil && !killed && first.Nanos < d.Nanos && !d.Late) {
			d.Secondary = true
		}
	}
}

// fromOutside says whether others than the launcher have ended all ranks by signals, as batch systems do. If that is
// one of several ranks, the launcher has ended the others for it.
func (ds *deaths) fromOutside(watched int) bool {
	n := 0
	for _, d := range ds.list {
		switch {
		case d.Outside:
			n++
		case !d.Secondary:
			return false
		}
	}
	return len(ds.list) == watched && (n > 1 || n == watched)
}

// explain adds the deaths that errors explain to these errors. It returns false if they do not explain why the job
// ended. first is the death that came first. If that rank could not report how it ended, or another process ended it,
// the launcher may have ended it because of a later death, or its library may have given up because of that.
func (ds *deaths) explain(first *message.Death) bool {
	explained := false
	for _, d := range ds.list {
		t, how := ds.findings.explanation(d)
		if t == nil || d != first && first.Own && !explained && !givenUp(first) {
			continue
		}
		explained = true
		ds.findings.dies(t, how, explain.Death(d))
	}
	return explained
}

// tell reports the death of a rank for which others wait. If an error explains it, they wait because of that.
func (ds *deaths) tell(f finding.Finding) {
	for _, d := range ds.list {
		if int(d.Rank) != f.Ranks[0] {
			continue
		}
		if t, how := ds.findings.explanation(d); t != nil {
			ds.findings.dies(t, how, f)
			t.Others = append(t.Others, f.Others...)
			t.touch(ds.now)
			return
		}
	}
	ds.findings.tell(f)
}

// diedFirst makes a finding of the rank whose death, or uncaught exception, leaves others waiting for it.
func (ds *deaths) diedFirst(s *explain.Story, witness []message.Key,
	byKey map[message.Key]*message.Described) (finding.Finding, bool) {
	for _, c := range s.Culprits {
		for _, d := range slices.Backward(ds.list) {
			if d.Rank == c {
				return s.Behind(d), true
			}
		}
		for _, k := range witness {
			if d := byKey[k]; d != nil && k.Rank == c && d.Shape.Except != nil {
				return s.BehindException(d), true
			}
		}
	}
	return finding.Finding{}, false
}

// byLauncher says whether one of these ranks was ended by the launcher, which is about to end all of them.
func (ds *deaths) byLauncher(ranks []op.Rank) bool {
	return slices.ContainsFunc(ds.list, func(d *message.Death) bool {
		return d.Secondary && slices.Contains(ranks, d.Rank)
	})
}

// standing reports where the ranks were when others than unknot ended them all by a signal, unless a survey has done so
// before. For whom each of them waited is not known.
func (ds *deaths) standing(signal string) {
	if signal == "" || ds.findings.has(finding.Interrupted) {
		return
	}
	st := explain.Standstill{Signal: signal, Size: ds.size}
	st.Alike = make(map[message.Key]op.Ranks)
	var speak []*message.Described
	for _, d := range ds.list {
		if d.Stood == nil {
			return
		}
		if i := slices.IndexFunc(speak, func(s *message.Described) bool { return sameStand(s, d.Stood) }); len(
			ds.list) > largeFinding && i >= 0 {
			k := speak[i].Key
			st.Alike[k] = st.Alike[k].Union(op.RanksOf(d.Rank))
			continue
		}
		speak = append(speak, d.Stood)
	}
	for _, d := range speak {
		st.Members = append(st.Members, explain.Member{Described: d, State: message.Running})
	}
	slices.SortStableFunc(st.Members, func(a, b explain.Member) int {
		return message.CompareKeys(a.Described.Key, b.Described.Key)
	})
	if f, tells := st.Finding(); tells {
		ds.findings.tell(f)
	}
}

// sameStand says whether two ranks were in the same call at the same place.
func sameStand(a, b *message.Described) bool {
	return a.Place.Call == b.Place.Call && a.Place.Frame == b.Place.Frame && a.Place.State == b.Place.State
}
