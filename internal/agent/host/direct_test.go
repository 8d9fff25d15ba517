package host

import (
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"unknot/internal/root/link"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// TestMessagesAreTakenInTurn has those of one process come over two ways, some of them over both.
func TestMessagesAreTakenInTurn(t *testing.T) {
	table, err := mpi.Load()
	if err != nil {
		t.Fatal(err)
	}
	var said [][]byte
	l := spread(2, 0, [][]op.Rank{nil, {0}, {1}})
	from := newCarrier(table, func(_ int, text []byte) { said = append(said, text) })
	from.begin(&l, 1)
	const n = 200
	for round := range n {
		from.send(0, 1, message.Ping{From: 0, Round: round, Phase: 1})
	}
	said = append(said, said[:n/2]...)
	rand.Shuffle(len(said), func(i, k int) { said[i], said[k] = said[k], said[i] })
	to := newCarrier(table, nil)
	to.begin(&l, 2)
	for _, text := range said {
		if err := to.receive(text); err != nil {
			t.Fatal(err)
		}
	}
	got := to.net.Member(1).Take(nil)
	for i, m := range got {
		if ping, ok := m.(message.Ping); !ok || ping.Round != i {
			t.Fatalf("message %d is %+v", i, m)
		}
	}
	if len(got) != n {
		t.Errorf("%d messages came, want %d", len(got), n)
	}
}

// star is a job of three processes: the supervisor's, which only hands on, and two others with an agent each.
type star struct {
	key    link.Key
	layout layout
	main   *carrier
	hub    *link.Hub
	ends   [3]end

	mu     sync.Mutex
	handed int // messages that went over the supervisor's process
	noWay  []noWay
}

// end is one of the others.
type end struct {
	direct  *direct
	carrier *carrier
	down    *link.Link // of the supervisor's process to it
}

func newStar(t *testing.T) *star {
	t.Helper()
	table, err := mpi.Load()
	if err != nil {
		t.Fatal(err)
	}
	s := &star{layout: spread(2, 0, [][]op.Rank{nil, {0}, {1}})}
	if s.key, err = link.NewKey(); err != nil {
		t.Fatal(err)
	}
	s.main = newCarrier(table, s.handOn)
	s.main.room = func(process int) { s.ends[process].down.AwaitRoom(mostBacklog) }
	s.main.begin(&s.layout, supervisorsHost)
	joined := make(chan *link.Link)
	if s.hub, err = link.Listen(s.key, []string{"127.0.0.1:0"}, "v", func(l *link.Link) { joined <- l }); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.hub.Close)
	for i := 1; i < len(s.ends); i++ {
		d := newDirect(&Joining{Invitation: link.Invitation{Key: s.key}, Version: "v"})
		if d.hub, err = link.Listen(s.key, []string{"127.0.0.1:0"}, "v", d.accept); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(d.close)
		if d.main, err = link.Dial(t.Context(), s.key, s.hub.Addresses(), "v", nil); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(d.main.Abort)
		c := newCarrier(table, d.send)
		c.begin(&s.layout, i)
		d.carrier = c
		d.noWay = func(w noWay) { s.mu.Lock(); s.noWay = append(s.noWay, w); s.mu.Unlock() }
		d.broken = func(err error) { t.Error(err) }
		s.ends[i] = end{direct: d, carrier: c, down: <-joined}
	}
	for i := 1; i < len(s.ends); i++ {
		go s.pump(t, s.ends[i].down, s.main)
		go s.pump(t, s.ends[i].direct.main, s.ends[i].carrier)
	}
	return s
}

// pump takes in what comes over a link, until that ends.
func (s *star) pump(t *testing.T, l *link.Link, to *carrier) {
	for {
		text, err := l.Receive()
		if err != nil {
			return
		}
		if err := to.receive(text); err != nil {
			t.Error(err)
		}
	}
}

func (s *star) handOn(process int, text []byte) {
	s.mu.Lock()
	s.handed++
	s.mu.Unlock()
	s.ends[process].down.Send(link.Urgent, text)
}

// begin tells all where the others are: at some addresses, or where they listen.
func (s *star) begin(addresses []string) {
	list := [][]string{nil, addresses, addresses}
	for i := 1; i < len(s.ends) && addresses == nil; i++ {
		list[i] = s.ends[i].direct.addresses()
	}
	for i := 1; i < len(s.ends); i++ {
		s.ends[i].direct.begin(list, i)
	}
}

// say has the first agent send messages to the second, numbered from first to before last.
func (s *star) say(first, last int) {
	for round := first; round < last; round++ {
		s.ends[1].carrier.send(0, 1, message.Ping{From: 0, Round: round, Phase: 1})
	}
}

// want waits until the second agent has got them, in this order.
func (s *star) want(t *testing.T, first, last int) {
	t.Helper()
	member := s.ends[2].carrier.net.Member(1)
	for next := first; next < last; {
		for _, m := range member.Take(nil) {
			if ping := m.(message.Ping); ping.Round != next {
				t.Fatalf("message %d came where %d is next", ping.Round, next)
			}
			next++
		}
		if next == last {
			return
		}
		select {
		case <-member.Wake():
		case <-time.After(time.Minute):
			t.Fatalf("message %d does not come", next)
		}
	}
}

// linked waits until the first has its link to the second.
func (s *star) linked(t *testing.T) *link.Link {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		if l := s.ends[1].direct.linkTo(2); l != nil {
			return l
		}
	}
	t.Fatal("no link after a minute")
	return nil
}

func TestAgentsOfTwoHostsHaveALinkOfTheirOwn(t *testing.T) {
	s := newStar(t)
	s.begin(nil)
	s.say(0, 10)
	s.linked(t)
	s.want(t, 0, 10)
	s.mu.Lock()
	before := s.handed
	s.mu.Unlock()
	s.say(10, 1000)
	s.want(t, 10, 1000)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.handed != before || len(s.noWay) > 0 {
		t.Errorf("%d messages went over the supervisor's host when the link was there; %v", s.handed-before, s.noWay)
	}
}

func TestWithoutALinkOfTheirOwnTheSupervisorsHostHandsOn(t *testing.T) {
	s := newStar(t)
	s.begin([]string{"127.0.0.1:1"})
	s.say(0, 1000)
	s.want(t, 0, 1000)
	s.ends[1].direct.running.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.handed != 1000 || len(s.noWay) != 1 || s.noWay[0].Process != 2 || !strings.Contains(s.noWay[0].Why,
		"127.0.0.1:1: connect: connection refused") {
		t.Errorf("%d messages handed on; %v", s.handed, s.noWay)
	}
}

// TestAProcessThatWasMeantForAnotherIsNotTaken is for hosts that have an address in common: the link is made, and then
// given up.
func TestAProcessThatWasMeantForAnotherIsNotTaken(t *testing.T) {
	s := newStar(t)
	s.begin(s.ends[1].direct.addresses())
	s.say(0, 1000)
	s.want(t, 0, 1000)
}

func TestNothingIsLostWithALinkOfTheirOwn(t *testing.T) {
	t.Parallel()
	s := newStar(t)
	s.begin(nil)
	s.say(0, 10)
	s.linked(t)
	s.ends[2].direct.hub.Close() // some of what follows has arrived, some has not, and nothing of it is confirmed
	s.say(10, 2000)
	s.want(t, 0, 2000)
}

func TestNothingIsTakenFromAProcessThatTheRootHasLost(t *testing.T) {
	s := newStar(t)
	s.begin(nil)
	s.say(0, 10)
	s.linked(t)
	s.want(t, 0, 10)
	s.ends[2].carrier.forget(1)
	s.ends[1].direct.forget(2)
	s.ends[1].direct.running.Wait()
	if l := s.ends[1].direct.linkTo(2); l != nil {
		t.Error("the link is still there")
	}
	if err := s.ends[2].carrier.receive(s.ends[1].carrier.text(1, message.Ping{From: 0, Round: 10, Phase: 1})); err != nil {
		t.Error(err)
	}
	if got := s.ends[2].carrier.net.Member(1).Take(nil); len(got) > 0 {
		t.Errorf("%d messages were taken", len(got))
	}
}

// TestAnAgentHoldsBackForOneThatIsBehind has the second agent take nothing. What is under way then stays bounded, both
// straight to its process and over the supervisor's; when it continues nothing is missing.
func TestAnAgentHoldsBackForOneThatIsBehind(t *testing.T) {
	for what, addresses := range map[string][]string{"straight": nil, "over the supervisor's host": {"127.0.0.1:1"}} {
		t.Run(what, func(t *testing.T) {
			s := newStar(t)
			s.begin(addresses)
			said, member := 0, s.ends[1].carrier.net.Member(0)
			large := message.Idle{Broken: &message.Broken{Why: strings.Repeat("a", 16<<10)}}
			for end := time.Now().Add(time.Minute); !member.Congested(); said++ {
				if time.Now().After(end) {
					t.Fatalf("%d messages were sent, and more may be", said)
				}
				member.Send(1, large)
			}
			behind := s.ends[2].carrier.net.Member(1)
			for n := 0; n < said; n += len(behind.Take(nil)) {
				select {
				case <-behind.Wake():
				case <-time.After(time.Minute):
					t.Fatalf("%d messages came of %d", n, said)
				}
			}
			for end := time.Now().Add(time.Minute); member.Congested(); time.Sleep(time.Millisecond) {
				if time.Now().After(end) {
					t.Fatal("everything was taken, and no more may be sent")
				}
			}
		})
	}
}
