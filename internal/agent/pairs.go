package agent

import (
	"unknot/internal/say/explain"
	"unknot/internal/vocab/message"
)

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
