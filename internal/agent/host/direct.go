package host

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"sync"
	"time"

	"unknot/internal/root/link"
)

// direct has the links of a host's process to those of other hosts. One is made when there is something for such a
// process; it carries what this process sends, and the other one's carries what that sends. Until it is there, or if it
// cannot be made, messages go over the supervisor's process, which hands them on.
type direct struct {
	key     link.Key
	version string
	main    *link.Link // to the supervisor's process
	hub     *link.Hub  // where others connect; nil if they cannot
	carrier *carrier
	begun   chan struct{} // closed when ways and self are known
	self    int
	ways    []way // by process
	noWay   func(noWay)
	broken  func(error) // what came cannot be read

	over    context.Context // done when the process leaves
	leave   context.CancelFunc
	running sync.WaitGroup

	mu     sync.Mutex // for what follows, and for ways
	made   int        // how many links were tried
	failed int        // how many could not be made
}

// way is the way to a process.
type way struct {
	addresses []string // at which it listens
	tried     bool
	link      *link.Link         // nil unless it is there
	leave     context.CancelFunc // ends it
}

const (
	// mostDirect is how many links a process makes at most to those of other hosts: each takes a file descriptor at
	// both ends.
	mostDirect = 256
	// mostFailed is after how many that could not be made no more are tried.
	mostFailed = 4
	// connecting is how long one may take to be made.
	connecting = 3 * time.Second
	// directGrace is how long one may be down before messages take the other way.
	directGrace = 5 * time.Second
)

// newDirect listens for the processes of other hosts, at the addresses of this one from which it reaches the
// supervisor's. If that cannot be done, they send by way of that.
func newDirect(j *Joining) *direct {
	d := &direct{key: j.Key, version: j.Version, begun: make(chan struct{})}
	d.over, d.leave = context.WithCancel(context.Background())
	var towards []string
	for _, address := range j.Addresses {
		if host, _, err := net.SplitHostPort(address); err == nil {
			towards = append(towards, host)
		}
	}
	if list := link.Towards(towards); len(list) > 0 {
		d.hub, _ = link.Listen(j.Key, list, j.Version, d.accept)
	}
	return d
}

// addresses are those at which others reach this process.
func (d *direct) addresses() []string {
	if d.hub == nil {
		return nil
	}
	return d.hub.Addresses()
}

// begin learns at which addresses each process listens, and which one this is.
func (d *direct) begin(addresses [][]string, self int) {
	d.self = self
	for _, list := range addresses {
		d.ways = append(d.ways, way{addresses: list})
	}
	close(d.begun)
}

// close ends all links. What was sent before and is not there is not wanted any more.
func (d *direct) close() {
	d.leave()
	if d.hub != nil {
		d.hub.Close()
	}
	d.running.Wait()
}

// send sends a message to a process.
func (d *direct) send(process int, text []byte) {
	if l := d.linkTo(process); l == nil || !d.carrier.backlog.send(l, text) {
		d.carrier.backlog.send(d.main, text)
	}
}

// linkTo is the link to a process, if it is there. If it was not tried yet, it is made.
func (d *direct) linkTo(process int) *link.Link {
	if process == supervisorsHost || process >= len(d.ways) {
		return nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	w := &d.ways[process]
	if !w.tried && d.made < mostDirect && d.failed < mostFailed && d.over.Err() == nil {
		w.tried = true
		d.made++
		var over context.Context
		over, w.leave = context.WithCancel(d.over)
		d.running.Go(func() { d.keep(over, process) })
	}
	return w.link
}

// keep makes the link to a process. When it is lost, what may not have arrived is sent the other way.
func (d *direct) keep(over context.Context, process int) {
	l, err := d.dial(over, process)
	d.mu.Lock()
	if err != nil {
		d.failed++
	} else {
		d.ways[process].link = l
	}
	d.mu.Unlock()
	if err != nil {
		if over.Err() == nil {
			d.noWay(noWay{Process: process, Why: err.Error()})
		}
		return
	}
	defer l.Abort()
	select {
	case <-l.Lost():
	case <-over.Done():
	}
	d.mu.Lock()
	d.ways[process].link = nil
	d.mu.Unlock()
	for _, text := range l.Undelivered() {
		d.carrier.backlog.send(d.main, text)
	}
}

// introduction is what a process says when it dials that of another host. Where hosts have addresses in common, it may
// have got to a third one.
type introduction struct {
	From int `json:"from"`
	To   int `json:"to"`
}

func (d *direct) dial(over context.Context, process int) (*link.Link, error) {
	ctx, cancel := context.WithTimeout(over, connecting)
	defer cancel()
	addresses := d.ways[process].addresses
	if len(addresses) == 0 {
		return nil, errors.New("it listens at no address")
	}
	hello, err := json.Marshal(introduction{From: d.self, To: process})
	if err != nil {
		return nil, err
	}
	return link.Options{Grace: directGrace}.Dial(ctx, d.key, addresses, d.version, hello)
}

// accept takes in what the process of another host sends.
func (d *direct) accept(l *link.Link) {
	defer l.Abort()
	select {
	case <-d.begun: // whoever knows already whom to tell something may be faster than the supervisor's process
	case <-d.over.Done():
		return
	}
	var i introduction
	if json.Unmarshal(l.Hello(), &i) != nil || i.To != d.self {
		return
	}
	for {
		text, err := l.Receive()
		if err != nil {
			return
		}
		if !isMessage(text) {
			return
		}
		if err := d.carrier.receive(text); err != nil {
			d.broken(err)
			return
		}
	}
}

// forget ends the link to a process that the root has lost.
func (d *direct) forget(process int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if process < 0 || process >= len(d.ways) {
		return
	}
	w := &d.ways[process]
	w.tried = true
	if w.leave != nil {
		w.leave()
	}
}
