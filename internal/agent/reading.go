package agent

import (
	"fmt"
	"path/filepath"
	"strconv"
	"time"

	"unknot/internal/agent/repeat"
	"unknot/internal/observe/ring"
	"unknot/internal/vocab/message"
)

// reader is what an agent keeps of reading its rings.
type reader struct {
	records   []ring.Record
	more      bool      // some ring held more records than were taken at once
	congested bool      // somebody is behind with what it has sent, so rings are not read
	rested    time.Time // begin of the last nap
	late      []*rank   // those that are ahead, of the last turn
	turns     uint
}

// readRings handles what has been published in the rings; false if there was nothing.
func (a *Agent) readRings() bool {
	a.more = false
	busy := a.folding.Skim()
	for _, r := range a.order {
		if a.readRank(r) {
			busy = true
		}
	}
	return busy
}

func (a *Agent) readRank(r *rank) bool {
	if r.Lost {
		return false
	}
	for _, s := range r.sources {
		if s.ring.Left() {
			a.giveUp(r, fmt.Errorf("ring %s: its probe has detached", s.ring.Of().Path))
			return false
		}
	}
	if a.folding.HandOn(r.sources[0].repeats) {
		return true
	}
	if r.sources[0].repeats.Promised() {
		return false
	}
	// What another thread did between two calls of this one may be in a ring that has not been found yet.
	if len(r.sources) > 1 || r.level > funneled {
		return a.readThreads(r)
	}
	s := r.sources[0]
	if s.repeats.Repeating() {
		return false // skim reads it
	}
	records, err := s.ring.Read(a.records[:0], repeat.BatchSize)
	a.records = records
	a.more = a.more || len(records) == repeat.BatchSize
	for i := range records {
		a.folding.Take(s.repeats, &records[i])
	}
	if n := len(records); n > 0 {
		// Should a second thread come, its records follow on these.
		r.merge.next, r.merge.known = records[n-1].Stamp+1, true
	}
	s.ring.Commit()
	if err != nil {
		a.giveUp(r, err)
	}
	return len(records) > 0
}

// readThreads reads the rings of a process with several MPI-calling threads in the order of the stamps.
func (a *Agent) readThreads(r *rank) bool {
	busy := false
	for _, s := range r.sources {
		if s.at == len(s.records) {
			s.ring.Commit()
			var err error
			s.at = 0
			if s.records, err = s.ring.Read(s.records[:0], 4096); err != nil {
				a.giveUp(r, err)
			}
		}
		busy = busy || s.at < len(s.records)
	}
	if !busy {
		r.merge.since = time.Time{}
		return false
	}
	return r.merge.order(r.sources, a.now, func() bool { return r.stampLost(a.now) }, a.record)
}

// giveUp lets the program run on when the content of a ring is not what a probe writes: something has overwritten it.
// Nobody reads the rank's rings any more.
func (a *Agent) giveUp(r *rank, err error) {
	r.Unmodelled, r.Lost = true, true
	r.checked.Use.LoseTrack()
	for _, s := range r.sources {
		s.ring.Refuse()
	}
	if a.broken == nil {
		a.broken = &message.Broken{Rank: r.World, Why: err.Error()}
	}
}

// Bounds of the time that an agent sleeps when its rings are empty. The longer it sleeps the less it disturbs ranks
// that share its core; a ring that fills up meanwhile wakes it.
const (
	minNap   = 200 * time.Microsecond
	maxNap   = 20 * time.Millisecond
	quietNap = 100 * time.Millisecond // while no rank waits for long
)

// nap is how long the agent may sleep until the busiest ring, filled as fast as since the last nap, is filled to a
// part.
func (a *Agent) nap() time.Duration {
	const part = 8
	elapsed := float64(a.now.Sub(a.rested))
	a.rested = a.now
	nap := maxNap
	if a.quiet {
		nap = quietNap
	}
	for _, r := range a.order {
		for _, s := range r.sources {
			taken := s.ring.Taken()
			if n := taken - s.rested; n > 0 {
				nap = min(nap, time.Duration(elapsed*float64(s.ring.Capacity())/part/float64(n)))
			}
			s.rested = taken
		}
	}
	return max(minNap, nap)
}

// patience is how long a missing stamp is waited for without a question. Its thread may have been descheduled between
// taking the stamp and publishing the record, its ring may not have been found yet, or it has died there.
const patience = 100 * time.Millisecond

// order hands on records of several rings in the order of stamps, as far as no stamp is missing. It returns false if it
// waits for one and has handed on nothing; lost says whether that can never come. After some were handed on, the next
// one may be in a ring of which all that was read is used up.
func (m *merger) order(sources []*source, now time.Time, lost func() bool, hand func(*source, *ring.Record)) bool {
	handed := false
	for {
		var least *source
		left := false
		for _, s := range sources {
			if s.at == len(s.records) {
				continue
			}
			left = true
			if least == nil || int32(s.records[s.at].Stamp-least.records[least.at].Stamp) < 0 {
				least = s
			}
		}
		if !left {
			return true
		}
		stamp := least.records[least.at].Stamp
		if m.known && int32(stamp-m.next) < 0 {
			// It has been given up, or was drawn twice when a second thread began to draw stamps.
			hand(least, &least.records[least.at])
			least.at++
			handed = true
			continue
		}
		if m.known && stamp != m.next {
			if handed {
				return true
			}
			if m.since.IsZero() {
				m.since = now
			}
			if !lost() {
				return false
			}
		}
		m.since, m.cpu = time.Time{}, nil
		m.next, m.known = stamp+1, true
		hand(least, &least.records[least.at])
		least.at++
		handed = true
	}
}

// stampLost says whether the stamp that is missing in the records of a rank can never come: its process has ended; or,
// after a while, all rings of it are read, and every thread that has one sleeps, is gone, or has had so much processor
// time since the stamp was missed that it would have published the record. Otherwise what one thread did would be taken
// in before what another did earlier.
func (r *rank) stampLost(now time.Time) bool {
	const often, enough = 20 * time.Millisecond, time.Millisecond
	m := &r.merge
	if r.gone {
		return true
	}
	if now.Sub(m.since) < patience || now.Sub(m.asked) < often {
		return false
	}
	m.asked = now
	if r.missesRing() {
		return false
	}
	if m.cpu == nil {
		m.cpu = make(map[int]time.Duration)
	}
	all := true
	for _, s := range r.sources {
		tid := s.thread.tid
		cpu, asleep := r.processes.Time(r.PID, tid)
		before, known := m.cpu[tid]
		if !known {
			m.cpu[tid] = cpu
		}
		all = all && known && (asleep || cpu-before >= enough)
	}
	return all
}

// missesRing says whether the rank's process has made a ring that has not been taken in yet, or may have.
func (r *rank) missesRing() bool {
	pattern := filepath.Join(filepath.Dir(r.first.Of().Path), ring.RingPrefix+strconv.Itoa(r.PID)+".*")
	list, err := filepath.Glob(pattern)
	return err != nil || len(list) > len(r.sources)
}
