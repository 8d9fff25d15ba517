package agent

import (
	"unknot/internal/check"
	"unknot/internal/check/messages"
	"unknot/internal/model/waitstate"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/mpi"
)

// races are the receives that several messages could have met.
func (a *describer) races() (out []message.Race) {
	for _, race := range a.node.Races() {
		r, f := a.ranks[race.Recv.Rank], a.table.ByID(race.Recv.Fn)
		if r == nil || f == nil {
			continue
		}
		if race.Differ == waitstate.NoDifference && !messages.AsksForRaces(a.opts.Checks) &&
			(probes(f) || a.ofLibrary(r, race.Recv.Site)) {
			// a probe says whose message it is, and takes none; what a library receives is not for its user to order
			continue
		}
		p := a.Place(&r.Process, f, race.Recv.Site, race.Recv.First(), race.Recv.Stamp)
		p.Thread, p.State = int(race.Recv.Thread), "called"
		out = append(out, message.Race{Place: p, Recv: f, Sends: race.Sends,
			Asked: messages.AsksForRaces(a.opts.Checks),
			Apart: messages.Apart{Difference: race.Differ, One: rival(race.One), Other: rival(race.Other),
				Room: race.Room}})
	}
	return out
}

// ofLibrary says whether a call stands in a library.
func (a *describer) ofLibrary(r *rank, site uint64) bool {
	return check.Library(r.checked.Use.Innermost(site)) != ""
}

func rival(m waitstate.Rival) (r messages.Rival) {
	if m.Origin != nil {
		r = messages.Rival{Rank: int(m.Rank), Tag: int(m.Tag), Content: m.Content}
	}
	return r
}

func probes(f *mpi.Func) bool {
	switch f.Class {
	case mpi.Probe, mpi.Iprobe, mpi.Mprobe, mpi.Improbe:
		return true
	}
	return false
}
