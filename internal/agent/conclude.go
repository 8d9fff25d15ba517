package agent

import (
	"fmt"
	"slices"
	"syscall"

	"unknot/internal/agent/proto"
	"unknot/internal/finding"
	"unknot/internal/message"
	"unknot/internal/op"
	"unknot/internal/waitstate"
)

// conclude makes findings of what was asked and answered.
func (r *root) conclude() {
	byKey := make(map[message.Key]*message.Described)
	for i := range r.places {
		d := &r.places[i]
		byKey[d.Key] = d
	}
	var relax []message.Key
	real, diverged := false, false
	located := make(map[message.Key]string)
	for k, d := range byKey {
		if k.Call {
			located[k] = d.Shape.Position
		}
	}
	for _, q := range r.merged() {
		q.located = located
		if q.stranded != nil {
			r.strand(&q, byKey)
			continue
		}
		s := r.story(&q, byKey)
		if s == nil {
			continue
		}
		if q.pair != nil {
			r.hear(&message.Misuse{Finding: s.Unlike(q.pair), Param: -1, Scope: q.pair.Scope})
			continue
		}
		switch q.code {
		case finding.CollectiveMismatch:
			r.hear(&message.Misuse{Finding: s.Mismatch(), Param: -1, Scope: message.Scope{Contexts: []op.CommID{q.clash.Ctx}, Collective: true}})
		case finding.DeadlockUnsafe:
			// After a worse finding it may be a mere consequence of that.
			if !afterFailure(s, r.failed) && !r.stopped && len(r.clashes) == 0 {
				r.tellUnsafe(q.build, s)
			}
			for _, m := range s.Members {
				if m.Wait.Returned {
					relax = append(relax, m.Described.Key)
				}
			}
		case finding.ReplayDiverged:
			r.tell(s.Diverged())
			diverged = true
		default:
			if f, ok := r.diedFirst(s, q.witness, byKey); ok {
				r.tellDeath(f)
			} else {
				r.tell(s.Finding())
			}
			real = true
		}
	}
	if len(relax) > 0 {
		r.progressed = true
		r.net.Broadcast(message.Relax{Keys: relax})
		r.next = r.now
	}
	switch {
	case real || r.stopAfter && len(r.pending) == 0 && !diverged:
		r.end("deadlock")
	case diverged:
		r.end("the replay has left its plan")
	}
}

// halt stops the ranks of a job that is about to be ended: ranks that poll would leave the supervisor and the launcher a
// small share of the cores. A stopped process can be killed like any other.
func (r *root) halt() {
	for _, w := range r.state.threads {
		if w.PID > 0 && w.State != message.Dead {
			_ = syscall.Kill(w.PID, syscall.SIGSTOP)
		}
	}
}

// end tells the supervisor to stop the job, or what was left hanging.
func (r *root) end(why string) {
	if r.stopped {
		return
	}
	r.stopped = true
	if r.opts.OnDeadlock != "leave" {
		r.halt()
	}
	r.send()
	m := proto.Message{Type: proto.Stop, Why: why}
	if r.opts.OnDeadlock == "leave" {
		m.Type = proto.Leave
		for _, w := range r.state.threads {
			m.Processes = append(m.Processes, proto.Process{Rank: int(w.Rank), PID: w.PID, Host: hostname()})
		}
		m.Processes = slices.CompactFunc(m.Processes, func(a, b proto.Process) bool { return a.Rank == b.Rank })
	}
	_ = r.out.Send(m)
}

// merged puts questions together that are one finding: cores that wait for the same ranks outside of them, which are
// finished or dead.
func (r *root) merged() []question {
	var out []question
	at := make(map[string]int)
	for _, q := range r.asked {
		if q.clash != nil || q.pair != nil || q.build == nil {
			out = append(out, q)
			continue
		}
		if q.culprits == nil {
			q.culprits = q.build.culprits(q.nodes)
		}
		if len(q.culprits) == 0 {
			out = append(out, q)
			continue
		}
		id := fmt.Sprint(q.code, q.culprits)
		if i, ok := at[id]; ok {
			out[i].core = append(out[i].core, q.core...)
			out[i].nodes = append(out[i].nodes, q.nodes...)
			out[i].others = append(out[i].others, q.others...)
			out[i].witness = append(out[i].witness, q.witness...)
			continue
		}
		at[id] = len(out)
		out = append(out, q)
	}
	return out
}

// culprits are the finished and dead ranks that a core waits for.
func (b *build) culprits(core []nodeID) []op.Rank {
	var out []op.Rank
	for _, n := range core {
		w := b.threads[n]
		wait, _ := b.waiting(w)
		for k := range wait.Needs {
			for _, r := range b.waitsFor(w, &wait.Needs[k]) {
				if b.gone(r) {
					out = append(out, r)
				}
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// gone says whether all threads of a rank are over, but for those that sleep until another one wakes them.
func (b *build) gone(r op.Rank) bool {
	over := false
	for _, i := range b.threadsOf(r) {
		w := b.threads[i]
		if !b.over(w) && (b.view == strict || w.State != message.Asleep) {
			return false
		}
		over = over || b.over(w)
	}
	return over && !b.users[r]
}

// waitsFor are the ranks that a need names.
func (b *build) waitsFor(w *message.Wait, n *waitstate.Need) []op.Rank {
	switch n.Kind {
	case waitstate.NeedMessage:
		if n.Barred {
			return []op.Rank{n.Forced.Src}
		}
		if n.Rank != op.AnySource {
			return []op.Rank{n.Rank}
		}
		var out []op.Rank
		for _, m := range b.groups[n.Ctx] {
			if m != w.Rank {
				out = append(out, m)
			}
		}
		return out
	case waitstate.NeedReceive, waitstate.NeedSelf:
		return []op.Rank{n.Rank}
	case waitstate.NeedThread:
		return []op.Rank{w.Rank}
	case waitstate.NeedUnlock:
		return b.lockHolders(w.Rank, n)
	case waitstate.NeedMembers:
		v := b.waves[waveKey{n.Ctx, n.Seq}]
		if v == nil {
			return nil
		}
		missing := b.missing(waveKey{n.Ctx, n.Seq}, v)
		if b.view == necessary && n.Sync == op.SyncFromRoot && slices.Contains(missing, n.Root) {
			return []op.Rank{n.Root}
		}
		return missing
	}
	return nil
}

// askClash asks for the calls of a collective whose members disagree. Only the first on a communicator is told: what comes
// after it is out of step because of it.
func (r *root) askClash(c waitstate.Clash) {
	if r.clashes[c.Ctx] {
		return
	}
	r.clashes[c.Ctx] = true
	r.pending = append(r.pending, c)
}

// locate asks where the sends are that nearly fit what somebody waits for; false if there are none.
func (r *root) locate() bool {
	var origins []waitstate.Origin
	for i := range r.places {
		for _, m := range r.places[i].Shape.Misses {
			if m.Origin != nil {
				origins = append(origins, *m.Origin)
			}
		}
	}
	if len(origins) == 0 {
		return false
	}
	r.step, r.missing = locating, r.net.Agents()
	r.net.Broadcast(message.Locate{Round: r.round, Calls: origins})
	return true
}

// askOrigins asks for the calls of all clashes that wait to be told.
func (r *root) askOrigins() {
	var origins []waitstate.Origin
	for i := range r.pending {
		q := question{code: finding.CollectiveMismatch, clash: &r.pending[i]}
		for _, v := range r.pending[i].Voices {
			origins = append(origins, *v.Origin)
			q.core = append(q.core, message.CallKey(v.Origin))
		}
		for _, end := range r.pending[i].Ends {
			origins = append(origins, *end)
			q.core = append(q.core, message.CallKey(end))
		}
		r.asked = append(r.asked, q)
	}
	r.pending = nil
	for _, p := range r.pairs {
		origins = append(origins, *p.Give, *p.Take)
		r.asked = append(r.asked, question{code: p.Code, pair: p, core: []message.Key{message.CallKey(p.Give), message.CallKey(p.Take)}})
	}
	r.pairs = nil
	r.round++
	r.step, r.missing = describing, r.net.Agents()
	r.net.Broadcast(message.Locate{Round: r.round, Calls: origins})
}
