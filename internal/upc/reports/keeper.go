package reports

import (
	"time"

	"unknot/internal/say/explain/upc"
)

// Keeper keeps what the threads of one host have reported, for the case that it can no longer be sent: where they were
// before one of them was killed.
type Keeper struct {
	copier *Copier
	last   Copy
	since  map[int]sight // by process
	killed bool
}

// sight is a thread in a wait, when it was seen there first.
type sight struct {
	turn uint64
	at   time.Time
}

// NewKeeper keeps what is in a session directory.
func NewKeeper(session string) *Keeper {
	return &Keeper{copier: NewCopier(session), since: make(map[int]sight)}
}

// Look takes in what is there now. gone says of a process whether it has ended.
func (k *Keeper) Look(now time.Time, gone func(pid int) bool) {
	c := k.copier.Take()
	k.last.Findings = append(k.last.Findings, c.Findings...)
	for _, t := range c.Threads {
		k.killed = k.killed || gone(t.PID)
	}
	if k.killed {
		return
	}
	k.last.Threads = c.Threads
	for i := range c.Threads {
		t := &c.Threads[i]
		t.Maps = k.copier.maps[t.PID]
		w, ok, _ := parse(t.Words) // who reads it says what cannot be read
		if !ok {
			continue
		}
		if s, seen := k.since[t.PID]; !seen || s.turn != w.turn {
			k.since[t.PID] = sight{w.turn, now}
		}
		t.For = now.Sub(k.since[t.PID].at)
	}
}

// Last is what was there at last.
func (k *Keeper) Last() Copy { return k.last }

// Standings say where the threads that a host has reported waited when it looked last, those in one place together.
func (c *Copy) Standings(host string) []string {
	var waits []wait
	var spans []time.Duration
	for _, t := range c.Threads {
		if w, ok, _ := parse(t.Words); ok && w.waiting() { // Read says what cannot be read
			w.host, w.maps = host, t.Maps
			waits, spans = append(waits, w), append(spans, t.For)
		}
	}
	places := placed(waits)
	for i := range places {
		places[i].Since = spans[i]
	}
	return upc.Standings(host, places)
}
