package detect

import (
	"cmp"
	"slices"

	"unknot/internal/agent/proto"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/op"
)

// mostTopologies bounds the topologies that are reported, as each has all of its ranks.
const mostTopologies = 32

// mergeTopologies adds topologies that other ranks know. All members of a communicator say the same of it.
func mergeTopologies(all, more []message.Topology) []message.Topology {
	for i := range more {
		if len(all) < mostTopologies && !slices.ContainsFunc(all, func(t message.Topology) bool {
			return t.Comm == more[i].Comm
		}) {
			all = append(all, more[i])
		}
	}
	return all
}

// tellHistory sends the supervisor what threads called last, and the topologies, if agents have recorded that.
func (r *Root) tellHistory() {
	l := &r.round.left
	if len(l.History)+len(l.Topologies) == 0 {
		return
	}
	_ = r.out.Send(proto.Message{Type: proto.History, History: historyOf(l.History),
		Topologies: topologiesOf(l.Topologies)})
}

func topologiesOf(list []message.Topology) (out []finding.Topology) {
	for i := range list {
		m := &list[i]
		t := finding.Topology{Name: m.Name, Dims: []int{}, Periodic: m.Periodic, Ranks: []int{}}
		for _, d := range m.Dims {
			t.Dims = append(t.Dims, int(d))
		}
		for _, rank := range m.Members.List() {
			t.Ranks = append(t.Ranks, int(rank))
		}
		out = append(out, t)
	}
	slices.SortStableFunc(out, func(a, b finding.Topology) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), slices.Compare(a.Ranks, b.Ranks))
	})
	return out
}

// historyStep is where a call is in a history: the place of its thread, and its own in the thread.
type historyStep = [2]int

// sentBy names a call by its thread and the number that matching gave it.
type sentBy struct {
	rank   op.Rank
	thread op.Thread
	ts     uint64
}

// historyOf makes one history of those of agents.
func historyOf(list []message.History) *finding.History {
	var tracks []message.Track
	h := &finding.History{Calls: []finding.PastCall{}, Threads: []finding.Track{}}
	known := make(map[finding.PastCall]int)
	for i := range list {
		h.Kept = max(h.Kept, list[i].Kept)
		number := make([]uint32, len(list[i].Calls))
		for k, c := range list[i].Calls {
			n, there := known[c]
			if !there {
				n = len(h.Calls)
				known[c], h.Calls = n, append(h.Calls, c)
			}
			number[k] = uint32(n)
		}
		for _, t := range list[i].Tracks {
			t.Steps = slices.DeleteFunc(slices.Clone(t.Steps), func(s message.Step) bool {
				return int(s.Call) >= len(number)
			})
			for k := range t.Steps {
				t.Steps[k].Call = number[t.Steps[k].Call]
			}
			tracks = append(tracks, t)
		}
	}
	if len(tracks) == 0 {
		return nil
	}
	slices.SortStableFunc(tracks, func(a, b message.Track) int {
		return cmp.Or(cmp.Compare(a.Rank, b.Rank), cmp.Compare(a.Thread, b.Thread))
	})
	calls := make(map[sentBy]historyStep)
	for i := range tracks {
		t := &tracks[i]
		h.Threads = append(h.Threads, trackOf(t))
		for k := range t.Steps {
			if s := &t.Steps[k]; s.Matches {
				calls[sentBy{t.Rank, t.Thread, s.TS}] = historyStep{i, k}
			}
		}
	}
	for i := range tracks {
		for _, m := range tracks[i].Matched {
			if from, kept := calls[sentBy{m.Rank, m.Thread, m.TS}]; kept && int(m.Step) < len(tracks[i].Steps) {
				h.Messages = append(h.Messages, [4]int{from[0], from[1], i, int(m.Step)})
			}
		}
	}
	h.Collectives = collectivesOf(tracks)
	return h
}

func trackOf(t *message.Track) finding.Track {
	out := finding.Track{Rank: int(t.Rank), Thread: int(t.Thread), Earlier: t.Earlier, Steps: []int{}, Open: t.Open}
	for k := range t.Steps {
		s := &t.Steps[k]
		out.Steps = append(out.Steps, int(s.Call))
		if s.Times > 0 {
			out.Repeats = append(out.Repeats, finding.Repeat{After: k, Times: s.Times, Calls: s.Calls})
		}
	}
	return out
}

// collectivesOf are the collectives of which several members' calls were kept, in the order of their first members.
func collectivesOf(tracks []message.Track) (out []finding.Collective) {
	known := make(map[message.WaveID]int)
	for i := range tracks {
		for k := range tracks[i].Steps {
			s := &tracks[i].Steps[k]
			if s.Wave == (message.WaveID{}) {
				continue
			}
			n, there := known[s.Wave]
			if !there {
				n = len(out)
				c := finding.Collective{Waits: waits(s.Sync)}
				if s.Root >= 0 {
					root := int(s.Root)
					c.Root = &root
				}
				known[s.Wave], out = n, append(out, c)
			}
			out[n].Members = append(out[n].Members, historyStep{i, k})
		}
	}
	return slices.DeleteFunc(out, func(c finding.Collective) bool { return len(c.Members) < 2 })
}

// waits says what a member of a collective waits for, in the words of a history.
func waits(s op.Sync) string {
	switch s {
	case op.SyncAll:
		return "all"
	case op.SyncFromRoot:
		return "from root"
	case op.SyncToRoot:
		return "to root"
	case op.SyncLower:
		return "lower"
	}
	return "none"
}
