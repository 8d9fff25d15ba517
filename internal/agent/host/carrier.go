package host

import (
	"encoding/binary"
	"errors"
	"sync"
	"sync/atomic"

	"unknot/internal/root/tree"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/mpi"
)

// What goes over the link between two processes begins with a byte that says what it is.
const (
	carriesControl = 'c' // a control: see there
	carriesMessage = 'm' // a message between members: see carrier
)

// carrier takes messages between the members of several processes over links: straight to the receiver's process, or to
// the supervisor's, which hands on what is for another one. A message is: the byte, the numbers of the receiver's and
// the sender's process, the message's own among those from the one to the other, the receiver, and the message itself,
// as the format's encoder for these two processes writes it.
type carrier struct {
	self    int
	format  *message.Format
	towards func(process int, text []byte) // sends a message to a process
	room    func(process int)              // waits while too much is under way to it; nil if nothing is handed on
	backlog backlog
	of      []int      // process by agent
	shape   tree.Shape // that the agents and relays make
	out     []outgoing // by process
	in      []arriving // by process
	net     *tree.Network[message.Message]
	begun   atomic.Bool // it is known which processes there are, and which this one is
}

// outgoing is the sending end of what one process sends to another.
type outgoing struct {
	sync.Mutex
	to *message.Encoder
	n  uint64 // how many messages it has sent
}

func newCarrier(table *mpi.T, towards func(int, []byte)) *carrier {
	return &carrier{format: message.NewFormat(table), towards: towards}
}

// begin learns which processes there are, and that this one is self. It returns this one's part of the network.
func (c *carrier) begin(l *layout, self int) *tree.Network[message.Message] {
	c.self = self
	most := self
	for _, s := range l.Agents {
		c.of = append(c.of, s.Process)
		most = max(most, s.Process)
	}
	c.out, c.in = make([]outgoing, most+1), make([]arriving, most+1)
	for i := range c.out {
		c.out[i].to, c.in[i].from = c.format.Encoder(), c.format.Decoder()
	}
	c.shape = l.shape()
	c.net = tree.Part(c.shape, c.here, c.send, c.backlog.full)
	c.begun.Store(true)
	return c.net
}

// here says whether a member is in this process.
func (c *carrier) here(id int) bool { return c.process(id) == c.self }

func (c *carrier) process(id int) int {
	if id == tree.Root {
		return supervisorsHost
	}
	return c.of[c.shape.First(id)]
}

func (c *carrier) send(_, to int, m message.Message) {
	process := c.process(to)
	o := &c.out[process]
	o.Lock()
	defer o.Unlock()
	c.towards(process, c.text(to, m))
}

// text is a message to a member as it goes over links. The sending end of its process is locked.
func (c *carrier) text(to int, m message.Message) []byte {
	process := c.process(to)
	o := &c.out[process]
	head := binary.AppendUvarint([]byte{carriesMessage}, uint64(process))
	head = binary.AppendUvarint(head, uint64(c.self))
	head = binary.AppendUvarint(head, o.n)
	head = binary.AppendVarint(head, int64(to))
	o.n++
	return o.to.Append(head, m)
}

var errUnreadable = errors.New("what came over the link of an agent cannot be read; hint: something else uses " +
	"its address")

// take takes in what came over a link: a message, which is delivered here or handed on, or a control, which it returns.
func (c *carrier) take(text []byte) (*control, error) {
	if isMessage(text) {
		return nil, c.receive(text)
	}
	return readControl(text)
}

func (c *carrier) receive(text []byte) error {
	if !c.begun.Load() {
		return errUnreadable
	}
	rest := text[1:]
	process, n := binary.Uvarint(rest)
	if n <= 0 || process >= uint64(len(c.out)) {
		return errUnreadable
	}
	if int(process) != c.self {
		c.towards(int(process), text)
		if c.room != nil {
			c.room(int(process))
		}
		return nil
	}
	rest = rest[n:]
	from, n := binary.Uvarint(rest)
	if n <= 0 || from >= uint64(len(c.in)) {
		return errUnreadable
	}
	rest = rest[n:]
	number, n := binary.Uvarint(rest)
	if n <= 0 {
		return errUnreadable
	}
	return c.in[from].take(number, rest[n:], c.deliver)
}

// deliver gives a message to its receiver, which stands before it.
func (c *carrier) deliver(from *message.Decoder, text []byte) error {
	to, n := binary.Varint(text)
	if n <= 0 {
		return errUnreadable
	}
	m, err := from.Decode(text[n:])
	if err != nil {
		return err
	}
	if !c.net.Deliver(int(to), m) {
		return errUnreadable
	}
	return nil
}

// close has nothing more taken from anybody.
func (c *carrier) close() {
	for process := range c.in {
		c.forget(process)
	}
}

// forget has nothing more taken from a process, which the root has lost.
func (c *carrier) forget(process int) {
	if process >= 0 && process < len(c.in) {
		c.in[process].close()
	}
}
