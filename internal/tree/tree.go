// Package tree carries messages between the agents of a job and its root: in order between any two of them, without
// loss. It knows nothing of what they mean. Links are in process here; what it promises is what links over sockets must
// keep as well, so nothing but the messages themselves may pass from one agent to another.
package tree

import "sync"

// Root is the address of the root; agents have the addresses 0, 1, ….
const Root = -1

// Box is the mailbox of one member.
type Box[M any] struct {
	mu   sync.Mutex
	in   []M
	wake chan struct{}
}

// Network links n agents and a root.
type Network[M any] struct {
	boxes []*Box[M] // the root's, then the agents'
}

// New returns a network of n agents.
func New[M any](n int) *Network[M] {
	net := &Network[M]{boxes: make([]*Box[M], n+1)}
	for i := range net.boxes {
		net.boxes[i] = &Box[M]{wake: make(chan struct{}, 1)}
	}
	return net
}

// Agents returns the number of agents.
func (net *Network[M]) Agents() int { return len(net.boxes) - 1 }

// Box returns the mailbox of an agent, or of Root.
func (net *Network[M]) Box(id int) *Box[M] { return net.boxes[id+1] }

// Send puts messages into a mailbox, in order, and wakes its owner.
func (net *Network[M]) Send(to int, messages ...M) {
	b := net.boxes[to+1]
	b.mu.Lock()
	b.in = append(b.in, messages...)
	b.mu.Unlock()
	select {
	case b.wake <- struct{}{}:
	default:
	}
}

// Broadcast sends a message to every agent.
func (net *Network[M]) Broadcast(m M) {
	for i := range net.Agents() {
		net.Send(i, m)
	}
}

// Take empties the mailbox into buf, which it returns; buf's old contents are overwritten.
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
