package link

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"
)

const (
	// confirmDelay is how long a confirmation waits for a frame that takes it along.
	confirmDelay = 5 * time.Millisecond
	// confirmBytes is how much may arrive before it is confirmed at once.
	confirmBytes = 256 << 10
)

// stream is what both ends of a gRPC stream can do.
type stream interface {
	SendMsg(message any) error
	RecvMsg(message any) error
}

// connection is one of the connections that a link has had. A link has one at a time.
type connection struct {
	stop context.CancelFunc // ends it
	gone chan struct{}      // closed when nothing of it runs any more
}

// attach makes room for a new connection: the one before is ended, so that what has arrived does not change any more.
// After it, detach or serve must be called. The error is that the link is over.
func (l *Link) attach(stop context.CancelFunc) (*connection, error) {
	c := &connection{stop: stop, gone: make(chan struct{})}
	l.mu.Lock()
	defer l.mu.Unlock()
	for l.current != nil {
		before := l.current
		l.mu.Unlock()
		before.stop()
		<-before.gone
		l.mu.Lock()
	}
	if l.cause != nil {
		return nil, l.cause
	}
	l.current = c
	l.running.Add(1)
	return c, nil
}

// detach is called when nothing of a connection runs any more. If that was up, the link is down from now on, and lost
// after a while.
func (l *Link) detach(c *connection) {
	l.mu.Lock()
	l.current = nil
	if l.settled() {
		l.finishLocked(io.EOF)
	}
	if !l.down && l.cause == nil {
		l.down, l.since = true, time.Now()
		l.timer = time.AfterFunc(l.options.Grace, l.lose)
	}
	l.mu.Unlock()
	close(c.gone)
	l.running.Done()
}

// lose ends a link that was down for too long.
func (l *Link) lose() {
	l.mu.Lock()
	grace := l.options.Grace
	late := l.down && time.Since(l.since) >= grace
	l.mu.Unlock()
	if late {
		l.finish(fmt.Errorf("%w: no connection for %v", ErrLost, grace))
	}
}

// begin has a connection continue where the one before broke: other is the first frame of the other end. It says what
// this end has received, to be called before, in its own first frame.
func (l *Link) begin(other frame) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.cause != nil {
		return l.cause
	}
	for lane := range l.out {
		if err := l.out[lane].rewind(other.received[lane]); err != nil {
			return err
		}
	}
	l.confirmed = l.confirmed || l.closing && other.ended
	l.endTold = false
	l.confirmAt, l.confirmNow = time.Time{}, false
	l.down = false
	if l.timer != nil {
		l.timer.Stop()
	}
	return nil
}

// state fills in what every frame says of what was received.
func (l *Link) state(f *frame) {
	for lane := range l.in {
		f.received[lane] = l.in[lane].position
	}
	f.ended = l.ended
	l.told, l.endedTold = f.received, f.ended
	l.confirmAt, l.confirmNow = time.Time{}, false
}

// first makes the first frame of a connection.
func (l *Link) first(f frame) []byte {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.state(&f)
	return f.encode()
}

// errPeer is that the other end sent what it may not send.
type errPeer struct{ error }

func (e errPeer) Unwrap() error { return e.error }

// serve carries messages over a connection until that breaks, this end is through with the link (nil) or the other one
// is (io.EOF). The caller then ends the stream, which lets go what waits for it. leave tells the other end that nothing
// more comes, if there is a way to do so other than returning.
func (l *Link) serve(ctx context.Context, c *connection, s stream, leave func() error) error {
	var both sync.WaitGroup
	reading, writing := make(chan error, 1), make(chan error, 1)
	both.Go(func() { reading <- l.read(ctx, s) })
	both.Go(func() { writing <- l.write(ctx, s) })
	go func() {
		both.Wait()
		l.detach(c)
	}()

	for {
		select {
		case err := <-reading:
			return err
		case err := <-writing:
			if err != nil || leave == nil {
				return err
			}
			if err := leave(); err != nil {
				return err
			}
			writing = nil // the other end hangs up now
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// ending judges what serve returned: whether the link is over by it.
func (l *Link) ending(err error) {
	l.mu.Lock()
	ended, done := l.ended, l.closing && l.confirmed
	l.mu.Unlock()
	var wrong errPeer
	switch {
	case errors.As(err, &wrong):
		l.finish(fmt.Errorf("%w: the other end is faulty: %w", ErrLost, wrong.error))
	case done:
		l.finish(ErrClosed)
	case ended && errors.Is(err, io.EOF):
		l.finish(io.EOF)
	}
}

func (l *Link) write(ctx context.Context, s stream) error {
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for {
		data, due, done := l.nextFrame()
		if data != nil {
			if err := s.SendMsg(data); err != nil {
				return err
			}
			continue
		}
		if done {
			return nil
		}
		var late <-chan time.Time
		if !due.IsZero() {
			timer.Reset(time.Until(due))
			late = timer.C
		}
		select {
		case <-l.wake:
		case <-late:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// nextFrame returns the next frame to be sent. If there is none, it says when a confirmation is due, or that this end
// is through.
func (l *Link) nextFrame() (data []byte, due time.Time, done bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for lane := range l.out {
		if out := &l.out[lane]; out.waits() {
			f := frame{kind: kindData, lane: Lane(lane), position: out.next}
			l.state(&f)
			buf := make([]byte, 0, out.pending()+64) // more than the longest head of a frame of data
			return out.take(f.head(buf)), due, false
		}
	}
	switch {
	case l.closing && !l.confirmed && !l.endTold:
		l.endTold = true
		f := frame{kind: kindEnd, ends: [lanes]uint64{l.out[Urgent].end, l.out[Bulk].end}}
		l.state(&f)
		return f.encode(), due, false
	case l.confirmNow || !l.confirmAt.IsZero() && !time.Now().Before(l.confirmAt) || l.ended && !l.endedTold:
		f := frame{kind: kindConfirm}
		l.state(&f)
		return f.encode(), due, false
	}
	return nil, l.confirmAt, l.closing && l.confirmed
}

func (l *Link) read(ctx context.Context, s stream) error {
	for {
		var data []byte
		if err := s.RecvMsg(&data); err != nil {
			return err
		}
		if err := l.takeFrame(data); err != nil {
			return errPeer{err}
		}
		for l.full() {
			select {
			case <-l.room:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
	}
}

// full says whether nothing more may be taken from the network until somebody receives. A message of which a part is
// there counts too, but must become complete when nothing else is there to be received.
func (l *Link) full() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.waiting > 0 && l.waiting+len(l.in[Urgent].partial)+len(l.in[Bulk].partial) > maxInbox
}

// takeFrame takes in a frame; the error is what is wrong with it.
func (l *Link) takeFrame(data []byte) error {
	f, err := decodeFrame(data)
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.cause != nil {
		return nil
	}
	for lane := range l.out {
		if err := l.out[lane].confirm(f.received[lane]); err != nil {
			return err
		}
	}
	l.delivered.Broadcast()
	if l.closing && f.ended {
		l.confirmed = true
		signal(l.wake)
	}
	switch f.kind {
	case kindData:
		return l.takeData(f)
	case kindEnd:
		for lane := range l.in {
			if f.ends[lane] != l.in[lane].position {
				return fmt.Errorf("it closed at byte %d of a lane of which %d came", f.ends[lane], l.in[lane].position)
			}
		}
		l.ended = true
		l.arrived.Broadcast()
		signal(l.wake)
	case kindConfirm:
	default:
		return fmt.Errorf("it sent a frame of kind %d within a connection", f.kind)
	}
	return nil
}

func (l *Link) takeData(f frame) error {
	in := &l.in[f.lane]
	if f.position != in.position || l.ended {
		return fmt.Errorf("it sent byte %d of a lane where %d is the next", f.position, in.position)
	}
	before := len(l.inbox[f.lane])
	ready, err := in.take(l.inbox[f.lane], f.payload)
	if err != nil {
		return err
	}
	for _, message := range ready[before:] {
		l.waiting += len(message) + messageCost
	}
	l.inbox[f.lane] = ready
	if l.closing {
		l.inbox, l.waiting = [lanes][][]byte{}, 0
	}
	if len(ready) > before {
		l.arrived.Broadcast()
	}
	if in.position-l.told[f.lane] >= confirmBytes {
		l.confirmNow = true
		signal(l.wake)
	} else if l.confirmAt.IsZero() {
		l.confirmAt = time.Now().Add(confirmDelay)
		signal(l.wake)
	}
	return nil
}
