package detect

import (
	"slices"
	"syscall"

	"unknot/internal/check/buffers"
	"unknot/internal/check/leaks"
	"unknot/internal/check/lifecycle"
	"unknot/internal/check/messages"
	"unknot/internal/check/rma"
	"unknot/internal/observe/ring"
	"unknot/internal/say/explain"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/op"
)

// A rank whose MPI library ends it because of a wrong call dies of that call, and its death is a line of the error: it
// is neither a second error nor the first thing to fix.

// explanation is the error that a rank died of, nil if none is known, and in words how the death follows from it. The
// rank died in the very call that the error is about. Or its library ended it in a later call, on what an error
// concerns that names the rank, or in a collective on what an error in a collective concerns, which other members
// notice. Or its memory was overwritten, or a window of it had none. Or it called MPI where there was no MPI.
func (l *findings) explanation(d *message.Death) (cause *grouped, how string) {
	for _, t := range l.order {
		if l.ranOut(t, d) {
			return t, explain.DiedIn(d)
		}
		if t.Severity != finding.Error || t.Standing != finding.Manifest || !t.aboutCalls() {
			continue
		}
		if d.Within && t.names(d.Rank, d.Moment) {
			return t, explain.DiedIn(d)
		}
		if cause == nil && t.leadsTo(d) {
			cause = t
		}
	}
	if cause != nil {
		how = explain.DiedAfter(d)
	}
	return cause, how
}

// ranOut says whether a rank ended in a call that creates a communicator, window or file while it had very many of one
// call that it had not freed: the MPI library has no room for more.
func (l *findings) ranOut(t *grouped, d *message.Death) bool {
	if t.Code != leaks.ResourceGrowth || !d.Within || !t.names(d.Rank, 0) {
		return false
	}
	f := l.table.ByName(d.Place.Call)
	return f != nil && leaks.NeedsContext(f)
}

// concerns says whether one of the ranks at fault is among these.
func (t *grouped) concerns(ranks []op.Rank) bool {
	return slices.ContainsFunc(ranks, func(r op.Rank) bool { return slices.Contains(t.Ranks, int(r)) })
}

// leadsTo says whether a rank that ended itself may well have done so because of an earlier error. Some launchers kill
// a rank whose library gives up before it can end itself.
func (t *grouped) leadsTo(d *message.Death) bool {
	if !d.Own && d.Kind != ring.DeathNone {
		return false
	}
	signal := syscall.Signal(0)
	if d.Kind == ring.DeathSignal {
		signal = syscall.Signal(d.Code)
	}
	named, byLibrary := t.names(d.Rank, 0), signal == 0 || signal == syscall.SIGABRT
	switch {
	case t.Code == d.Because:
		return named
	case t.Code == lifecycle.OutsideMPI || t.Code == lifecycle.InitTwice:
		return named && byLibrary
	case buffers.Overwrites(t.Code):
		return named && (signal != 0 || d.Within)
	case rma.Unbacked(t.Code) && named && d.Within && (signal == syscall.SIGSEGV || signal == syscall.SIGBUS):
		return true
	case t.Code == messages.MessageTruncated && named && signal != 0:
		return true // libraries have been seen to write beyond such a receive
	}
	return d.Within && byLibrary && t.scope.Meets(d.Scope) && (named || t.scope.Collective && d.Scope.Collective ||
		t.concerns(d.Scope.Peers))
}

// dies adds a rank's death to the error that it died of, in words, and as the finding that it is if a rule leaves the
// error out. The first is enough.
func (l *findings) dies(t *grouped, how string, f finding.Finding) {
	t.Died = slices.Compact(slices.Sorted(slices.Values(append(t.Died, f.Ranks...))))
	if t.death == "" {
		t.death, t.instead = how, &f
	}
	t.Severity = finding.Error // a rank ended because of it
	t.touch(l.now)
}
