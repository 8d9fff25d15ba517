package host

import (
	"time"

	"unknot/internal/upc/reports"
)

// Threads of UPC say what they wait for, and what they have found, in files of the session (package reports), which the
// supervisor reads. Those of other hosts are copied to its session, as long as there are any: the process with the root
// asks, all others answer, and it asks again.

// copyEvery is how often it asks: as often as the supervisor looks.
const copyEvery = 250 * time.Millisecond

// tellThreads says once that threads of UPC are on this host.
func (n *node) tellThreads() {
	if n.threads || time.Since(n.threadsAt) < copyEvery {
		return
	}
	n.threadsAt = time.Now()
	if n.threads = n.copier.Any(); n.threads {
		(&control{Threads: true}).send(n.link)
	}
}

// askThreads asks all hosts, if all have answered and it is time.
func (h *hosts) askThreads() {
	a := &h.threads
	if !a.on || h.ending || len(a.missing) > 0 || time.Since(a.at) < copyEvery {
		return
	}
	a.look++
	a.at, a.missing = time.Now(), make(map[*remote]bool)
	for _, r := range h.others() {
		if r.lost.IsZero() {
			a.missing[r] = true
			(&control{Look: a.look}).send(r.link)
		}
	}
}

// takeThreads takes an answer in.
func (h *hosts) takeThreads(r *remote, t *threadsTold) {
	h.paste(r, &t.Copy)
	if a := &h.threads; t.Look == a.look {
		h.answered(r)
	}
}

// answered notes that a host has answered the last look, or never will.
func (h *hosts) answered(r *remote) {
	a := &h.threads
	if !a.missing[r] {
		return
	}
	delete(a.missing, r)
	if len(a.missing) == 0 {
		if err := reports.Rounds(h.p.session.Dir, a.look); err != nil {
			h.p.note(err.Error())
		}
	}
}

func (h *hosts) paste(r *remote, c *reports.Copy) {
	if err := c.Paste(h.p.session.Dir, r.host, r.number); err != nil {
		h.p.note(err.Error())
	}
}
