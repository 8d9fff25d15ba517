package agent

import (
	"path/filepath"
	"strconv"
	"time"

	"unknot/internal/observe/ring"
)

// merger brings the records of a process's threads into the order of their stamps: what one thread did before another,
// because the program made it wait, must be seen in that order.
type merger struct {
	next  uint32
	known bool
	since time.Time // when the next stamp was first missed
	asked time.Time // when it was last looked whether it can still come
	cpu   map[int]time.Duration
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
