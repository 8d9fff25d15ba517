package detect

import (
	"cmp"
	"time"

	"unknot/internal/model/waitstate"
	"unknot/internal/root/tree"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/op"
)

// Relay is an inner member of the tree, of which there are some where agents are more than the fan-in. It hands on what
// the root asks, and merges what comes from below: one answer to each question, once all have answered; one word of a
// collective, once all members below are in; one sum of the progress. All else it hands on as it is.
type Relay struct {
	net      *tree.Member[message.Message]
	level    int // above the agents
	members  members
	round    int
	question message.Message          // the last one
	progress map[int]message.Progress // by member below
	sentAt   time.Time
	now      time.Time // when its turn began
	waves    tallies
	acks     acks
	answer   answer
	idle     message.Idle
	passed   map[string]*message.Passed
	done     bool // it has said that all below are idle
	inbox    []message.Message
}

// answer is what the members below have answered together.
type answer struct {
	report  message.Report
	threads message.Folder
	waves   *state
	places  message.Places
	left    message.Left
}

// NewRelay returns the relay of a member of the tree, so many levels above the agents.
func NewRelay(net *tree.Member[message.Message], level int) *Relay {
	return &Relay{net: net, level: level, members: newMembers(net.Below()), progress: make(map[int]message.Progress),
		waves: make(tallies),
		idle:  message.Idle{Agent: net.ID}, passed: make(map[string]*message.Passed)}
}

// Run is its loop.
func (r *Relay) Run() {
	for {
		<-r.net.Wake()
		if r.Turn(time.Now()) {
			return
		}
	}
}

// Turn does what there is to do now; true if nothing is left to do ever.
func (r *Relay) Turn(now time.Time) (over bool) {
	r.now = now
	r.inbox = r.net.Take(r.inbox)
	for _, m := range r.inbox {
		r.message(m)
		if _, quit := m.(message.Quit); quit {
			return true
		}
	}
	return false
}

func (r *Relay) message(m message.Message) {
	switch m := m.(type) {
	case message.Consistent:
		r.ask(m.Round, m)
	case message.Gather:
		r.ask(m.Round, m)
	case message.Describe:
		r.ask(m.Round, m)
	case message.Locate:
		r.ask(m.Round, m)
	case message.Remains:
		r.ask(m.Round, m)
	case message.Relax, message.Halt, message.Quit:
		r.net.Broadcast(m)
	case message.Gone:
		r.gone(m)
	case message.WaitStates:
		r.waitStates(m)
	case message.Settled:
		r.answered(m.Agent, m.Round)
	case message.Report:
		if m.Round == r.round && r.members.awaited(m.Agent) {
			r.answer.add(&m)
		}
		r.answered(m.Agent, m.Round)
	case message.Places:
		if m.Round == r.round && r.members.awaited(m.Agent) {
			r.answer.places.Add(&m)
		}
		r.answered(m.Agent, m.Round)
	case message.Left:
		if m.Round == r.round && r.members.awaited(m.Agent) {
			addLeft(&r.answer.left, &m)
		}
		r.answered(m.Agent, m.Round)
	case message.Progress:
		r.progress[m.Agent] = m
		r.tell()
	case message.Idle:
		if r.members.idle(m.Agent) {
			r.idle.Broken = cmp.Or(r.idle.Broken, m.Broken)
			for i := range m.Passed {
				message.AddPassed(r.passed, &m.Passed[i])
			}
			r.tellIdle()
		}
	default: // what one agent has to say
		r.net.SendUp(m)
	}
}

// ask hands a question on.
func (r *Relay) ask(round int, m message.Message) {
	r.round, r.question, r.answer = round, m, answer{}
	r.members.ask()
	r.net.Broadcast(m)
	r.goOn()
}

// answered notes an answer to the last question.
func (r *Relay) answered(agent, round int) {
	if round == r.round && r.members.answered(agent) {
		r.goOn()
	}
}

// goOn answers the last question once all below have.
func (r *Relay) goOn() {
	if r.members.missing > 0 {
		return
	}
	id, a := r.net.ID, &r.answer
	switch r.question.(type) {
	case message.Consistent:
		r.net.SendUp(message.Settled{Agent: id, Round: r.round})
	case message.Gather:
		rep := a.report
		rep.Agent, rep.Round, rep.Threads = id, r.round, a.threads.Folds
		for _, w := range a.open() {
			rep.Waves = append(rep.Waves, *w)
		}
		r.net.SendUp(rep)
	case message.Describe, message.Locate:
		p := a.places
		p.Agent, p.Round = id, r.round
		r.net.SendUp(p)
	case message.Remains:
		l := a.left
		l.Agent, l.Round = id, r.round
		r.net.SendUp(l)
	}
	r.answer = answer{}
}

// add merges a report in.
func (a *answer) add(m *message.Report) {
	for i := range m.Threads {
		a.threads.Join(m.Threads[i])
	}
	if a.waves == nil {
		a.waves = &state{waves: make(map[waveKey]*message.Wave)}
		a.report.Groups = make(map[op.CommID]op.Ranks)
	}
	for i := range m.Waves {
		a.waves.addWave(&m.Waves[i])
	}
	for k, v := range m.Groups {
		a.report.Groups[k] = v
	}
	rep := &a.report
	rep.Locks, rep.Processes = append(rep.Locks, m.Locks...), append(rep.Processes, m.Processes...)
	rep.Told = rep.Told || m.Told
	rep.Users, rep.Murky = rep.Users.Union(m.Users), rep.Murky.Union(m.Murky)
}

// open are the open collectives, in the order of their contexts.
func (a *answer) open() []*message.Wave {
	if a.waves == nil {
		return nil
	}
	return a.waves.sortedWaves()
}

// waitStates takes in words of collectives: those of members below come up, those of the root go down.
func (r *Relay) waitStates(m message.WaitStates) {
	var up, down []waitstate.Message
	for i := range m.Messages {
		w := &m.Messages[i]
		switch ack := r.acks.of(w); {
		case w.Kind == waitstate.CollectiveAck:
			delete(r.waves, waveKey{w.Ctx, w.Seq}) // of members that said it again
			r.acks.keep(w)
			down = append(down, *w)
		case w.Kind == waitstate.CollectiveShares:
			up = append(up, *w)
		case ack != nil:
			down = append(down, *ack)
		default:
			if all, is := r.ready(w); is {
				up = append(up, all)
			}
		}
	}
	if len(up) > 0 {
		r.net.SendUp(message.WaitStates{Messages: up})
	}
	if len(down) > 0 {
		r.net.Broadcast(message.WaitStates{Messages: down})
	}
}

// ready adds members to a collective; true, with what is to go up, once all below are in.
func (r *Relay) ready(m *waitstate.Message) (waitstate.Message, bool) {
	t := r.waves.of(m)
	t.add(m)
	for _, s := range m.Shares {
		t.keep(s)
	}
	if r.level > len(m.Below) || t.count() < m.Below[r.level-1] {
		return waitstate.Message{}, false
	}
	delete(r.waves, waveKey{m.Ctx, m.Seq})
	all := *m
	all.Voices, all.Shares, all.Clock, all.Balance = t.voices, t.shares, t.clock, t.balance
	return all, true
}

// progressEvery is how often a relay reports the progress of those below, at most: as often as these do.
const progressEvery = 50 * time.Millisecond

// tell hands the sum of what is known on.
func (r *Relay) tell() {
	if r.now.Sub(r.sentAt) < progressEvery {
		return
	}
	r.sentAt = r.now
	sum := message.Progress{Agent: r.net.ID}
	for _, id := range r.net.Below() {
		p := r.progress[id]
		sum.Add(&p)
	}
	r.net.SendUp(sum)
}

// tellIdle says that all below are idle, as soon as they are.
func (r *Relay) tellIdle() {
	if r.members.busy > 0 || r.done {
		return
	}
	r.done = true
	m := r.idle
	for _, p := range r.passed {
		m.Passed = append(m.Passed, *p)
	}
	r.net.SendUp(m)
}

// gone continues without a member. Those below a relay that is lost have to do with this one now, and those above one
// say again what it may not have handed on.
func (r *Relay) gone(m message.Gone) {
	if r.net.Lose(m.Agent) {
		r.done = false
		r.tellIdle()
		return
	}
	awaited := r.members.awaited(m.Agent)
	r.members.lose(m.Agent)
	r.members.join(r.net.Below())
	delete(r.progress, m.Agent)
	if awaited {
		r.goOn()
	}
	r.tellIdle()
}
