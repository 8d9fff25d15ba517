// Package link carries messages between two processes of one job on different hosts: in order within a lane, nothing
// lost and nothing twice, also when the connection between them breaks and is made again.
//
// One process listens (Hub), others dial it (Dial); both ends of a link are a Link. Whoever has the job's Key may join,
// nobody else: a connection is TLS 1.3, and each end proves to the other that it has the key. On top of that gRPC keeps
// one stream for each connection, with its flow control and keep-alive; what a frame of the stream holds is in
// frame.go, what happens at a loss in serve.go.
//
// This room knows nothing of what messages mean, and takes nothing from a peer on trust: what is no frame ends the
// link, and memory is taken as bytes arrive. No moment of one host is compared with a moment of another.
package link

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"
)

// maxInbox is how many bytes of messages may wait for Receive before a link stops taking more from the network. What
// gRPC and the sockets hold comes on top of it.
const maxInbox = 2 << 20

// ErrLost is what Receive and Close return, wrapped with the cause, when a link could not be kept.
var ErrLost = errors.New("the link is lost")

// ErrClosed is what Receive returns after Close or Abort at the same end.
var ErrClosed = errors.New("the link is closed")

// Link is one end of a link. Its methods may be called by several goroutines.
type Link struct {
	id      linkID
	hello   []byte
	options Options
	over    context.Context // done when nothing can come or go any more; cause says why then
	end     context.CancelFunc
	lost    chan struct{}
	wake    chan struct{} // there may be something to write
	room    chan struct{} // there may be room in the inbox
	running sync.WaitGroup

	mu      sync.Mutex
	arrived *sync.Cond // a message, or the end
	cause   error
	out     [lanes]outgoing
	receiving
	attachment

	closure
	delivered *sync.Cond // the other end has confirmed something, or the link is over
	confirmations
}

// receiving is what has come and was not received.
type receiving struct {
	in      [lanes]incoming
	inbox   [lanes][][]byte
	waiting int // bytes in inbox
}

// attachment is the connection that carries a link, or since when there is none.
type attachment struct {
	current *connection
	down    bool
	since   time.Time
	timer   *time.Timer
}

// closure is how far the two ends are with closing the link, and what was not delivered.
type closure struct {
	closing   bool     // Close was called here
	confirmed bool     // the other end has everything, and knows that this end closes
	ended     bool     // the other end closed, and everything from it is here
	undeliv   uint64   // what was not confirmed when the link was over
	unsure    [][]byte // the messages of that, if the link was lost
}

// confirmations are what the current connection has said of what has come, and what it has to say.
type confirmations struct {
	told       [lanes]uint64 // what the other end knows to be here, by this connection
	endTold    bool          // this connection has carried this end's closing
	endedTold  bool          // this connection has carried that the other end's closing is known
	confirmAt  time.Time     // when a confirmation is due, zero if none is
	confirmNow bool
}

func newLink(id linkID, hello []byte, options Options) *Link {
	l := &Link{
		id: id, hello: hello, options: options,
		lost: make(chan struct{}), wake: make(chan struct{}, 1), room: make(chan struct{}, 1),
	}
	l.over, l.end = context.WithCancel(context.Background())
	l.arrived, l.delivered = sync.NewCond(&l.mu), sync.NewCond(&l.mu)
	return l
}

// Hello returns what the dialling end said when the link was made.
func (l *Link) Hello() []byte { return l.hello }

// SetGrace changes for how long the link may be down from its next break on (Options.Grace), for an end that learns it
// over the link.
func (l *Link) SetGrace(d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.options.Grace = Options{Grace: d}.withDefaults().Grace
}

// Send sends a message of at most 1 GiB in a lane; a longer one ends the link. It never blocks: the message is kept
// until the other end has confirmed it, and the caller must not change it any more. After Close, Abort or the loss of
// the link it does nothing, and is false.
func (l *Link) Send(lane Lane, message []byte) bool {
	if len(message) > maxMessage {
		l.finish(fmt.Errorf("%w: a message of %d bytes was to be sent, more than %d", ErrLost,
			len(message), maxMessage))
		return false
	}
	l.mu.Lock()
	open := l.cause == nil && !l.closing
	if open {
		l.out[lane].push(message)
	}
	l.mu.Unlock()
	signal(l.wake)
	return open
}

// Undelivered are the messages that the other end had not confirmed when the link was lost, in order within a lane. It
// may have got some of them.
func (l *Link) Undelivered() [][]byte {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.unsure
}

// Backlog returns how many bytes were sent and not confirmed yet, with a few bytes for the length of each message.
// Whoever has much of it should stop producing. It is 0 after the end of the link.
func (l *Link) Backlog() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return int(l.backlog())
}

// AwaitRoom waits until the backlog is not more than so many bytes.
func (l *Link) AwaitRoom(most int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for l.cause == nil && l.backlog() > uint64(most) {
		l.delivered.Wait()
	}
}

func (l *Link) backlog() uint64 { return l.out[Urgent].backlog() + l.out[Bulk].backlog() }

// Receive waits for the next message, which then is the caller's: those of Urgent first, in order within a lane. Its
// error is io.EOF when the other end closed in good order and everything was received, ErrClosed after Close or Abort
// at this end, and one that wraps ErrLost when the link is lost and everything that had come was received.
func (l *Link) Receive() ([]byte, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for {
		if l.closing {
			return nil, ErrClosed
		}
		for lane := range l.inbox {
			if waiting := l.inbox[lane]; len(waiting) > 0 {
				message := waiting[0]
				waiting[0] = nil
				l.inbox[lane] = waiting[1:]
				l.waiting -= len(message) + messageCost
				signal(l.room)
				return message, nil
			}
		}
		switch {
		case l.ended:
			return nil, io.EOF
		case l.cause != nil:
			return nil, l.cause
		}
		l.arrived.Wait()
	}
}

// Close ends the link in good order: what was sent is delivered and confirmed first, for at most wait. From here on
// nothing more is received: who wants the rest receives until io.EOF before. The error says what could not be
// delivered.
func (l *Link) Close(wait time.Duration) error {
	l.mu.Lock()
	l.stopReceiving()
	if l.down && l.settled() {
		l.finishLocked(io.EOF)
	}
	l.mu.Unlock()
	signal(l.wake)
	signal(l.room)

	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-l.over.Done():
	case <-timer.C:
	}
	l.Abort()

	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.confirmed || l.undeliv == 0 && l.cause == io.EOF:
		return nil
	case errors.Is(l.cause, ErrLost):
		return l.cause
	case l.cause == io.EOF:
		return fmt.Errorf("the other end closed the link before it confirmed the last %d bytes", l.undeliv)
	}
	return fmt.Errorf("the link was closed before the other end confirmed everything: %d bytes within %v",
		l.undeliv, wait)
}

// Abort ends the link at once, and returns when nothing of it is left. The other end regards it as lost.
func (l *Link) Abort() {
	l.mu.Lock()
	l.stopReceiving()
	l.mu.Unlock()
	l.finish(ErrClosed)
	l.running.Wait()
}

// settled says, with the lock held, whether both ends have closed and this one has nothing left to deliver: a
// connection that broke need not be made again.
func (l *Link) settled() bool { return l.closing && l.ended && l.backlog() == 0 }

// stopReceiving is called with the lock held.
func (l *Link) stopReceiving() {
	l.closing = true
	l.inbox, l.waiting = [lanes][][]byte{}, 0
	l.arrived.Broadcast()
}

// Down reports whether the link has no connection now, and since when by this host's clock.
func (l *Link) Down() (since time.Time, down bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.since, l.down
}

// Lost returns a channel that is closed when the link is lost; one that ends otherwise leaves it open.
func (l *Link) Lost() <-chan struct{} { return l.lost }

// finish ends the link for a cause; the first one counts.
func (l *Link) finish(cause error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.finishLocked(cause)
}

func (l *Link) finishLocked(cause error) {
	if l.cause != nil {
		return
	}
	if l.ended && errors.Is(cause, ErrLost) {
		cause = io.EOF // the other end had closed before
	}
	l.cause = cause
	l.undeliv = l.backlog()
	if errors.Is(cause, ErrLost) {
		l.unsure = slices.Concat(l.out[Urgent].messages, l.out[Bulk].messages)
	}
	l.out = [lanes]outgoing{}
	if l.timer != nil {
		l.timer.Stop()
	}
	if errors.Is(cause, ErrLost) {
		close(l.lost)
	}
	l.end()
	l.arrived.Broadcast()
	l.delivered.Broadcast()
}

// signal wakes the one goroutine that looks at c, or has it look again.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
