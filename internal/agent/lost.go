package agent

import (
	"slices"

	"unknot/internal/check/messages"
	"unknot/internal/message"
	"unknot/internal/mpi"
	"unknot/internal/op"
	"unknot/internal/waitstate"
)

// tellLost tells of messages that nobody has received, if all ranks have come to MPI_Finalize and all that they called is known.
// What another agent's ranks have sent may still be under way, so one agent must have them all.
func (a *Agent) tellLost() {
	if a.checks == nil || !a.checks.Enabled(messages.MessageLost) || a.net.Agents() > 1 || a.noRoom != nil && a.noRoom() {
		return
	}
	for _, r := range a.order {
		ended := slices.ContainsFunc(r.threads, func(t *thread) bool { return t.op != nil && t.op.Terminal })
		if len(a.order) < r.size || !ended || r.untold || r.lost || r.failed || r.callbacks || len(r.unknown) > 0 {
			return
		}
	}
	type place struct {
		rank op.Rank
		site uint64
	}
	told := make(map[place]*message.Lost)
	var order []place
	for _, m := range a.node.Unreceived() {
		f := a.table.ByID(m.Origin.Fn)
		if f == nil || !sends(f) {
			continue
		}
		key := place{m.Src, m.Origin.Site}
		if old := told[key]; old != nil {
			old.Count++
			continue
		}
		told[key] = a.lostMessage(f, &m)
		order = append(order, key)
	}
	for _, key := range order {
		a.net.SendUp(*told[key])
	}
}

// sends says whether a call sends messages of the program, rather than what the model needs for windows and the like.
func sends(f *mpi.Func) bool {
	switch f.Class {
	case mpi.Send, mpi.Isend, mpi.Sendrecv, mpi.Isendrecv, mpi.Start, mpi.Startall:
		return true
	}
	return false
}

func (a *Agent) lostMessage(f *mpi.Func, m *waitstate.Miss) *message.Lost {
	p := a.place(a.ranks[m.Src], f, m.Origin.Site, m.Origin.Words[:m.Origin.NWords], m.Origin.Stamp)
	p.Thread, p.State = int(m.Origin.Thread), "called"
	return &message.Lost{Place: p, Src: m.Src, Dst: m.Dst, Tag: m.Tag, Bytes: m.Bytes, Count: 1}
}
