package exact

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"

	"unknot/internal/vocab/op"
)

// twins finds classes of threads that can be exchanged: they make the same calls, and nobody names them. Workers that
// send what they have to whoever asks are such. States that differ only in which of them is where have the same future,
// up to the same exchange.
func (m *model) twins() (classes [][]int32) {
	named := make([]bool, len(m.byRank)+1)
	name := func(r op.Rank) {
		if r >= 0 && int(r) < len(named) {
			named[r] = true
		}
	}
	for t := range m.log.Threads {
		l := &m.log.Threads[t]
		for i := range l.Parts {
			p := &l.Parts[i]
			if p.Kind == op.Coll && p.Sync == op.SyncLower {
				return nil // ranks are distinguished by their order
			}
			if p.Peer != op.AnySource && (!p.Wild || p.Kind == op.Send || p.Kind == op.Coll) {
				name(p.Peer)
			}
		}
	}
	like := make(map[string][]int32)
	for t := range m.log.Threads {
		if r := m.rank(int32(t)); !named[r] && len(m.byRank[r]) == 1 && !m.open[t] {
			if text, ok := m.behaviour(int32(t)); ok {
				like[text] = append(like[text], int32(t))
			}
		}
	}
	for _, class := range like {
		if len(class) > 1 {
			classes = append(classes, class)
		}
	}
	slices.SortFunc(classes, slices.Compare)
	return classes
}

// behaviour writes down all that a thread does, unless other threads wait for it or reports of requests matter.
func (m *model) behaviour(t int32) (string, bool) {
	var b bytes.Buffer
	l := &m.log.Threads[t]
	for i := range m.end[t] {
		o := l.Ops[i]
		o.Site, o.Returned = 0, false
		fmt.Fprintln(&b, o)
		for _, w := range l.WaitsOf(&o) {
			if w.Thread != uint32(t) {
				return "", false
			}
			fmt.Fprintln(&b, w.Part)
		}
	}
	for i := range l.Parts {
		id := m.base[t] + int32(i)
		if m.parts[id].over != none || len(m.waiters[id]) > 0 {
			return "", false
		}
		p := l.Parts[i]
		p.Matched, p.MatchedTag, p.Nth, p.Bytes = 0, 0, 0, 0
		fmt.Fprintln(&b, p, m.parts[id].keeps)
	}
	return b.String(), true
}

// appendThread adds all that makes a difference to a thread's future to a key.
func (s *state) appendThread(b []byte, t int32) []byte {
	b = binary.LittleEndian.AppendUint32(b, uint32(s.at[t]))
	var w byte
	n := int32(len(s.log.Threads[t].Parts))
	for i := range n {
		if s.met.has(s.base[t] + i) {
			w |= 1 << (i & 7)
		}
		if i&7 == 7 || i == n-1 {
			b, w = append(b, w), 0
		}
	}
	return b
}

// exchange sorts the threads of each class by what they have done, in a key with a block for each.
func exchange(blocks [][]byte, classes [][]int32) {
	for _, class := range classes {
		var sorted [][]byte
		for _, t := range class {
			sorted = append(sorted, blocks[t])
		}
		slices.SortFunc(sorted, bytes.Compare)
		for i, t := range class {
			blocks[t] = sorted[i]
		}
	}
}
