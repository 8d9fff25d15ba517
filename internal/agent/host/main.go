package host

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"time"

	"unknot/internal/agent"
	"unknot/internal/agent/kernel"
	"unknot/internal/agent/proto"
	"unknot/internal/observe/ring"
	tracefile "unknot/internal/trace/file"
	"unknot/internal/vocab/mpi"
)

// Main is the agent process of the host where the supervisor is: it watches the session until the supervisor says that
// the job has ended, or its input ends. Findings and progress go to out as proto messages.
func Main(ctx context.Context, o agent.Options, in io.Reader, out io.Writer) error {
	kernel.RaisePriority()
	defer runtime.KeepAlive(kernel.NewReserve())
	return Watch(ctx, o, agent.Living(), in, out)
}

// Watch is Main in a process that does other things too, with a world that may be another than the living one.
func Watch(ctx context.Context, o agent.Options, world agent.World, in io.Reader, out io.Writer) error {
	p, err := newProcess(o, world)
	if err != nil {
		return err
	}
	defer p.close()
	said := &transcript{to: out}
	p.out = proto.NewWriter(out)
	if len(o.Listen) > 0 {
		p.out = proto.NewWriter(said)
	}
	if o.Trace != "" {
		if p.trace, err = tracefile.Create(o.Trace, o.Head); err != nil {
			return err
		}
	}
	ready := proto.Message{Type: proto.Ready}
	if len(o.Listen) > 0 {
		if p.hosts, err = listenForHosts(p); err != nil {
			return err
		}
		defer p.hosts.close()
		ready.Addresses = p.hosts.hub.Addresses()
	}
	if err := p.out.Send(ready); err != nil {
		return fmt.Errorf("supervisor: %w", err)
	}
	go p.listen(in)
	return errors.Join(p.watch(ctx), p.keepUnsent(said))
}

// newProcess opens the session of a process.
func newProcess(o agent.Options, world agent.World) (*process, error) {
	table, err := mpi.Load()
	if err != nil {
		return nil, fmt.Errorf("table of MPI functions: %w", err)
	}
	session, err := ring.OpenSession(o.Session)
	if err != nil {
		return nil, err
	}
	if o.LivelockTimeout <= 0 {
		o.LivelockTimeout = 30 * time.Second
	}
	world.Symbols.Own(o.Owners)
	p := emptyProcess(o, table, session, world)
	if world.Await != nil {
		p.deaf = make(chan struct{})
		go p.hearken()
	}
	return p, nil
}

// survey has it reported where the ranks are, as a signal is about to end the run.
func (p *process) survey(signal string) {
	if p.root == nil || p.ended || p.final {
		_ = p.out.Send(proto.Message{Type: proto.Surveyed})
		return
	}
	p.root.Survey(signal)
}

// listen waits for the supervisor's word that the job has ended, or for the end of its input.
func (p *process) listen(in io.Reader) {
	r := proto.NewReader(in)
	for {
		m, err := r.Receive()
		switch {
		case err != nil || m.Type == proto.Ended:
			p.events.Put(func() { p.ended, p.orphan, p.exit = true, err != nil || m.Ours, m.Exit })
			return
		case m.Type == proto.Survey:
			p.events.Put(func() { p.survey(m.Text) })
		}
	}
}
