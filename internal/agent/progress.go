package agent

import (
	"slices"
	"time"

	"unknot/internal/root/detect"
	"unknot/internal/vocab/message"
)

// tellEvery is how often an agent looks around: who is stuck, who has died, how far it is.
const tellEvery = 50 * time.Millisecond

// tell sends the root what it needs to decide whether to look for deadlocks.
func (a *Agent) tell() {
	if a.now.Sub(a.toldAt) < tellEvery && !a.ended {
		return
	}
	a.toldAt = a.now
	a.watchProcesses()
	a.remember()
	a.folding.stale = a.folding.stale || a.folding.apart
	a.publish()
	p := message.Progress{Agent: a.id}
	for _, r := range a.order {
		for _, t := range r.threads {
			a.look(t, &p)
		}
	}
	p.Calls, p.Idle, p.Folded, p.Held = a.calls, a.idles, a.folding.calls, a.held()
	a.quiet = p.Stuck == 0 && !p.Behind && !a.ended
	p.Slowest, p.Most = a.id, p.Held
	a.net.SendUp(p)
	if a.ended && !a.idle && !a.sync.holding && a.allGone() && !a.readRings() {
		a.flush()
		a.idle = true
		a.endChecks()
		a.tellIdle()
	}
}

// held counts the ranks that have a ring which is nearly full.
func (a *Agent) held() (n int) {
	for _, r := range a.order {
		if slices.ContainsFunc(r.sources, func(s *source) bool { return s.ring.Pending() > s.ring.Capacity()/4*3 }) {
			n++
		}
	}
	return n
}

// tellIdle says that everything has been read.
func (a *Agent) tellIdle() {
	a.net.SendUp(message.Idle{Agent: a.id, Passed: a.passedByName(), Broken: a.broken})
}

// allGone says whether no rank's process is left that does anything, or has been waited for long enough: the end of the
// launcher is known before the last rank is gone.
func (a *Agent) allGone() bool {
	if a.endedAt.IsZero() {
		a.endedAt = a.now
	}
	for _, r := range a.order {
		if !r.gone && !(a.final && r.final()) && a.now.Sub(a.endedAt) < lastBreath {
			return false
		}
	}
	return true
}

// lastBreath is how long a rank may outlive its launcher before its end is no longer waited for.
const lastBreath = 3 * time.Second

// look adds one thread to the progress: the epoch changes whenever a thread gets stuck or comes free.
func (a *Agent) look(t *thread, p *message.Progress) {
	in := t.op != nil && !t.op.Returned() && (t.joins >= 0 || t.ring.Returned() != t.stamp)
	inCall := a.inside(t)
	if !inCall && t.out.stamp != t.stamp {
		t.out.stamp, t.out.since = t.stamp, a.now
	}
	if t.rank.gone {
		return
	}
	since := t.entered
	if t.polls.active() && t.pollsOn(a.now) && a.pollsLong(t) {
		in, since = true, t.polls.since
	}
	behind := t.ws.Lag() > 0
	if behind {
		if o := t.ws.Strict(); o != nil && o.TS == t.lagAt {
			p.Behind = p.Behind || a.now.Sub(t.lagSince) > detect.FirstLook
		} else if o != nil {
			t.lagAt, t.lagSince = o.TS, a.now
		}
	}
	p.Windows += t.ws.Lag()
	if !in || !t.polls.active() && !t.op.Blocking {
		if t.fn != nil && inCall && returns(t.fn) && a.now.Sub(t.entered) >= strandedFor {
			p.Stuck++
			p.Epoch += (uint64(t.stamp)+t.echoes.seen)*2654435761 + uint64(t.rank.World) + 1
		}
		return
	}
	p.Blocked++
	wait := a.now.Sub(since)
	if wait.Seconds() > p.Oldest {
		p.Oldest, p.Rank = wait.Seconds(), t.rank.World
	}
	if wait >= watchFrom {
		p.Stuck++
		p.Epoch += (uint64(t.stamp)+t.echoes.seen)*2654435761 + uint64(t.rank.World) + 1
		if t.op != nil && t.op.Blocking {
			t.watch(a.now)
		}
	}
}
