package agent

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"unknot/internal/agent/proto"
	"unknot/internal/check/registry"
	"unknot/internal/detect"
	"unknot/internal/explain"
	"unknot/internal/message"
	"unknot/internal/mpi"
	"unknot/internal/objects"
	"unknot/internal/op"
	"unknot/internal/ring"
	"unknot/internal/symbol"
	"unknot/internal/trace"
	tracefile "unknot/internal/trace/file"
	"unknot/internal/tree"
)

// Main is the agent process: it watches the session until the supervisor says that the job has ended, or its input ends.
// Findings and progress go to out as proto messages.
func Main(ctx context.Context, o Options, in io.Reader, out io.Writer) error {
	raisePriority()
	table, err := mpi.Load()
	if err != nil {
		return fmt.Errorf("table of MPI functions: %w", err)
	}
	defer runtime.KeepAlive(newReserve())
	session, err := ring.OpenSession(o.Session)
	if err != nil {
		return err
	}
	defer session.Close()
	if o.LivelockTimeout <= 0 {
		o.LivelockTimeout = 30 * time.Second
	}
	p := &process{opts: o, table: table, session: session, out: proto.NewWriter(out), resolve: symbol.New(),
		main: make(map[int]op.Rank), waiting: make(map[int][]*ring.Ring), refused: make(map[int]bool), ends: newEnds()}
	defer p.resolve.Close()
	if o.Trace != "" {
		if p.trace, err = tracefile.Create(o.Trace, o.Head); err != nil {
			return err
		}
	}
	if err := p.out.Send(proto.Message{Type: proto.Ready}); err != nil {
		return fmt.Errorf("supervisor: %w", err)
	}
	ended := make(chan int, 1)
	go listen(in, ended)
	return p.watch(ctx, ended)
}

// listen waits for the supervisor's word that the job has ended, or for the end of its input.
func listen(in io.Reader, ended chan<- int) {
	r := proto.NewReader(in)
	for {
		m, err := r.Receive()
		if err != nil {
			ended <- -1
			return
		}
		if m.Type == proto.Ended {
			ended <- m.Exit
			return
		}
	}
}

// process is the agent process of one node: it finds new rings and gives them to agents.
type process struct {
	opts    Options
	table   *mpi.T
	session *ring.Session
	out     *proto.Writer
	resolve *symbol.Resolver

	net     *tree.Network[message.Message]
	root    *detect.Root
	boxes   []*tree.Box[word] // of the agents
	agents  []chan struct{}   // closed when an agent has ended
	size    int
	main    map[int]op.Rank      // world rank by process id
	waiting map[int][]*ring.Ring // rings whose process has not said who it is
	refused map[int]bool         // processes that are not watched: their rings are read by nobody
	ranks   map[op.Rank]int      // process id by world rank
	noted   map[string]bool
	ends    *ends
	trace   *tracefile.Writer // nil if none is asked for
}

// How often new rings are looked for: before the first, as a probe may have to be built and a launcher to start; while the other
// ranks are expected; and later on, when only threads may come.
const (
	discoverFirst   = 10 * time.Millisecond
	discoverRanks   = 2 * time.Millisecond
	discoverThreads = 20 * time.Millisecond
)

func (p *process) watch(ctx context.Context, ended <-chan int) error {
	every := discoverFirst
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			p.discover()
			if next := p.discoverNext(); next != every {
				every = next
				tick.Reset(every)
			}
		case <-ctx.Done():
			return p.finish()
		case <-ended:
			return p.finish()
		}
	}
}

func (p *process) discoverNext() time.Duration {
	switch {
	case p.size == 0 && len(p.waiting) == 0:
		return discoverFirst
	case p.size == 0 || len(p.ranks) < p.size:
		return discoverRanks
	}
	return discoverThreads
}

// discover takes in the rings that have appeared.
func (p *process) discover() {
	p.ends.collect()
	rings, err := p.session.Discover()
	if err != nil {
		p.note(err.Error())
	}
	for _, r := range rings {
		if r.Thread == 0 { // another process of that number may have been there before, or another program (execve)
			delete(p.main, r.PID)
			delete(p.refused, r.PID)
		}
		p.waiting[r.PID] = append(p.waiting[r.PID], r)
		if r.Thread == 0 {
			p.ends.add(r.PID)
		}
	}
	for _, pid := range p.session.Unread() {
		p.lose(pid, err)
	}
	// The first world is the job's: of processes that are found together, those that were started first mostly have the lower numbers.
	for _, pid := range slices.Sorted(maps.Keys(p.waiting)) {
		p.introduce(pid, p.waiting[pid])
	}
}

// lose is for a process one of whose rings cannot be read.
func (p *process) lose(pid int, err error) {
	if rank, known := p.main[pid]; known {
		p.boxes[p.home(rank)].Put(word{&adoption{hello: hello{rank: rank}, damage: err}})
		return
	}
	p.refused[pid] = true
}

// introduce hands the rings of a process to its agent once the process has said which rank it is.
func (p *process) introduce(pid int, list []*ring.Ring) {
	rank, known := p.main[pid]
	h := hello{rank: rank}
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
		p.boxes[p.home(h.rank)].Put(word{&adoption{ring: r, hello: h}})
	}
}

// enrol makes a process the one of its rank; false if it is of another MPI_COMM_WORLD than the job's first.
func (p *process) enrol(pid int, h hello) bool {
	if p.net == nil {
		p.start(h)
	}
	if _, taken := p.ranks[h.rank]; taken || h.size != p.size || h.rank < 0 || int(h.rank) >= p.size {
		p.note("some processes are not part of the job's first MPI_COMM_WORLD (MPI_Comm_spawn, or a second MPI program) and are not watched")
		return false
	}
	p.main[pid], p.ranks[h.rank] = h.rank, pid
	return true
}

// hear looks at the first record of a process's first ring without taking it; false if that is not there yet. An error says that it never
// will be.
func (p *process) hear(list []*ring.Ring) (hello, bool, error) {
	for _, r := range list {
		if r.Thread != 0 {
			continue
		}
		rec, ok, err := r.Peek()
		if err == nil && ok && (rec.Kind != ring.Data || ring.DataID(rec.Func) != ring.DataHello) {
			err = fmt.Errorf("ring %s: its first record has kind %d and function %d, expected %d and %d", r.Path, rec.Kind, rec.Func, ring.Data, ring.DataHello)
		}
		if err != nil || !ok {
			return hello{}, false, err
		}
		w := words(rec.Words)
		h := hello{rank: op.Rank(int32(w.next())), size: int(int32(w.next())), level: int64(w.next()), tagUB: int64(w.next())}
		h.python = w.next() == 1
		h.library = w.text()
		return h, true, nil
	}
	return hello{}, false, nil
}

// home is the agent of a rank.
func (p *process) home(r op.Rank) int {
	if n := p.opts.RanksPerAgent; n > 0 {
		return int(r) / n
	}
	return 0
}

// start makes the agents and the root, now that the size of the job is known.
func (p *process) start(h hello) {
	p.size = h.size
	p.ranks = make(map[op.Rank]int)
	p.net = network(p.table, p.home(op.Rank(h.size-1))+1)
	_ = p.out.Send(proto.Message{Type: proto.Hello, MPI: library(h.library), Ranks: h.size, Host: hostname()})
	p.beginTrace(h)
	p.root = detect.New(p.net.Member(tree.Root), p.out, h.size, p.rootOptions(), p.table)
	go p.root.Run()
	for i := range p.net.Agents() {
		a := newAgent(p.net.Member(i), p.table, p.resolve, p.home, p.opts)
		a.ends, a.rec = p.ends, newRecorder(a, p.trace)
		a.noRoom = func() bool {
			n, _ := p.session.Failed()
			return n > 0
		}
		p.boxes = append(p.boxes, a.process)
		done := make(chan struct{})
		p.agents = append(p.agents, done)
		go func() {
			defer close(done)
			a.run()
		}()
	}
}

// rootOptions are those of the options that the root is told.
func (p *process) rootOptions() detect.Options {
	return detect.Options{Leave: p.opts.OnDeadlock == "leave", Log: p.opts.logs("detect"), Checks: registry.Chosen(p.opts.Checks), Host: hostname()}
}

// network links the members of a job. Where there are several agents, messages between them take the way that they take between hosts.
func network(table *mpi.T, agents int) *tree.Network[message.Message] {
	if agents == 1 {
		return tree.New[message.Message](1, nil)
	}
	format := message.NewFormat(table)
	return tree.New(agents, func() tree.Link[message.Message] { return format.Link() })
}

// beginTrace says in the trace what is run.
func (p *process) beginTrace(h hello) {
	if p.trace == nil {
		return
	}
	head := p.opts.Head
	head.Ranks, head.MPI = h.size, library(h.library)
	p.trace.Head(head)
	world := tracefile.Comm{Comm: trace.Comm{ID: objects.WorldID, Name: "MPI_COMM_WORLD"}}
	for r := range h.size {
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
	if err := p.trace.Close(why); err != nil {
		p.note(err.Error())
	}
}

// note tells the supervisor something that the user should know, once.
func (p *process) note(text string) {
	if p.noted == nil {
		p.noted = make(map[string]bool)
	}
	if !p.noted[text] {
		p.noted[text] = true
		_ = p.out.Send(proto.Message{Type: proto.Note, Text: text})
	}
}

// finish reads what is left, lets the root judge it, and says the last word.
func (p *process) finish() error {
	p.discover()
	last := p.outside()
	m := proto.Message{Type: proto.Done, Complete: true}
	if p.net != nil {
		for _, box := range p.boxes {
			box.Put(word{})
		}
		p.root.Finish(last)
		p.root.Wait()
		for _, a := range p.agents {
			<-a
		}
		m.Calls, m.Complete, m.Why = p.root.Verdict(len(p.ranks))
	}
	if n, errno := p.session.Failed(); n > 0 {
		m.Complete = false
		m.Why = explain.NoRoom(n, filepath.Dir(p.session.Dir), errno)
	}
	p.endTrace(m.Why)
	if err := p.out.Send(m); err != nil {
		return errors.New("the supervisor is gone")
	}
	return nil
}
