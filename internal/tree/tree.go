// Package tree carries messages between the agents of a job and its root: in order between any two of them, without
// loss. It knows nothing of what they mean. Links are in process here; what it promises is what links over sockets must
// keep as well, so nothing but the messages themselves may pass from one agent to another.
package tree

import "sync"

// Root is the address of the root; agents have the addresses 0, 1, ….
const Root = -1

// Link makes of a message what its receiver gets. Each of the links between two members has its own, which the sender uses alone.
type Link[M any] func(M) M

// Network links n agents and a root.
type Network[M any] struct {
	members []*Member[M] // the root, then the agents
}

// New returns a network of n agents. With encode, messages go over links that it makes, one for each pair of members and direction;
// without, they are handed over as they are.
func New[M any](n int, encode func() Link[M]) *Network[M] {
	net := &Network[M]{members: make([]*Member[M], n+1)}
	for i := range net.members {
		net.members[i] = &Member[M]{Box: NewBox[M](), ID: i - 1, net: net}
		if encode == nil {
			continue
		}
		for range net.members {
			net.members[i].links = append(net.members[i].links, encode())
		}
	}
	return net
}

// Agents returns the number of agents.
func (net *Network[M]) Agents() int { return len(net.members) - 1 }

// Member is the place of an agent in the network, or that of Root. What is sent to it is in its Box.
func (net *Network[M]) Member(id int) *Member[M] { return net.members[id+1] }

// Member sends for one agent, or for the root. It is used by one goroutine.
type Member[M any] struct {
	*Box[M]
	ID    int
	net   *Network[M]
	links []Link[M] // to the root and the agents; none if messages are handed over as they are
}

// Agents returns the number of agents.
func (m *Member[M]) Agents() int { return m.net.Agents() }

// Send puts a message into a member's box, and wakes its owner.
func (m *Member[M]) Send(to int, message M) {
	if m.links != nil {
		message = m.links[to+1](message)
	}
	m.net.members[to+1].Put(message)
}

// Broadcast sends a message to every agent.
func (m *Member[M]) Broadcast(message M) {
	for i := range m.Agents() {
		m.Send(i, message)
	}
}

// Box holds what was sent to somebody until that takes it.
type Box[M any] struct {
	mu   sync.Mutex
	in   []M
	wake chan struct{}
}

// NewBox returns an empty box.
func NewBox[M any]() *Box[M] { return &Box[M]{wake: make(chan struct{}, 1)} }

// Put puts something into the box behind what is there, and wakes its owner.
func (b *Box[M]) Put(m M) {
	b.mu.Lock()
	b.in = append(b.in, m)
	b.mu.Unlock()
	select {
	case b.wake <- struct{}{}:
	default:
	}
}

// Take empties the box into buf, which it returns; buf's old contents are overwritten.
func (b *Box[M]) Take(buf []M) []M {
	b.mu.Lock()
	buf = append(buf[:0], b.in...)
	clear(b.in)
	b.in = b.in[:0]
	b.mu.Unlock()
	return buf
}

// Wake is readable when there may be something to take.
func (b *Box[M]) Wake() <-chan struct{} { return b.wake }
