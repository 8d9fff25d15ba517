package hangs

import "slices"

// role is what an argument of a call is.
type role uint8

const (
	buffer role = iota
	large       // a buffer that is too big for a message that is sent at once
	number
	datatype
	peer // or root
	tag
	communicator
	status
	statuses
	request
	requests
	index // of a completed request
	operation
	window
	group
)

// arg is an argument of a call.
type arg struct {
	role role
	v    int
}

// call is a call of MPI.
type call struct {
	name string
	args []arg
}

// plan is what a program does: each rank makes the calls of main, with the last of which it hangs, and a second thread
// those of threads. A rank without calls computes.
type plan struct {
	ranks   int
	kind    string // of the communicator: world, split, dup or create
	colors  int    // of split and create: how many communicators there are, by rank % colors
	window  bool
	main    map[int][]call
	threads map[int][]call
}

const words = 1 << 18 // of a large buffer

func message(name string, to, with int, big bool) call {
	b, n := buffer, 1
	if big {
		b, n = large, words
	}
	c := call{name, []arg{{b, 0}, {number, n}, {datatype, 0}, {peer, to}, {tag, with}, {communicator, 0}}}
	switch name {
	case "MPI_Recv":
		c.args = append(c.args, arg{status, 0})
	case "MPI_Irecv", "MPI_Isend", "MPI_Issend", "MPI_Recv_init", "MPI_Ssend_init":
		c.args = append(c.args, arg{request, 0})
	case "MPI_Probe":
		c.args = append(c.args[3:], arg{status, 0})
	}
	return c
}

func exchange(to, from, with, other int) call {
	return call{"MPI_Sendrecv", []arg{{buffer, 0}, {number, 1}, {datatype, 0}, {peer, to}, {tag, with},
		{buffer, 1}, {number, 1}, {datatype, 0}, {peer, from}, {tag, other}, {communicator, 0}, {status, 0}}}
}

func collective(name string, root int) call {
	c := call{name: name}
	switch name {
	case "MPI_Barrier":
	case "MPI_Bcast":
		c.args = []arg{{buffer, 0}, {number, 1}, {datatype, 0}, {peer, root}}
	case "MPI_Allreduce":
		c.args = []arg{{buffer, 0}, {buffer, 1}, {number, 1}, {datatype, 0}, {operation, 0}}
	case "MPI_Alltoall":
		c.args = []arg{{buffer, 0}, {number, 1}, {datatype, 0}, {buffer, 1}, {number, 1}, {datatype, 0}}
	}
	c.args = append(c.args, arg{communicator, 0})
	return c
}

// ends says what is true of the last call of a rank's thread, which is there already.
func (g *generator) ends(rank, thread int, state State, waitsFor ...int) {
	t := Truth{Rank: rank, Thread: thread, State: state, For: waitsFor}
	calls := g.plan.main[rank]
	if thread > 0 {
		calls = g.plan.threads[rank]
	}
	if state != Computes {
		c := calls[len(calls)-1]
		t.Function = c.name
		for _, a := range c.args {
			switch a.role {
			case peer:
				if t.Peer == nil {
					t.Peer = &a.v
				}
			case tag:
				if t.Tag == nil {
					t.Tag = &a.v
				}
			case communicator:
				t.Communicator = g.plan.kind
			}
		}
	}
	g.program.Truths = append(g.program.Truths, t)
}

func (g *generator) do(rank int, calls ...call) {
	g.plan.main[rank] = append(g.plan.main[rank], calls...)
}

// rest has the other ranks in a barrier, in MPI_Finalize, or in a receive from a rank that never sends.
func (g *generator) rest(waitsFor int, others ...int) {
	how := g.IntN(3)
	for _, rank := range others {
		switch how {
		case 0:
			g.do(rank, collective("MPI_Barrier", 0))
		case 1:
			g.do(rank, call{name: "MPI_Finalize"})
		default:
			g.do(rank, message("MPI_Recv", waitsFor, g.tag(), false))
		}
		g.ends(rank, 0, Deadlocked, waitsFor)
	}
}

func (g *generator) tag() int { return pick(g, 0, 1, 7, 42, 99, 1234, 20000, 1+g.IntN(300)) }

func (g *generator) world(least, most int) {
	g.plan.ranks, g.plan.kind = least+g.IntN(most-least+1), "world"
}

func upTo(n, from int) (list []int) {
	for i := from; i < n; i++ {
		list = append(list, i)
	}
	return list
}

// families are the kinds of programs.
var families = []struct {
	name string
	make func(*generator)
}{
	{"cycle", cycle}, {"missing send", missingSend}, {"wrong tag", wrongTag}, {"collective", missing},
	{"wildcard", wildcard}, {"sub-communicator", subCommunicator}, {"threads", threads}, {"rma", rma},
	{"persistent", persistent}, {"partial", partial}, {"nonblocking", nonblocking},
}

// cycle: each rank waits for the next one.
func cycle(g *generator) {
	g.world(2, 4)
	n := g.plan.ranks
	t := g.tag()
	all := pick(g, "MPI_Recv", "MPI_Ssend", "MPI_Send", "MPI_Probe", "MPI_Sendrecv", "")
	for rank := range n {
		next, name := (rank+1)%n, all
		if all == "" {
			name = pick(g, "MPI_Recv", "MPI_Probe")
		}
		if name == "MPI_Sendrecv" {
			g.do(rank, exchange(next, next, t, t+1))
		} else {
			g.do(rank, message(name, next, t, name == "MPI_Send"))
		}
		g.ends(rank, 0, Deadlocked, next)
	}
}

// missingSend: rank 0 receives what nobody sends.
func missingSend(g *generator) {
	g.world(2, 4)
	from := 1 + g.IntN(g.plan.ranks-1)
	g.do(0, message(pick(g, "MPI_Recv", "MPI_Probe"), from, g.tag(), false))
	g.ends(0, 0, Deadlocked, from)
	g.rest(0, upTo(g.plan.ranks, 1)...)
}

// wrongTag: a message has another tag than its receive, and is gone before that is seen.
func wrongTag(g *generator) {
	g.world(2, 4)
	t := g.tag()
	to := g.plan.ranks - 1
	g.do(to, message("MPI_Recv", 0, t+1, false))
	g.ends(to, 0, Deadlocked, 0)
	g.do(0, message("MPI_Send", to, t, false))
	g.rest(to, upTo(to, 0)...)
}

// missing: one rank does not take part in a collective call.
func missing(g *generator) {
	g.world(2, 4)
	n := g.plan.ranks
	absent := g.IntN(n)
	name := pick(g, "MPI_Barrier", "MPI_Allreduce", "MPI_Bcast", "MPI_Alltoall")
	for rank := range n {
		if rank == absent {
			from := (rank + 1) % n
			g.do(rank, message("MPI_Recv", from, g.tag(), false))
			g.ends(rank, 0, Deadlocked, from)
			continue
		}
		g.do(rank, collective(name, absent))
		g.ends(rank, 0, Deadlocked, absent)
	}
}

// wildcard: nobody is left to send what any may.
func wildcard(g *generator) {
	g.world(2, 4)
	with := pick(g, Any, g.tag())
	g.do(0, message(pick(g, "MPI_Recv", "MPI_Probe"), Any, with, false))
	g.ends(0, 0, Deadlocked, upTo(g.plan.ranks, 1)...)
	g.rest(0, upTo(g.plan.ranks, 1)...)
}

// subCommunicator: a cycle in each of some communicators.
func subCommunicator(g *generator) {
	g.world(4, 4)
	g.plan.kind = pick(g, "split", "dup", "create")
	g.plan.colors = 2
	if g.plan.kind == "dup" {
		g.plan.colors = 1
	}
	t := g.tag()
	name := pick(g, "MPI_Recv", "MPI_Ssend", "MPI_Probe")
	for rank := range g.plan.ranks {
		size := g.plan.ranks / g.plan.colors
		next := (rank/g.plan.colors + 1) % size
		g.do(rank, message(name, next, t, false))
		g.ends(rank, 0, Deadlocked, next*g.plan.colors+rank%g.plan.colors)
	}
}

// threads: two threads of each rank wait for the next one.
func threads(g *generator) {
	g.world(2, 3)
	g.plan.threads = make(map[int][]call)
	t := g.tag()
	for rank := range g.plan.ranks {
		next := (rank + 1) % g.plan.ranks
		g.do(rank, message("MPI_Recv", next, t, false))
		g.ends(rank, 0, Deadlocked, next)
		g.plan.threads[rank] = []call{message(pick(g, "MPI_Recv", "MPI_Probe"), next, t+1, false)}
		g.ends(rank, 1, Deadlocked, next)
	}
}

// rma: a rank is missing at a fence, or a target waits for an origin that never completes.
func rma(g *generator) {
	g.world(2, 3)
	g.plan.window = true
	fence := call{"MPI_Win_fence", []arg{{number, 0}, {window, 0}}}
	n := g.plan.ranks
	if chance(g, 2) {
		absent := g.IntN(n)
		for rank := range n {
			g.do(rank, fence)
			if rank == absent {
				from := (rank + 1) % n
				g.do(rank, message("MPI_Recv", from, g.tag(), false))
				g.ends(rank, 0, Deadlocked, from)
				continue
			}
			g.do(rank, fence)
			g.ends(rank, 0, Deadlocked, absent)
		}
		return
	}
	g.do(0, call{"MPI_Win_post", []arg{{group, 0}, {number, 0}, {window, 0}}}, call{"MPI_Win_wait", []arg{{window, 0}}})
	g.ends(0, 0, Deadlocked, 1)
	for rank := 1; rank < n; rank++ {
		g.do(rank, message("MPI_Recv", 0, g.tag(), false))
		g.ends(rank, 0, Deadlocked, 0)
	}
}

// persistent: a request that was started is never complete.
func persistent(g *generator) {
	g.world(2, 3)
	t := g.tag()
	name := pick(g, "MPI_Recv_init", "MPI_Ssend_init")
	for rank := range g.plan.ranks {
		next := (rank + 1) % g.plan.ranks
		g.do(rank, message(name, next, t, false), call{"MPI_Start", []arg{{request, 0}}},
			call{"MPI_Wait", []arg{{request, 0}, {status, 0}}})
		g.ends(rank, 0, Deadlocked, next)
	}
}

// partial: some ranks compute on, and others wait for them or for each other.
func partial(g *generator) {
	g.world(3, 4)
	last := g.plan.ranks - 1
	busy := []int{last}
	g.ends(last, 0, Computes)
	if chance(g, 2) {
		for rank := range 2 {
			g.do(rank, message(pick(g, "MPI_Recv", "MPI_Probe"), 1-rank, g.tag(), false))
			g.ends(rank, 0, Deadlocked, 1-rank)
		}
		busy = append(busy, 0, 1)
	}
	for rank := range g.plan.ranks {
		if !slices.Contains(busy, rank) {
			g.do(rank, message("MPI_Recv", last, g.tag(), false))
			g.ends(rank, 0, Waits, last)
		}
	}
}

// nonblocking: a receive or a synchronous send that was started is never complete.
func nonblocking(g *generator) {
	g.world(2, 3)
	t := g.tag()
	name := pick(g, "MPI_Irecv", "MPI_Issend")
	end := pick(g, call{"MPI_Wait", []arg{{request, 0}, {status, 0}}},
		call{"MPI_Waitall", []arg{{number, 1}, {requests, 0}, {statuses, 0}}},
		call{"MPI_Waitany", []arg{{number, 1}, {requests, 0}, {index, 0}, {status, 0}}})
	for rank := range g.plan.ranks {
		next := (rank + 1) % g.plan.ranks
		g.do(rank, message(name, next, t, false), end)
		g.ends(rank, 0, Deadlocked, next)
	}
}
