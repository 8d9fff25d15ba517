package detect

import (
	"time"

	"unknot/internal/vocab/message"
)

// Times of detection. A wait is looked at when it has lasted FirstLook, then at growing intervals as long as nothing
// comes of it.
const (
	FirstLook = 150 * time.Millisecond
	maxPause  = time.Second
	tick      = 250 * time.Millisecond // the root looks around as often if it hears nothing
)

// lastRounds is how long threads that have ended may take to get on, in what the agents know of each other, before the
// rest of it is left. What agents on different hosts say may come as slowly as one answer after another.
const lastRounds = 30 * time.Second

// mostStalled is in how many rounds in a row no thread may get on before those that wait for nothing are taken for
// unable to: what one waits for may come in several messages, each of which the next round brings.
const mostStalled = 4

// pace decides when the next round of detection begins, and which one is the last of a job that has ended.
type pace struct {
	*job
	next  time.Time // when the next round begins
	pause time.Duration
	begun time.Time // when the last round began
	epoch uint64    // of all agents together

	looks      bool // the current round is a look for deadlocks
	final      bool // the last round began when all agents were idle
	progressed bool // threads get on by the current round, or after it
	lag        int  // of all threads, in the last round
	stalled    int  // rounds in which it has been the same
	hurried    bool // the rounds after the end were broken off
	settled    bool // the last round of an ended run had nothing new to report
}

// due says whether it is time to look for deadlocks in a job that runs.
func (p *pace) due(progress map[int]message.Progress) bool {
	stuck, epoch := false, uint64(0)
	for _, m := range progress {
		stuck = stuck || m.Stuck > 0 || m.Behind
		epoch += m.Epoch
	}
	if !stuck {
		p.pause = FirstLook
		return false
	}
	if epoch != p.epoch {
		p.epoch = epoch
		p.pause = FirstLook
		p.next = earlier(p.next, p.now.Add(FirstLook))
	}
	return p.come()
}

// come says whether the next round may begin.
func (p *pace) come() bool { return !p.now.Before(p.next) }

// left is how long the root has nothing to do unless it hears something.
func (p *pace) left(now time.Time) time.Duration {
	if wait := p.next.Sub(now); wait > 0 {
		return min(wait, tick)
	}
	return tick
}

// earlier is the earlier of two moments.
func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

// hasten has the next round begin at once.
func (p *pace) hasten() { p.next = p.now }

// soon makes the next round come early: something is likely to be reported then.
func (p *pace) soon() { p.pause = FirstLook / 2 }

// follow takes in how far the threads are behind in the strict view. Those that can get on do so once the agents do.
func (p *pace) follow(threads []*message.Wait) {
	able, lag := false, 0
	for _, w := range threads {
		able = able || !w.HasStrict && w.Lag > 0
		lag += w.Lag
	}
	if p.stalled++; lag != p.lag {
		p.stalled = 0
	}
	p.lag = lag
	p.progressed = p.progressed || able && p.stalled < mostStalled
}

// rest ends a round. When the job has ended, the next one follows at once if threads get on by this one (relaxed).
// Those that get on by themselves need time between two rounds, as a round stops them; they need more of it the slower
// the agents' messages to each other arrive.
func (p *pace) rest(relaxed bool) {
	p.pause = min(2*p.pause, maxPause)
	if !p.ending {
		p.next = p.now.Add(p.pause)
		return
	}
	p.next = p.now
	if !p.looks || !p.final {
		return // a report of wrong calls is no look for deadlocks, and the last one begins when all has been read
	}
	if !relaxed {
		const lull = 2
		p.next = p.now.Add(lull * p.now.Sub(p.begun))
	}
	p.hurried = p.progressed && p.now.Sub(p.endedAt) > lastRounds
	p.settled = !p.progressed || p.hurried
	p.progressed = false
}
