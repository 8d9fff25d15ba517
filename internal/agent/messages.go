package agent

import (
	"unknot/internal/agent/kernel"
	"unknot/internal/vocab/message"
)

// messages handles what has arrived.
func (a *Agent) messages() {
	a.words = a.process.Take(a.words)
	for _, w := range a.words {
		switch {
		case w.Adopt != nil:
			a.adopt(w.Adopt)
		case w.Alone != nil:
			a.setAlone(*w.Alone)
		case w.Away != nil:
			a.loseRoot(w.Away)
		case w.Share != nil:
			a.rootLoss.asked = w.Share
		default:
			a.ended, a.final = true, w.Final
		}
	}
	a.takeMessages()
}

// takeMessages handles what other members have sent.
func (a *Agent) takeMessages() {
	a.inbox = a.net.Take(a.inbox)
	for _, m := range a.inbox {
		a.message(m)
	}
}

func (a *Agent) message(m message.Message) {
	switch m := m.(type) {
	case message.WaitStates:
		for i := range m.Messages {
			a.node.Handle(m.Messages[i])
		}
		a.flush()
	case message.Consistent:
		a.sync.try = 0
		a.consistent(m.Round)
	case message.Ping:
		a.net.Send(m.From, message.Pong{From: a.id, Round: m.Round, Phase: m.Phase, Try: m.Try})
	case message.Pong:
		a.pong(m)
	case message.Gather:
		report := a.sync.kept
		if report == nil {
			report = a.gather(m.Round, m.Processes)
			a.release()
		}
		a.sync.kept = nil
		if !m.Processes {
			report.Processes = nil
		}
		if m.Last {
			a.judgeCutShort()
			report.Told = a.checks.NotesComplete()
		}
		report.Agent, report.Round = a.id, m.Round
		a.net.SendUp(*report)
	case message.Describe:
		places := message.Places{Agent: a.id, Round: m.Round, Moved: a.moved(m.Stay)}
		if m.Survey {
			places.Places = a.survey(m.Keys, m.Going)
		} else {
			places.Places = a.describeAll(m.Keys)
		}
		a.net.SendUp(places)
	case message.Locate:
		a.net.SendUp(message.Places{Agent: a.id, Round: m.Round, Places: a.describeOrigins(&m),
			Strays: a.strays(m.Sought)})
	case message.Remains:
		a.checks.Conclude()
		left := a.left()
		left.Round = m.Round
		a.net.SendUp(left)
	case message.Note:
		a.checks.Hear(&m.Note.Note)
	case message.Relax:
		a.relax(m)
	case message.Halt:
		a.halt(m.Host)
	case message.Gone:
		a.sync.gone[m.Agent] = true
		a.folding.Lost(m.Agent)
		a.answered(m.Agent)
		if a.net.Lose(m.Agent) {
			a.sayAgain()
		}
	case message.Quit:
		a.sync.quit = true
	default:
		a.folding.Message(m)
	}
}

// halt stops the processes of its ranks if they are on that host: ranks that poll would leave the supervisor and the
// launcher a small share of the cores. A stopped process can be killed like any other.
func (a *standings) halt(host string) {
	if host != kernel.Hostname() {
		return
	}
	for _, r := range a.order {
		if r.PID > 0 && r.alive() {
			a.processes.Halt(r.PID)
		}
	}
}
