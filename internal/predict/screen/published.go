package screen

import (
	"unknot/internal/trace"
	"unknot/internal/vocab/op"
)

// Call is what the published method sees of a send or a receive: not its tag, not its communicator, and of waits and
// collectives nothing at all.
type Call struct {
	Send     bool
	Blocking bool
	Partner  op.Rank // op.AnySource for a receive from anybody

	Matched bool
	Counter int // sends counted against this receive
	Flagged bool
	Thread  int // where it is in the log
	Op      uint32
}

// Published is the screening of EMPDD (Al Dhubhani, Eassa and Saeed, 2016, algorithms 1 to 3), to the letter where the
// letter says something: one pass over the processes in the given order, then flags. It is kept as what
// docs/screening.md compares Log with; it is neither sound nor complete.
//
// With repeat, passes are made until one changes nothing, and a send that has been matched is left alone in later ones
// (the letter would send it again). Without that a process is never looked at again after a later
// one has served its receive, and even the program of the paper's table 1 is flagged from end to end.
func Published(l *trace.Log, order []int, repeat bool) [][]Call {
	p := &published{calls: calls(l), pointers: make([][]int, len(l.Threads))}
	for i := range p.pointers {
		p.pointers[i] = make([]int, len(l.Threads))
	}
	p.changed = true
	for pass := 0; p.changed && (pass == 0 || repeat); pass++ {
		p.changed = false
		for _, process := range order {
			p.matchProcess(process, repeat)
		}
	}
	p.detect()
	return p.calls
}

type published struct {
	calls    [][]Call
	pointers [][]int // by process and partner: the next call of the partner that may meet one of the process
	changed  bool
}

func calls(l *trace.Log) [][]Call {
	all := make([][]Call, len(l.Threads))
	for i := range l.Threads {
		t := &l.Threads[i]
		for k := range t.Ops {
			for _, part := range t.Posts(&t.Ops[k]) {
				if part.Kind == op.Send || part.Kind == op.Recv {
					all[i] = append(all[i], Call{Send: part.Kind == op.Send, Blocking: t.Ops[k].Blocking,
						Partner: part.Peer, Thread: i, Op: uint32(k)})
				}
			}
		}
	}
	return all
}

// matchProcess is the inner loop of algorithm 1, match processes.
func (p *published) matchProcess(process int, repeat bool) {
	for i := range p.calls[process] {
		c := &p.calls[process][i]
		switch {
		case !c.Send && c.Blocking && !c.Matched:
			return
		case !c.Send, repeat && c.Matched:
		case !p.matchOperations(process, c) && c.Blocking:
			return
		}
	}
}

// matchOperations is algorithm 2: it walks the destination's calls from where this process last stopped, and counts the
// send against every wildcard up to the receive that names the process.
func (p *published) matchOperations(process int, send *Call) bool {
	destination := p.calls[send.Partner]
	pointer := &p.pointers[process][send.Partner]
	for *pointer < len(destination) {
		c := &destination[*pointer]
		from := op.Rank(process)
		switch {
		case c.Send && c.Blocking && !c.Matched:
			return send.Matched
		case c.Send, c.Matched && c.Partner != op.AnySource && c.Partner != from:
		case c.Partner == op.AnySource:
			p.match(send, c)
		case c.Partner == from:
			p.match(send, c)
			if c.Counter == 1 {
				*pointer++
				return true
			}
		case c.Blocking:
			return send.Matched
		}
		*pointer++
	}
	return send.Matched
}

func (p *published) match(send, recv *Call) {
	send.Matched, recv.Matched = true, true
	recv.Counter++
	p.changed = true
}

// detect is algorithm 3, detect deadlocks.
func (p *published) detect() {
	for _, own := range p.calls {
		for i := range own {
			c := &own[i]
			same := 0
			for k := range own {
				if own[k].Partner == c.Partner {
					same++
				}
			}
			c.Flagged = !c.Matched || !c.Send && c.Counter > 1 && c.Counter > same
		}
	}
}
