package judge

import (
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"unknot/internal/model/waitfor"
	"unknot/internal/shmem/layout"
	upc "unknot/internal/upc/layout"
)

// How often PEs are looked at, and how often they must have been seen to be stuck.
const (
	interval = 250 * time.Millisecond
	lookings = 5
	// if they hang in a collective call in which they differ: what the library makes of that may take a while
	patient = 20
)

// threadsCall is the first level of thread support at which several threads of a process call OpenSHMEM
// (SHMEM_THREAD_SERIALIZED).
const threadsCall = 2

// since is when PEs of a job were seen first to wait forever.
type since struct {
	dead     []waitfor.Node
	followed []uint64 // of each PE
	looks    []uint64
	seen     int
	told     bool
}

// looksStuck says whether some PEs wait forever, which takes several looks: they have recorded nothing meanwhile, and
// those that wait for a value have found since that they have to go on waiting. It says so once.
func (j *job) looksStuck() bool {
	if j.since.told {
		return false
	}
	for t := range j.pes {
		j.pes[t].lookAtProcess()
	}
	// What was followed is a moment of all PEs. Of those that are dead there, nothing may have come since; others may
	// go on recording.
	dead := j.graph().Dead()
	if len(dead) == 0 || slices.ContainsFunc(dead, func(n waitfor.Node) bool { return j.pes[n].source.behind() }) {
		j.since = since{}
		return false
	}
	if !slices.Equal(dead, j.since.dead) ||
		slices.ContainsFunc(dead, func(n waitfor.Node) bool { return j.pes[n].followed != j.since.followed[n] }) {
		j.since = since{dead: dead, followed: make([]uint64, len(j.pes)), looks: make([]uint64, len(j.pes))}
		for _, n := range dead {
			j.since.followed[n], j.since.looks[n] = j.pes[n].followed, j.pes[n].looks()
		}
	}
	j.since.seen++
	for _, n := range dead {
		if p := &j.pes[n]; p.waits != nil && p.waits.Kind == layout.Waits && p.looks() < j.since.looks[n]+2 {
			return false
		}
	}
	must := lookings
	if j.hangsIn(dead) != nil || slices.ContainsFunc(j.pes, func(p pe) bool {
		return p.gone && !p.ended ||
			p.died().Cause == upc.DiedSignal
	}) {
		must = patient // launchers end a job in which a PE has died
	}
	j.since.told = j.since.seen >= must
	return j.since.told
}

// looks is how often the PE has found that it has to wait on.
func (p *process) looks() uint64 {
	if p.source == nil {
		return 0
	}
	return p.source.stream.Looks()
}

// over says whether a PE does nothing any more.
func (p *process) over() bool {
	d := p.died()
	return p.ended || p.gone || d.Cause == upc.DiedExit && d.Code != 0
}

// lookAtProcess notes whether the process of a PE is there. One that never was seen there may be out of sight.
func (p *process) lookAtProcess() {
	if p.source == nil || p.source.stream.PID() <= 0 {
		return
	}
	there := unix.Kill(p.source.stream.PID(), 0) != unix.ESRCH
	p.there = p.there || there
	p.gone = p.there && !there
}

// graph is who waits for whom. Who waits for a PE that has ended waits for what never comes; nobody waits for what such
// a PE is at. A PE that has not begun is taken to run.
func (j *job) graph() *waitfor.Graph {
	g := waitfor.New(len(j.pes))
	never := g.Never()
	node := make([]waitfor.Node, len(j.pes))
	var writers []waitfor.Node // that may write a value
	for t := range j.pes {
		node[t] = waitfor.Node(t)
		if j.pes[t].over() {
			node[t] = never
			continue
		}
		writers = append(writers, node[t])
	}
	anyone := g.Set(writers)
	for t := range j.pes {
		p := &j.pes[t]
		if p.waits == nil || node[t] == never || p.level >= threadsCall || p.level > 0 && p.waits.Kind == layout.Waits {
			continue // another thread of its process may call OpenSHMEM, or store the value
		}
		var all []waitfor.Node
		switch p.waits.Kind {
		case layout.Enter:
			for _, o := range j.missed(p.in) {
				all = append(all, node[o])
			}
			if p.in.call.differ != nil {
				all = append(all, never)
			}
		case layout.Waits:
			if !p.toItself(t) {
				all = append(all, anyone)
			}
		case layout.Locking:
			if h, held := j.locks[p.waits.Offset]; held {
				all = append(all, node[h.pe])
			}
		}
		g.Block(node[t], all)
	}
	return g
}

// missed are the PEs that have not entered a call that another one is in.
func (j *job) missed(in *inside) (all []int) {
	start, stride, size := layout.Set(in.record.Value).Parts()
	for n := range size {
		if t := start + n<<stride; in.set.entered[t] < in.record.Offset {
			all = append(all, t)
		}
	}
	return all
}
