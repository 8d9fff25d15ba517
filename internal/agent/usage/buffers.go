package usage

import (
	"unknot/internal/model/objects"
	"unknot/internal/model/waitstate"
	"unknot/internal/vocab/op"
)

// Requested gives a new request the memory that its operation uses.
func (t *Thread) Requested(q *objects.Request) {
	if w := t.checks.Watch; w != nil {
		w.Hold(&t.Call, q)
	}
}

// Restarted shows the usage checks that a persistent request is started.
func (t *Thread) Restarted(q *objects.Request) {
	if q.Held != nil {
		t.checks.Watch.Start(&t.Call, q)
		t.checks.tellReports()
	}
}

// Filled shows the usage checks how much the operation of a request has received, or read, and which call has found
// that; -1 if that is not certain.
func (t *Thread) Filled(q *objects.Request, bytes int64, by objects.Made) {
	if w := t.checks.Watch; q.Held != nil && w != nil {
		w.Filled(q, bytes, by)
		t.checks.tellReports()
	}
}

// Started has the wait-state system say what a receive meets whose count extends beyond the end of its memory, as a
// blocking one from a known source does not tell. With several threads it is not certain which receive a message has
// met.
func (t *Thread) Started(o *waitstate.Op) {
	x, c := t.Call.Lengths, t.checks
	if t.Call.Filling != nil && o.Blocking && len(t.Rank.threads) == 1 {
		x = append(x, t.Call.Filling)
	}
	if len(x) == 0 {
		return
	}
	for _, p := range o.Posts {
		if p.Kind == op.Recv && p.Taking == nil {
			p.Asked = true
			objects.Set(&c.reaches, o.Origin, x)
		}
	}
}

// Received shows the usage checks what such receives have met.
func (c *Checks) Received() {
	met := &c.follower.Node.Matched
	for _, m := range *met {
		for _, x := range c.reaches[m.Recv] {
			x.Received(m.Bytes)
		}
		delete(c.reaches, m.Recv)
	}
	if len(*met) > 0 {
		*met = (*met)[:0]
		c.Tell()
	}
}

// ThreadEnded takes in that the thread makes no more calls, and that its last one has returned.
func (t *Thread) ThreadEnded(stamp uint32) { t.Rank.Use.Order.End(t.WS.Index, stamp) }

// Numbered takes in that a way to make an object has a number, with the sites of the calls that make and commit it.
func (t *Thread) Numbered(number, made, commits uint64) {
	r := t.Rank
	objects.Set(&r.again, number, r.Use.At(made, commits))
}

// Remade takes in that an object was made in such a way once more.
func (t *Thread) Remade(number uint64) {
	for _, report := range t.Rank.again[number] {
		report.Count++
	}
}
