package exact

import (
	"unknot/internal/vocab/op"
)

// signature is what decides which parts fit: a lane and a tag. With holds the signatures of the other side that fit.
type signature struct {
	send  bool
	box   int32
	lane  int32
	tag   int32
	parts []int32 // sends or receives (not probes) that have it, in their order
	with  []int32
}

// match finds out what fits what, in time in proportion to the pairs of signatures that fit, and to the parts.
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
		p.nth = int32(len(m.fits[p.sig].parts))
		if p.kind != op.Probe {
			m.fits[p.sig].parts = append(m.fits[p.sig].parts, int32(i))
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
}

// dispute finds the receives that are contested.
func (m *model) dispute() {
	for i := range m.parts {
		p := &m.parts[i]
		if p.sig == none || p.kind == op.Send {
			continue
		}
		threads := len(m.boxes[p.box].threads)
		if p.kind == op.Probe && threads == 1 {
			continue // it takes nothing, and nothing is taken from it: what it sees does not matter
		}
		pairs, first, several := 0, none, false
		for _, w := range m.fits[p.sig].with {
			f := &m.fits[w]
			if m.parts[f.parts[0]].pos >= m.windows.reach(int32(i), f.lane) {
				continue
			}
			several = several || first != none && first != f.lane || m.shared(&m.fits[p.sig], f)
			first = f.lane
			pairs += len(f.parts)
		}
		if several {
			p.contested, m.choices = true, true
			m.pairs += pairs
			m.disputed = append(m.disputed, int32(i))
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
