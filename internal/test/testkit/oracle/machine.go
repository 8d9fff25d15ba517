package oracle

import (
	"math/rand/v2"
	"slices"

	"unknot/internal/vocab/op"
)

// Role is what a piece of communication is.
type Role uint8

// Roles of pieces.
const (
	Sender Role = iota
	Receiver
	Prober // sees a message and leaves it
	Member // of a collective
)

// Piece is one send, receive, probe or collective membership that a rank has started.
type Piece struct {
	Part
	Role    Role
	Call    int // its place in the rank's program
	Seq     int // Member: how many collectives on Comm came before it
	Request int // ID of the call that made the request, -1 if there is none

	// Free: a send that MPI buffers, or a member of a collective that waits for no more than it must.
	Free    bool
	Matched *Name // the partner, once there is one; a probe knows its message, the message does not know the probe
	Over    bool  // completed: its request is MPI_REQUEST_NULL now
}

// Name names a piece: the n-th that a rank started.
type Name struct{ Rank, N int }

// Machine is the state of a run.
type Machine struct {
	Prog   *Program
	At     []int  // by rank: the call that it is in, or that comes next
	Inside []bool // by rank: it is in the call
	Pieces [][]Piece
	// Lenient makes MPI buffer whatever it may from now on; Rigid, nothing that it need not.
	Lenient, Rigid bool
	rand           *rand.Rand
}

// NewMachine is a run at its start; rand decides what MPI buffers and which collectives synchronise.
func NewMachine(p *Program, rand *rand.Rand) *Machine {
	n := len(p.Ranks)
	return &Machine{Prog: p, At: make([]int, n), Inside: make([]bool, n), Pieces: make([][]Piece, n), rand: rand}
}

// Move is something that may happen next: a rank enters a call (neither Leaves nor Send set), leaves it, or a message
// meets its receive.
type Move struct {
	Rank    int
	Leaves  bool
	Done    []int // Leaves: the rank's pieces whose completion the call reports
	Send    *Name // a message…
	Recv    Name  // …and what it meets
	Forced  bool  // nothing that happens can prevent it, and nothing is prevented by it
	IsMatch bool
}

func fits(recv, send Part) bool {
	return recv.Comm == send.Comm && (recv.Tag == Any || recv.Tag == send.Tag)
}

// MayMeet says whether a message and a receive or probe may be matched now, by the order of MPI-4.0, 3.5: no earlier
// message of the same sender would do for the receive, and no earlier receive of the same rank would do for the
// message.
func (m *Machine) MayMeet(send, recv Name) bool {
	s, r := m.piece(send), m.piece(recv)
	could := func(s *Piece, from int, r *Piece) bool {
		return s.Role == Sender && s.Peer == recv.Rank && s.Matched == nil &&
			(r.Role == Receiver || r.Role == Prober) &&
			r.Matched == nil &&
			(r.Peer == Any || r.Peer == from) && fits(r.Part, s.Part)
	}
	if !could(s, send.Rank, r) {
		return false
	}
	for i := range send.N {
		if could(&m.Pieces[send.Rank][i], send.Rank, r) {
			return false
		}
	}
	for i := range recv.N {
		if e := &m.Pieces[recv.Rank][i]; e.Role == Receiver && could(s, send.Rank, e) {
			return false
		}
	}
	return true
}

func (m *Machine) piece(n Name) *Piece { return &m.Pieces[n.Rank][n.N] }

// here says whether a rank has started its part in a collective.
func (m *Machine) here(rank, comm, seq int) bool {
	return slices.ContainsFunc(m.Pieces[rank], func(p Piece) bool {
		return p.Role == Member && p.Comm == comm &&
			p.Seq == seq
	})
}

// complete says whether a piece of a rank may be reported as complete.
func (m *Machine) complete(rank int, p *Piece) bool {
	switch p.Role {
	case Sender:
		return p.Free || p.Matched != nil
	case Receiver, Prober:
		return p.Matched != nil
	}
	wave := m.Prog.Wave(p.Comm, p.Seq)
	for _, other := range m.Prog.Comms[p.Comm] {
		needed := !p.Free || wave.Gather == Barrier || wave.Gather == Bcast && other == wave.Root ||
			wave.Gather == Reduce && rank == wave.Root || wave.Gather == Scan && other < rank
		if needed && !m.here(other, p.Comm, p.Seq) {
			return false
		}
	}
	return true
}

// Waits are the pieces of a rank that its current call waits for.
func (m *Machine) Waits(rank int) []int {
	at := m.At[rank]
	if at == len(m.Prog.Ranks[rank]) {
		return nil
	}
	call := &m.Prog.Ranks[rank][at]
	var out []int
	for n := range m.Pieces[rank] {
		p := &m.Pieces[rank][n]
		own := p.Call == at && p.Request < 0
		asked := p.Request >= 0 && !p.Over && slices.Contains(call.Requests, p.Request)
		if own || asked {
			out = append(out, n)
		}
	}
	return out
}

// any says whether a rank's call ends with some of what it waits for.
func (m *Machine) any(rank int) bool {
	if m.At[rank] == len(m.Prog.Ranks[rank]) {
		return false
	}
	k := m.Prog.Ranks[rank][m.At[rank]].Kind
	return k == Waitany || k == Waitsome
}

// Exits are the ways in which a rank may leave its call now.
func (m *Machine) Exits(rank int) []Move {
	if !m.Inside[rank] || m.At[rank] == len(m.Prog.Ranks[rank]) {
		return nil
	}
	var done []int
	waits := m.Waits(rank)
	for _, n := range waits {
		if m.complete(rank, &m.Pieces[rank][n]) {
			done = append(done, n)
		}
	}
	if !m.any(rank) || len(waits) == 0 {
		if len(done) < len(waits) {
			return nil
		}
		return []Move{{Rank: rank, Leaves: true, Done: done, Forced: true}}
	}
	var out []Move
	for set := 1; set < 1<<len(done); set++ {
		var some []int
		for i, n := range done {
			if set>>i&1 == 1 {
				some = append(some, n)
			}
		}
		if len(some) == 1 || m.Prog.Ranks[rank][m.At[rank]].Kind == Waitsome {
			out = append(out, Move{Rank: rank, Leaves: true, Done: some})
		}
	}
	return out
}

// Moves are all things that may happen next.
func (m *Machine) Moves() []Move {
	var out []Move
	for r := range m.At {
		if !m.Inside[r] {
			out = append(out, Move{Rank: r, Forced: true})
		}
		out = append(out, m.Exits(r)...)
		for n := range m.Pieces[r] {
			recv := &m.Pieces[r][n]
			if recv.Role != Receiver && recv.Role != Prober || recv.Matched != nil {
				continue
			}
			for src := range m.At {
				for i := range m.Pieces[src] {
					send := Name{src, i}
					if m.MayMeet(send, Name{r, n}) {
						out = append(out, Move{Send: &send, Recv: Name{r, n}, Forced: recv.Peer != Any, IsMatch: true})
					}
				}
			}
		}
	}
	return out
}

// Do makes a move.
func (m *Machine) Do(v Move) {
	switch {
	case v.IsMatch:
		m.piece(v.Recv).Matched = v.Send
		if m.piece(v.Recv).Role == Receiver {
			m.piece(*v.Send).Matched = &v.Recv
		}
	case v.Leaves:
		for _, n := range v.Done {
			m.Pieces[v.Rank][n].Over = true
		}
		m.Inside[v.Rank] = false
		m.At[v.Rank]++
	default:
		m.Inside[v.Rank] = true
		m.start(v.Rank)
	}
}

// start adds the pieces of the call that a rank enters.
func (m *Machine) start(rank int) {
	at := m.At[rank]
	if at == len(m.Prog.Ranks[rank]) {
		return
	}
	call := &m.Prog.Ranks[rank][at]
	request := -1
	if call.Nonblocking {
		request = call.ID
	}
	for _, part := range call.Parts {
		p := Piece{Part: part, Role: Receiver, Call: at, Request: request}
		switch {
		case part.Send:
			p.Role = Sender
			p.Free = part.Mode == op.Buffered || part.Mode == op.Standard && m.lenient()
		case call.Kind == Probe:
			p.Role = Prober
		}
		m.Pieces[rank] = append(m.Pieces[rank], p)
	}
	if call.Kind != Collective {
		return
	}
	p := Piece{Part: Part{Comm: call.Comm}, Role: Member, Call: at, Request: -1, Free: m.lenient()}
	for _, e := range m.Pieces[rank] {
		if e.Role == Member && e.Comm == call.Comm {
			p.Seq++
		}
	}
	if m.Prog.Wave(call.Comm, p.Seq).Nonblocking {
		p.Request = call.ID
	}
	m.Pieces[rank] = append(m.Pieces[rank], p)
}

// Delivered is the run when MPI has had the time to match whatever is there.
func (m *Machine) Delivered() *Machine {
	m = m.Clone()
	for {
		i := slices.IndexFunc(m.Moves(), func(v Move) bool { return v.IsMatch })
		if i < 0 {
			return m
		}
		m.Do(m.Moves()[i])
	}
}

func (m *Machine) lenient() bool { return !m.Rigid && (m.Lenient || m.rand.IntN(2) == 0) }

// Clone copies a run, so that two ways to go on can be tried.
func (m *Machine) Clone() *Machine {
	c := *m
	c.At, c.Inside = slices.Clone(m.At), slices.Clone(m.Inside)
	c.Pieces = make([][]Piece, len(m.Pieces))
	for r := range m.Pieces {
		c.Pieces[r] = slices.Clone(m.Pieces[r])
	}
	return &c
}
