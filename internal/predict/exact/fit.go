package exact

import (
	"unknot/internal/op"
	"unknot/internal/trace"
)

// signature is what decides which parts fit: a lane and a tag. With holds the signatures of the other side that fit.
type signature struct {
	send    bool
	box     int32
	lane    int32
	tag     int32
	parts   int // sends or receives (not probes) that have it
	with    []int32
	crowded bool // receives: the log has messages for them in two lanes, or another thread receives the same
}

// match finds out what fits what, and which receives are contested. It takes time in proportion to the pairs of signatures
// that fit, and to the parts.
func (m *model) match() {
	inBox := make([][2][]int32, len(m.boxes))
	for s := range m.fits {
		f := &m.fits[s]
		side := 0
		if f.send {
			side = 1
		}
		inBox[f.box][side] = append(inBox[f.box][side], int32(s))
	}
	for i := range m.parts {
		p := &m.parts[i]
		if p.sig == none {
			continue
		}
		if p.kind != trace.Probe {
			m.fits[p.sig].parts++
		}
	}
	for _, sides := range inBox {
		type at struct {
			source op.Rank
			tag    int32
		}
		sends := make(map[at][]int32)
		bySource := make(map[op.Rank][]int32)
		byTag := make(map[int32][]int32)
		for _, s := range sides[1] {
			f := &m.fits[s]
			source := m.lanes[f.lane].source
			sends[at{source, f.tag}] = append(sends[at{source, f.tag}], s)
			bySource[source] = append(bySource[source], s)
			byTag[f.tag] = append(byTag[f.tag], s)
		}
		for _, r := range sides[0] {
			f := &m.fits[r]
			source := m.lanes[f.lane].source
			switch {
			case source == op.AnySource && f.tag == op.AnyTag:
				f.with = sides[1]
			case source == op.AnySource:
				f.with = byTag[f.tag]
			case f.tag == op.AnyTag:
				f.with = bySource[source]
			default:
				f.with = sends[at{source, f.tag}]
			}
			for _, s := range f.with {
				m.fits[s].with = append(m.fits[s].with, r)
			}
		}
	}
	for s := range m.fits {
		f := &m.fits[s]
		for _, w := range f.with {
			f.crowded = f.crowded || m.fits[w].lane != m.fits[f.with[0]].lane || m.shared(f, &m.fits[w])
		}
	}
	for i := range m.parts {
		p := &m.parts[i]
		if p.sig == none || p.kind == trace.Send {
			continue
		}
		// A probe takes nothing, and nothing is taken from it unless another thread receives: what it sees does not matter.
		p.contested = m.fits[p.sig].crowded && (p.kind == trace.Recv || len(m.boxes[p.box].threads) > 1)
		if p.contested {
			m.disputed = append(m.disputed, int32(i))
			m.choices = true
			for _, w := range m.fits[p.sig].with {
				m.pairs += m.fits[w].parts
			}
		}
	}
}

// shared says whether another thread has a receive for the message of a receive.
func (m *model) shared(recv, send *signature) bool {
	if len(m.boxes[recv.box].threads) < 2 {
		return false
	}
	for _, other := range send.with {
		if m.lanes[m.fits[other].lane].thread != m.lanes[recv.lane].thread {
			return true
		}
	}
	return false
}

// fit says whether a receive or probe could take a message.
func (m *model) fit(recv, send *part) bool {
	return recv.box == send.box && (recv.any || m.lanes[recv.lane].source == m.lanes[send.lane].source) &&
		(recv.tag == op.AnyTag || recv.tag == send.tag)
}
