package detect

import (
	"testing"
	"time"

	"unknot/internal/vocab/message"
)

// paced is the pace of a job that runs, at a moment.
func paced() (*pace, *job) {
	j := &job{now: time.Unix(1000, 0)}
	return &pace{job: j, pause: FirstLook}, j
}

// TestARoundBeginsWhenSomebodyHasWaitedLongEnough: FirstLook after an agent has said that a rank is stuck, and at once
// when nothing has happened since the last round and its pause is over.
func TestARoundBeginsWhenSomebodyHasWaitedLongEnough(t *testing.T) {
	p, j := paced()
	stuck := map[int]message.Progress{0: {Stuck: 1, Epoch: 3}, 1: {Epoch: 4}}
	p.next = j.now.Add(time.Hour)
	if p.due(map[int]message.Progress{0: {Epoch: 3}}) {
		t.Error("a round is due though nobody is stuck")
	}
	if p.due(stuck) {
		t.Error("a round is due as soon as a rank is stuck")
	}
	if want := j.now.Add(FirstLook); !p.next.Equal(want) {
		t.Errorf("the round is due in %v, want %v", p.next.Sub(j.now), FirstLook)
	}
	j.now = j.now.Add(FirstLook - 1)
	if p.due(stuck) {
		t.Error("a round is due a nanosecond too early")
	}
	j.now = j.now.Add(1)
	if !p.due(stuck) {
		t.Error("no round is due after the first look")
	}
	behind := map[int]message.Progress{0: {Behind: true, Epoch: 7}}
	if !p.due(behind) {
		t.Error("no round is due though an agent is behind")
	}
}

// TestANewWaitIsNotPutOff: a round that is due earlier than FirstLook stays so when somebody else gets stuck.
func TestANewWaitIsNotPutOff(t *testing.T) {
	p, j := paced()
	p.next = j.now.Add(time.Millisecond)
	p.due(map[int]message.Progress{0: {Stuck: 1, Epoch: 3}})
	if p.next.Sub(j.now) != time.Millisecond {
		t.Errorf("the round is due in %v, want a millisecond", p.next.Sub(j.now))
	}
}

// TestPausesBetweenRoundsGrow up to a second, and start again when something is likely to be found.
func TestPausesBetweenRoundsGrow(t *testing.T) {
	p, j := paced()
	for _, want := range []time.Duration{300, 600, 1000, 1000} {
		p.rest(false)
		if got := p.next.Sub(j.now); got != want*time.Millisecond {
			t.Errorf("the pause is %v, want %v", got, want*time.Millisecond)
		}
	}
	p.soon()
	p.rest(false)
	if got := p.next.Sub(j.now); got != FirstLook {
		t.Errorf("when something is near the pause is %v, want %v", got, FirstLook)
	}
}

// TestTheRootSleepsUntilTheNextRound, but no longer than a tick.
func TestTheRootSleepsUntilTheNextRound(t *testing.T) {
	p, j := paced()
	for _, c := range []struct{ in, want time.Duration }{{time.Millisecond, time.Millisecond}, {time.Hour, tick},
		{0, tick}, {-time.Second, tick}} {
		p.next = j.now.Add(c.in)
		if got := p.left(j.now); got != c.want {
			t.Errorf("with a round in %v it sleeps %v, want %v", c.in, got, c.want)
		}
	}
}

// TestTheLastRoundOfAnEndedJob is the first that brings nothing new; one in which threads got on by its answers is
// followed at once, others after twice the time that the round took. Rounds that go on for too long are broken off.
func TestTheLastRoundOfAnEndedJob(t *testing.T) {
	for _, c := range []struct {
		name                       string
		looks, final               bool
		progressed, relaxed        bool
		since                      time.Duration // the end of the job
		settled, hurried, followed bool
		pause                      time.Duration
	}{
		{"nothing new", true, true, false, false, 0, true, false, false, 2 * time.Second},
		{"threads got on", true, true, true, false, 0, false, false, false, 2 * time.Second},
		{"by this round", true, true, true, true, 0, false, false, false, 0},
		{"for as long as they may", true, true, true, false, lastRounds, false, false, false, 2 * time.Second},
		{"for too long", true, true, true, false, lastRounds + 1, true, true, false, 2 * time.Second},
		{"nothing new after long", true, true, false, false, lastRounds + 1, true, false, false, 2 * time.Second},
		{"not all had been read", true, false, true, false, 0, false, false, true, 0},
		{"wrong calls were described", false, true, true, false, 0, false, false, true, 0},
	} {
		p, j := paced()
		j.ending, j.endedAt = true, j.now.Add(-c.since)
		p.looks, p.final, p.progressed, p.begun = c.looks, c.final, c.progressed, j.now.Add(-time.Second)
		p.rest(c.relaxed)
		if p.settled != c.settled || p.hurried != c.hurried || p.progressed != c.followed {
			t.Errorf("%s: settled %v, hurried %v, progress kept %v", c.name, p.settled, p.hurried, p.progressed)
		}
		if got := p.next.Sub(j.now); got != c.pause {
			t.Errorf("%s: the next round is in %v, want %v", c.name, got, c.pause)
		}
	}
}
