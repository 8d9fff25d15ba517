package waitstate

// Taking is the receive of a message that a matched probe has taken out of its queue (MPI-4.0, 3.8.2). What the message
// carries is known when the probe meets it, and what the program has room for when it receives it, in any order.
type Taking struct {
	sent Content
	from Calls // none until the probe has met the message
	room Content
	by   *Origin // nil until the program receives it
}

// Take says with what the program receives the message that a matched probe has found.
func (c *comparison) Take(p *Part, room Content, by *Origin) {
	if t := p.Taking; t != nil && t.by == nil {
		t.room, t.by = room, by
		c.taken(p)
	}
}

// taken compares the two sides once both are known.
func (c *comparison) taken(p *Part) {
	if t := p.Taking; t.from.Here != nil && t.by != nil {
		c.compare(t.sent, t.from, t.room, Calls{Here: t.by}, p)
	}
}
