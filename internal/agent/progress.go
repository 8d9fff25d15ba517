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
	a.folding.LookAgain()
	a.folding.Publish()
	p := message.Progress{Agent: a.id}
	for _, r := range a.order {
		for _, t := range r.threads {
			a.look(t, &p)
		}
	}
	p.Calls, p.Idle, p.Folded, p.Held = a.follow.Calls, a.follow.Idles, a.folding.Calls, a.held()
	a.quiet = p.Stuck == 0 && !p.Behind && !a.ended
	p.Slowest, p.Most = a.id, p.Held
	a.net.SendUp(p)
	if a.ended && !a.idle && !a.sync.holding && a.allGone() && !a.readRings() {
		a.flush()
		a.idle = true
		a.checks.End()
		a.tellIdle()
	}
}

// held counts the ranks that have a ring which is nearly full.
func (a *job) held() (n int) {
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

// look adds one thread to the progress: the epoch changes whenever a thread gets stuck or comes free.
func (a *standings) look(t *thread, p *message.Progress) {
	in := t.inOperation()
	inCall := a.inside(t)
	if !inCall && t.out.stamp != t.Stamp {
		t.out.stamp, t.out.since = t.Stamp, a.now
	}
	if t.rank.gone {
		return
	}
	since := t.entered
	if t.Polls.Active() && t.pollsOn(a.now) && a.pollsLong(t) {
		in, since = true, t.Polls.Since
	}
	behind := t.WS.Lag() > 0
	if behind {
		if o := t.WS.Strict(); o != nil && o.TS == t.lagAt {
			p.Behind = p.Behind || a.now.Sub(t.lagSince) > detect.FirstLook
		} else if o != nil {
			t.lagAt, t.lagSince = o.TS, a.now
		}
	}
	p.Windows += t.WS.Lag()
	if !in || !t.Polls.Active() && !t.Op.Blocking {
		if t.Func != nil && inCall && returns(t.Func) && a.now.Sub(t.entered) >= strandedFor {
			p.Stuck++
			p.Epoch += (uint64(t.Stamp)+t.echoes.seen)*2654435761 + uint64(t.rank.World) + 1
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
		p.Epoch += (uint64(t.Stamp)+t.echoes.seen)*2654435761 + uint64(t.rank.World) + 1
		if t.Op != nil && t.Op.Blocking {
			t.watch(a.now)
		}
	}
}

// inVain is for how long a rank polls before it is asked whether anybody is left who could end that. A program may well
// poll for a while for what need not come, as it does when it looks for messages that are left.
const inVain = 5 * time.Second

// pollsLong says whether a thread has polled for so long that it is to be looked at.
func (a *job) pollsLong(t *thread) bool {
	return t.Polls.Polling >= min(inVain, a.opts.LivelockTimeout)
}

// pollsOn says whether the thread has polled in the last second.
func (t *thread) pollsOn(now time.Time) bool {
	return t.Polls.Lately(t.ring.Polls()+uint64(t.Stamp), now)
}
