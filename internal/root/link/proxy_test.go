package link

import (
	"net"
	"sync"
	"testing"
)

// proxy is a network between two ends: it can cut, hold up or refuse connections.
type proxy struct {
	listener net.Listener
	target   string
	wg       sync.WaitGroup

	mu      sync.Mutex
	flows   *sync.Cond
	conns   map[net.Conn]bool
	stalled map[net.Conn]bool // nothing of them is forwarded
	stall   bool              // nothing at all is forwarded
	refuse  bool
	refused int
	taken   int
}

func newProxy(t *testing.T, target string) *proxy {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{listener: listener, target: target, conns: make(map[net.Conn]bool), stalled: make(map[net.Conn]bool)}
	p.flows = sync.NewCond(&p.mu)
	p.wg.Go(p.accept)
	t.Cleanup(func() {
		listener.Close()
		p.hold(false)
		p.cut()
		p.wg.Wait()
	})
	return p
}

func (p *proxy) address() string { return p.listener.Addr().String() }

func (p *proxy) accept() {
	for {
		from, err := p.listener.Accept()
		if err != nil {
			return
		}
		p.mu.Lock()
		refuse := p.refuse
		if refuse {
			p.refused++
		}
		p.mu.Unlock()
		if refuse {
			from.Close()
			continue
		}
		to, err := net.Dial("tcp", p.target)
		if err != nil {
			from.Close()
			continue
		}
		p.mu.Lock()
		p.conns[from], p.conns[to] = true, true
		p.taken++
		p.mu.Unlock()
		p.wg.Go(func() { p.forward(from, to) })
		p.wg.Go(func() { p.forward(to, from) })
	}
}

func (p *proxy) forward(from, to net.Conn) {
	defer func() {
		from.Close()
		to.Close()
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.conns, from)
		delete(p.conns, to)
	}()
	buf := make([]byte, 32<<10)
	for {
		n, err := from.Read(buf)
		p.mu.Lock()
		for p.conns[from] && (p.stall || p.stalled[from]) {
			p.flows.Wait()
		}
		there := p.conns[from]
		p.mu.Unlock()
		if !there {
			return
		}
		if _, wrong := to.Write(buf[:n]); wrong != nil || err != nil {
			return
		}
	}
}

// cut breaks all connections, and returns how many there were; what is on its way is gone.
func (p *proxy) cut() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	defer p.flows.Broadcast()
	n := len(p.conns) / 2
	for c := range p.conns {
		if tcp, ok := c.(*net.TCPConn); ok {
			_ = tcp.SetLinger(0)
		}
		c.Close()
		delete(p.conns, c)
	}
	return n
}

// hold stops all traffic without a word to either end, or lets it flow again.
func (p *proxy) hold(stall bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stall = stall
	p.flows.Broadcast()
}

// freeze stops all traffic of the connections that there are for good, without a word to either end.
func (p *proxy) freeze() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.conns {
		p.stalled[c] = true
	}
}

// refuseAll closes new connections at once, or takes them again.
func (p *proxy) refuseAll(refuse bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.refuse = refuse
}

// counts returns how many connections were refused, and how many were taken.
func (p *proxy) counts() (refused, taken int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.refused, p.taken
}
