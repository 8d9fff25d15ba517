package detect

import (
	"fmt"
	"maps"
	"slices"

	"unknot/internal/check/messages"
	"unknot/internal/model/waitstate"
	"unknot/internal/say/explain"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/op"
)

// question is what the root wants described before it tells a finding.
type question struct {
	code     finding.Code
	core     []message.Key
	others   []message.Key
	real     bool     // only if every thread is still where it was
	survey   bool     // where its threads are is asked
	left     int      // threads that a survey leaves out
	held     []nodeID // threads of a survey that are held up
	clash    *waitstate.Clash
	pair     *message.Pair
	nth      int // of the pair's calls among those that are asked about, the first
	build    *build
	nodes    []nodeID                      // of the core
	located  map[message.Key]finding.Place // calls that the answers name
	stranded []*message.Stranded           // of stranded threads, which are the core
	// culprits are finished and dead ranks that the core waits for.
	culprits []op.Rank
	witness  []message.Key // threads of the culprits
	aside    []message.Key // the other calls of persistent operations that the core is about
	// large says that there are very many threads, some of which speak for others: alike has for whom, stay what is
	// asked of these.
	large bool
	alike map[message.Key]op.Ranks
	stay  []message.Keys
	shown map[op.Rank]bool // see few
}

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

// story collects the answers to the question; nil if a thread has moved on in the meantime.
func (q *question) story(now *state, moved []message.Key,
	byKey map[message.Key]*message.Described) *explain.Story {
	s := &explain.Story{Code: q.code, Culprits: q.culprits, Located: q.located, Clash: q.clash, Alike: q.alike}
	if q.moved(moved) {
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
		if slices.ContainsFunc(now.threadsOf(c),
			func(i int) bool { return now.threads[i].State == message.Dead }) {
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

// few are the ranks of a long list that a large finding names as those whom a thread waits for: the first, and those
// that have places of their own there, so that each group of ranks is among them that a report shows.
func (q *question) few(ranks []op.Rank) []op.Rank {
	const most = 64
	if !q.large || len(ranks) <= most {
		return ranks
	}
	out := slices.Clone(ranks[:most])
	if q.shown == nil {
		q.shown = make(map[op.Rank]bool)
		for _, list := range [][]message.Key{q.core, q.others, q.witness} {
			for _, k := range list {
				q.shown[k.Rank] = true
			}
		}
	}
	for _, r := range ranks[most:] {
		if q.shown[r] {
			out = append(out, r)
		}
	}
	return out
}

// moved says whether a thread that somebody else speaks for is not where it was any more.
func (q *question) moved(moved []message.Key) bool {
	return slices.ContainsFunc(q.stay, func(s message.Keys) bool {
		return slices.ContainsFunc(moved, func(k message.Key) bool { return s.Has(k) })
	})
}

// fields are the names of that element.
func (q *question) fields(places []message.Described) (f messages.Fields) {
	for i := range places {
		switch d := &places[i]; d.Nth {
		case q.nth:
			f.Given = d.Field
		case q.nth + 1:
			f.Expected = d.Field
		}
	}
	return f
}

// merged puts questions together that are one finding: cores that wait for the same ranks outside of them, which are
// finished or dead.
func merged(asked []question) []question {
	var out []question
	at := make(map[string]int)
	for _, q := range asked {
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

// surveying says whether one of the questions is a survey.
func surveying(asked []question) bool {
	return slices.ContainsFunc(asked, func(q question) bool { return q.survey })
}
