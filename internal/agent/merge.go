package agent

import (
	"time"

	"unknot/internal/ring"
)

// merger brings the records of a process's threads into the order of their stamps: what one thread did before another,
// because the program made it wait, must be seen in that order.
type merger struct {
	next  uint32
	known bool
	since time.Time // when the next stamp was first missed
}

// patience is how long a missing stamp is waited for: its thread may have been descheduled between taking the stamp and
// publishing the record, or have died there.
const patience = 200 * time.Millisecond

// order hands on records of several rings in the order of stamps, as far as no stamp is missing. It returns false if it
// waits for one.
func (m *merger) order(sources []*source, now time.Time, hand func(*source, *ring.Record)) bool {
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
			continue
		}
		if m.known && stamp != m.next {
			if m.since.IsZero() {
				m.since = now
			}
			if now.Sub(m.since) < patience {
				return false
			}
		}
		m.since = time.Time{}
		m.next, m.known = stamp+1, true
		hand(least, &least.records[least.at])
		least.at++
	}
}
