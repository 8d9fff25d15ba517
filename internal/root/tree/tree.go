// Package tree carries messages between the agents of a job, the relays above them and the root: in order between any
// two of them, without loss. It knows nothing of what they mean. Members may be in several processes; what is for one
// of another process is handed to whoever carries it there, which keeps the same promise.
package tree

import (
	"slices"
	"sync"
)

// Root is the address of the root; agents have the addresses 0, 1, …, and relays those that follow.
const Root = -1

// Link makes of a message what its receiver gets. Each of the links between two members has its own, which the sender
// uses alone.
type Link[M any] func(M) M

// Network links the members of a tree.
type Network[M any] struct {
	shape   Shape
	members []*Member[M] // the root, then the agents and the relays; nil for those of other processes
	away    func(from, to int, message M)
	full    func() bool // whether too much waits to be carried away; nil if nothing is
	encode  func(from, to int) Link[M]
}

// Much is how many messages may wait in a member's box before those that send to it should hold back.
const Much = 1024

// Part returns what one process has of a network: the members for which here is true. What these send to others goes to
// away, which is called by the sender's goroutine; full says whether too much of that is under way. What others send to
// these comes by Deliver.
func Part[M any](s Shape, here func(id int) bool, away func(from, to int, message M), full func() bool) *Network[M] {
	net := &Network[M]{shape: s, members: make([]*Member[M], s.Members()+1), away: away, full: full}
	for i := range net.members {
		if here(i - 1) {
			net.members[i] = newMember(net, i-1)
		}
	}
	return net
}

// Deliver gives a member of this process what one of another process has sent, and waits while much is in its box;
// false if there is no such member here.
func (net *Network[M]) Deliver(to int, message M) bool {
	if to < Root || to+1 >= len(net.members) || net.members[to+1] == nil {
		return false
	}
	net.members[to+1].Put(message)
	net.members[to+1].awaitRoom()
	return true
}

// New returns a network in one process. With encode, messages go over links that it makes, one for each pair of members
// and direction, when the first message goes over it; without, they are handed over as they are.
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
	Up    func(message M) // is called with what is sent to the member above; may be nil
	above []int           // the relays above it, from below, and Root
	below []int           // the members below it
	lost  []int           // those that cannot be reached any more
	net   *Network[M]
	links map[int]Link[M] // to those that were sent something; none if messages are handed over as they are
	slow  []*Member[M]    // those of this process that had much in their boxes when they were sent something
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

// Lose takes in that a member cannot be reached any more. Those below it then have to do with the one above it. It is
// true if the lost one stood between this member and the root.
func (m *Member[M]) Lose(id int) bool {
	m.lost = append(m.lost, id)
	if i := slices.Index(m.above, id); i >= 0 {
		m.above = slices.Delete(m.above, i, i+1)
		return true
	}
	if i := slices.Index(m.below, id); i >= 0 {
		m.below = slices.Delete(m.below, i, i+1)
		m.adopt(id)
	}
	return false
}

// adopt has this member have to do with those below a lost one, of which some may be lost, too.
func (m *Member[M]) adopt(id int) {
	from, to := m.net.shape.Children(id)
	for k := from; k < to; k++ {
		if slices.Contains(m.lost, k) {
			m.adopt(k)
		} else {
			m.below = append(m.below, k)
		}
	}
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
	if receiver.Put(message) > Much && !slices.Contains(m.slow, receiver) {
		m.slow = append(m.slow, receiver)
	}
}

// Congested says whether somebody is behind with what this member has sent. Who is asked to hold back then must still
// take what comes: else two could wait for each other.
func (m *Member[M]) Congested() bool {
	m.slow = slices.DeleteFunc(m.slow, func(s *Member[M]) bool { return s.waiting() <= Much/2 })
	return len(m.slow) > 0 || m.net.full != nil && m.net.full()
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
	mu     sync.Mutex
	in     []M
	wake   chan struct{}
	room   *sync.Cond
	closed bool
}

// NewBox returns an empty box.
func NewBox[M any]() *Box[M] {
	b := &Box[M]{wake: make(chan struct{}, 1)}
	b.room = sync.NewCond(&b.mu)
	return b
}

// Put puts something into the box behind what is there, and wakes its owner. It returns how much is in the box now.
func (b *Box[M]) Put(m M) (waiting int) {
	b.mu.Lock()
	b.in = append(b.in, m)
	waiting = len(b.in)
	b.mu.Unlock()
	b.Nudge()
	return waiting
}

// Nudge wakes its owner, who is to look around.
func (b *Box[M]) Nudge() {
	select {
	case b.wake <- struct{}{}:
	default:
	}
}

func (b *Box[M]) waiting() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.in)
}

// awaitRoom waits while much is in the box, unless nobody will take it.
func (b *Box[M]) awaitRoom() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for len(b.in) > Much && !b.closed {
		b.room.Wait()
	}
}

// Close says that nobody will take anything any more.
func (b *Box[M]) Close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	b.room.Broadcast()
}

// Take empties the box into buf, which it returns; buf's old contents are overwritten.
func (b *Box[M]) Take(buf []M) []M {
	b.mu.Lock()
	buf = append(buf[:0], b.in...)
	clear(b.in)
	b.in = b.in[:0]
	b.room.Broadcast()
	b.mu.Unlock()
	return buf
}

// Wake is readable when there may be something to take.
func (b *Box[M]) Wake() <-chan struct{} { return b.wake }
