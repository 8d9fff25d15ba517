package agent

import (
	"cmp"
	"time"

	"unknot/internal/agent/proto"
	"unknot/internal/finding"
	"unknot/internal/message"
	"unknot/internal/mpi"
	"unknot/internal/op"
	"unknot/internal/tree"
	"unknot/internal/waitfor"
	"unknot/internal/waitstate"
)

// root gathers what the agents know when somebody is stuck, finds the deadlocks, and ends the job if asked to.
type root struct {
	net     *tree.Member[message.Message]
	process *tree.Box[runEnd]
	out     *proto.Writer
	opts    Options
	size    int // of MPI_COMM_WORLD
	now     time.Time
	table   *mpi.T

	enabled map[finding.Code]bool // usage checks

	waves    map[waveKey]*tally
	progress []message.Progress // by agent
	deaths   []*message.Death
	freed    []op.Rank                      // ranks that have freed info objects after MPI_Finalize
	failures []*message.Death               // ranks that ended with a status other than 0, or by a signal, after MPI_Finalize
	clashes  map[op.CommID]bool             // contexts with a mismatch that was told
	failed   map[op.CommID]*waitstate.Clash // contexts on which a call failed, and the first mismatch since

	step    step
	round   int
	missing int // answers still to come
	reports []*message.Report
	state   *state
	decided map[message.Key]bool // receives whose observed match the strict view could not reach in the last round
	places  []message.Described
	asked   []question
	next    time.Time // of the next round
	pause   time.Duration
	passed  map[string]*message.Passed // functions let through
	broken  string                     // why some rank could not be followed to the end
	epoch   uint64

	unforced bool             // a plan is not in force, which was told
	unused   []message.Unused // by threads that have ended

	ending      bool // the launcher has ended
	searched    bool // for collectives that some members never call
	held        []held
	awaited     int // rounds for which deadlocks were kept back, as other ranks moved
	finalRounds int
	quiet       bool // the last round told nothing and relaxed nothing
	progressed  bool
	lag         int  // of threads that wait for nothing, in the last round
	idle        int  // agents that have read everything
	stopAfter   bool // end the job when what is asked has been told
	stopped     bool // the job was told to end
	told        map[string]*told
	order       []*told             // as they were heard of
	forms       map[string][]string // see identity
	pending     []waitstate.Clash   // to be told
	pairs       []*message.Pair     // to be told
	lastStat    time.Time
	lastCall    uint64
	done        chan struct{}
}

type waveKey struct {
	ctx op.CommID
	seq uint64
}

// tally counts how many members of a collective are active.
type tally struct {
	count  int
	voices []waitstate.Voice
	shares []*waitstate.Share // one of each agent
	uneven bool
}

// step is where the root is in a round of detection.
type step uint8

const (
	resting    step = iota
	settling        // waits for kAck
	gathering       // waits for kWaits
	describing      // waits for kPlaces
	locating        // waits for kPlaces of the sends that nearly fit
)

// question is what the root wants described before it tells a finding.
type question struct {
	code     finding.Code
	core     []message.Key
	others   []message.Key
	real     bool // only if every thread is still where it was
	clash    *waitstate.Clash
	pair     *message.Pair
	build    *build
	nodes    []nodeID               // of the core
	located  map[message.Key]string // positions of calls that the answers name
	stranded []*message.Stranded    // of stranded threads, which are the core
	// culprits are finished and dead ranks that the core waits for.
	culprits []op.Rank
	witness  []message.Key // threads of the culprits
}

type nodeID = waitfor.Node

// Times of detection. A wait is looked at when it has lasted firstLook, then at growing intervals as long as nothing comes
// of it.
const (
	firstLook = 150 * time.Millisecond
	maxPause  = time.Second
	tick      = 50 * time.Millisecond
)

func newRoot(net *tree.Member[message.Message], out *proto.Writer, size int, o Options, table *mpi.T) *root {
	return &root{net: net, process: tree.NewBox[runEnd](), out: out, size: size, opts: o, table: table, enabled: o.Checks.Codes(), waves: make(map[waveKey]*tally),
		progress: make([]message.Progress, net.Agents()), clashes: make(map[op.CommID]bool), failed: make(map[op.CommID]*waitstate.Clash), told: make(map[string]*told), forms: make(map[string][]string),
		pause: firstLook, passed: make(map[string]*message.Passed), done: make(chan struct{})}
}

func (r *root) run() {
	defer close(r.done)
	var inbox []message.Message
	var ends []runEnd
	timer := time.NewTicker(tick)
	defer timer.Stop()
	for {
		select {
		case <-r.net.Wake():
		case <-r.process.Wake():
		case <-timer.C:
		}
		r.now = time.Now()
		inbox = r.net.Take(inbox)
		for _, m := range inbox {
			r.message(m)
		}
		ends = r.process.Take(ends)
		for i := range ends {
			r.ended(&ends[i])
		}
		r.status()
		r.handOver()
		switch {
		case r.step != resting:
		case len(r.pending) > 0 || len(r.pairs) > 0:
			r.asked, r.places = r.asked[:0], r.places[:0]
			r.askOrigins()
		case r.wantsRound():
			r.begin()
		}
		if r.step == resting && r.ending && r.idle >= r.net.Agents() && r.round > 0 && r.settled() {
			r.net.Broadcast(message.Quit{})
			return
		}
	}
}

func (r *root) message(m message.Message) {
	switch m := m.(type) {
	case message.WaitStates:
		for i := range m.Messages {
			r.collective(m.Messages[i])
		}
	case message.Progress:
		r.progress[m.Agent] = m
	case message.Clash:
		r.hearClash(m.Clash)
	case message.Pair:
		r.pairs = append(r.pairs, &m)
	case message.Failed:
		if _, known := r.failed[m.Ctx]; !known {
			r.failed[m.Ctx] = nil
		}
	case message.Unforced:
		if !r.unforced {
			r.unforced = true
			_ = r.out.Send(proto.Message{Type: proto.Unforced, Text: m.Why + ": nothing is forced on this run, it is no replay"})
		}
	case message.Unused:
		r.unused = append(r.unused, m)
	case message.Death:
		if m.Final {
			r.failures = append(r.failures, &m)
		} else {
			r.deaths = append(r.deaths, &m)
		}
	case message.Misuse:
		r.hear(&m)
	case message.Idle:
		r.idle++
		r.broken = cmp.Or(r.broken, m.Broken)
		for i := range m.Passed {
			addPassed(r.passed, &m.Passed[i])
		}
	case message.Settled:
		r.answered(m.Round)
	case message.Report:
		if m.Round == r.round {
			r.reports = append(r.reports, &m)
		}
		r.answered(m.Round)
	case message.Places:
		if m.Round == r.round {
			r.places = append(r.places, m.Places...)
		}
		r.answered(m.Round)
	}
}

// ended takes in that the launcher has ended.
func (r *root) ended(last *runEnd) {
	for _, f := range last.outside {
		r.tell(f)
	}
	r.ending, r.freed = true, last.freed
	r.next = r.now
}

// collective adds an agent's members to a collective; when all are active every agent is told (paper, section 4.1).
func (r *root) collective(m waitstate.Message) {
	k := waveKey{m.Ctx, m.Seq}
	t := r.waves[k]
	if t == nil {
		t = &tally{}
		r.waves[k] = t
	}
	t.count += m.Count
	for _, v := range m.Voices {
		t.voices = waitstate.AddVoice(t.voices, v)
	}
	r.even(t, m)
	if t.count < m.Size {
		return
	}
	delete(r.waves, k)
	if len(t.voices) > 1 {
		r.hearClash(waitstate.Clash{Ctx: m.Ctx, Seq: m.Seq, Voices: t.voices})
	}
	ack := waitstate.Message{Kind: waitstate.CollectiveAck, Ctx: m.Ctx, Seq: m.Seq, Clash: len(t.voices) > 1}
	r.net.Broadcast(message.WaitStates{Messages: []waitstate.Message{ack}})
}

// wantsRound decides whether it is time to look for deadlocks.
func (r *root) wantsRound() bool {
	if r.stopped && !r.ending {
		return false
	}
	if r.ending {
		return r.idle >= r.net.Agents() && !r.settled()
	}
	stuck, epoch := false, uint64(0)
	for _, p := range r.progress {
		stuck = stuck || p.Stuck > 0 || p.Behind
		epoch += p.Epoch
	}
	if !stuck {
		r.pause = firstLook
		return false
	}
	if epoch != r.epoch {
		r.epoch = epoch
		r.pause = firstLook
		r.next = earlier(r.next, r.now.Add(firstLook))
	}
	return !r.now.Before(r.next)
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

// settled says whether the last round of an ended run had nothing new to tell.
func (r *root) settled() bool { return r.finalRounds > 0 && r.quiet }

func (r *root) begin() {
	r.round++
	r.step, r.missing = settling, r.net.Agents()
	r.reports, r.places, r.asked = r.reports[:0], r.places[:0], r.asked[:0]
	r.net.Broadcast(message.Consistent{Round: r.round})
}

// answered counts an agent's answer and goes on to the next step when all have answered.
func (r *root) answered(round int) {
	if round != r.round {
		return
	}
	if r.missing--; r.missing > 0 {
		return
	}
	switch r.step {
	case settling:
		r.step, r.missing = gathering, r.net.Agents()
		r.net.Broadcast(message.Gather{Round: r.round})
	case gathering:
		r.detect()
		r.describe()
	case describing:
		if r.locate() {
			return
		}
		r.conclude()
		r.rest()
	case locating:
		r.conclude()
		r.rest()
	}
}

// describe asks for everything about the threads that findings name.
func (r *root) describe() {
	var keys []message.Key
	for i := range r.asked {
		q := &r.asked[i]
		keys = append(append(append(keys, q.core...), q.others...), q.witness...)
	}
	if len(keys) == 0 {
		if r.stopAfter && len(r.pending) == 0 {
			r.end(string(finding.CollectiveMismatch))
		}
		r.rest()
		return
	}
	r.step, r.missing = describing, r.net.Agents()
	r.net.Broadcast(message.Describe{Round: r.round, Keys: keys})
}

func (r *root) rest() {
	r.step = resting
	r.pause = min(2*r.pause, maxPause)
	r.next = r.now.Add(r.pause)
	if r.ending {
		r.finalRounds++
		r.quiet = !r.progressed
		r.progressed = false
	}
}

// status sends the status line's numbers twice a second.
func (r *root) status() {
	if r.now.Sub(r.lastStat) < 500*time.Millisecond {
		return
	}
	m := proto.Message{Type: proto.Status, Ranks: r.size}
	for _, p := range r.progress {
		m.Calls += p.Calls
		m.Blocked += p.Blocked
		if p.Oldest > m.Oldest {
			m.Oldest, m.OldestRank = p.Oldest, int(p.Rank)
		}
	}
	if !r.lastStat.IsZero() && m.Calls >= r.lastCall {
		m.Rate = float64(m.Calls-r.lastCall) / r.now.Sub(r.lastStat).Seconds()
	}
	r.lastStat, r.lastCall = r.now, m.Calls
	_ = r.out.Send(m) // a supervisor that is gone is noticed by its closed pipe
}
