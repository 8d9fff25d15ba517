package explain

import (
	"cmp"
	"fmt"
	"slices"

	"unknot/internal/model/waitstate"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// sentence says in one sentence what is wrong, and how it may be fixed where the shape is known.
func (s *Story) sentence() (finding.Wording, string) {
	who := s.who()
	unsafe := s.Code == finding.DeadlockUnsafe
	switch {
	case s.Code == finding.Livelock:
		return s.livelock(who)
	case len(s.Culprits) > 0:
		return s.waitsForTheDead(who)
	}
	wait := "wait for each other"
	if unsafe {
		wait = "would wait for each other if " + s.proviso()
	}
	if s.ranks() > 2 && s.circle() {
		wait = "wait for each other in a cycle"
		if unsafe {
			wait = "would wait for each other in a cycle if " + s.proviso()
		}
	}
	if s.ranks() == 1 {
		return s.alone(unsafe)
	}
	common, hint := s.each()
	each := finding.Wordf("%s", common)
	if common == "" || s.ranks() < len(s.Members) {
		each = s.listed()
	}
	return finding.Wordf("%s %s: %s.", who.Capital(), wait, each), hint
}

// proviso is what MPI did in the run and need not do: buffer messages (MPI-4.0, 3.5), or let a member of a collective
// go on before the others have called it (MPI-4.0, 6.1).
func (s *Story) proviso() string {
	buffered, collective := false, ""
	for i := range s.Members {
		m := &s.Members[i]
		n := m.mainNeed()
		switch {
		case n == nil || !m.Wait.Returned:
		case n.Kind == waitstate.NeedReceive:
			buffered = true
		case n.Kind == waitstate.NeedMembers && (collective == "" || collective == m.Described.Shape.Name) &&
			!m.completes():
			collective = m.Described.Shape.Name
		case n.Kind == waitstate.NeedMembers:
			collective = "the collective calls"
		}
	}
	if collective == "" {
		return "MPI did not buffer"
	}
	if buffered {
		return fmt.Sprintf("MPI did not buffer and %s synchronised, as MPI allows", collective)
	}
	return collective + " synchronised, as MPI allows"
}

// ranks counts the ranks of the members.
func (s *Story) ranks() int {
	seen := make(map[op.Rank]bool)
	for i := range s.Members {
		seen[s.Members[i].Described.Key.Rank] = true
	}
	return len(seen)
}

func (s *Story) who() finding.Wording { return finding.Ranks(s.list()) }

// list is the members' ranks, each once.
func (s *Story) list() []op.Rank {
	var list []op.Rank
	for i := range s.Members {
		r := s.Members[i].Described.Key.Rank
		if len(list) == 0 || list[len(list)-1] != r {
			list = append(list, r)
		}
	}
	return s.withAlike(list)
}

// withAlike are ranks of members with those that these speak for, in ascending order.
func (s *Story) withAlike(list []op.Rank) []op.Rank {
	var all op.Ranks
	for i := range s.Members {
		if k := s.Members[i].Described.Key; slices.Contains(list, k.Rank) {
			all = all.Union(s.Alike[k])
		}
	}
	if len(all.Runs) == 0 {
		return list
	}
	slices.Sort(list)
	return op.RanksOf(slices.Compact(list)...).Union(all).List()
}

// circle says whether every member waits for one other rank.
func (s *Story) circle() bool {
	for i := range s.Members {
		if len(s.Members[i].Peers) != 1 {
			return false
		}
	}
	return true
}

// kinds counts what the members wait for.
func (s *Story) kinds() (receives, sends, collectives, wild, other int) {
	for i := range s.Members {
		m := &s.Members[i]
		switch n := m.mainNeed(); {
		case n == nil:
			other++
		case n.Kind == waitstate.NeedMessage && m.isWindow():
			other++
		case n.Kind == waitstate.NeedMessage && n.Rank == op.AnySource:
			wild++
		case n.Kind == waitstate.NeedMessage:
			receives++
		case n.Kind == waitstate.NeedReceive:
			sends++
		case n.Kind == waitstate.NeedMembers:
			collectives++
		default:
			other++
		}
	}
	return
}

func (m *Member) isWindow() bool {
	switch m.Described.Shape.Class {
	case mpi.WinStart, mpi.WinComplete, mpi.WinWait, mpi.IntercommCreate:
		return true
	}
	return false
}

// awaited is the call on a window by which the rank that a member waits for lets it go on, "" if there is none.
func (m *Member) awaited() string {
	switch m.Described.Shape.Class {
	case mpi.WinStart, mpi.WinComplete:
		return "MPI_Win_post"
	case mpi.WinWait:
		return "MPI_Win_complete"
	}
	return ""
}

// mainNeed is the first need of a member that keeps it.
func (m *Member) mainNeed() *Need {
	for i := range m.Needs {
		if n := &m.Needs[i]; !n.isMet() {
			return n
		}
	}
	return nil
}

// near says whether a message nearly fits what a member waits for, and whether a wildcard receive took one that fits.
func (s *Story) near() (missed, ate bool) {
	for i := range s.Members {
		missed = missed || len(s.Members[i].Described.Shape.Misses) > 0
		ate = ate || s.Members[i].Described.Shape.Ate != nil
	}
	return missed, ate
}

// allMissed says whether for every member a message is there that nearly fits.
func (s *Story) allMissed() bool {
	for i := range s.Members {
		if len(s.Members[i].Described.Shape.Misses) == 0 {
			return false
		}
	}
	return true
}

func (s *Story) nearly() bool {
	missed, ate := s.near()
	return missed || ate
}

// elsewhere says whether for every member the rank that it waits for has sent a message that fits to another rank.
func (s *Story) elsewhere() bool {
	return !slices.ContainsFunc(s.Members, func(m Member) bool {
		return !slices.ContainsFunc(m.Described.Shape.Strays, func(x message.Miss) bool { return x.Src == x.From })
	})
}

// begun says whether some member has sent already: it waits for its own sends too, or a message of the rank that it
// waits for is on its way to another one; or that may be so.
func (s *Story) begun() bool {
	return s.Glimpsed || slices.ContainsFunc(s.Members, func(m Member) bool {
		return len(m.Described.Shape.Strays) > 0 ||
			slices.ContainsFunc(m.Needs, func(n Need) bool { return n.Kind == waitstate.NeedReceive })
	})
}

// introduced says whether all members are in MPI_Intercomm_create.
func (s *Story) introduced() bool {
	for i := range s.Members {
		if s.Members[i].Described.Shape.Class != mpi.IntercommCreate {
			return false
		}
	}
	return true
}

// each says what all members have in common.
func (s *Story) each() (each, hint string) {
	receives, sends, collectives, wild, _ := s.kinds()
	n := len(s.Members)
	missed, ate := s.near()
	elsewhere, begun := receives == n && s.elsewhere(), receives == n && s.begun()
	switch {
	case s.introduced():
		hint = "remote_leader must be the rank in peer_comm of the process that leads the other group, on both " +
			"sides, and the tags must be equal"
	case ate:
		hint = "a wildcard receive took a message that a later receive needs: name the intended source or tag in the " +
			"earlier receive"
	case missed:
		hint = "compare the tag and the communicator of the nearest miss with those of the receive"
	case elsewhere:
		hint = "compare whom the sends name with whom the receives name: each rank has to receive from those " +
			"that send to it"
	case begun:
		hint = "look for the send that each of the receives is for: its destination, tag and communicator have to be " +
			"those that the receive names"
	case receives == n:
		hint = "let one side send first, or use MPI_Sendrecv, or start the receives with MPI_Irecv"
	case sends == n:
		hint = "let one side receive first, or use MPI_Sendrecv, or start the sends with MPI_Isend and complete them " +
			"after the receives"
	case collectives == n:
		hint = "call the collectives in the same order on all ranks"
	case collectives > 0:
		hint = cmp.Or(s.keeps(), s.early())
	case wild == n:
		hint = "make one rank send before it receives"
	}
	switch {
	case receives == n && s.allMissed():
		each = s.missedAlike()
	case receives == n && (missed || ate): // some have sent
		each = "each is in a receive that no message matches"
	case elsewhere:
		each = "each waits for a message from a rank that has sent one to another rank"
	case begun:
		each = "each waits for a message that was not sent"
	case receives == n:
		each = "each receives before it sends"
	case sends == n && s.Glimpsed:
		each = "each is in a send to a rank that does not receive it"
	case sends == n:
		each = "each sends before it receives"
	case wild == n:
		each = "each waits for a message from any rank, and none of them sends one"
	case collectives == n && n > 2 && s.sameCall():
		each = fmt.Sprintf("each is in %s on a communicator on which another one has not called it yet",
			s.Members[0].Described.Place.Call)
	}
	return each, hint
}

func (s *Story) sameCall() bool {
	for i := range s.Members {
		if s.Members[i].Described.Place.Call != s.Members[0].Described.Place.Call {
			return false
		}
	}
	return true
}

// keeps names a rank that is in a collective with a lock that another one waits for; "" if there is none.
func (s *Story) keeps() string {
	for i := range s.Members {
		n := s.Members[i].mainNeed()
		if n == nil || n.Kind != waitstate.NeedUnlock {
			continue
		}
		for k := range s.Members {
			other := s.Members[k].Described.Key.Rank
			m := s.Members[k].mainNeed()
			if m != nil && m.Kind == waitstate.NeedMembers && slices.Contains(n.Ranks, other) {
				return fmt.Sprintf("rank %d is in a collective while rank %d waits for its lock: release it with "+
					"MPI_Win_unlock before the collective", other, s.Members[i].Described.Key.Rank)
			}
		}
	}
	return ""
}

// early names a rank that is in a collective while another one still communicates with it.
func (s *Story) early() string {
	for i := range s.Members {
		n := s.Members[i].mainNeed()
		if n == nil || n.Kind == waitstate.NeedMembers {
			continue
		}
		for k := range s.Members {
			other := s.Members[k].Described.Key.Rank
			if m := s.Members[k].mainNeed(); m == nil || m.Kind != waitstate.NeedMembers || other != n.Rank {
				continue
			}
			rank, apart := s.Members[i].Described.Key.Rank, ""
			if n.Ctx != s.Members[k].mainNeed().Ctx {
				apart = "; the two calls are on different communicators: check that both use the intended one"
			}
			switch n.Kind {
			case waitstate.NeedMessage:
				if call := s.Members[i].awaited(); call != "" {
					return fmt.Sprintf("rank %d is in a collective while rank %d waits for it to call %s: make that "+
						"call before the collective, or leave rank %d out of the group", other, rank, call, other)
				}
				return fmt.Sprintf("rank %d is in a collective while rank %d still expects a message from it: send "+
					"that message before the collective, or remove the receive%s", other, rank, apart)
			case waitstate.NeedReceive:
				return fmt.Sprintf("rank %d is in a collective while rank %d still sends to it: receive that message "+
					"before the collective, or remove the send%s", other, rank, apart)
			}
		}
	}
	return "move the communication before the collective on all ranks, or after it on all ranks"
}

// listed tells what each member is in, at most four of them.
func (s *Story) listed() finding.Wording {
	var parts []finding.Wording
	for i := range s.Members {
		if i == 4 {
			more := len(s.Members) - 4
			for i := range s.Members {
				more += s.Alike[s.Members[i].Described.Key].Len()
			}
			parts = append(parts, finding.Wordf("%d more", more))
			break
		}
		m := &s.Members[i]
		if m.asleep() {
			parts = append(parts, finding.Wordf("rank %d thread %d sleeps until another thread wakes it",
				m.Described.Key.Rank, m.Described.Key.Thread))
			continue
		}
		verb := "is in"
		if s.Code == finding.DeadlockUnsafe {
			verb = "at"
		}
		var thread, on finding.Wording
		if s.ranks() < len(s.Members) {
			thread = finding.Wordf(" thread %d", m.Described.Key.Thread)
		}
		if n := m.mainNeed(); n != nil && n.Kind == waitstate.NeedMembers && m.Described.Shape.Comm.Text != "" {
			on = finding.Wordf(" on %s", m.Described.Shape.Comm)
		}
		parts = append(parts, finding.Wordf("rank %d%s %s %s%s", m.Described.Key.Rank, thread, verb,
			m.Described.Place.Call, on))
	}
	return finding.JoinedAnd(parts)
}

// alone tells of a rank that waits for itself.
func (s *Story) alone(unsafe bool) (finding.Wording, string) {
	m := &s.Members[0]
	r := m.Described.Key.Rank
	if len(s.Members) > 1 {
		return finding.Wordf("The threads of rank %d wait for each other: %s.", r, s.listed()),
			"let only one thread communicate, or give each thread its own communicator and order"
	}
	n := m.mainNeed()
	switch {
	case n != nil && n.Kind == waitstate.NeedSelf:
		return finding.Wordf("Rank %d waits in %s for a partitioned send, but has not marked all its partitions ready.",
				r, m.Described.Place.Call),
			"call MPI_Pready for every partition before waiting"
	case n != nil && n.Kind == waitstate.NeedOwnUnlock:
		return finding.Wordf("Rank %d waits in %s for a lock that it holds itself.", r, m.Described.Place.Call),
			"end the first epoch with MPI_Win_unlock before the next one on the same rank"
	case unsafe:
		return finding.Wordf("Rank %d would wait for itself in %s if %s.", r, m.Described.Place.Call, s.proviso()),
			"post the receive first, with MPI_Irecv"
	}
	return finding.Wordf("Rank %d waits for itself in %s.", r, m.Described.Place.Call),
		"post the matching operation first, as a non-blocking one"
}

// waitsForTheDead tells of ranks that wait for others that will do nothing any more.
func (s *Story) waitsForTheDead(who finding.Wording) (finding.Wording, string) {
	m := &s.Members[0]
	verb := inflect(s.ranks(), "waits", "wait")
	if s.Code == finding.DeadlockUnsafe {
		verb = finding.Wordf("would wait, if %s,", s.proviso())
	}
	finalize := "MPI_Finalize"
	if s.bySessions(s.Culprits[0]) {
		finalize = "its last " + SessionFinalize
	}
	what := "something from"
	if n := m.mainNeed(); n != nil {
		switch n.Kind {
		case waitstate.NeedMessage:
			what = "a message from"
			if m.isWindow() {
				what = "the other side of " + m.Described.Place.Call + " on"
			}
		case waitstate.NeedReceive:
			what = "a receive by"
		case waitstate.NeedMembers:
			what = collectiveName(m) + " by"
		case waitstate.NeedUnlock:
			what = "a lock held by"
		}
	}
	hint := "a rank finishes early: look for a missing call on its path to " + finalize
	if _, better := s.each(); s.nearly() {
		hint = better
	}
	return finding.Wordf("%s %s in %s for %s %s, which %s.", who.Capital(), verb, m.Described.Place.Call, what,
		finding.Ranks(s.Culprits), s.end(s.Culprits...)), hint
}

func (s *Story) livelock(who finding.Wording) (finding.Wording, string) {
	polls := make([]op.Rank, 0, len(s.Members))
	for i := range s.Members {
		if s.Members[i].State == message.Polling {
			polls = append(polls, s.Members[i].Described.Key.Rank)
		}
	}
	polls = s.withAlike(polls)
	call := ""
	for i := range s.Members {
		if s.Members[i].State == message.Polling {
			call = s.Members[i].Described.Place.Call
			break
		}
	}
	text := finding.Wordf("%s %s with %s for something that can never come", finding.Ranks(polls).Capital(),
		inflect(len(polls), "polls", "poll"), call)
	if slices.ContainsFunc(s.Members, func(m Member) bool { return m.State != message.Polling }) {
		text = finding.Wordf("%s: %s", text, s.listed())
	}
	return finding.Wordf("%s.", text), "find the message or collective call that should end the loop, and the rank " +
		"that should make it"
}
