package exact

import (
	"unknot/internal/vocab/op"
)

// windows say how far senders can get before a receive must have met its message: what is sent only after a call has
// returned cannot meet what that call waited for. They are computed once, by letting everybody but one thread run as
// far as the most generous MPI could let them, whatever meets what; that is too far at times, never too short.
type windows struct {
	*model
	local []int32 // by lane of sends: its place among those to the same rank
	// by thread and call: by local, how many sends of the lane can be started while the thread is there
	upto [][][]int32
}

// manyBounds limits the memory for windows, in numbers, and manySteps the time, in calls. Beyond that all windows are
// open.
const (
	manyBounds = 1 << 23
	manySteps  = 1 << 26
)

// look computes the windows.
func (m *model) look() *windows {
	w := &windows{model: m, local: make([]int32, len(m.lanes))}
	lanes := make([]int32, len(m.byRank))
	for _, x := range m.boxes {
		for _, lane := range x.sends {
			w.local[lane] = lanes[x.to]
			lanes[x.to]++
		}
	}
	w.upto = make([][][]int32, len(m.end))
	calls, bounds := 0, 0
	for t := range m.end {
		calls += int(m.end[t])
	}
	for t := range m.end {
		if !m.rivalled(int32(t)) {
			continue
		}
		if bounds += int(m.end[t]) * int(lanes[m.rank(int32(t))]); bounds > manyBounds || calls*(t+1) > manySteps {
			return w
		}
		w.upto[t] = w.of(int32(t), int(lanes[m.rank(int32(t))]))
	}
	return w
}

// rivalled says whether a thread has a receive for messages from several lanes.
func (m *model) rivalled(t int32) bool {
	for _, x := range m.boxesOf[m.rank(t)] {
		for _, lane := range m.boxes[x].recvs {
			if m.lanes[lane].thread != t {
				continue
			}
			for _, id := range m.lanes[lane].parts {
				if m.several(id) {
					return true
				}
			}
		}
	}
	return false
}

func (m *model) several(id int32) bool {
	with := m.fits[m.parts[id].sig].with
	for _, w := range with {
		if m.fits[w].lane != m.fits[with[0]].lane {
			return true
		}
	}
	return false
}

// reach gives how many sends of a lane can be started before a receive or probe has met.
func (w *windows) reach(id, lane int32) int32 {
	p := &w.parts[id]
	return w.while(p.thread, p.hold, lane)
}

// while gives how many sends of a lane can be started while a thread is in a call.
func (w *windows) while(t, at, lane int32) int32 {
	if int(at) >= len(w.upto[t]) || w.upto[t][at] == nil {
		return int32(len(w.lanes[lane].parts))
	}
	return w.upto[t][at][w.local[lane]]
}

// rush is a run in which everything happens that is not impossible.
type rush struct {
	*model
	at             []int32
	sent, received []int32 // by signature of the other side: what fits and has been started
	posted         []int32 // by lane
	inside         []int32 // by group
	queue          []int32 // threads that may get on
	queued         []bool  // by thread
	held           int32   // the thread that does not run
}

// of follows a thread through its calls, and everybody else as far as they get while it is in each.
func (w *windows) of(t int32, lanes int) [][]int32 {
	r := &rush{model: w.model, at: make([]int32, len(w.end)), sent: make([]int32, len(w.fits)),
		received: make([]int32, len(w.fits)),
		posted:   make([]int32, len(w.lanes)), inside: make([]int32, len(w.groups)),
		queued: make([]bool, len(w.end)), held: t}
	out := make([][]int32, w.end[t])
	for u := range r.at {
		r.wake(int32(u))
		r.enter(int32(u))
	}
	for at := range w.end[t] {
		r.others()
		if w.holds(t, at) {
			out[at] = make([]int32, lanes)
			for _, x := range w.boxesOf[w.rank(t)] {
				for _, lane := range w.boxes[x].sends {
					out[at][w.local[lane]] = r.posted[lane]
				}
			}
		}
		if !r.passes(t) {
			return out // no run gets further; nil leaves the windows of later calls open
		}
		r.at[t]++
		r.enter(t)
	}
	return out
}

// holds says whether a thread may stand in a call because of a receive or a probe.
func (m *model) holds(t, at int32) bool {
	o := m.op(t, at)
	if !o.Blocking {
		return false
	}
	for _, x := range m.log.Threads[t].WaitsOf(o) {
		if p := &m.parts[m.of(&x)]; p.kind == op.Recv || p.kind == op.Probe {
			return true
		}
	}
	return false
}

func (r *rush) wake(t int32) {
	if t != r.held && !r.queued[t] {
		r.queued[t] = true
		r.queue = append(r.queue, t)
	}
}

// enter starts the parts of a thread's call and wakes whom they may help.
func (r *rush) enter(t int32) {
	if r.at[t] >= r.end[t] {
		return
	}
	o := r.op(t, r.at[t])
	for n := o.First; n < o.First+o.Started; n++ {
		id := r.base[t] + int32(n)
		for _, u := range r.waiters[id] {
			r.wake(u)
		}
		p := &r.parts[id]
		switch {
		case p.group != none:
			r.inside[p.group]++
			if int(r.inside[p.group]) >= r.groups[p.group].size || r.options.Collectives != CollectStrict &&
				r.ref(id).part(r.log).Sync != op.SyncAll {
				for _, other := range r.groups[p.group].parts {
					r.wake(r.parts[other].thread)
				}
			}
		case p.sig == none:
		case p.kind == op.Send:
			r.posted[p.lane]++
			r.count(p, r.sent)
		case p.kind == op.Recv:
			r.count(p, r.received)
		}
	}
}

func (r *rush) count(p *part, counts []int32) {
	for _, w := range r.fits[p.sig].with {
		counts[w]++
		r.wake(r.lanes[r.fits[w].lane].thread)
	}
}

// others lets all threads but the one run.
func (r *rush) others() {
	for len(r.queue) > 0 {
		t := r.queue[len(r.queue)-1]
		r.queue = r.queue[:len(r.queue)-1]
		r.queued[t] = false
		for r.at[t] < r.end[t] && r.passes(t) {
			r.at[t]++
			r.enter(t)
		}
	}
}

// passes says whether a thread could leave its call.
func (r *rush) passes(t int32) bool {
	o := r.op(t, r.at[t])
	if !o.Blocking || o.Opaque || o.Waiting == 0 {
		return true
	}
	waits := r.log.Threads[t].WaitsOf(o)
	for i := range waits {
		if r.possible(r.of(&waits[i])) == o.Any {
			return o.Any
		}
	}
	return !o.Any
}

// possible says whether a part could be complete. Of parts of one signature the first meets first (MPI-4.0, 3.5), so
// one of them needs as many partners as there are before it, and one more.
func (r *rush) possible(id int32) bool {
	p := &r.parts[id]
	switch {
	case p.kind == op.Served:
		return true
	case r.at[p.thread] < p.op:
		return false
	case p.kind == op.Send:
		return p.keeps != never || r.received[p.sig] > p.nth
	case p.kind == op.Coll:
		return r.gathered(id, int(r.inside[p.group]), func(other int32) bool {
			return r.at[r.parts[other].thread] >= r.parts[other].op
		}) != never
	}
	return r.sent[p.sig] > p.nth
}
