package agent

import (
	"unknot/internal/model/waitstate"
	"unknot/internal/root/tree"
	"unknot/internal/say/explain"
	"unknot/internal/vocab/message"
)

// mailer has what is to be sent to other members, and what has come from them.
type mailer struct {
	inbox []message.Message
	out   map[int][]waitstate.Message // to be sent, by member
	outTo []int                       // those members, in the order of their first messages
	// upward counts messages to the root that may tell of something found.
	upward uint64
}

// flush sends what the wait-state system has to tell others; what is for this agent itself goes in at once.
func (a *Agent) flush() {
	for len(a.node.Out) > 0 {
		out := a.node.Out
		a.node.Out = nil
		for _, m := range out {
			if m.To == a.id {
				a.node.Handle(m)
				continue
			}
			a.post(m)
		}
		a.mail()
	}
	for _, c := range a.node.Clashes {
		a.net.SendUp(message.Clash{Clash: c})
	}
	a.node.Clashes = a.node.Clashes[:0]
	a.tellPairs()
	a.checks.Received()
	a.pairUp()
}

// post keeps a message for another member until all that are to be sent now are there.
func (a *Agent) post(m waitstate.Message) {
	list := a.out[m.To]
	if len(list) == 0 {
		a.outTo = append(a.outTo, m.To)
	}
	a.out[m.To] = append(list, m)
}

// mail sends what was kept. Messages for one member keep their order.
func (a *Agent) mail() {
	for _, to := range a.outTo {
		if to == tree.Root {
			a.net.SendUp(message.WaitStates{Messages: a.out[to]})
		} else {
			a.net.Send(to, message.WaitStates{Messages: a.out[to]})
		}
		delete(a.out, to)
		a.sync.wrote(to)
	}
	a.outTo = a.outTo[:0]
}

// tellPairs sends the root what does not fit.
func (a *Agent) tellPairs() {
	for i := range a.node.Misfits {
		a.tellPair(message.Misfit(&a.node.Misfits[i], a.table))
	}
	for i := range a.node.Uneven {
		a.tellPair(message.Uneven(&a.node.Uneven[i], a.table))
	}
	a.node.Misfits, a.node.Uneven = a.node.Misfits[:0], a.node.Uneven[:0]
}

// judgeCutShort has receives from any source judged whose ranks ended in them, now that all messages to them are known.
func (a *Agent) judgeCutShort() {
	for _, r := range a.order {
		if !r.gone || r.final() {
			continue
		}
		for _, t := range r.threads {
			a.node.CutShort(t.WS, t.Truncated)
		}
	}
	a.tellPairs()
}

func (a *Agent) tellPair(p *message.Pair) {
	if a.checks.Watch == nil {
		return
	}
	p.Code, _ = explain.UnlikeWords(p)
	if a.checks.Watch.Enabled(p.Code) {
		a.net.SendUp(*p)
	}
}
