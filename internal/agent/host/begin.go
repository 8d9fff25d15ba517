package host

import (
	"unknot/internal/agent"
	"unknot/internal/agent/kernel"
	"unknot/internal/agent/proto"
	"unknot/internal/check/registry"
	"unknot/internal/model/objects"
	"unknot/internal/root/detect"
	"unknot/internal/root/tree"
	"unknot/internal/trace"
	tracefile "unknot/internal/trace/file"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// start starts the root and the agents of the supervisor's host. It is settled who watches whom.
func (p *process) start(l layout, library string, hosts []string) {
	_ = p.out.Send(proto.Message{Type: proto.Hello, MPI: library, Ranks: l.Size, Hosts: hosts})
	p.beginTrace(l.Size, library)
	p.root = detect.New(p.net.Member(tree.Root), p.out, l.Size, p.rootOptions(&l), p.table)
	go func() {
		defer p.net.Member(tree.Root).Close()
		p.root.Run()
	}()
	p.startAgents(l, supervisorsHost)
}

// settle makes this process's part of the network, now that it is known who watches whom.
func (p *process) settle(l layout, self int) {
	p.home = l.homes()
	if c := p.carrier(); c != nil {
		p.net = c.begin(&l, self)
	} else {
		p.net = network(p.table, l.shape())
	}
}

// carrier takes messages to other processes; nil if there may be none.
func (p *process) carrier() *carrier {
	switch {
	case p.hosts != nil:
		return p.hosts.carrier
	case p.node != nil:
		return p.node.carrier
	}
	return nil
}

// startAgents starts the agents of this process and gives them the rings that have waited for them.
func (p *process) startAgents(l layout, self int) {
	for i, s := range l.Agents {
		if s.Process != self {
			continue
		}
		a := agent.New(p.net.Member(i), p.table, p.world, agent.Ranks{Home: p.home, Spread: l.spread(i)}, p.opts)
		a.Record(p.trace)
		if p.node != nil {
			a.KeepShare()
		}
		a.NoRoom(func() bool {
			n, _ := p.session.Failed()
			return n > 0
		})
		p.boxes[i] = a.Instructions()
		p.run(i, a.Run)
	}
	p.startRelays(&l, self)
	parked := p.parked
	p.parked = nil
	for _, a := range parked {
		p.adopt(a)
	}
}

// startRelays starts the relays of this process.
func (p *process) startRelays(l *layout, self int) {
	shape := l.shape()
	for id := len(l.Agents); id < shape.Members(); id++ {
		if l.Agents[shape.First(id)].Process != self {
			continue
		}
		p.run(id, detect.NewRelay(p.net.Member(id), p.net.Shape().Level(id)).Run)
	}
}

// run runs an agent or relay.
func (p *process) run(id int, loop func()) {
	done := make(chan struct{})
	p.agents[id] = done
	go func() {
		defer close(done)
		defer p.net.Member(id).Close()
		loop()
	}()
}

// rootOptions are those of the options that the root needs, and who watches whom.
func (p *process) rootOptions(l *layout) detect.Options {
	o := detect.Options{Leave: p.opts.OnDeadlock == "leave", Log: p.opts.Logs("detect"),
		Checks: registry.Chosen(p.opts.Checks), Host: kernel.Hostname(), Stall: p.opts.Stall}
	if p.hosts != nil {
		o.HostOf = p.hosts.hostOf
	}
	if len(l.Agents) > 1 {
		o.Watched = func(agent int) op.Ranks { return l.Agents[agent].Ranks }
	}
	return o
}

// network links the members of a job on one host. Where there are several agents, messages between them become bytes on
// the way, as between hosts.
func network(table *mpi.T, s tree.Shape) *tree.Network[message.Message] {
	if s.Agents == 1 {
		return tree.New[message.Message](s, nil)
	}
	format := message.NewFormat(table)
	return tree.New(s, func(int, int) tree.Link[message.Message] { return format.Link() })
}

// beginTrace says in the trace what is run.
func (p *process) beginTrace(size int, library string) {
	if p.trace == nil {
		return
	}
	head := p.opts.Head
	head.Ranks, head.MPI = size, library
	p.trace.Head(head)
	world := tracefile.Comm{Comm: trace.Comm{ID: objects.WorldID, Name: "MPI_COMM_WORLD"}}
	for r := range size {
		world.Members = append(world.Members, op.Rank(r))
	}
	p.trace.Comm(world)
}

// endTrace closes the trace; why says what keeps it from being the whole run.
func (p *process) endTrace(why string) {
	if p.trace == nil {
		return
	}
	if p.net == nil {
		why = "the program never called MPI_Init"
	}
	err := p.trace.Close(why)
	if err == nil && p.hosts != nil && p.net != nil && !p.opts.TraceParts {
		err = p.hosts.joinTraces(p.opts.Trace)
	}
	if err != nil {
		p.note(err.Error())
	}
}
