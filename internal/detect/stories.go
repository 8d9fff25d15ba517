package detect

import (
	"fmt"
	"maps"
	"slices"

	"unknot/internal/explain"
	"unknot/internal/message"
	"unknot/internal/op"
	"unknot/internal/waitstate"
)

// member collects what is known of a thread; d is its description.
func (q *question) member(d *message.Described, w *message.Wait) explain.Member {
	b := q.build
	m := explain.Member{Described: d, State: w.State}
	m.Wait, _ = b.waiting(w)
	for i := range m.Wait.Needs {
		n := &m.Wait.Needs[i]
		ranks := b.waitsFor(w, n)
		m.Peers = append(m.Peers, ranks...)
		if n.Kind != waitstate.NeedMembers && n.Kind != waitstate.NeedUnlock {
			ranks = nil
		}
		m.Needs = append(m.Needs, explain.Need{Need: n, Ranks: ranks})
	}
	slices.Sort(m.Peers)
	m.Peers = q.few(slices.Compact(m.Peers))
	return m
}

// story collects the answers to a question; nil if a thread has moved on in the meantime.
func (r *Root) story(q *question, byKey map[message.Key]*message.Described) *explain.Story {
	s := &explain.Story{Code: q.code, Culprits: q.culprits, Located: q.located, Clash: q.clash, Alike: q.alike}
	if q.moved(r.heard.Moved) {
		return nil
	}
	for i, k := range q.core {
		d := byKey[k]
		if d == nil || !d.Still {
			return nil
		}
		if q.build == nil {
			s.Members = append(s.Members, explain.Member{Described: d})
			continue
		}
		s.Members = append(s.Members, q.member(d, q.build.threads[q.nodes[i]]))
	}
	for _, k := range q.aside {
		if d := byKey[k]; d != nil {
			s.Aside = append(s.Aside, d)
		}
	}
	slices.SortStableFunc(s.Members, func(a, b explain.Member) int {
		return message.CompareKeys(a.Described.Key, b.Described.Key)
	})
	for _, k := range q.others {
		d := byKey[k]
		if d == nil || !d.Still {
			continue
		}
		for _, i := range q.build.byRank[k.Rank] {
			if w := q.build.threads[i]; w.Thread == k.Thread {
				s.Others = append(s.Others, q.member(d, w))
			}
		}
	}
	for _, c := range s.Culprits {
		if slices.ContainsFunc(r.state.threadsOf(c),
			func(i int) bool { return r.state.threads[i].State == message.Dead }) {
			s.Died = append(s.Died, c)
		}
	}
	seen := make(map[op.Rank]bool)
	for _, k := range q.witness {
		if d := byKey[k]; d != nil && d.Place.Call != "" && slices.Contains(s.Culprits, k.Rank) && !seen[k.Rank] {
			seen[k.Rank] = true
			s.Witness = append(s.Witness, d)
		}
	}
	return s
}

// merged puts questions together that are one finding: cores that wait for the same ranks outside of them, which are
// finished or dead.
func (r *Root) merged() []question {
	var out []question
	at := make(map[string]int)
	for _, q := range r.asked {
		if q.clash != nil || q.pair != nil || q.build == nil {
			out = append(out, q)
			continue
		}
		if q.culprits == nil {
			q.culprits = q.build.culprits(q.nodes)
		}
		if len(q.culprits) == 0 {
			out = append(out, q)
			continue
		}
		id := fmt.Sprint(q.code, q.culprits)
		if i, ok := at[id]; ok {
			out[i].core = append(out[i].core, q.core...)
			out[i].nodes = append(out[i].nodes, q.nodes...)
			out[i].others = append(out[i].others, q.others...)
			out[i].witness = append(out[i].witness, q.witness...)
			out[i].large, out[i].stay = out[i].large || q.large, append(out[i].stay, q.stay...)
			if out[i].alike == nil {
				out[i].alike = make(map[message.Key]op.Ranks)
			}
			maps.Copy(out[i].alike, q.alike)
			continue
		}
		at[id] = len(out)
		out = append(out, q)
	}
	return out
}
