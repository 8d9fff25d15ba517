package host

import (
	"errors"
	"path/filepath"
	"syscall"

	"unknot/internal/agent"
	"unknot/internal/agent/proto"
	"unknot/internal/say/explain"
	"unknot/internal/vocab/message"
)

// finish reads what is left, lets the root judge it, and says the last word.
func (p *process) finish() error {
	p.discover()
	all := p.last()
	if p.hosts != nil {
		p.hosts.finish(&all)
	}
	p.tellNobodys(&all.Ended)
	m := proto.Message{Type: proto.Done, Complete: true}
	if p.net != nil {
		p.endAgents()
		p.root.Finish(all.Ended)
		p.awaitRoot()
		p.awaitAgents()
		if p.hosts != nil {
			p.hosts.awaitLeaving()
		}
		m.Calls, m.Complete, m.Why = p.root.Verdict(p.watched())
		m.Folded = p.root.Folded()
	}
	if all.NoRing > 0 {
		m.Complete = false
		m.Why = explain.NoRoom(all.NoRing, all.Where, syscall.Errno(all.Errno))
	}
	p.endTrace(m.Why)
	if err := p.out.Send(m); err != nil {
		return errors.New("the supervisor is gone")
	}
	return nil
}

// awaitRoot waits until the root has judged everything. Agents may still be lost meanwhile.
func (p *process) awaitRoot() {
	for {
		select {
		case <-p.root.Done():
			return
		case <-p.events.Wake():
			p.handle()
		}
	}
}

// last is what the process has besides what its agents tell the root.
func (p *process) last() last {
	n, errno := p.session.Failed()
	return last{Ended: p.outside(), NoRing: n, Errno: int(errno), Where: filepath.Dir(p.session.Dir)}
}

// endAgents tells the agents of this process that what is in their rings is all.
func (p *process) endAgents() {
	for _, box := range p.boxes {
		box.Put(agent.Instruction{Final: p.final})
	}
}

func (p *process) awaitAgents() {
	for _, a := range p.agents {
		<-a
	}
}

// quit ends the agents and relays of this process, whatever the root may still want of them.
func (p *process) quit() {
	for id := range p.agents {
		p.net.Deliver(id, message.Quit{})
	}
	p.awaitAgents()
}

// watched is how many ranks of the job have been watched.
func (p *process) watched() int {
	if p.hosts != nil {
		return p.hosts.watched()
	}
	return len(p.ranks)
}
