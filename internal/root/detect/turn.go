package detect

import (
	"time"

	"unknot/internal/agent/proto"
	"unknot/internal/root/tree"
	"unknot/internal/say/explain"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/mpi"
)

// New returns the root of a job of so many ranks.
func New(net *tree.Member[message.Message], out *proto.Writer, size int, o Options, table *mpi.T) *Root {
	r := &Root{job: job{opts: o, size: size, table: table},
		net: net, process: tree.NewBox[Event](), out: out, done: make(chan struct{})}
	r.ledger = newLedger(net)
	r.round = round{net: net, members: &r.ledger.members, goOn: r.goOn}
	r.findings = newFindings(&r.job, out)
	r.deaths = deaths{job: &r.job, findings: &r.findings}
	r.collectives = newCollectives(&r.job, net)
	r.status = status{job: &r.job, out: out, ledger: &r.ledger}
	r.surveys = surveys{job: &r.job, out: out, ledger: &r.ledger, pace: &r.pace, findings: &r.findings}
	r.search = search{job: &r.job, pace: &r.pace, collectives: &r.collectives, findings: &r.findings}
	r.absences = absences{collectives: &r.collectives, findings: &r.findings}
	r.pace = pace{job: &r.job, pause: FirstLook}
	return r
}

func (r *Root) Run() {
	defer close(r.done)
	timer := time.NewTimer(tick)
	for {
		timer.Reset(r.pace.left(time.Now()))
		select {
		case <-r.net.Wake():
		case <-r.process.Wake():
		case <-timer.C:
		}
		if r.Turn(time.Now()) {
			return
		}
	}
}

// Turn does what there is to do now; true if nothing is left to do ever. Run calls it, or a simulator in its place.
func (r *Root) Turn(now time.Time) (over bool) {
	r.now = now
	r.inbox = r.net.Take(r.inbox)
	for _, m := range r.inbox {
		r.message(m)
	}
	r.events = r.process.Take(r.events)
	for _, e := range r.events {
		switch {
		case e.Ended != nil:
			r.ended(e.Ended)
		case e.Lost != nil:
			r.lose(e.Lost)
		default:
			r.surveys.want(&survey{signal: e.Survey})
		}
	}
	r.surveys.watchStall()
	r.status.due()
	r.findings.handOver()
	switch {
	case r.round.step != resting:
	case len(r.collectives.pending) > 0 || len(r.collectives.pairs) > 0:
		r.search.asked, r.round.places = r.search.asked[:0], message.Places{}
		r.askOrigins()
	case r.wantsRound():
		r.begin()
	}
	if r.round.step == resting && r.ending && r.ledger.idle() && r.pace.settled {
		if r.last {
			r.net.Broadcast(message.Quit{})
			return true
		}
		r.last = true
		r.askLeft()
	}
	return false
}

func (r *Root) message(m message.Message) {
	switch m := m.(type) {
	case message.WaitStates:
		for i := range m.Messages {
			r.collectives.hear(m.Messages[i])
		}
	case message.Progress:
		r.ledger.progress[m.Agent] = m
	case message.Clash:
		r.collectives.hearClash(m.Clash)
	case message.Pair:
		r.collectives.pairs = append(r.collectives.pairs, &m)
	case message.Failed:
		r.collectives.fails(m.Ctx)
	case message.Unforced:
		if !r.unforced {
			r.unforced = true
			_ = r.out.Send(proto.Message{Type: proto.Unforced, Text: explain.Unforced(&m)})
		}
	case message.Unused:
		r.ledger.unused = append(r.ledger.unused, m)
	case message.Death:
		r.deaths.hear(&m)
	case message.Misuse:
		r.findings.hear(&m)
	case message.Idle:
		r.ledger.idles(&m)
	case message.Settled:
		r.round.hear(m.Agent, m.Round, nil)
	case message.Report:
		r.round.hear(m.Agent, m.Round, func() {
			r.round.reports = append(r.round.reports, &m)
			r.pace.progressed = r.pace.progressed || m.Told
		})
	case message.Places:
		r.round.hear(m.Agent, m.Round, func() { r.round.places.Add(&m) })
	case message.Left:
		r.round.hear(m.Agent, m.Round, func() { addLeft(&r.round.left, &m) })
	}
}

// Finish tells the root, from another goroutine, that the launcher has ended.
func (r *Root) Finish(last Ended) { r.process.Put(Event{Ended: &last}) }

// Done is closed when the root has nothing left to do.
func (r *Root) Done() <-chan struct{} { return r.done }

// ended takes in that the launcher has ended.
func (r *Root) ended(last *Ended) {
	for i := range last.Outside {
		o := &last.Outside[i]
		r.findings.tell(explain.Outside(o))
		for k := range o.Places {
			if o.When == "after" && o.Frees != mpi.NoObject {
				r.findings.late = append(r.findings.late, o.Places[k].Rank)
			}
		}
	}
	r.ending, r.orphan, r.exit, r.endedAt = true, last.Orphan, last.Exit, r.now
	r.findings.freed = last.Freed
	r.pace.hasten()
	r.logEnd()
}

// Lose tells the root, from another goroutine, that agents were lost.
func (r *Root) Lose(l Lost) { r.process.Put(Event{Lost: &l}) }

// Survey asks the root, from another goroutine, where all ranks are, as a signal is about to end the run.
func (r *Root) Survey(signal string) { r.process.Put(Event{Survey: signal}) }

// lose continues without some agents. The round begins again if answers may have been lost with a relay, as long as
// nothing has come of it; else the last question is asked again.
func (r *Root) lose(l *Lost) {
	waits := r.round.waits()
	switch relays := r.ledger.lose(l); {
	case waits && relays && r.round.early():
		r.begin()
	case waits && relays:
		r.renew()
		r.round.askAgain()
	case waits:
		r.round.whenComplete()
	}
}
