package exact

import (
	"fmt"

	"unknot/internal/trace"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// none stands for no part, lane or group.
const none = int32(-1)

// keeping says whether a send completes without its receiver.
type keeping uint8

const (
	never   keeping = iota // it waits for its receive
	perhaps                // as MPI likes
	always
)

// part is a trace.Part with what it takes to match it.
type part struct {
	thread, index int32 // where it is in the log
	op            int32 // the call that started it
	kind          op.PartKind
	keeps         keeping // Send
	contested     bool    // Recv, Probe: whom it meets is a matter of timing
	any           bool    // Recv, Probe: from any source
	tag           int32
	box           int32 // messages to one rank in one communicator
	lane          int32 // the row of parts that it stands in, and
	pos           int32 // its place there
	sig           int32 // what it fits is the same for all of one signature
	nth           int32 // sends or receives of its signature before it
	hold          int32 // Recv, Probe: its thread does not get past this call before it has met
	group         int32 // Coll
	over          int32 // number of its bit in state.over, if some call reports it at will and another waits for it too
}

// lane is a row of parts of one thread that cannot overtake each other: the sends to one box, or the receives and
// probes there that name the same source or none.
type lane struct {
	thread int32
	source op.Rank // of the messages; op.AnySource for a lane of wildcards
	parts  []int32
}

// box is where messages to one rank in one communicator wait for receives.
type box struct {
	to           op.Rank
	sends, recvs []int32   // lanes
	threads      [][]int32 // the lanes in recvs, by receiving thread
}

// group is one collective.
type group struct {
	comm  int32
	parts []int32 // of the members that take part in the log
	size  int
}

// model is a log made ready.
type model struct {
	log     *trace.Log
	rows    []*mpi.Func // of the log's functions
	options Options
	threads
	parts []part
	endpoints
	groups []group
	overs  int // number of bits in state.over
	alternatives
	waiters map[int32][]int32 // threads that wait for a part of another
	windows *windows
	pairs   int
}

// endpoints are where messages wait: by sender and receiver (lanes), and by receiver (boxes).
type endpoints struct {
	lanes   []lane
	boxes   []box
	boxesOf map[op.Rank][]int32
	fits    []signature // of sends and of receives
}

// threads are, of each thread, its parts and where the log ends for it.
type threads struct {
	base   []int32 // of a thread's parts in parts
	end    []int32 // of a thread: the call at which it is finished
	open   []bool  // of a thread: nobody knows what it does after the calls of the log
	byRank [][]int32
}

// alternatives are what calls may do otherwise than in the recorded run.
type alternatives struct {
	// branching holds calls that may report some of what others may report as well: which it does matters.
	branching map[callAt]bool
	choices   bool
	partial   bool    // some ways for a call to report requests were not tried
	disputed  []int32 // the contested parts
	was       []int32 // by receive or probe: the message that it met in the recorded run
	doubtful  []bool  // by signature of sends: a contested receive may take them
}

type callAt struct{ thread, op int32 }

// build reads a log. It fails if the log refers to what is not there.
func build(l *trace.Log, table *mpi.T, o Options) (*model, error) {
	m := &model{log: l, rows: table.Rows(l.Funcs), options: o,
		alternatives: alternatives{branching: make(map[callAt]bool)},
		waiters:      make(map[int32][]int32), endpoints: endpoints{boxesOf: make(map[op.Rank][]int32)}}
	total := 0
	for t := range l.Threads {
		m.base = append(m.base, int32(total))
		total += len(l.Threads[t].Parts)
	}
	m.parts = make([]part, total)
	b := &builder{model: m, boxOf: make(map[boxKey]int32), laneOf: make(map[laneKey]int32),
		groupOf: make(map[groupKey]int32),
		sigOf:   make(map[sigKey]int32)}
	for t := range l.Threads {
		if err := b.thread(int32(t)); err != nil {
			return nil, err
		}
	}
	m.open = open(l)
	m.waits()
	m.match()
	m.windows = m.look()
	m.dispute()
	m.recorded()
	return m, nil
}

// of gives the part that a wait names.
func (m *model) of(w *trace.Wait) int32 { return m.base[w.Thread] + int32(w.Part) }

func (m *model) ref(p int32) Ref {
	return Ref{uint32(m.parts[p].thread), uint32(m.parts[p].index)}
}

func (m *model) op(t, at int32) *trace.Op { return &m.log.Threads[t].Ops[at] }

// row is that of the function of a call; nil if the log does not say which that is.
func (m *model) row(o *trace.Op) *mpi.Func {
	if int(o.Fn) < len(m.rows) {
		return m.rows[o.Fn]
	}
	return nil
}

func (m *model) rank(t int32) op.Rank { return m.log.Threads[t].Rank }

type (
	boxKey struct {
		comm uint32
		to   op.Rank
	}
	laneKey struct {
		box, thread int32
		send        bool
		source      op.Rank
	}
	groupKey struct {
		comm uint32
		seq  uint64
	}
	sigKey struct {
		lane, tag int32
	}
)

type builder struct {
	*model
	boxOf   map[boxKey]int32
	laneOf  map[laneKey]int32
	groupOf map[groupKey]int32
	sigOf   map[sigKey]int32
}

func (b *builder) thread(t int32) error {
	l := &b.log.Threads[t]
	if int(l.Rank) < 0 || int(l.Rank) >= b.log.Head.Ranks {
		return fmt.Errorf("thread %d of the trace is of rank %d of %d\nhint: record the run again", t, l.Rank,
			b.log.Head.Ranks)
	}
	for int(l.Rank) >= len(b.byRank) {
		b.byRank = append(b.byRank, nil)
	}
	b.byRank[l.Rank] = append(b.byRank[l.Rank], t)
	end := len(l.Ops)
	for i := range l.Ops {
		o := &l.Ops[i]
		if int64(o.First)+int64(o.Started) > int64(len(l.Parts)) ||
			int64(o.WaitAt)+int64(o.Waiting) > int64(len(l.Waits)) {
			return fmt.Errorf("call %d of rank %d starts parts up to %d of %d and waits for %d of %d\nhint: record "+
				"the run again",
				i, l.Rank, o.First+o.Started, len(l.Parts), o.WaitAt+o.Waiting, len(l.Waits))
		}
		for _, w := range l.WaitsOf(o) {
			if int(w.Thread) >= len(b.log.Threads) || int(w.Part) >= len(b.log.Threads[w.Thread].Parts) {
				return fmt.Errorf("call %d of rank %d waits for part %d of thread %d, which does not exist\nhint: "+
					"record the run again", i, l.Rank, w.Part, w.Thread)
			}
		}
		if o.Final {
			end = i
			break
		}
	}
	b.end = append(b.end, int32(end))
	// A part that no call started has no place in the run; it is complete like one that is cancelled.
	for i := range l.Parts {
		b.parts[b.base[t]+int32(i)] = part{thread: t, index: int32(i), op: int32(end), kind: op.Served, box: none,
			lane: none, sig: none, group: none, over: none}
	}
	for i := range end {
		o := &l.Ops[i]
		for n := o.First; n < o.First+o.Started; n++ {
			if err := b.part(t, int32(i), n); err != nil {
				return err
			}
		}
	}
	return nil
}

func (b *builder) part(t, at int32, n uint32) error {
	l := &b.log.Threads[t]
	from, p := &l.Parts[n], &b.parts[b.base[t]+int32(n)]
	p.op = at
	if from.Gone || from.Kind == op.Served {
		return nil
	}
	if int(from.Comm) >= len(b.log.Comms) {
		return fmt.Errorf("part %d of rank %d is on communicator %d of %d\nhint: record the run again", n, l.Rank,
			from.Comm, len(b.log.Comms))
	}
	id := b.base[t] + int32(n)
	if from.Kind == op.Coll {
		p.kind, p.group = op.Coll, b.group(from)
		b.groups[p.group].parts = append(b.groups[p.group].parts, id)
		return nil
	}
	any := from.Kind != op.Send && (from.Wild || from.Peer == op.AnySource)
	if !any && (from.Peer < 0 || int(from.Peer) >= b.log.Head.Ranks) {
		return nil // MPI_PROC_NULL, or a process of which nothing is known
	}
	p.kind, p.any, p.tag = from.Kind, any, from.Tag
	key := laneKey{thread: t, source: from.Peer}
	if any {
		key.source = op.AnySource
	}
	if from.Kind == op.Send {
		key.send, key.source = true, l.Rank
		key.box = b.box(from.Comm, from.Peer)
		p.keeps = b.keeps(from)
	} else {
		key.box = b.box(from.Comm, l.Rank)
	}
	p.box, p.lane = key.box, b.lane(key)
	row := &b.lanes[p.lane]
	p.pos = int32(len(row.parts))
	row.parts = append(row.parts, id)
	p.hold = int32(len(l.Ops))
	p.sig = b.signature(p, key)
	return nil
}

// keeps says whether MPI buffers a send, by its mode and the options.
func (b *builder) keeps(p *trace.Part) keeping {
	switch {
	case p.Mode == op.Buffered:
		return always
	case p.Mode == op.Synchronous || b.options.Buffering == BufferNone:
		return never
	case b.options.Buffering == BufferAll:
		return always
	case b.options.Buffering == BufferAny || p.Bytes < 0:
		return perhaps
	case p.Bytes <= b.options.Limit:
		return always
	}
	return never
}

func (b *builder) group(p *trace.Part) int32 {
	key := groupKey{p.Comm, p.Seq}
	g, ok := b.groupOf[key]
	if !ok {
		g = int32(len(b.groups))
		b.groupOf[key] = g
		c := &b.log.Comms[p.Comm]
		b.groups = append(b.groups, group{comm: int32(p.Comm), size: len(c.Members) + len(c.Remote)})
	}
	return g
}

func (b *builder) box(comm uint32, to op.Rank) int32 {
	key := boxKey{comm, to}
	i, ok := b.boxOf[key]
	if !ok {
		i = int32(len(b.boxes))
		b.boxOf[key] = i
		b.boxes = append(b.boxes, box{to: to})
		b.boxesOf[to] = append(b.boxesOf[to], i)
	}
	return i
}

func (b *builder) lane(key laneKey) int32 {
	i, ok := b.laneOf[key]
	if ok {
		return i
	}
	i = int32(len(b.lanes))
	b.laneOf[key] = i
	b.lanes = append(b.lanes, lane{thread: key.thread, source: key.source})
	x := &b.boxes[key.box]
	if key.send {
		x.sends = append(x.sends, i)
		return i
	}
	x.recvs = append(x.recvs, i)
	for n, lanes := range x.threads {
		if b.lanes[lanes[0]].thread == key.thread {
			x.threads[n] = append(lanes, i)
			return i
		}
	}
	x.threads = append(x.threads, []int32{i})
	return i
}

func (b *builder) signature(p *part, key laneKey) int32 {
	k := sigKey{p.lane, p.tag}
	s, ok := b.sigOf[k]
	if !ok {
		s = int32(len(b.fits))
		b.sigOf[k] = s
		b.fits = append(b.fits, signature{send: key.send, box: key.box, lane: p.lane, tag: p.tag})
	}
	return s
}

// waits notes what several calls wait for.
func (m *model) waits() {
	anys, others := make(map[int32]int), make(map[int32]bool)
	each := func(do func(t, i int32, o *trace.Op, w *trace.Wait)) {
		for t := range m.log.Threads {
			l := &m.log.Threads[t]
			for i := range m.end[t] {
				o := &l.Ops[i]
				for n := range l.WaitsOf(o) {
					do(int32(t), i, o, &l.WaitsOf(o)[n])
				}
			}
		}
	}
	each(func(t, i int32, o *trace.Op, w *trace.Wait) {
		if w.Thread != uint32(t) {
			m.waiters[m.of(w)] = append(m.waiters[m.of(w)], t)
		}
		if p := &m.parts[m.of(w)]; !o.Any && p.thread == t {
			p.hold = min(p.hold, i)
		}
		if o.Any {
			anys[m.of(w)]++
		}
	})
	each(func(_, _ int32, o *trace.Op, w *trace.Wait) {
		if !o.Any && anys[m.of(w)] > 0 {
			others[m.of(w)] = true
		}
	})
	each(func(t, i int32, o *trace.Op, w *trace.Wait) {
		p := &m.parts[m.of(w)]
		if !o.Any || anys[m.of(w)] < 2 && !others[m.of(w)] {
			return
		}
		if p.over == none {
			p.over = int32(m.overs)
			m.overs++
		}
		if anys[m.of(w)] > 1 {
			m.branching[callAt{t, i}], m.choices = true, true
		}
	})
}

// some says whether a call that ends with any of its requests may report several of them at once, as MPI_Waitsome does.
func (m *model) some(o *trace.Op) bool {
	f := m.row(o)
	return f != nil && (f.Class == mpi.Waitsome || f.Class == mpi.Testsome || f.Class == mpi.GetStatusSome)
}
