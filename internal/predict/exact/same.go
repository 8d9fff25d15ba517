package exact

import (
	"unknot/internal/trace"
	"unknot/internal/vocab/op"
)

// deterministic says whether each call gives the same in every run of the program. The argument is by induction over
// the calls of a run: as long as each rank has seen what it saw in the recorded run, it makes the calls of the log, so
// the state of the run is one of the model. The next call to end then gives what it gave before: its receive has no
// choice but one sender's messages, which come in order (MPI-4.0, 3.5) and with the same data; a call that waits for
// all reports all; a collective gives what its members brought. So there must be nothing that timing decides:
//
//   - no contested receive, and no probe that may see messages of several threads;
//   - no call that may report one of several requests, and none that asks whether something is complete or there: the
//     answer may be that it is not yet, also if it was in the recorded run;
//   - nothing that was cancelled, no windows and files, which ranks share, no processes from outside, no call that is
//     not modelled;
//   - no ranks that call MPI from several threads, and no thread whose calls are not all in the log.
//
// The program itself must not depend on time or random numbers, and reductions must give the same each time, as
// MPI-4.0, 6.9.1, recommends.
func (m *model) deterministic() bool {
	if len(m.log.Threads) != m.log.Head.Ranks || len(m.disputed) > 0 {
		return false
	}
	for i := range m.log.Comms {
		c := &m.log.Comms[i]
		if c.Inner || m.foreign(c.Members) || m.foreign(c.Remote) {
			return false
		}
	}
	for t := range m.log.Threads {
		l := &m.log.Threads[t]
		if m.open[t] || len(l.Polls) > 0 {
			return false
		}
		for i := range m.end[t] {
			o := &l.Ops[i]
			if o.Opaque || o.Any && o.Waiting > 1 || m.polls(o) || m.stores(o) {
				return false
			}
		}
		for i := range l.Parts {
			p := &l.Parts[i]
			if p.Gone || p.Kind == op.Served && p.Peer != op.ProcNull {
				return false
			}
		}
	}
	for id := range m.parts {
		if p := &m.parts[id]; p.kind == op.Probe && p.sig != none && m.several(int32(id)) {
			return false
		}
	}
	return true
}

// foreign says whether some of the ranks are not in the log.
func (m *model) foreign(ranks []op.Rank) bool {
	for _, r := range ranks {
		if r < 0 || int(r) >= m.log.Head.Ranks {
			return true
		}
	}
	return false
}

// polls says whether a call only asked whether something is complete or there: its thread is not held by it.
func (m *model) polls(o *trace.Op) bool {
	f := m.row(o)
	return f != nil && f.Poll
}

// stores says whether a call is about what ranks share, windows and files.
func (m *model) stores(o *trace.Op) bool {
	f := m.row(o)
	return f != nil && f.Stores()
}
