package exact

import (
	"slices"

	"unknot/internal/trace"
	"unknot/internal/vocab/op"
)

// replying finds the places of a thread's calls that answer: each time, the destination is one that a wildcard receive
// of the thread had met in the recorded run and that had not been answered since, and it has been more than one.
func replying(l *trace.Log, places []uint32, t *trace.Thread) map[uint32]bool {
	first := make(map[uint32]op.Rank)
	answers := make(map[uint32]bool)
	asked := make(map[op.Rank]int)
	for i := range t.Ops {
		o := &t.Ops[i]
		for _, p := range t.Posts(o) {
			if p.Kind == op.Send && o.Site != 0 {
				at := places[o.Site]
				dst, seen := first[at]
				if !seen {
					first[at], answers[at] = p.Peer, true
				}
				answers[at] = answers[at] && asked[p.Peer] > 0
				asked[p.Peer] = max(asked[p.Peer]-1, 0)
				if seen && dst != p.Peer {
					first[at] = op.AnySource
				}
			}
		}
		// A request that was completed here was posted before; what counts is when its source became known.
		for _, w := range t.WaitsOf(o) {
			if p := &l.Threads[w.Thread].Parts[w.Part]; p.Kind != op.Send && p.Kind != op.Coll &&
				(p.Wild || p.Peer == op.AnySource) && p.Matched >= 0 {
				asked[p.Matched]++
			}
		}
	}
	for at, is := range answers {
		if !is || first[at] != op.AnySource {
			delete(answers, at)
		}
	}
	return answers
}

// replies says whether a deadlock depends on an answer to somebody else than whom the thread has met.
func (m *model) replies(d *Deadlock) bool {
	met := make(map[Ref]op.Rank)
	for _, x := range d.Matches {
		met[x.Recv] = m.rank(int32(x.Send.Thread))
	}
	places := m.log.Places()
	for t := range m.log.Threads {
		l := &m.log.Threads[t]
		answers := replying(m.log, places, l)
		if len(answers) == 0 {
			continue
		}
		end := m.end[t]
		if i := slices.IndexFunc(d.Stuck, func(s Stuck) bool { return int(s.Thread) == t }); i >= 0 {
			end = int32(d.Stuck[i].Op) + 1
		}
		asked := make(map[op.Rank]int)
		for i := range end {
			o := &l.Ops[i]
			for _, p := range l.Posts(o) {
				if p.Kind != op.Send {
					continue
				}
				if answers[places[o.Site]] && asked[p.Peer] == 0 {
					return true
				}
				asked[p.Peer] = max(asked[p.Peer]-1, 0)
			}
			for _, w := range l.WaitsOf(o) {
				p := &m.log.Threads[w.Thread].Parts[w.Part]
				source, ok := met[Ref{w.Thread, w.Part}]
				if ok && p.Kind != op.Send && (p.Wild || p.Peer == op.AnySource) {
					asked[source]++
				}
			}
		}
	}
	return false
}
