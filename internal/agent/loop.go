package agent

import (
	"time"

	"unknot/internal/agent/repeat"
	"unknot/internal/agent/usage"
	"unknot/internal/model/waitstate"
	"unknot/internal/observe/ring"
	"unknot/internal/root/tree"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/mpi"
)

// New is an agent of a job, as a member of the network of its agents.
func New(net *tree.Member[message.Message], table *mpi.T, world World, ranks Ranks, o Options) *Agent {
	j := newJob(net, table, world, ranks, o)
	a := &Agent{job: j, describer: describer{j}, standings: standings{j},
		mailer:  mailer{out: make(map[int][]waitstate.Message)},
		process: tree.NewBox[Instruction](),
		sync:    newConsistency(),
	}
	a.checks = usage.New(o.Checks, a.follow, &a.Places, a.resolve, net, a.home, a.sync.wrote)
	a.folding = repeat.New(host{a}, a.follow, net, a.home)
	a.folding.On = o.Fold() > 0
	net.Up = a.goesUp
	return a
}

// Run is the main loop: rings and messages in, messages out, sleep when there is nothing to do.
func (a *Agent) Run() {
	timer := time.NewTimer(minNap)
	for !a.turn() {
		if a.more {
			continue
		}
		timer.Reset(a.nap())
		select {
		case <-a.net.Wake():
		case <-a.process.Wake():
		case <-timer.C:
		}
	}
}

// turn does what there is to do now; true if nothing is left to do ever.
func (a *Agent) turn() (over bool) {
	a.readClock()
	a.messages()
	if a.sync.quit {
		a.finishLog()
		a.logPrepared()
		return true
	}
	a.congested = a.net.Congested()
	if a.more = false; !a.sync.holding && !a.congested {
		a.readInTurn()
	}
	a.flush()
	a.tickLog()
	a.tell()
	a.folding.FormGroups()
	a.handShare()
	return false
}

// record handles one record of a ring: it becomes an event of its thread (events.go), or says something besides.
func (a *Agent) record(s *source, rec *ring.Record) {
	t := s.thread
	switch rec.Kind {
	case ring.Data:
		if id := ring.DataID(rec.Func); id == ring.DataThreadBegin {
			a.pass(s, rec.Words)
		} else if !a.follow.Take(t.Thread, rec) && !t.checked.Data(id, rec.Words) {
			a.data(t, id, rec.Words)
		}
	case ring.Enter:
		t.entered = a.now
		a.countPassed(t, rec)
		a.follow.Take(t.Thread, rec)
		t.checked.Forget()
	default:
		a.follow.Take(t.Thread, rec)
	}
}
