package agent

import (
	"fmt"
	"slices"
	"strings"

	"unknot/internal/finding"
	"unknot/internal/message"
	"unknot/internal/mpi"
	"unknot/internal/op"
	"unknot/internal/waitstate"
)

// story is everything that is known of one finding, before it is put into words.
type story struct {
	q       *question
	members []member
	others  []member
	culprit []op.Rank
	witness []*message.Described // threads of the culprits
	state   *state
}

// member is one thread of a story, and the ranks that it waits for.
type member struct {
	d     *message.Described
	w     *message.Wait
	wait  *waitstate.Wait
	peers []op.Rank
}

// member collects what is known of a thread; d is its description.
func (b *build) member(d *message.Described, w *message.Wait) member {
	m := member{d: d, w: w}
	m.wait, _ = b.waiting(w)
	for n := range m.wait.Needs {
		m.peers = append(m.peers, b.waitsFor(w, &m.wait.Needs[n])...)
	}
	slices.Sort(m.peers)
	m.peers = slices.Compact(m.peers)
	return m
}

// story collects the answers to a question; nil if a thread has moved on in the meantime.
func (r *root) story(q *question, byKey map[message.Key]*message.Described) *story {
	s := &story{q: q, state: r.state, culprit: q.culprits}
	for i, k := range q.core {
		d := byKey[k]
		if d == nil || !d.Still {
			return nil
		}
		if q.build == nil {
			s.members = append(s.members, member{d: d})
			continue
		}
		s.members = append(s.members, q.build.member(d, q.build.threads[q.nodes[i]]))
	}
	slices.SortStableFunc(s.members, func(a, b member) int { return message.CompareKeys(a.d.Key, b.d.Key) })
	for _, k := range q.others {
		d := byKey[k]
		if d == nil || !d.Still {
			continue
		}
		for _, i := range q.build.byRank[k.Rank] {
			if w := q.build.threads[i]; w.Thread == k.Thread {
				s.others = append(s.others, q.build.member(d, w))
			}
		}
	}
	seen := make(map[op.Rank]bool)
	for _, k := range q.witness {
		if d := byKey[k]; d != nil && d.Place.Call != "" && slices.Contains(s.culprit, k.Rank) && !seen[k.Rank] {
			seen[k.Rank] = true
			s.witness = append(s.witness, d)
		}
	}
	return s
}

// finding puts a deadlock, livelock or unsafe exchange into words.
func (s *story) finding() finding.Finding {
	f := finding.Finding{Code: s.q.code, Severity: finding.Error, Standing: finding.Manifest, Count: 1}
	if f.Code == finding.Livelock {
		f.Standing = finding.Predicted // between its polls the rank may be about to do what the others wait for
	}
	if f.Code == finding.DeadlockUnsafe {
		f.Severity, f.Standing = finding.Warning, finding.Predicted
	}
	for i := range s.members {
		f.Ranks = append(f.Ranks, int(s.members[i].d.Key.Rank))
		f.Places = append(f.Places, s.place(&s.members[i]))
	}
	for _, c := range s.culprit {
		f.Ranks = append(f.Ranks, int(c))
	}
	for _, d := range s.witness {
		p := d.Place
		p.State = "finished"
		f.Places = append(f.Places, p)
	}
	slices.SortStableFunc(f.Places, func(a, b finding.Place) int { return a.Rank - b.Rank })
	slices.Sort(f.Ranks)
	f.Ranks = slices.Compact(f.Ranks)
	for i := range s.others {
		f.Others = append(f.Others, s.place(&s.others[i]))
	}
	f.Sentence, f.Hint = s.sentence()
	f.Notes = s.notes()
	return f
}

func (s *story) place(m *member) finding.Place {
	p := m.d.Place
	p.WaitsFor = make([]int, 0, len(m.peers))
	for _, r := range m.peers {
		p.WaitsFor = append(p.WaitsFor, int(r))
	}
	if m.asleep() {
		p.Reason = "another thread of its rank to wake it"
	} else if m.wait != nil {
		p.Any = m.wait.Any && len(m.wait.Needs) > 1
		var reasons []string
		for i := range m.wait.Needs {
			n := &m.wait.Needs[i]
			p.Any = p.Any || n.Kind == waitstate.NeedMessage && n.Rank == op.AnySource && len(m.peers) > 1
			if t := s.reason(m, n); t != "" && !slices.Contains(reasons, t) {
				reasons = append(reasons, t)
			}
		}
		joint := " and "
		if m.wait.Any {
			joint = " or "
		}
		if len(reasons) > 4 {
			reasons = append(reasons[:3], fmt.Sprintf("%d more", len(reasons)-3))
		}
		p.Reason = strings.Join(reasons, joint)
	}
	return p
}

// asleep says whether a member is in no call, but sleeps until another thread of its rank wakes it.
func (m *member) asleep() bool { return m.w != nil && m.w.State == message.Asleep }

// isMet says whether a need is no reason to wait: it is met, or it is a collective at which everybody has arrived while its
// agent has not heard of it yet.
func (s *story) isMet(m *member, n *waitstate.Need) bool {
	return n.Free || n.Kind == waitstate.NeedMembers && !n.Clash && len(s.q.build.waitsFor(m.w, n)) == 0
}

// reason says what one need is; "" if it is met.
func (s *story) reason(m *member, n *waitstate.Need) string {
	if s.isMet(m, n) {
		return ""
	}
	at := m.request(n)
	switch n.Kind {
	case waitstate.NeedMessage:
		switch m.d.Shape.Class {
		case mpi.WinStart, mpi.WinComplete:
			return fmt.Sprintf("rank %d to call MPI_Win_post", n.Rank)
		case mpi.WinWait:
			return fmt.Sprintf("rank %d to call MPI_Win_complete", n.Rank)
		case mpi.IntercommCreate:
			return fmt.Sprintf("rank %d to call MPI_Intercomm_create", n.Rank)
		}
		if n.Barred {
			want, there := planned(n)
			return fmt.Sprintf("%s, as the plan has it; %s is there%s", want, there, at)
		}
		if n.Rank == op.AnySource {
			return "a message from any rank" + at
		}
		return fmt.Sprintf("a message from rank %d%s%s", n.Rank, at, s.fate(n.Rank))
	case waitstate.NeedReceive:
		return fmt.Sprintf("rank %d to receive%s%s", n.Rank, at, s.fate(n.Rank))
	case waitstate.NeedSelf:
		return "its own MPI_Pready for partitions that are not released" + at
	case waitstate.NeedMembers:
		return fmt.Sprintf("%s to call %s%s", ranksOf(s.q.build.waitsFor(m.w, n)), collectiveName(m, n), at)
	case waitstate.NeedUnlock:
		return fmt.Sprintf("%s to release a lock on the window", ranksOf(s.q.build.waitsFor(m.w, n)))
	case waitstate.NeedThread:
		return fmt.Sprintf("thread %d of its own process to end", n.Tag)
	}
	return ""
}

// request says which of several requests a need belongs to, and where that was started.
func (m *member) request(n *waitstate.Need) string {
	posted := ""
	if n.Origin != nil {
		posted = m.d.Shape.Posted[originKey(n.Origin)]
	}
	switch {
	case n.Index >= 0 && len(m.wait.Needs) > 1 && posted != "":
		return fmt.Sprintf(" (request %d, %s)", n.Index, posted)
	case n.Index >= 0 && len(m.wait.Needs) > 1:
		return fmt.Sprintf(" (request %d)", n.Index)
	case posted != "":
		return " (" + posted + ")"
	}
	return ""
}

// collectiveName is the collective that a need names, which for a completion is not the call itself.
func collectiveName(m *member, n *waitstate.Need) string {
	if m.completes() {
		return "the same non-blocking collective"
	}
	return m.d.Shape.Name
}

// completes says whether a member waits for requests that earlier calls have made.
func (m *member) completes() bool {
	switch m.d.Shape.Class {
	case mpi.Wait, mpi.Waitall, mpi.Waitany, mpi.Waitsome:
		return true
	}
	return false
}

// fate adds what became of a rank that is over.
func (s *story) fate(r op.Rank) string {
	if !slices.Contains(s.culprit, r) {
		return ""
	}
	return ", which " + s.end(r)
}

func (s *story) end(r op.Rank) string {
	for _, w := range s.state.threads {
		if w.Rank == r && w.State == message.Dead {
			return "has died"
		}
	}
	return "is in MPI_Finalize"
}

// ranksOf lists ranks in words: "rank 3", "ranks 0, 1 and 4-7", with ranks that ascend.
func ranksOf(list []op.Rank) string {
	if len(list) == 1 {
		return fmt.Sprintf("rank %d", list[0])
	}
	return "ranks " + enumerate(list)
}

func enumerate(list []op.Rank) string {
	const most = 10
	var parts []string
	var upTo []int // by part: how many of the list it and those before it tell
	part := func(text string, i int) { parts, upTo = append(parts, text), append(upTo, i) }
	for i := 0; i < len(list); {
		j := i
		for j+1 < len(list) && list[j+1] == list[j]+1 {
			j++
		}
		if j-i >= 2 {
			part(fmt.Sprintf("%d-%d", list[i], list[j]), j+1)
			i = j + 1
			continue
		}
		part(fmt.Sprint(list[i]), i+1)
		i++
	}
	switch {
	case len(parts) == 0:
		return "none"
	case len(parts) == 1:
		return parts[0]
	case len(parts) > most+2:
		parts = append(parts[:most], fmt.Sprintf("%d more", len(list)-upTo[most-1]))
	}
	return strings.Join(parts[:len(parts)-1], ", ") + " and " + parts[len(parts)-1]
}

// notes are the nearest misses, sizes and what else helps.
func (s *story) notes() []string {
	var out []string
	add := func(t string) {
		if t != "" && !slices.Contains(out, t) && len(out) < 8 {
			out = append(out, t)
		}
	}
	var sizes []string
	for i := range s.members {
		m := &s.members[i]
		for k := range m.d.Shape.Misses {
			miss := &m.d.Shape.Misses[k]
			at := ""
			if miss.Origin != nil {
				at = s.q.located[originKey(miss.Origin)]
			}
			add(missText(miss, at))
		}
		add(m.d.Shape.Ate)
		if s.q.code == finding.DeadlockUnsafe {
			for k := range m.wait.Needs {
				if n := &m.wait.Needs[k]; n.Kind == waitstate.NeedReceive && n.Bytes >= 0 {
					sizes = append(sizes, fmt.Sprintf("rank %d to rank %d: %s", m.d.Key.Rank, n.Rank, bytesText(n.Bytes)))
				}
			}
		}
	}
	if len(sizes) > 0 {
		slices.Sort(sizes)
		if len(sizes) > 6 {
			sizes = append(sizes[:6], "…")
		}
		add("messages that were buffered (" + strings.Join(sizes, "; ") + "): with larger ones, or another MPI, the program hangs here")
	}
	return out
}

func bytesText(n int64) string {
	if n == 1 {
		return "1 byte"
	}
	return fmt.Sprintf("%d bytes", n)
}

// mismatch puts a collective whose members disagree into words.
func (s *story) mismatch() finding.Finding {
	f := finding.Finding{Code: finding.CollectiveMismatch, Severity: finding.Error, Standing: finding.Manifest, Count: 1}
	voices := s.q.clash.Voices
	var told []string
	sameCall, sameRoot := true, true
	for _, m := range s.members {
		p := m.d.Place
		var v *waitstate.Voice
		for k := range voices {
			if voices[k].Origin.Rank == m.d.Key.Rank {
				v = &voices[k]
			}
		}
		if v == nil {
			p.State = "finished"
			f.Places = append(f.Places, p)
			continue
		}
		f.Places = append(f.Places, p)
		for _, r := range v.Ranks {
			f.Ranks = append(f.Ranks, int(r))
		}
		told = append(told, fmt.Sprintf("%s %s %s", ranksOf(v.Ranks), verb(len(v.Ranks)), callWithArgs(p)))
		sameCall = sameCall && p.Call == s.members[0].d.Place.Call
		sameRoot = sameRoot && v.Sig.Root == voices[0].Sig.Root
	}
	for _, r := range s.q.clash.Absent {
		f.Ranks = append(f.Ranks, int(r))
	}
	slices.Sort(f.Ranks)
	f.Ranks = slices.Compact(f.Ranks)
	comm := ""
	if i := slices.IndexFunc(s.members, func(m member) bool { return m.d.Shape.Class != mpi.Finalize }); i >= 0 {
		comm = groupName(&s.members[i])
	}
	switch {
	case len(s.q.clash.Absent) > 0:
		s.absence(&f, comm, told)
	case !sameCall:
		f.Sentence = fmt.Sprintf("Members of %s call different collectives at the same point: %s.", comm, finding.JoinAnd(told))
		f.Hint = "all members of a communicator must call the same collectives in the same order; look for a branch that depends on the rank"
	case !sameRoot:
		f.Sentence = fmt.Sprintf("Members of %s name different roots in %s: %s.", comm, f.Places[0].Call, finding.JoinAnd(told))
		f.Hint = "the root must be the same number on all members"
	default:
		f.Sentence = fmt.Sprintf("Members of %s disagree in %s: %s.", comm, f.Places[0].Call, finding.JoinAnd(told))
		f.Hint = "the reduction operator must be the same on all members, and blocking and non-blocking collectives do not match each other"
	}
	return f
}

func verb(n int) string {
	if n == 1 {
		return "calls"
	}
	return "call"
}

func callWithArgs(p finding.Place) string {
	t := p.Call
	if p.Args != "" {
		t += " (" + p.Args + ")"
	}
	return t
}

// groupName names what a collective is called on; windows and files have no name that a user would know.
func groupName(m *member) string {
	switch {
	case m.d.Shape.Comm != "":
		return m.d.Shape.Comm
	case strings.HasPrefix(m.d.Place.Call, "MPI_Win"):
		return "a window"
	case strings.HasPrefix(m.d.Place.Call, "MPI_File"):
		return "a file"
	}
	return "a communicator"
}
