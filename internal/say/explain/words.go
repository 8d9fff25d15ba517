package explain

import (
	"fmt"
	"slices"
	"strings"

	"unknot/internal/model/waitstate"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// Finding puts a deadlock, livelock or unsafe exchange into words.
func (s *Story) Finding() finding.Finding {
	f := finding.Finding{Code: s.Code, Severity: finding.Error, Standing: finding.Manifest, Count: 1}
	if f.Code == finding.Livelock {
		f.Standing = finding.Predicted // between its polls the rank may be about to do what the others wait for
	}
	if f.Code == finding.DeadlockUnsafe {
		f.Severity, f.Standing = finding.Warning, finding.Predicted
	}
	for i := range s.Members {
		f.Ranks = append(f.Ranks, int(s.Members[i].Described.Key.Rank))
		for r := range s.Alike[s.Members[i].Described.Key].All() {
			f.Ranks = append(f.Ranks, int(r))
		}
		f.Places = append(f.Places, s.place(&s.Members[i]))
	}
	for _, c := range s.Culprits {
		f.Ranks = append(f.Ranks, int(c))
	}
	for _, d := range s.Witness {
		p := d.Place
		p.State, p.Alike = "finished", s.alike(d)
		f.Places = append(f.Places, p)
	}
	slices.SortStableFunc(f.Places, func(a, b finding.Place) int { return a.Rank - b.Rank })
	slices.Sort(f.Ranks)
	f.Ranks = slices.Compact(f.Ranks)
	for i := range s.Others {
		f.Others = append(f.Others, s.place(&s.Others[i]))
	}
	sentence, hint := s.sentence()
	one := s.decisive()
	if one != nil {
		sentence, hint = finding.Wordf("%s %s", s.cause(one), sentence), one.remedy()
	}
	f.Say(sentence)
	f.Hint = hint
	f.Notes = s.notes(one)
	f.Related = s.related(one)
	s.locked(&f)
	if b := s.parting(); b != nil {
		b.tell(&f)
	}
	s.swallowed(&f)
	return f
}

func (s *Story) place(m *Member) finding.Place {
	p := m.Described.Place
	p.WaitsFor = make([]int, 0, len(m.Peers))
	for _, r := range m.Peers {
		p.WaitsFor = append(p.WaitsFor, int(r))
	}
	p.Alike = s.alike(m.Described)
	if m.asleep() {
		p.SetReason(finding.Plain("another thread of its rank to wake it"))
	} else if m.Wait != nil {
		p.Any = m.Wait.Any && len(m.Wait.Needs) > 1
		var reasons []finding.Phrase
		for i := range m.Needs {
			n := &m.Needs[i]
			p.Any = p.Any || n.Kind == waitstate.NeedMessage && n.Rank == op.AnySource && len(m.Peers) > 1
			if n.Kind == waitstate.NeedReceive && !n.isMet() {
				p.Meaning.Sends = append(p.Meaning.Sends, m.sender(n.Need))
			}
			if t := s.reason(m, n); t.Text != "" {
				reasons = append(reasons, t)
			}
		}
		joint := " and "
		if m.Wait.Any {
			joint = " or "
		}
		p.SetReason(finding.JoinReasons(reasons, joint))
	}
	return p
}

// alike are the ranks for which a thread speaks.
func (s *Story) alike(d *message.Described) (ranks []int) {
	for r := range s.Alike[d.Key].All() {
		ranks = append(ranks, int(r))
	}
	return ranks
}

// asleep says whether a member is in no call, but sleeps until another thread of its rank wakes it.
func (m *Member) asleep() bool { return m.State == message.Asleep }

// isMet says whether a need is no reason to wait: it is met, or it is a collective at which everybody has arrived while
// its agent has not heard of it yet.
func (n *Need) isMet() bool {
	return n.Free || n.Kind == waitstate.NeedMembers && !n.Clash && len(n.Ranks) == 0
}

// reason says what one need is; nothing if it is met.
func (s *Story) reason(m *Member, n *Need) finding.Phrase {
	if n.isMet() {
		return finding.Phrase{}
	}
	at := m.request(n.Need)
	switch n.Kind {
	case waitstate.NeedMessage:
		if call := m.awaited(); call != "" {
			return finding.Naming("", n.Rank, " to call "+call)
		}
		if m.Described.Shape.Class == mpi.IntercommCreate {
			return finding.Naming("", n.Rank,
				fmt.Sprintf(" to name it as the other group's leader in MPI_Intercomm_create, with tag %d", n.Tag))
		}
		if n.Barred {
			want, there := planned(n.Need)
			return want.Then(finding.Plain(", as planned; ")).Then(there).Then(finding.Plain(" is available" + at))
		}
		if n.Rank == op.AnySource {
			return finding.Plain("a message from any rank" + at)
		}
		return finding.Naming("a message from ", n.Rank, at+s.fate(n.Rank))
	case waitstate.NeedReceive:
		return finding.Naming("", n.Rank, " to receive"+at+s.fate(n.Rank))
	case waitstate.NeedSelf:
		return finding.Plain("its own MPI_Pready for the remaining partitions" + at)
	case waitstate.NeedMembers:
		return finding.NamingAll(n.Ranks, " to call "+collectiveName(m)+at)
	case waitstate.NeedUnlock:
		return finding.NamingAll(n.Ranks, " to release a lock on the window")
	case waitstate.NeedOwnUnlock:
		return finding.Plain("its own MPI_Win_unlock")
	case waitstate.NeedLeader:
		return finding.Naming("", n.Rank, ", the leader of its group, to be done with "+m.Described.Place.Call)
	case waitstate.NeedThread:
		return finding.Plain(fmt.Sprintf("thread %d of its own process to end", n.Tag))
	}
	return finding.Phrase{}
}

// posted is the call that started the request of a need; false if it is not another one than the member's own.
func (m *Member) posted(n *waitstate.Need) (p message.Posted, known bool) {
	if n.Origin != nil {
		p, known = m.Described.Shape.Posted[message.CallKey(n.Origin)]
	}
	return p, known
}

// request says which of several requests a need belongs to, and where that was started.
func (m *Member) request(n *waitstate.Need) string {
	posted := ""
	if p, known := m.posted(n); known {
		posted = p.Call + " at " + p.At.Where()
	}
	switch {
	case n.Index >= 0 && len(m.Wait.Needs) > 1 && posted != "":
		return fmt.Sprintf(" (request %d, %s)", n.Index, posted)
	case n.Index >= 0 && len(m.Wait.Needs) > 1:
		return fmt.Sprintf(" (request %d)", n.Index)
	case posted != "":
		return " (" + posted + ")"
	}
	return ""
}

// collectiveName is the collective that a need names, which for a completion is not the call itself.
func collectiveName(m *Member) string {
	if m.completes() {
		return "the same non-blocking collective"
	}
	return m.Described.Shape.Name
}

// completes says whether a member waits for requests that earlier calls have made.
func (m *Member) completes() bool {
	switch m.Described.Shape.Class {
	case mpi.Wait, mpi.Waitall, mpi.Waitany, mpi.Waitsome:
		return true
	}
	return false
}

// fate adds what became of a rank that is over.
func (s *Story) fate(r op.Rank) string {
	if !slices.Contains(s.Culprits, r) {
		return ""
	}
	return ", which " + s.end(r)
}

// end says how ranks are over, as the first of them is.
func (s *Story) end(ranks ...op.Rank) string {
	switch n, r := len(ranks), ranks[0]; {
	case slices.Contains(s.Died, r):
		return "has died"
	case s.bySessions(r):
		return inflect(n, "has come to its last ", "have come to their last ").Text + SessionFinalize
	default:
		return inflect(n, "is", "are").Text + " in MPI_Finalize"
	}
}

// SessionFinalize is what a rank ends by that has no MPI_Finalize, as it uses MPI by sessions alone.
const SessionFinalize = "MPI_Session_finalize"

// bySessions says whether a rank that is over has finalised its sessions.
func (s *Story) bySessions(r op.Rank) bool {
	return slices.ContainsFunc(s.Witness, func(d *message.Described) bool {
		return d.Key.Rank == r &&
			d.Place.Call == SessionFinalize
	})
}

// sentBy is the call that started the send which a need is of, and whether that is one in ready mode.
func (m *Member) sentBy(n *waitstate.Need) (call string, ready bool) {
	if p, known := m.posted(n); known {
		return p.Call, p.Ready
	}
	return m.Described.Shape.Name, m.Described.Shape.Ready
}

// sender is that call with its place.
func (m *Member) sender(n *waitstate.Need) finding.Origin {
	if p, known := m.posted(n); known {
		return finding.Origin{Call: p.Call, At: p.At}
	}
	return finding.Origin{Call: m.Described.Place.Call, At: m.Described.Place.Frame}
}

// notes are the nearest misses, sizes and what else helps. The message that is the cause, if there is one, is named by
// its call.
func (s *Story) notes(cause *miss) []finding.Note {
	var out []finding.Note
	add := func(n finding.Note) {
		if !slices.Contains(out, n) && len(out) < 8 {
			out = append(out, n)
		}
	}
	if cause != nil {
		if n := s.sending(cause); n.Text != "" {
			add(n)
		}
	}
	var sizes []string
	for i := range s.Members {
		m := &s.Members[i]
		if n := s.severalTags(m); n.Text != "" && cause == nil {
			add(n)
		} else if cause == nil {
			for k := range m.Described.Shape.Misses {
				n := &m.Described.Shape.Misses[k]
				add(nearestMiss(n, s.sentAt(n).Where()))
			}
		}
		if n := m.Described.Shape.Astray(); n != nil && s.Code == finding.Deadlock {
			add(astray(n, s.sentAt(n).Where()))
		}
		if e := m.Described.Shape.Ate; e != nil {
			add(
				finding.Remarkf(
					"the receive from any source on rank %d at %s took the message with tag %d from rank %d",
					m.Described.Key.Rank, e.At.Where(), e.Tag, e.Src))
		}
		for k := range m.Wait.Needs {
			n := &m.Wait.Needs[k]
			if n.Kind != waitstate.NeedReceive {
				continue
			}
			if call, ready := m.sentBy(n); ready {
				add(finding.Remarkf("when %s is called, its receive must have been posted (MPI-4.0, 3.4): post it "+
					"first, or send in standard mode", call))
			}
			if s.Code == finding.DeadlockUnsafe && n.Bytes >= 0 {
				sizes = append(sizes, fmt.Sprintf("rank %d to rank %d: %s", m.Described.Key.Rank, n.Rank,
					finding.Count(n.Bytes, "byte", "bytes")))
			}
		}
	}
	if len(sizes) > 0 {
		slices.Sort(sizes)
		if len(sizes) > 6 {
			sizes = append(sizes[:6], "…")
		}
		add(finding.Remark("these messages were buffered (" + strings.Join(sizes, "; ") +
			"); with larger ones, or another MPI library, the program hangs here"))
	}
	return out
}

// Mismatch puts a collective whose members disagree into words.
func (s *Story) Mismatch() finding.Finding {
	f := finding.Finding{Code: finding.CollectiveMismatch, Severity: finding.Error,
		Standing: finding.Manifest, Count: 1}
	voices := s.Clash.Voices
	var told []finding.Wording
	sameCall, sameRoot := true, true
	for _, m := range s.Members {
		p := m.Described.Place
		var v *waitstate.Voice
		for k := range voices {
			if voices[k].Origin.Rank == m.Described.Key.Rank {
				v = &voices[k]
			}
		}
		if v == nil {
			p.State = "finished"
			f.Places = append(f.Places, p)
			continue
		}
		f.Places = append(f.Places, p)
		for r := range v.Ranks.All() {
			f.Ranks = append(f.Ranks, int(r))
		}
		told = append(told, finding.Wordf("%s %s %s", finding.Ranks(v.Ranks.List()),
			inflect(v.Ranks.Len(), "calls", "call"), callWithArgs(p)))
		sameCall = sameCall && p.Call == s.Members[0].Described.Place.Call
		sameRoot = sameRoot && v.Sig.Root == voices[0].Sig.Root && v.Sig.Side == voices[0].Sig.Side
	}
	for _, r := range s.Clash.Absent {
		f.Ranks = append(f.Ranks, int(r))
	}
	slices.Sort(f.Ranks)
	f.Ranks = slices.Compact(f.Ranks)
	var comm finding.Wording
	if i := slices.IndexFunc(s.Members,
		func(m Member) bool { return m.Described.Shape.Class != mpi.Finalize }); i >= 0 {
		comm = groupName(&s.Members[i])
	}
	switch {
	case len(s.Clash.Absent) > 0:
		s.absence(&f, comm, told)
	case !sameCall:
		f.Say(finding.Wordf("Members of %s call different collectives at the same point: %s.", comm,
			finding.JoinedAnd(told)))
		f.Hint = "all members of a communicator must call the same collectives in the same order; look for a branch " +
			"or the end of a loop that depends on the rank, or on what only some ranks know: a clock, a signal, an " +
			"error, a file"
	case !sameRoot && voices[0].Sig.Side != op.AnySource: // an intercommunicator: each group has its own ranks
		f.Say(finding.Wordf("Members of %s specify roots that do not fit together in %s: %s.", comm, f.Places[0].Call,
			finding.JoinedAnd(told)))
		f.Hint = "the root passes MPI_ROOT, the others of its group MPI_PROC_NULL, and all of the other group the " +
			"root's rank"
	case !sameRoot:
		f.Say(finding.Wordf("Members of %s specify different roots in %s: %s.", comm, f.Places[0].Call,
			finding.JoinedAnd(told)))
		f.Hint = "the root must be the same on all members"
	default:
		f.Say(finding.Wordf("Members of %s disagree in %s: %s.", comm, f.Places[0].Call, finding.JoinedAnd(told)))
		f.Hint = "the reduction operator must be the same on all members, and blocking and non-blocking collectives " +
			"do not match each other"
	}
	if c := s.Clash; len(c.Absent) == 0 && c.Seq > 0 && !s.starts() {
		f.Notes = append(f.Notes, finding.Remarkf("all members have made %s on it before",
			finding.Counted(c.Seq, "collective call", "collective calls")))
	}
	s.aside(&f)
	if b := s.clashing(comm); b != nil {
		b.tell(&f)
	}
	s.swallowed(&f)
	return f
}

func callWithArgs(p finding.Place) finding.Wording {
	if p.Args == "" {
		return finding.Wordf("%s", p.Call)
	}
	return finding.Wordf("%s%s", p.Call, finding.Detail(" ("+p.Args+")"))
}

// groupName names what a collective is called on; windows and files have no name that a user would know.
func groupName(m *Member) finding.Wording {
	switch {
	case m.Described.Shape.Comm.Text != "":
		return m.Described.Shape.Comm
	case strings.HasPrefix(m.Described.Place.Call, "MPI_Win"):
		return finding.Wordf("a window")
	case strings.HasPrefix(m.Described.Place.Call, "MPI_File"):
		return finding.Wordf("a file")
	}
	return finding.Wordf("a communicator")
}
