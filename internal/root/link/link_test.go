package link

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"sync"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"unknot/internal/test/testkit"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func newKey(t testing.TB) Key {
	t.Helper()
	k, err := NewKey()
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// ends are a hub with one link, whose traffic goes through a proxy.
type ends struct {
	key      Key
	hub      *Hub
	proxy    *proxy
	dialed   *Link
	accepted *Link
}

func listen(t testing.TB, o Options, key Key) (*Hub, <-chan *Link) {
	t.Helper()
	links := make(chan *Link, 16)
	hub, err := o.Listen(key, []string{"127.0.0.1:0"}, "1.2.3", func(l *Link) { links <- l })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(hub.Close)
	return hub, links
}

func dial(t testing.TB, o Options, key Key, address string) *Link {
	t.Helper()
	l, err := o.Dial(t.Context(), key, []string{address}, "1.2.3", []byte("hello"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.Abort)
	return l
}

func connect(t *testing.T, o Options) *ends {
	t.Helper()
	e := &ends{key: newKey(t)}
	var links <-chan *Link
	e.hub, links = listen(t, o, e.key)
	e.proxy = newProxy(t, e.hub.Addresses()[0])
	e.dialed = dial(t, o, e.key, e.proxy.address())
	e.accepted = <-links
	if got := string(e.accepted.Hello()); got != "hello" {
		t.Fatalf("hello is %q", got)
	}
	return e
}

func number(n int) []byte { return binary.BigEndian.AppendUint64(nil, uint64(n)) }

// wantNumbers receives messages that are numbers, from first to last.
func wantNumbers(t *testing.T, l *Link, first, last int) {
	t.Helper()
	for n := first; n <= last; n++ {
		got, err := l.Receive()
		if err != nil || !bytes.Equal(got, number(n)) {
			t.Errorf("message %d is %x, %v", n, got, err)
			return
		}
	}
}

func wantEnd(t *testing.T, l *Link, want error) {
	t.Helper()
	if got, err := l.Receive(); !errors.Is(err, want) {
		t.Errorf("received %d bytes and %v, want %v", len(got), err, want)
	}
}

// eventually waits for what no channel tells of.
func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !is(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("not within a minute: %s", what)
		}
	}
}

func isDown(l *Link) bool { _, down := l.Down(); return down }

func TestOrderIsKeptInALaneAndUrgentOvertakesBulk(t *testing.T) {
	t.Parallel()
	e := connect(t, Options{})
	const bulk, urgent = 40, 1000
	e.proxy.hold(true)
	for n := range bulk {
		e.dialed.Send(Bulk, append(number(n), make([]byte, 1<<20)...))
	}
	for n := range urgent {
		e.dialed.Send(Urgent, number(n))
	}
	e.proxy.hold(false)
	var next [lanes]int
	for next[Bulk] < bulk {
		got, err := e.accepted.Receive()
		if err != nil {
			t.Fatal(err)
		}
		lane := Urgent
		if len(got) > 8 {
			lane = Bulk
		}
		if want := number(next[lane]); !bytes.Equal(got[:8], want) {
			t.Fatalf("message %x of lane %d, want %x", got[:8], lane, want)
		}
		next[lane]++
		if next[Bulk] == bulk/2 && next[Urgent] < urgent {
			t.Fatalf("after %d of %d large messages %d of %d urgent ones, which do not wait for them", next[Bulk], bulk,
				next[Urgent], urgent)
		}
	}
}

func TestConnectionsThatBreakLoseNothing(t *testing.T) {
	t.Parallel()
	e := connect(t, Options{})
	const messages, cuts = 100_000, 20
	receive := func(l *Link, cut bool) {
		random := rand.New(rand.NewPCG(3, 4))
		left, at := cuts, 0
		var next [lanes]int
		for n := range messages {
			got, err := l.Receive()
			if err != nil {
				t.Error(err)
				return
			}
			lane := got[0] % 2
			if want := 2*next[lane] + int(lane); want != int(binary.BigEndian.Uint64(got[1:])) {
				t.Errorf("message %d of lane %d where %d is next", binary.BigEndian.Uint64(got[1:]), lane, want)
				return
			}
			next[lane]++
			if cut && n == at && left > 0 {
				for e.proxy.cut() == 0 { // the one before is not over
					time.Sleep(time.Millisecond)
				}
				left--
				at = n + 1 + random.IntN(2*(messages-n)/(left+2))
			}
		}
	}
	send := func(l *Link) {
		random := rand.New(rand.NewPCG(1, 2))
		for n := range messages {
			for l.Backlog() > 1<<20 {
				time.Sleep(time.Millisecond)
			}
			message := append([]byte{byte(n % 2)}, number(n)...)
			message = append(message, make([]byte, random.IntN(40))...)
			if n%5000 == 0 {
				message = append(message, make([]byte, 200<<10)...)
			}
			l.Send(Lane(n%2), message)
		}
	}
	var all sync.WaitGroup
	all.Go(func() { send(e.dialed) })
	all.Go(func() { send(e.accepted) })
	all.Go(func() { receive(e.dialed, false) })
	all.Go(func() { receive(e.accepted, true) })
	all.Wait()
	if _, taken := e.proxy.counts(); taken < cuts {
		t.Errorf("%d connections for %d cuts", taken, cuts)
	}
}

func TestALinkThatWasCutForAWhileHeals(t *testing.T) {
	t.Parallel()
	e := connect(t, Options{})
	e.proxy.refuseAll(true)
	e.proxy.cut()
	for n := range 1000 {
		e.dialed.Send(Bulk, number(n))
		e.accepted.Send(Urgent, number(n))
	}
	eventually(t, "both ends know, and the dialling one tries again", func() bool {
		refused, _ := e.proxy.counts()
		return refused > 3 && isDown(e.dialed) && isDown(e.accepted)
	})
	if since, _ := e.dialed.Down(); time.Since(since) > time.Hour {
		t.Errorf("down since %v", since)
	}
	e.proxy.refuseAll(false)
	wantNumbers(t, e.accepted, 0, 999)
	wantNumbers(t, e.dialed, 0, 999)
	if isDown(e.dialed) || isDown(e.accepted) {
		t.Error("the link carries messages and is down")
	}
}

// directed are the end that sends, which is the hub's or the other one, and the one that receives.
func (e *ends) directed(byHub bool) (from, to *Link) {
	if byHub {
		return e.accepted, e.dialed
	}
	return e.dialed, e.accepted
}

// TestALinkHealsThoughNobodyReceives breaks the connection of an end that neither takes anything more nor sends: its
// grace must not run out.
func TestALinkHealsThoughNobodyReceives(t *testing.T) {
	t.Parallel()
	for _, byHub := range []bool{false, true} {
		e := connect(t, Options{})
		from, to := e.directed(byHub)
		const messages = 100
		for n := range messages {
			from.Send(Bulk, append(number(n), make([]byte, 100<<10)...))
		}
		eventually(t, "the receiver is full, and has nothing to say", func() bool {
			to.mu.Lock()
			silent := to.confirmAt.IsZero() && !to.confirmNow
			to.mu.Unlock()
			return to.full() && silent
		})
		e.proxy.cut()
		eventually(t, "the link is up by another connection", func() bool {
			_, taken := e.proxy.counts()
			return taken == 2 && !isDown(e.dialed) && !isDown(e.accepted)
		})
		for n := range messages {
			if got, err := to.Receive(); err != nil || !bytes.Equal(got[:8], number(n)) {
				t.Fatalf("message %d: %v", n, err)
			}
		}
	}
}

func TestWhatArrivedIsConfirmedByAnEndThatSendsNothing(t *testing.T) {
	t.Parallel()
	e := connect(t, Options{})
	e.dialed.Send(Bulk, number(0))
	eventually(t, "the message is confirmed", func() bool { return e.dialed.Backlog() == 0 })
	wantNumbers(t, e.accepted, 0, 0)
}

func TestUrgentMessagesThatWaitAreReceivedFirst(t *testing.T) {
	t.Parallel()
	l := newLink(linkID{}, nil, Options{}.withDefaults())
	defer l.Abort()
	for _, f := range []frame{
		{kind: kindData, lane: Bulk, payload: []byte("\x04bulk")},
		{kind: kindData, lane: Urgent, payload: []byte("\x06urgent")},
	} {
		if err := l.takeFrame(f.encode()); err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []string{"urgent", "bulk"} {
		if got, err := l.Receive(); err != nil || string(got) != want {
			t.Errorf("%q, %v, want %q", got, err, want)
		}
	}
}

// TestCloseDoesNotWaitForAnEndThatLeft closes a link that has no connection any more after the other end closed it.
func TestCloseDoesNotWaitForAnEndThatLeft(t *testing.T) {
	t.Parallel()
	e := connect(t, Options{Grace: time.Hour})
	end := frame{kind: kindEnd}
	if err := e.dialed.takeFrame(end.encode()); err != nil {
		t.Fatal(err)
	}
	e.hub.Close()
	wantEnd(t, e.dialed, io.EOF)
	if err := e.dialed.Close(time.Hour); err != nil {
		t.Error(err)
	}
}

func TestAStalledConnectionHeals(t *testing.T) {
	t.Parallel()
	e := connect(t, Options{KeepAlive: time.Second})
	e.proxy.hold(true)
	for n := range 1000 {
		e.dialed.Send(Bulk, number(n))
		e.accepted.Send(Urgent, number(n))
	}
	eventually(t, "the hub gives up the connection", func() bool { return isDown(e.accepted) })
	e.proxy.hold(false)
	wantNumbers(t, e.accepted, 0, 999)
	wantNumbers(t, e.dialed, 0, 999)
}

func TestAConnectionThatStaysStalledIsReplaced(t *testing.T) {
	testkit.TakesLong(t)
	t.Parallel()
	e := connect(t, Options{KeepAlive: time.Second})
	e.proxy.freeze()
	for n := range 1000 {
		e.dialed.Send(Bulk, number(n))
		e.accepted.Send(Urgent, number(n))
	}
	wantNumbers(t, e.accepted, 0, 999)
	wantNumbers(t, e.dialed, 0, 999)
}

func TestALinkIsLostAtBothEndsAfterGrace(t *testing.T) {
	t.Parallel()
	e := connect(t, Options{Grace: 300 * time.Millisecond})
	e.dialed.Send(Bulk, number(0))
	wantNumbers(t, e.accepted, 0, 0)
	e.proxy.refuseAll(true)
	e.proxy.cut()
	e.dialed.Send(Bulk, number(1))
	for _, l := range []*Link{e.dialed, e.accepted} {
		wantEnd(t, l, ErrLost)
		<-l.Lost()
		if err := l.Close(time.Minute); !errors.Is(err, ErrLost) {
			t.Errorf("closing a lost link: %v", err)
		}
		wantEnd(t, l, ErrClosed)
	}
}

// TestAnEndLearnsItsGrace: an end that would wait for half a minute learns otherwise over the link.
func TestAnEndLearnsItsGrace(t *testing.T) {
	t.Parallel()
	e := connect(t, Options{})
	e.dialed.SetGrace(300 * time.Millisecond)
	e.proxy.refuseAll(true)
	e.proxy.cut()
	e.dialed.Send(Bulk, number(0))
	wantEnd(t, e.dialed, ErrLost)
	if since, down := e.accepted.Down(); !down || since.IsZero() {
		t.Error("the other end, which waits for longer, has given up too")
	}
}

func TestALinkIsLostWhenTheHubWasRestarted(t *testing.T) {
	t.Parallel()
	e := connect(t, Options{Grace: time.Hour})
	again, links := listen(t, Options{}, e.key)
	e.proxy.mu.Lock()
	e.proxy.target = again.Addresses()[0]
	e.proxy.mu.Unlock()
	e.proxy.cut()
	wantEnd(t, e.dialed, ErrLost)
	if len(links) != 0 {
		t.Error("the new hub accepted a link of the old one")
	}
}

func TestCloseDeliversEverything(t *testing.T) {
	t.Parallel()
	for _, byHub := range []bool{false, true} {
		e := connect(t, Options{})
		from, to := e.directed(byHub)
		const messages = 5000
		large := make([]byte, 9<<20)
		e.proxy.hold(true)
		for n := range messages {
			from.Send(Bulk, number(n))
		}
		from.Send(Bulk, large)
		closed := make(chan error)
		go func() { closed <- from.Close(time.Minute) }()
		e.proxy.cut()
		e.proxy.hold(false)
		wantNumbers(t, to, 0, messages-1)
		if got, err := to.Receive(); err != nil || !bytes.Equal(got, large) {
			t.Errorf("the large message has %d bytes, %v", len(got), err)
		}
		wantEnd(t, to, io.EOF)
		if err := <-closed; err != nil {
			t.Errorf("close: %v", err)
		}
		if err := to.Close(time.Minute); err != nil {
			t.Errorf("close of the other end: %v", err)
		}
		select {
		case <-to.Lost():
			t.Error("a link that was closed is lost")
		default:
		}
	}
}

func TestBothEndsMayCloseAtOnce(t *testing.T) {
	t.Parallel()
	for range 20 {
		e := connect(t, Options{})
		var both sync.WaitGroup
		for _, l := range []*Link{e.dialed, e.accepted} {
			both.Go(func() {
				for n := range 100 {
					l.Send(Bulk, number(n))
				}
				if err := l.Close(time.Minute); err != nil && l.undeliv == 0 {
					t.Error(err)
				}
			})
		}
		both.Wait()
	}
}

func TestCloseSaysWhatWasNotDelivered(t *testing.T) {
	t.Parallel()
	e := connect(t, Options{})
	e.proxy.hold(true)
	e.dialed.Send(Bulk, make([]byte, 1000))
	err := e.dialed.Close(50 * time.Millisecond)
	if want := "the link was closed before the other end confirmed everything: 1002 bytes within 50ms"; err == nil ||
		err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

func TestAReceiverThatDoesNotReceiveTakesLittle(t *testing.T) {
	t.Parallel()
	e := connect(t, Options{})
	const messages, size = 400, 100 << 10
	produced := make(chan struct{})
	go func() {
		defer close(produced)
		for n := range messages {
			for e.dialed.Backlog() > 8<<20 {
				time.Sleep(time.Millisecond)
			}
			e.dialed.Send(Bulk, append(number(n), make([]byte, size)...))
		}
	}()
	eventually(t, "the receiver has enough", e.accepted.full)
	for n := range messages {
		e.accepted.mu.Lock()
		waiting := e.accepted.waiting
		e.accepted.mu.Unlock()
		if waiting > maxInbox+size+maxPayload {
			t.Fatalf("%d bytes wait to be received", waiting)
		}
		if held := e.dialed.Backlog(); held > 8<<20+2*size {
			t.Fatalf("the sender holds %d bytes", held)
		}
		got, err := e.accepted.Receive()
		if err != nil || !bytes.Equal(got[:8], number(n)) {
			t.Fatalf("message %d: %v", n, err)
		}
	}
	<-produced
}

func TestALargeMessagePasses(t *testing.T) {
	t.Parallel()
	e := connect(t, Options{})
	large := bytes.Repeat([]byte("unknot"), 8<<20/6)
	for range 2 {
		e.dialed.Send(Bulk, large)
		e.dialed.Send(Urgent, nil)
	}
	var sizes []int
	for range 4 {
		got, err := e.accepted.Receive()
		if err != nil || len(got) > 0 && !bytes.Equal(got, large) {
			t.Fatalf("%d bytes, %v", len(got), err)
		}
		sizes = append(sizes, len(got))
	}
	if sizes[0] != 0 {
		t.Errorf("messages came in the order of sizes %v", sizes)
	}
}

func TestAMessageThatIsTooLongEndsTheLink(t *testing.T) {
	t.Parallel()
	// Addresses without memory: nobody looks at the bytes.
	long, err := syscall.Mmap(-1, 0, maxMessage+1, syscall.PROT_READ,
		syscall.MAP_PRIVATE|syscall.MAP_ANON|syscall.MAP_NORESERVE)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = syscall.Munmap(long) }()
	l := newLink(linkID{}, nil, Options{}.withDefaults())
	l.Send(Bulk, long)
	wantEnd(t, l, ErrLost)
}

func TestAHubHasManyLinks(t *testing.T) {
	t.Parallel()
	key := newKey(t)
	var mu sync.Mutex
	greeted := make(map[string]bool)
	echo := func(l *Link) {
		mu.Lock()
		greeted[string(l.Hello())] = true
		mu.Unlock()
		for {
			message, err := l.Receive()
			if err != nil {
				return
			}
			l.Send(Urgent, message)
		}
	}
	hub, err := Listen(key, []string{"127.0.0.1:0", "127.0.0.1:0"}, "1", echo)
	if err != nil {
		t.Fatal(err)
	}
	defer hub.Close()
	var all sync.WaitGroup
	const links = 32
	for n := range links {
		all.Go(func() {
			l, err := Dial(context.Background(), key, hub.Addresses(), "1", fmt.Append(nil, n))
			if err != nil {
				t.Error(err)
				return
			}
			for i := range 100 {
				l.Send(Bulk, number(i))
			}
			wantNumbers(t, l, 0, 99)
			if err := l.Close(time.Minute); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if len(greeted) != links {
		t.Errorf("%d of %d links were accepted", len(greeted), links)
	}
}

// That is how a host is asked whether it can be reached: what accepted does cannot be before the dialling end knows
// that it was.
func TestALinkThatIsEndedAtOnceWasUp(t *testing.T) {
	key := newKey(t)
	hub, err := Listen(key, []string{"127.0.0.1:0"}, "v1", func(l *Link) { l.Abort() })
	if err != nil {
		t.Fatal(err)
	}
	defer hub.Close()
	for range 200 {
		l, err := Dial(t.Context(), key, hub.Addresses(), "v1", nil)
		if err != nil {
			t.Fatal(err)
		}
		l.Abort()
	}
}

func TestAClosedHubLeavesNothing(t *testing.T) {
	t.Parallel()
	e := connect(t, Options{Grace: 100 * time.Millisecond})
	e.hub.Close()
	wantEnd(t, e.accepted, ErrClosed)
	wantEnd(t, e.dialed, ErrLost)
}
