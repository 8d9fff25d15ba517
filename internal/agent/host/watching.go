package host

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"unknot/internal/agent"
	"unknot/internal/agent/kernel"
	"unknot/internal/agent/proto"
	"unknot/internal/observe/decode"
	"unknot/internal/observe/ring"
	"unknot/internal/root/tree"
	"unknot/internal/say/explain"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

func emptyProcess(o agent.Options, table *mpi.T, session *ring.Session, world agent.World) *process {
	return &process{opts: o, table: table, session: session, world: world, events: tree.NewBox[func()](),
		team: team{boxes: make(map[int]*tree.Box[agent.Instruction]), agents: make(map[int]chan struct{})},
		census: census{main: make(map[int]op.Rank), waiting: make(map[int][]*ring.Ring), refused: make(map[int]bool),
			ranks: make(map[op.Rank]int)}}
}

// How often new rings are looked for, besides when a probe rings the bell: before the first, as a probe may have to be
// built and a launcher to start, and with several hosts until all have been heard of; then with these; on one host while
// the other ranks are expected, and later on, when only threads may come.
const (
	discoverFirst   = 10 * time.Millisecond
	discoverHosts   = 50 * time.Millisecond
	discoverRanks   = 2 * time.Millisecond
	discoverThreads = 250 * time.Millisecond
)

// watch watches the job from the supervisor's host.
func (p *process) watch(ctx context.Context) error {
	p.follow(ctx, func() bool {
		if p.hosts != nil {
			p.hosts.tick()
			p.final = p.hosts.through()
		}
		return p.ended || p.final
	})
	// Linux ends this process by a signal when the supervisor's is killed (agentprocess.go), which may come before the
	// end of its input.
	p.orphan = p.orphan || ctx.Err() != nil
	return p.finish()
}

// follow is the main loop: it takes in new rings, and does what other goroutines have for it, until it is over.
func (p *process) follow(ctx context.Context, over func() bool) {
	every := discoverFirst
	tick := time.NewTicker(every)
	defer tick.Stop()
	for !over() {
		select {
		case <-tick.C:
			p.discover()
			if next := p.discoverNext(); next != every {
				every = next
				tick.Reset(every)
			}
		case <-p.events.Wake():
			p.handle()
			p.answer()
		case <-ctx.Done():
			return
		}
	}
}

// hearken has the main loop look around when a probe rings the bell, until the process is closed.
func (p *process) hearken() {
	defer close(p.deaf)
	for seen := p.session.Bell(); !p.closing.Load(); {
		p.world.Await(p.session, seen)
		if now := p.session.Bell(); now != seen {
			seen = now
			p.events.Nudge()
		}
	}
}

// answer looks for new rings, and wakes the agents, if a probe has rung the bell.
func (p *process) answer() {
	now := p.session.Bell()
	if now == p.rung {
		return
	}
	p.rung = now
	p.discover()
	for _, b := range p.boxes {
		b.Nudge()
	}
}

// handle does what other goroutines have for the main loop.
func (p *process) handle() {
	for _, do := range p.events.Take(nil) {
		do()
	}
}

// close unmaps the rings and the session. Nobody reads them any more.
func (p *process) close() {
	if p.deaf != nil {
		p.closing.Store(true)
		p.session.Ring()
		<-p.deaf
	}
	p.logUse()
	for _, r := range p.opened {
		r.Close()
	}
	p.session.Close()
	p.world.Symbols.Close()
}

// logUse writes what the process has used of a processor, and how much has come through its rings.
func (p *process) logUse() {
	if !p.opts.Logs("agent") {
		return
	}
	slots := uint64(0)
	for _, r := range p.opened {
		slots += r.Slots()
	}
	var used unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &used); err == nil {
		fmt.Fprintf(os.Stderr, "agent: %.3f s of a processor, %d bytes from %d rings\n",
			time.Duration(used.Utime.Nano()+used.Stime.Nano()).Seconds(),
			slots*ring.SlotSize, len(p.opened))
	}
}

func (p *process) discoverNext() time.Duration {
	several := p.hosts != nil || p.node != nil
	switch {
	case several && p.net == nil || p.size == 0 && len(p.waiting) == 0:
		return discoverFirst
	case several:
		return discoverHosts
	case p.net == nil || len(p.ranks) < p.size:
		return discoverRanks
	}
	return discoverThreads
}

// discover takes in the rings that have appeared.
func (p *process) discover() {
	p.world.Processes.Collect()
	rings, err := p.session.Discover()
	if err != nil {
		p.note(err.Error())
	}
	p.opened = append(p.opened, rings...)
	for _, r := range rings {
		if r.Thread == 0 { // another process of that number may have been there before, or another program (execve)
			delete(p.main, r.PID)
			delete(p.refused, r.PID)
		}
		p.waiting[r.PID] = append(p.waiting[r.PID], r)
		if r.Thread == 0 {
			p.world.Processes.Watch(r.PID)
		}
	}
	for _, pid := range p.session.Unread() {
		p.lose(pid, err)
	}
	// The first world is the job's: of processes that are found together, those that were started first mostly have the
	// lower numbers.
	for _, pid := range slices.Sorted(maps.Keys(p.waiting)) {
		p.introduce(pid, p.waiting[pid])
	}
}

// lose is for a process one of whose rings cannot be read.
func (p *process) lose(pid int, err error) {
	if rank, known := p.main[pid]; known {
		p.adopt(agent.Adoption{Hello: decode.Hello{Rank: rank}, Damage: err})
		return
	}
	p.refused[pid] = true
}

// introduce hands the rings of a process to its agent once the process has said which rank it is.
func (p *process) introduce(pid int, list []*ring.Ring) {
	rank, known := p.main[pid]
	h := decode.Hello{Rank: rank}
	if !known && !p.refused[pid] {
		heard, ok, err := p.hear(list)
		switch {
		case err != nil:
			p.note(err.Error())
			p.refused[pid] = true
		case !ok:
			return
		default:
			h = heard
			p.refused[pid] = !p.enrol(pid, h)
		}
	}
	delete(p.waiting, pid)
	if p.refused[pid] {
		for _, r := range list {
			r.Refuse()
			r.Close()
		}
		return
	}
	for _, r := range list {
		p.adopt(agent.Adoption{Ring: r, Hello: h})
	}
}

// adopt gives a ring to the agent of its rank, as soon as there is one.
func (p *process) adopt(a agent.Adoption) {
	if p.net == nil {
		p.parked = append(p.parked, a)
		return
	}
	p.boxes[p.home(a.Hello.Rank)].Put(agent.Instruction{Adopt: &a})
}

// enrol makes a process the one of its rank; false if it is of another MPI_COMM_WORLD than the job's first.
func (p *process) enrol(pid int, h decode.Hello) bool {
	if p.size == 0 {
		p.size = h.Size
	}
	if _, taken := p.ranks[h.Rank]; taken || h.Size != p.size || h.Rank < 0 || int(h.Rank) >= p.size ||
		!p.expected(h.Rank) {
		p.note(explain.OtherWorld())
		return false
	}
	p.main[pid], p.ranks[h.Rank] = h.Rank, pid
	switch {
	case p.node != nil:
		p.node.here(heard(&h))
	case p.hosts != nil:
		p.hosts.here(p.hosts.own(), heard(&h))
	case p.net == nil:
		l := alone(p.size, p.opts.RanksPerAgent)
		l.FanIn = p.opts.FanIn
		p.settle(l, supervisorsHost)
		p.start(l, mpi.LibraryName(h.Library), []string{kernel.Hostname()})
	}
	return true
}

// expected says whether a rank may be one of this process: when it is known who watches whom, a rank that comes later
// is nobody's unless it is the only process.
func (p *process) expected(r op.Rank) bool {
	return p.net == nil || p.boxes[p.home(r)] != nil
}

// hear looks at the first record of a process's first ring without taking it; false if that is not there yet. An error
// says that it never will be.
func (p *process) hear(list []*ring.Ring) (decode.Hello, bool, error) {
	for _, r := range list {
		if r.Thread != 0 {
			continue
		}
		rec, ok, err := r.Peek()
		if err == nil && ok && (rec.Kind != ring.Data || ring.DataID(rec.Func) != ring.DataHello) {
			err = fmt.Errorf("ring %s: its first record has kind %d and function %d, expected %d and %d", r.Path,
				rec.Kind, rec.Func, ring.Data, ring.DataHello)
		}
		if err != nil || !ok {
			return decode.Hello{}, false, err
		}
		return decode.ReadHello(rec.Words), true, nil
	}
	return decode.Hello{}, false, nil
}

// allFinal says whether all ranks of this process that are known have returned from MPI_Finalize.
func (p *process) allFinal() bool {
	for _, r := range p.opened {
		if _, known := p.main[r.PID]; known && r.Thread == 0 && !r.Final() {
			return false
		}
	}
	return len(p.main) > 0
}

// note tells the supervisor something that the user should know, once.
func (p *process) note(text string) {
	if p.noted == nil {
		p.noted = make(map[string]bool)
	}
	if p.noted[text] {
		return
	}
	p.noted[text] = true
	if p.node != nil {
		p.node.note(text)
		return
	}
	_ = p.out.Send(proto.Message{Type: proto.Note, Text: text})
}
