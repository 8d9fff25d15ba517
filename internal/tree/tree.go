// Package tree carries messages between the agents of a job, the relays above them and the root: in order between any two of them, without
// loss. It knows nothing of what they mean. Members may be in several processes; what is for one of another process is
// handed to whoever carries it there, which keeps the same promise.
package tree

import (
	"slices"
	"sync"
)

// Root is the address of the root; agents have the addresses 0, 1, …, and relays those that follow.
const Root = -1

// Link makes of a message what its receiver gets. Each of the links between two members has its own, which the sender uses alone.
type Link[M any] func(M) M

// Network links the members of a tree.
type Network[M any] struct {
	shape   Shape
	members []*Member[M] // the root, then the agents and the relays; nil for those of other processes
	away    func(from, to int, message M)
	encode  func(from, to int) Link[M]
}

// Part returns what one process has of a network: the members for which here is true. What these send to others goes to away,
// which is called by the sender's goroutine; what others send to these comes by Deliver.
func Part[M any](s Shape, here func(id int) bool, away func(from, to int, message M)) *Network[M] {
	net := &Network[M]{shape: s, members: make([]*Member[M], s.Members()+1), away: away}
	for i := range net.members {
		if here(i - 1) {
			net.members[i] = newMember(net, i-1)
		}
	}
	return net
}

// Deliver gives a member of this process what one of another process has sent; false if there is no such member here.
func (net *Network[M]) Deliver(to int, message M) bool {
	if to < Root || to+1 >= len(net.members) || net.members[to+1] == nil {
		return false
	}
	net.members[to+1].Put(message)
	return true
}

// New returns a network in one process. With encode, messages go over links that it makes, one for each pair of members and direction, when
// the first message goes over it; without, they are handed over as they are.
func New[M any](s Shape, encode func(from, to int) Link[M]) *Network[M] {
	net := &Network[M]{shape: s, members: make([]*Member[M], s.Members()+1), encode: encode}
	for i := range net.members {
		net.members[i] = newMember(net, i-1)
	}
	return net
}

// Agents returns the number of agents.
func (net *Network[M]) Agents() int { return net.shape.Agents }

// Shape is that of the tree.
func (net *Network[M]) Shape() *Shape { return &net.shape }

// Member is the place of an agent or relay in the network, or that of Root. What is sent to it is in its Box.
func (net *Network[M]) Member(id int) *Member[M] { return net.members[id+1] }

// Member sends for one agent or relay, or for the root. It is used by one goroutine.
type Member[M any] struct {
	*Box[M]
	ID    int
	Up    func(message M) // is told what goes to the member above; nil if nobody is
	above []int           // the relays above it, from below, and Root
	below []int           // the members below it
	net   *Network[M]
	links map[int]Link[M] // to those that were sent something; none if messages are handed over as they are
}

func newMember[M any](net *Network[M], id int) *Member[M] {
	m := &Member[M]{Box: NewBox[M](), ID: id, net: net}
	for up := id; up != Root; {
		up = net.shape.Parent(up)
		m.above = append(m.above, up)
	}
	from, to := net.shape.Children(id)
	for i := from; i < to; i++ {
		m.below = append(m.below, i)
	}
	return m
}

// Shape is that of the tree.
func (m *Member[M]) Shape() *Shape { return &m.net.shape }

// Below are the members below it, which it has to do with.
func (m *Member[M]) Below() []int { return m.below }

// Lose takes in that a member cannot be reached any more. Those below it then have to do with the one above it. It is true if the
// lost one stood between this member and the root.
func (m *Member[M]) Lose(id int) bool {
	if i := slices.Index(m.above, id); i >= 0 {
		m.above = slices.Delete(m.above, i, i+1)
		return true
	}
	if i := slices.Index(m.below, id); i >= 0 {
		m.below = slices.Delete(m.below, i, i+1)
		from, to := m.net.shape.Children(id)
		for k := from; k < to; k++ {
			m.below = append(m.below, k)
		}
	}
	return false
}

// Agents returns the number of agents.
func (m *Member[M]) Agents() int { return m.net.Agents() }

// Send puts a message into a member's box, and wakes its owner.
func (m *Member[M]) Send(to int, message M) {
	receiver := m.net.members[to+1]
	if receiver == nil {
		m.net.away(m.ID, to, message)
		return
	}
	if m.net.encode != nil {
		message = m.link(to)(message)
	}
	receiver.Put(message)
}

func (m *Member[M]) link(to int) Link[M] {
	l := m.links[to]
	if l == nil {
		if m.links == nil {
			m.links = make(map[int]Link[M])
		}
		l = m.net.encode(m.ID, to)
		m.links[to] = l
	}
	return l
}

// SendUp sends a message to the member above.
func (m *Member[M]) SendUp(message M) {
	if m.Up != nil {
		m.Up(message)
	}
	m.Send(m.above[0], message)
}

// Broadcast sends a message to all members below.
func (m *Member[M]) Broadcast(message M) {
	for _, i := range m.below {
		m.Send(i, message)
	}
}

// Everyone sends a message to all agents and relays, whoever stands between.
func (m *Member[M]) Everyone(message M) {
	for i := range m.net.shape.Members() {
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
