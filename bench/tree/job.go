package main

import (
	"bytes"
	"fmt"
	"runtime"
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"unknot/internal/agent"
	"unknot/internal/agent/host"
	"unknot/internal/agent/proto"
	"unknot/internal/check"
	"unknot/internal/check/registry"
	"unknot/internal/observe/decode"
	"unknot/internal/observe/ring"
	"unknot/internal/root/detect"
	"unknot/internal/root/tree"
	"unknot/internal/test/testkit"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// shape is what a job is made of.
type shape struct {
	size     int // ranks
	perAgent int // ranks of an agent
	fanIn    int // of the tree
	checks   bool
}

// job is a simulated job with its agents and root, all driven by one goroutine.
type job struct {
	shape
	table   *mpi.T
	net     *tree.Network[message.Message]
	agents  []*driven
	ranks   []*rank
	relays  []*relay
	root    *detect.Root
	out     bytes.Buffer // what the root says to the supervisor
	intro   []ring.Record
	words   []uint64
	last    func(*rank) ring.Record
	course  *course // of the agent that is looked at; nil if none is
	created time.Time
	passed  time.Duration // since then, for the members
	ticked  time.Time
	links   traffic
	inRound

	functions
}

// inRound is the current round of detection.
type inRound struct {
	stages  [detect.Output + 1]time.Duration // of the round of detection that runs
	stage   detect.Stage
	staged  time.Time
	began   time.Time // that round
	atRoot  time.Duration
	rootWas traffic // when that round began
}

// functions are those that ranks call.
type functions struct {
	isend, recv, wait, barrier *mpi.Func
}

// driven is an agent and the time that its turns have taken.
type driven struct {
	*agent.Agent
	ranks []*rank
	wake  <-chan struct{}
	more  bool
	spent time.Duration // of the processor: what others do there is not the agent's
}

// processor is the time that the process has had a processor, with its garbage collector.
func processor() time.Duration {
	var now unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &now); err != nil {
		panic(err) // every Linux has it
	}
	return time.Duration(now.Nano())
}

// relay is an inner member of the tree.
type relay struct {
	*detect.Relay
	wake <-chan struct{}
}

// woken says whether something has come for whom a channel wakes.
func woken(wake <-chan struct{}) bool {
	select {
	case <-wake:
		return true
	default:
		return false
	}
}

// traffic counts what went over the links.
type traffic struct {
	messages, bytes         int // between agents, and between them and the root
	rootMessages, rootBytes int // to and from the root
}

// blank is a job that has no members yet.
func blank(s shape) (*job, error) {
	table, err := mpi.Load()
	if err != nil {
		return nil, err
	}
	j := &job{shape: s, table: table, words: make([]uint64, 0, 1<<12), created: time.Now()}
	for name, f := range map[string]**mpi.Func{"MPI_Isend": &j.isend, "MPI_Recv": &j.recv, "MPI_Wait": &j.wait,
		"MPI_Barrier": &j.barrier} {
		if *f = table.ByName(name); *f == nil {
			return nil, fmt.Errorf("the table of MPI functions lacks %s", name)
		}
	}
	j.introduce()
	return j, nil
}

// newJob begins a job; where a course is given, it takes down what its agent gets.
func newJob(s shape, watched *course) (*job, error) {
	j, err := blank(s)
	if err != nil {
		return nil, err
	}
	j.course = watched
	format := message.NewFormat(j.table)
	layout := host.NewLayout(s.size, s.perAgent, s.fanIn)
	j.net = tree.New(layout.Shape(), func(from, to int) tree.Link[message.Message] { return j.link(format, from, to) })
	j.root = detect.New(j.net.Member(tree.Root), proto.NewWriter(&j.out), s.size,
		detect.Options{Checks: registry.Chosen(s.selection()),
			Stage: j.reached}, j.table)
	for i := range j.net.Agents() {
		a := j.begin(j.net.Member(i), layout)
		j.agents, j.ranks = append(j.agents, a), append(j.ranks, a.ranks...)
	}
	for id := j.net.Agents(); id < j.net.Shape().Members(); id++ {
		m := j.net.Member(id)
		j.relays = append(j.relays, &relay{Relay: detect.NewRelay(m, j.net.Shape().Level(id)), wake: m.Wake()})
	}
	j.run(func() bool { return j.read() })
	return j, nil
}

func (s *shape) selection() check.Selection {
	if s.checks {
		return nil
	}
	return check.Selection{{Name: "all"}}
}

// begin makes the agent of a member, with its ranks.
func (j *job) begin(m *tree.Member[message.Message], layout *host.Layout) *driven {
	world := agent.World{Processes: simulated{}, Symbols: program{}, Now: j.now}
	a := &driven{Agent: host.Drive(m, j.table, world, layout, agent.Options{Checks: j.selection(),
		LivelockTimeout: time.Minute}), wake: m.Wake()}
	for r := m.ID * j.perAgent; r < min((m.ID+1)*j.perAgent, j.size); r++ {
		n := &rank{job: j, world: r, owner: ring.Owner{PID: 1000 + r, TID: 1000 + r}}
		a.ranks = append(a.ranks, n)
		a.Adopt(&agent.Adoption{Ring: n,
			Hello: decode.Hello{Rank: op.Rank(r), Size: j.size, Library: "simulated MPI"}})
	}
	return a
}

// introduce makes the records with which a rank begins.
func (j *job) introduce() {
	consts := testkit.Constants(j.table, map[string]uint64{"MPI_COMM_WORLD": world, "MPI_ANY_SOURCE": anyRank,
		"MPI_INT": integer, "MPI_ERR_TRUNCATE": 15})
	members := []uint64{world, 2, uint64(j.size), 0}
	maps := "00001000-00002000 r-xp 00000000 00:00 1 /simulated"
	text := make([]uint64, 1+(len(maps)+7)/8)
	text[0] = uint64(len(maps))
	for i := range maps {
		text[1+i/8] |= uint64(maps[i]) << (i % 8 * 8)
	}
	for _, d := range []struct {
		id    ring.DataID
		words []uint64
	}{
		{ring.DataMaps, text}, {ring.DataConst, consts}, {ring.DataType, []uint64{integer, 4}},
		{ring.DataBasics, []uint64{integer, 4, 4, 4}}, {ring.DataComm, members},
	} {
		j.intro = append(j.intro, ring.Record{Func: uint16(d.id), Kind: ring.Data, Words: d.words})
	}
}

// link counts what goes from one member to another.
func (j *job) link(format *message.Format, from, to int) tree.Link[message.Message] {
	e, d := format.Encoder(), format.Decoder()
	var buf []byte
	return func(m message.Message) message.Message {
		buf = e.Append(buf[:0], m)
		j.course.arrived(from, to, buf)
		j.links.messages++
		j.links.bytes += len(buf)
		if from == tree.Root || to == tree.Root {
			j.links.rootMessages++
			j.links.rootBytes += len(buf)
		}
		got, err := d.Decode(buf)
		if err != nil {
			panic(err) // both ends are of one make
		}
		return got
	}
}

// reached takes in where a round of detection has come to.
func (j *job) reached(s detect.Stage) {
	now := time.Now()
	if s == detect.Synchronisation {
		j.stages, j.began, j.rootWas = [detect.Output + 1]time.Duration{}, now, j.links
	} else {
		j.stages[j.stage] += now.Sub(j.staged)
	}
	j.stage, j.staged = s, now
}

// tick is how often members look around that have got nothing.
const tick = 50 * time.Millisecond

// now is the time of all members: as each has a separate host, it advances as long as one of them works while all do.
func (j *job) now() time.Time { return j.created.Add(j.passed) }

// run drives all members until a condition holds.
func (j *job) run(until func() bool) {
	for !until() {
		all := j.now().Sub(j.ticked) >= tick
		if all {
			j.ticked = j.now()
		}
		busy := false
		for i, a := range j.agents {
			if woken(a.wake) || a.more || all || a.pending() {
				busy = true
				j.course.begins(i, a.ranks[0].allowed, j.passed)
				before := processor()
				a.more, _ = a.Turn()
				took := processor() - before
				a.spent += took
				j.passed += took / time.Duration(len(j.agents))
			}
		}
		for _, r := range j.relays {
			if woken(r.wake) {
				busy = true
				r.Turn(j.now())
			}
		}
		if woken(j.net.Member(tree.Root).Wake()) || all {
			before := time.Now()
			j.root.Turn(j.now())
			j.atRoot += time.Since(before)
			continue
		}
		if !busy {
			const rest = time.Millisecond
			time.Sleep(rest)
			j.passed += rest
		}
	}
}

func (a *driven) pending() bool {
	return a.ranks[0].Pending() > 0 || a.ranks[len(a.ranks)-1].Pending() > 0
}

// followedUp says whether, besides, the strict views have come to where the ranks are.
func (j *job) followedUp() bool {
	return j.read() && !slices.ContainsFunc(j.agents, func(a *driven) bool { return a.Lag() > 0 })
}

// read says whether all ranks have nothing left to read, and nothing is under way.
func (j *job) read() bool {
	for _, a := range j.agents {
		if a.pending() || a.more {
			return false
		}
	}
	return true
}

// cost is what following the ring exchange has cost.
type cost struct {
	shape
	calls    uint64
	records  uint64
	agent    time.Duration // of one operation, among the others
	alone    time.Duration // of one operation of an agent that has the processor's caches for itself
	messages float64       // that an agent has sent for an operation
	bytes    float64
	root     time.Duration // for a barrier
	course   *course       // of an agent
}

// slice is how many iterations of the exchange are measured at once.
const slice = 10

// once is how many iterations are made first, so that what is made once is there.
const once = 2 * slice

// exchange has all ranks make the ring exchange.
func (j *job) exchange(iterations int) cost {
	var each []time.Duration // cost of an operation in each slice
	step := func(n int) {
		for range n / slice {
			calls, spent := j.followed()
			for _, r := range j.ranks {
				r.allowed += slice
			}
			j.run(j.followedUp)
			now, all := j.followed()
			each = append(each, (all-spent)/time.Duration(now-calls))
		}
	}
	step(once)
	var before, after cost
	take := func(c *cost) {
		for _, a := range j.agents {
			c.calls += a.Calls()
			c.agent += a.spent
		}
		for _, r := range j.ranks {
			c.records += r.taken
		}
	}
	take(&before)
	was, root := j.links, j.atRoot
	each = each[:0]
	step(iterations)
	take(&after)
	calls := after.calls - before.calls
	spent := after.agent - before.agent
	return cost{shape: j.shape, calls: calls, records: uint64(float64(after.records-before.records) / spent.Seconds()),
		agent:    median(each),
		messages: float64(j.links.messages-was.messages) / float64(calls),
		bytes:    float64(j.links.bytes-was.bytes) / float64(calls),
		root:     (j.atRoot - root) / time.Duration(iterations/10)}
}

// followed is how many calls the agents have followed, and the time that their turns took.
func (j *job) followed() (calls uint64, spent time.Duration) {
	for _, a := range j.agents {
		calls, spent = calls+a.Calls(), spent+a.spent
	}
	return calls, spent
}

// detection is what finding a deadlock has cost.
type detection struct {
	shape
	name     string
	setup    time.Duration
	stages   [detect.Output + 1]time.Duration
	whole    time.Duration // from the trigger to the report, HTML included
	traffic  traffic
	findings []finding.Finding
	html     int
	held     uint64 // memory of the process
}

// deadlock has all ranks come to their last call, and waits until the root has had the job stopped.
func (j *job) deadlock(last func(*rank) ring.Record) (detection, error) {
	j.last = last
	for _, r := range j.ranks {
		r.end = true
	}
	stopped := func() bool { return bytes.Contains(j.out.Bytes(), []byte(`"type":"stop"`)) }
	limit := time.Now().Add(5 * time.Minute)
	j.run(func() bool { return stopped() || time.Now().After(limit) })
	if !stopped() {
		return detection{}, fmt.Errorf("no deadlock was found in %v", 5*time.Minute)
	}
	var d detection
	written := time.Now()
	if err := j.report(&d); err != nil {
		return d, err
	}
	j.stages[detect.Output] += time.Since(written)
	d.stages, d.whole = j.stages, time.Since(j.began)
	d.traffic = traffic{rootMessages: j.links.rootMessages - j.rootWas.rootMessages,
		rootBytes: j.links.rootBytes - j.rootWas.rootBytes,
		messages:  j.links.messages - j.rootWas.messages, bytes: j.links.bytes - j.rootWas.bytes}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	d.held = m.Sys - m.HeapReleased
	return d, nil
}
