package agent

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"unknot/internal/decode"
	"unknot/internal/link"
	"unknot/internal/ring"
	tracefile "unknot/internal/trace/file"
)

// Joining is what the agent process of another host than the supervisor's is started with.
type Joining struct {
	Session   string   // the directory to make, which is the supervisor's
	ID        string   // of the agent process among those of the job, which its guard has chosen
	Key       string   // of the job's links
	Addresses []string // of the supervisor's host
	Version   string   // of unknot
	Ready     func()   // called once probes may use the session
}

// node is the agent process of another host.
type node struct {
	p       *process
	link    *link.Link
	carrier *carrier
	self    int
	ended   bool
	final   bool // it has said that all ranks of the host have returned from MPI_Finalize
}

// Join is the agent process of a host on which ranks have found no session. It joins the job, makes the session, and watches until the
// supervisor's process says that the job has ended, or cannot be reached any more.
func Join(ctx context.Context, j Joining) error {
	raisePriority()
	key, err := link.ParseKey(j.Key)
	if err != nil {
		return err
	}
	l, err := link.Dial(ctx, key, j.Addresses, j.Version, greeting{Host: hostname(), ID: j.ID}.text())
	if err != nil {
		return err
	}
	defer l.Abort()
	w, err := welcomed(l)
	if err != nil {
		return err
	}
	session, err := ring.NewSession(ring.Options{Dir: j.Session, Sent: w.Sent})
	if err != nil {
		return err
	}
	defer session.Remove()
	o := w.Options
	o.Session = j.Session
	p, err := newProcess(o, Living())
	if err != nil {
		return err
	}
	defer p.close()
	if o.Trace != "" {
		if p.trace, err = tracefile.Create(filepath.Join(j.Session, "trace"), o.Head); err != nil {
			return err
		}
	}
	n := &node{p: p, link: l}
	p.node = n
	j.Ready()
	return n.watch(ctx)
}

// Mourn tells the supervisor's process how the agent process of this host has ended, which it would else notice only when nobody has answered
// for a while.
func Mourn(ctx context.Context, j Joining, how string) error {
	key, err := link.ParseKey(j.Key)
	if err != nil {
		return err
	}
	l, err := link.Dial(ctx, key, j.Addresses, j.Version, greeting{Host: hostname(), ID: j.ID, Died: how}.text())
	if err != nil {
		return err
	}
	return l.Close(closing)
}

// welcomed is the first that the supervisor's process says.
func welcomed(l *link.Link) (*welcome, error) {
	text, err := l.Receive()
	if err != nil {
		return nil, err
	}
	if len(text) == 0 || text[0] != carriesControl {
		return nil, errUnreadable
	}
	c, err := readControl(text)
	if err == nil && c.Welcome == nil {
		err = errUnreadable
	}
	if err != nil {
		return nil, err
	}
	return c.Welcome, nil
}

// errOrphan is how watching ends where the supervisor's process is not there any more.
var errOrphan = errors.New("the supervisor's host cannot be reached any more")

// watch is the main loop.
func (n *node) watch(ctx context.Context) error {
	lost := make(chan error, 1)
	go func() { lost <- n.receive() }()
	every := discoverFirst
	tick := time.NewTicker(every)
	defer tick.Stop()
	for !n.ended {
		select {
		case <-tick.C:
			n.p.discover()
			if n.forsaken() {
				return errOrphan
			}
			n.tellFinal()
			if next := n.p.discoverNext(); next != every {
				every = next
				tick.Reset(every)
			}
		case <-n.p.events.Wake():
			n.p.handle()
		case err := <-lost:
			return fmt.Errorf("%w: %v", errOrphan, err)
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return n.finish()
}

// tellFinal says once that all ranks of the host have returned from MPI_Finalize, where they wait for that to be known: see join.c.
func (n *node) tellFinal() {
	if !n.final && os.Getenv("SLURM_JOB_ID") != "" && n.p.net != nil && n.p.allFinal() {
		n.final, n.p.final = true, true
		(&control{Final: true}).send(n.link)
	}
}

// forsaken says whether nothing is left to watch, and nobody to be told of it: all ranks have ended, and the link has been down for a moment.
func (n *node) forsaken() bool {
	const moment = 2 * time.Second
	since, down := n.link.Down()
	if !down || time.Since(since) < moment {
		return false
	}
	for pid := range n.p.main {
		if !n.p.world.Processes.Gone(pid) {
			return false
		}
	}
	return true
}

// receive takes in what the supervisor's process says and hands on, until the link ends.
func (n *node) receive() error {
	for {
		text, err := n.link.Receive()
		if err != nil {
			return err
		}
		if err := n.take(text); err != nil {
			return err
		}
	}
}

func (n *node) take(text []byte) error {
	switch {
	case len(text) == 0:
		return errUnreadable
	case text[0] == carriesMessage && n.carrier != nil:
		return n.carrier.receive(text)
	case text[0] != carriesControl:
		return errUnreadable
	}
	c, err := readControl(text)
	if err != nil {
		return err
	}
	done := make(chan struct{})
	n.p.events.Put(func() {
		defer close(done)
		switch {
		case c.Begin != nil && n.p.net == nil && c.Begin.Layout.valid():
			n.begin(c.Begin)
		case c.Ended:
			n.ended = true
		}
	})
	<-done // what follows may be for the agents
	return nil
}

// begin starts the agents of this host.
func (n *node) begin(b *begin) {
	n.self = b.Self
	n.carrier = newCarrier(n.self, n.p.table, func(int) *link.Link { return n.link })
	n.p.settle(b.Layout)
	n.p.beginTrace(b.Layout.Size, b.Library)
	n.p.startAgents(b.Layout, n.self)
}

// here tells of a rank of this host.
func (n *node) here(h *decode.Hello) {
	(&control{Here: &here{Rank: h.Rank, Size: h.Size, Library: library(h.Library)}}).send(n.link)
}

func (n *node) note(text string) { (&control{Note: text}).send(n.link) }

// sendTrace gives what was recorded to the supervisor's process.
func (n *node) sendTrace() error {
	if n.p.trace == nil || n.p.net == nil {
		return nil
	}
	if err := n.p.trace.Close(""); err != nil {
		return err
	}
	text, err := os.ReadFile(filepath.Join(n.p.opts.Session, "trace"))
	if err == nil {
		n.link.Send(link.Bulk, (&control{Trace: text}).bytes())
	}
	return err
}

// How long what was said last may take to arrive; and if it is a trace.
const (
	closing     = 10 * time.Second
	closingSlow = 50 * time.Second
)

// finish reads what is left, has the agents answer the root until it has judged it, and ends.
func (n *node) finish() error {
	n.p.discover()
	all := n.p.last()
	(&control{Last: &all}).send(n.link)
	if n.p.net != nil {
		n.p.endAgents()
		n.p.awaitAgents()
	}
	err, most := n.sendTrace(), closing
	if n.p.trace != nil {
		most = closingSlow
	}
	return errors.Join(err, n.link.Close(most))
}

// hostname is what this host is called.
func hostname() string {
	h, err := os.Hostname()
	if err != nil {
		return "localhost"
	}
	return h
}
