package host

import (
	"slices"
	"sync"
	"sync/atomic"

	"unknot/internal/root/link"
)

// mostBacklog is how many bytes may be under way to a process before agents stop making more.
const mostBacklog = 8 << 20

// backlog has the links of a process whose other ends are behind.
type backlog struct {
	some  atomic.Bool // there are any
	mu    sync.Mutex
	links []*link.Link
}

// send sends a message over a link; false if that is over.
func (c *backlog) send(l *link.Link, text []byte) bool {
	open := l.Send(link.Urgent, text)
	if l.Backlog() > mostBacklog {
		c.mu.Lock()
		if !slices.Contains(c.links, l) {
			c.links = append(c.links, l)
		}
		c.some.Store(true)
		c.mu.Unlock()
	}
	return open
}

// full says whether too much is under way to somebody.
func (c *backlog) full() bool {
	if !c.some.Load() {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.links = slices.DeleteFunc(c.links, func(l *link.Link) bool { return l.Backlog() <= mostBacklog/2 })
	c.some.Store(len(c.links) > 0)
	return len(c.links) > 0
}
