package host

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"unknot/internal/agent"
	"unknot/internal/agent/kernel"
	"unknot/internal/observe/ring"
	"unknot/internal/root/link"
	"unknot/internal/say/explain"
	tracefile "unknot/internal/trace/file"
	"unknot/internal/upc/reports"
	"unknot/internal/upc/streams"
)

// Join is the agent process of a host on which ranks have found no session. It joins the job, makes the session, and
// watches until the supervisor's process says that the job has ended, or cannot be reached any more.
func Join(ctx context.Context, j Joining) error {
	kernel.RaisePriority()
	d := newDirect(&j)
	defer d.close()
	l, w, err := j.enter(ctx, greeting{Addresses: d.addresses()})
	if err != nil {
		return err
	}
	defer l.Abort()
	d.main = l
	session, err := ring.NewSession(ring.Options{Dir: j.Session, Sent: w.Sent, Slowdown: w.Slowdown,
		Fold: w.Options.Fold(), EachSpin: w.Options.Trace != ""})
	if err != nil {
		return err
	}
	defer session.Remove()
	o := w.Options
	o.Session = j.Session
	p, err := newProcess(o, agent.Living())
	if err != nil {
		return err
	}
	defer p.close()
	if o.Trace != "" {
		if p.trace, err = tracefile.Create(traceIn(j.Session), o.Head); err != nil {
			return err
		}
	}
	if err := reports.Prepare(j.Session); err != nil {
		return err
	}
	if o.Recording != "" {
		if err := streams.Mark(j.Session, o.Recording); err != nil {
			return err
		}
	}
	n := &node{p: p, link: l, copier: reports.NewCopier(j.Session), records: newCopying(j.Session), over: j.Over,
		direct: d, carrier: newCarrier(p.table, d.send)}
	n.alone.threads = reports.NewKeeper(j.Session)
	p.node = n
	n.use(d)
	j.Ready()
	return n.watch(ctx)
}

// entering is for how long the link may be down before the supervisor's process has said anything. If it has just left
// as the job is over, it may have accepted a link and will never say more.
const entering = 5 * time.Second

// enter makes the link to the supervisor's process, and waits until that welcomes this one.
func (j *Joining) enter(ctx context.Context, g greeting) (*link.Link, *welcome, error) {
	l, err := j.dial(ctx, link.Options{Grace: entering}, g)
	if err != nil {
		return nil, nil, err
	}
	w, err := welcomed(l)
	if err != nil {
		l.Abort()
		return nil, nil, err
	}
	l.SetGrace(w.Options.LinkTimeout)
	return l, w, nil
}

// dial makes a link to the supervisor's process, and says who dials.
func (j *Joining) dial(ctx context.Context, o link.Options, g greeting) (*link.Link, error) {
	g.Host, g.ID = kernel.Hostname(), j.ID
	return o.Dial(ctx, j.Key, j.Addresses, j.Version, g.text())
}

// Mourn tells the supervisor's process how the agent process of this host has ended, which it would else notice only
// when nobody has answered for a while.
func Mourn(ctx context.Context, j Joining, how string) error {
	l, err := j.dial(ctx, link.Options{}, greeting{Died: how})
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

// watch watches the ranks of this host until the job has ended, or nobody is left to hear it.
func (n *node) watch(ctx context.Context) error {
	go func() {
		err := n.receive()
		n.p.events.Put(func() { n.lost = fmt.Errorf("%w: %v", errOrphan, err) })
	}()
	copying, stop := context.WithCancel(ctx)
	defer stop()
	go func() {
		n.records.copyTo(copying, n.link, func(text string) { n.p.events.Put(func() { n.note(text) }) })
		n.p.events.Put(func() {}) // wakes who waits for it
	}()
	n.p.follow(ctx, func() bool {
		n.tellFinal()
		n.tellThreads()
		n.feel()
		return n.p.ended || n.orphan()
	})
	if n.p.ended {
		killed := make(chan int, 1)
		go func() { killed <- n.endRanks() }()
		n.finish(ctx)
		if k := <-killed; k > 0 {
			n.note(explain.Outlived(k))
		}
	}
	if err := cmp.Or(n.lost, ctx.Err()); err != nil {
		stop()
		n.link.Abort()
		n.outlive(ctx)
		n.p.quit()
		return err
	}
	return n.leave()
}

// endRanks ends the ranks of this host that outlive the launcher, and says how many. Slurm does that itself, and there
// ranks wait for this process.
func (n *node) endRanks() int {
	if underSlurm() {
		return 0
	}
	return n.over()
}

// tellFinal says once that all ranks of the host have returned from MPI_Finalize, where they wait for that to be known:
// see join.c.
func (n *node) tellFinal() {
	if !n.p.final && underSlurm() && n.p.net != nil && n.p.allFinal() {
		n.p.final = true
		(&control{Final: true}).send(n.link)
	}
}

// use has the links to other hosts say here what is wrong with them.
func (n *node) use(d *direct) {
	d.carrier = n.carrier
	d.noWay = func(w noWay) {
		n.p.events.Put(func() {
			if !n.p.ended {
				(&control{NoWay: &w}).send(n.link)
			}
		})
	}
	d.broken = func(err error) { n.p.events.Put(func() { n.lost = err }) }
	if d.hub == nil {
		return
	}
	go func() {
		for why := range d.hub.Refused() {
			n.p.events.Put(func() { n.note(why) })
		}
	}()
}

// orphan says whether nobody is left who could use what this process knows.
func (n *node) orphan() bool {
	if n.lost == nil && n.isolated() {
		n.lost = errOrphan
	}
	return n.lost != nil
}

// isolated says whether nothing is left to watch, and nobody who could hear of it: all ranks have ended, and the link
// has been down for a moment.
func (n *node) isolated() bool {
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
	c, err := n.carrier.take(text)
	if c == nil {
		return err
	}
	done := make(chan struct{})
	n.p.events.Put(func() {
		defer close(done)
		switch {
		case c.Begin != nil && n.p.net == nil && c.Begin.Layout.valid():
			n.begin(c.Begin)
		case c.Who:
			n.p.discover()
			(&control{Listed: true}).send(n.link)
		case c.Ended:
			n.p.ended = true
		case c.Gone > 0:
			n.carrier.forget(c.Gone)
			n.direct.forget(c.Gone)
		case c.Taken:
			n.records.taken <- struct{}{}
		case c.Look > 0:
			(&control{Told: &threadsTold{Look: c.Look, Copy: n.copier.Take()}}).send(n.link)
		}
	})
	<-done // what follows may be for the agents
	return nil
}

// begin starts the agents of this host.
func (n *node) begin(b *begin) {
	n.alone.begun = b
	n.p.settle(b.Layout, b.Self)
	n.direct.begin(b.Listen, b.Self)
	n.p.beginTrace(b.Layout.Size, b.Library)
	n.p.startAgents(b.Layout, b.Self)
}

// here tells of a rank of this host.
func (n *node) here(h *here) { (&control{Here: h}).send(n.link) }

func (n *node) note(text string) {
	n.alone.notes = append(n.alone.notes, text)
	(&control{Note: text}).send(n.link)
}

// sendTrace gives what was recorded to the supervisor's process.
func (n *node) sendTrace() error {
	if n.p.trace == nil || n.p.net == nil {
		return nil
	}
	if err := n.p.trace.Close(""); err != nil {
		return err
	}
	if o := &n.p.opts; o.TraceParts {
		return copied(n.tracePath(), o.Trace+"."+kernel.Hostname())
	}
	text, err := os.ReadFile(n.tracePath())
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

// finish reads what is left, and has the agents answer the root until it has judged it.
func (n *node) finish(ctx context.Context) {
	n.p.discover()
	n.records.finish()
	n.p.follow(ctx, func() bool { return n.records.over() || n.orphan() })
	all := n.p.last()
	all.Told = n.copier.Take()
	(&control{Last: &all}).send(n.link)
	if n.p.net == nil {
		return
	}
	n.p.endAgents()
	go func() {
		n.p.awaitAgents()
		n.p.events.Put(func() { n.through = true })
	}()
	n.p.follow(ctx, func() bool { return n.through || n.orphan() })
}

// leave says goodbye.
func (n *node) leave() error {
	err, most := n.sendTrace(), closing
	if n.p.trace != nil {
		most = closingSlow
	}
	return errors.Join(err, n.link.Close(most))
}
