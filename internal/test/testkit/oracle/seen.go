package oracle

import "unknot/internal/vocab/op"

// Seen is what a watcher knows when it has read some events: what each rank started, where it is, and what its receives
// reported. Of what matched it knows what the standard lets it conclude (Matched of the pieces).
type Seen struct {
	Prog    *Program
	Pieces  [][]Piece
	decided [][]bool // the run reported source and tag
	calls   [][]seenCall
}

// seenCall is a call that a rank has entered.
type seenCall struct {
	waits []int
	left  bool
}

// Watch reads events.
func (t *Trace) Watch(events []Event) *Seen {
	n := len(t.Prog.Ranks)
	s := &Seen{Prog: t.Prog, Pieces: make([][]Piece, n), decided: make([][]bool, n), calls: make([][]seenCall, n)}
	for _, e := range events {
		r := e.Rank
		if e.Leaves {
			s.calls[r][e.Call].left = true
			for _, d := range e.Done {
				p := &s.Pieces[r][d.N]
				s.decided[r][d.N] = true
				if p.Peer == Any {
					p.Peer, p.Tag = d.Source, d.Tag
				}
			}
			continue
		}
		s.calls[r] = append(s.calls[r], seenCall{waits: e.Waits})
		for i := range e.Starts {
			p := t.Pieces[r][e.First+i]
			p.Matched, p.Over = nil, false
			s.Pieces[r] = append(s.Pieces[r], p)
			s.decided[r] = append(s.decided[r], false)
		}
	}
	for s.conclude() {
	}
	return s
}

// conclude matches what is certain: a receive takes the first message for it, unless an earlier receive that is still
// open could take that one as well. A probe sees messages that receives after it take. It returns false when nothing
// was new.
func (s *Seen) conclude() bool {
	found := false
	for r := range s.Pieces {
		for n := range s.Pieces[r] {
			p := &s.Pieces[r][n]
			if (p.Role != Receiver && p.Role != Prober) || p.Matched != nil || p.Peer == Any {
				continue
			}
			i, ok := s.firstFor(Name{r, n})
			if !ok || s.claimed(Name{r, n}, Name{p.Peer, i}) {
				continue
			}
			found = true
			p.Matched = &Name{p.Peer, i}
			if p.Role == Receiver {
				s.Pieces[p.Peer][i].Matched = &Name{r, n}
			}
		}
	}
	return found
}

// firstFor finds the first message that a receive or probe with a known source could be given.
func (s *Seen) firstFor(recv Name) (int, bool) {
	r := &s.Pieces[recv.Rank][recv.N]
	for i := range s.Pieces[r.Peer] {
		send := &s.Pieces[r.Peer][i]
		open := send.Matched == nil || r.Role == Prober && send.Matched.N > recv.N
		if send.Role == Sender && send.Peer == recv.Rank && open && fits(r.Part, send.Part) {
			return i, true
		}
	}
	return 0, false
}

// claimed says whether an open receive before this one could take the message.
func (s *Seen) claimed(recv, send Name) bool {
	for i := range recv.N {
		e := &s.Pieces[recv.Rank][i]
		if e.Role == Receiver && e.Matched == nil && (e.Peer == Any || e.Peer == send.Rank) &&
			fits(e.Part, s.Pieces[send.Rank][send.N].Part) {
			return true
		}
	}
	return false
}

// Undecided says whether some receive or probe from anybody has not been reported.
func (s *Seen) Undecided() bool {
	for r := range s.Pieces {
		for _, p := range s.Pieces[r] {
			if p.Peer == Any {
				return true
			}
		}
	}
	return false
}

// Entered is the number of calls that a rank has entered, MPI_Finalize among them.
func (s *Seen) Entered(rank int) int { return len(s.calls[rank]) }

// Left says whether a rank has left a call.
func (s *Seen) Left(rank, call int) bool { return s.calls[rank][call].left }

// Strict is the terminal state of the transition system of the wait-state paper (section 3.1) for what was seen: each
// rank's position, as a place in its list of calls, is as far as rules 1 to 4 let it go. A position past the last call
// that was entered means that the rank has caught up.
func (s *Seen) Strict() []int {
	at := make([]int, len(s.calls))
	for {
		moved := false
		for r := range at {
			if at[r] < len(s.calls[r]) && s.mayPass(at, r) {
				at[r]++
				moved = true
			}
		}
		if !moved {
			return at
		}
	}
}

// mayPass is the premise of the rules for the call at a rank's position.
func (s *Seen) mayPass(at []int, rank int) bool {
	if at[rank] == len(s.Prog.Ranks[rank]) {
		return false // MPI_Finalize: the end
	}
	waits := s.calls[rank][at[rank]].waits
	some := 0
	for _, n := range waits {
		if s.served(at, &s.Pieces[rank][n]) {
			some++
		}
	}
	if k := s.Prog.Ranks[rank][at[rank]].Kind; k == Waitany || k == Waitsome {
		return some > 0 || len(waits) == 0
	}
	return some == len(waits)
}

// served says whether what a piece needs is active.
func (s *Seen) served(at []int, p *Piece) bool {
	switch {
	case p.Role == Sender && p.Mode == op.Buffered:
		return true
	case p.Role == Member:
		for _, m := range s.Prog.Comms[p.Comm] {
			if !s.active(at, m, p.Comm, p.Seq) {
				return false
			}
		}
		return true
	}
	return p.Matched != nil && at[p.Matched.Rank] >= s.Pieces[p.Matched.Rank][p.Matched.N].Call
}

func (s *Seen) active(at []int, rank, comm, seq int) bool {
	for _, p := range s.Pieces[rank] {
		if p.Role == Member && p.Comm == comm && p.Seq == seq {
			return at[rank] >= p.Call
		}
	}
	return false
}
