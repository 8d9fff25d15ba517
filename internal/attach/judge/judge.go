// Package judge says of the ranks of a job that were looked at from outside who waits for whom, and whether that can
// end. Nothing is proved but what follows from calls that are known to have lasted while they were watched, and from
// arguments that are known.
//
// Proved means: the wait-for graph of those calls has a set that nothing outside of it can free (package waitfor). Each
// thread of it has been in its call for as long as it was watched, and had the processor meanwhile or slept: a message
// that had been sent to it would have arrived. What is not known frees: a thread outside of MPI, a rank that was not
// looked at, a call that waits for requests, a communicator other than the predefined ones.
//
// Hosts may have been looked at at different times. Then only threads of one host prove something together, or those
// whose ranks have recorded what they do: a record counts what was sent, taken and entered since the job began. Take the
// first thread of such a set that would leave its call after it was looked at. Another one of the set must have let it,
// before; either it did so before it was looked at, and its record has it, or it has left its own call by then, and the
// other one is not the first.
package judge

import (
	"slices"

	"unknot/internal/attach/look"
	"unknot/internal/model/waitfor"
	"unknot/internal/model/waitstate"
	"unknot/internal/observe/record"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// Job is what is known of one job.
type Job struct {
	size    int
	here    bool // all of its ranks are, or were, on the hosts that were looked at
	apart   bool // these were looked at at different times
	several bool // there are several of them
	threads []*node
	of      [][]*node // by rank
	seen    []bool    // ranks that were looked at
	round   []int     // by rank: those of one number were watched at one time
	over    []op.Rank // ranks that communicate no more: in MPI_Finalize, or their processes have ended
	ended   []op.Rank // those of them whose processes have ended
	quiet   []bool    // by rank: its libraries' threads have slept all the time
	entries entries   // of all ranks; nil unless each has a record
}

// node is a thread that may act for its rank.
type node struct {
	rank   *look.Rank
	host   string
	thread *look.Thread
	index  op.Thread
	parts  []part
	// met says that what one of its parts needs is there: it can go on.
	met  bool
	any  bool         // one of its parts is enough
	call *record.Call // as it was recorded, nil if it was not
	// asleep says that it is in no call of MPI, and that only another thread of its rank can wake it.
	asleep bool
}

// New takes in the ranks of a job as they were seen on hosts.
func New(hosts []look.Host) *Job {
	j := &Job{here: whole(hosts), several: len(hosts) > 1}
	numbers := rounds(hosts)
	var all []seen
	for i := range hosts {
		for k := range hosts[i].Ranks {
			all = append(all, seen{&hosts[i].Ranks[k], hosts[i].Name, numbers[i]})
		}
	}
	slices.SortStableFunc(all, func(a, b seen) int { return a.rank.Rank.Rank - b.rank.Rank.Rank })
	var ranks []look.Rank
	for _, s := range all {
		ranks = append(ranks, *s.rank)
		j.size = max(j.size, s.rank.Size, s.rank.Rank.Rank+1)
		j.apart = j.apart || s.round != all[0].round
	}
	j.of, j.seen, j.quiet = make([][]*node, j.size), make([]bool, j.size), make([]bool, j.size)
	j.round = make([]int, j.size)
	if !slices.ContainsFunc(ranks, func(r look.Rank) bool { return r.Failed == "" && !r.Recording }) {
		j.entries = entriesOf(ranks)
	}
	for _, s := range all {
		j.round[s.rank.Rank.Rank] = s.round
		j.add(s)
	}
	for r, seen := range j.seen {
		if !seen && j.here {
			j.ended, j.over = append(j.ended, op.Rank(r)), append(j.over, op.Rank(r))
		}
	}
	for _, n := range j.threads {
		if n.call == nil {
			j.meet(n)
		}
	}
	j.end()
	return j
}

// add takes in the threads of a rank, except for those of libraries, which serve calls of others.
func (j *Job) add(s seen) {
	r := s.rank
	n := r.Rank.Rank
	j.seen[n], j.quiet[n] = true, true
	if r.Failed != "" {
		return
	}
	for i := range r.Threads {
		t := &r.Threads[i]
		if !t.Own && t.TID != r.PID {
			j.quiet[n] = j.quiet[n] && t.Kept == look.Stays
			continue
		}
		if t.Call != nil && t.Call.Function.Class == mpi.Finalize && t.Kept != look.Left ||
			r.Record != nil && r.Record.State == record.Ended && i == 0 {
			j.over = append(j.over, op.Rank(n))
		}
		one := &node{rank: r, host: s.host, thread: t, index: op.Thread(len(j.of[n])), parts: j.parts(r, t),
			asleep: t.Call == nil && t.Kept == look.Stays && inside(t)}
		if t.Recorded != nil && j.entries != nil {
			f := &facts{j, r.Record}
			one.call = t.Recorded
			one.parts, one.any = f.recorded(t.Recorded)
			one.settle()
		}
		j.of[n] = append(j.of[n], one)
		j.threads = append(j.threads, one)
	}
}

// inside says whether only a thread of the same process can wake a thread: the kernel does so at the end of a thread
// that is joined.
func inside(t *look.Thread) bool {
	return t.Inside || t.Activity.Call == "futex" && t.Restarts && t.Waits() == "pthread_join"
}

// joined is the thread whose end another one waits for, which nobody else can wake; nil if it is not known. The kernel
// wakes who waits at a thread's number for that to be 0 (set_tid_address(2)).
func (j *Job) joined(n *node) *node {
	t := n.thread
	if !n.asleep || t.Inside || t.Waits() != "pthread_join" {
		return nil
	}
	for _, o := range j.of[n.rank.Rank.Rank] {
		if o != n && o.thread.TID == int(t.Value) {
			return o
		}
	}
	return nil
}

// settle leaves the parts that keep a recorded call, and says whether it can go on.
func (n *node) settle() {
	var open []part
	for _, p := range n.parts {
		if !p.met {
			open = append(open, p)
		}
	}
	n.met = len(n.parts) > 0 && (len(open) == 0 || n.any && len(open) < len(n.parts))
	if !n.met {
		n.parts = open
	}
}

// meet finds out whether what a thread needs is there, by the calls that others are in.
func (j *Job) meet(n *node) {
	own := op.Rank(n.rank.Rank.Rank)
	n.any = len(n.parts) > 1 // which of them have come already is not known
	for i := range n.parts {
		p := &n.parts[i]
		switch {
		case p.peer == op.ProcNull:
			p.met = true
		case p.kind == waitstate.NeedMembers:
			p.absent = j.absent(n, p)
			p.met = len(p.absent) == 0 && p.known
		default:
			p.met = slices.ContainsFunc(j.threads, func(o *node) bool {
				return o != n && (p.peer < 0 || p.peer == op.Rank(o.rank.Rank.Rank)) &&
					slices.ContainsFunc(o.parts, func(q part) bool { return p.fits(q, own) })
			})
		}
		n.met = n.met || p.met
	}
}

// fits says whether a part of another thread may be the other side of this one, of a rank.
func (p *part) fits(q part, own op.Rank) bool {
	if p.kind == q.kind || q.kind == waitstate.NeedMembers || p.ctx != q.ctx && p.ctx != unknown && q.ctx != unknown {
		return false
	}
	return (q.peer == own || q.peer == op.AnySource || q.peer == op.Unknown) && p.tag.meets(q.tag)
}

// absent are the members of a collective's communicator that are in no call that may be the same collective.
func (j *Job) absent(n *node, p *part) (list []op.Rank) {
	if p.ctx != world {
		return nil
	}
	for r := range op.Rank(j.size) {
		in := slices.ContainsFunc(j.of[r], func(o *node) bool {
			return slices.ContainsFunc(o.parts, func(q part) bool {
				return q.kind == waitstate.NeedMembers && (q.ctx == unknown || q.ctx == p.ctx) &&
					together(n.thread.Call.Function, o.thread.Call.Function)
			})
		})
		if !in {
			list = append(list, r)
		}
	}
	return list
}

// together says whether calls of two functions may be parts of one collective operation.
func together(f, g *mpi.Func) bool { return f == g || f.Family != 0 && f.Family == g.Family }

// Size is how many ranks it has, as far as that is known.
func (j *Job) Size() int { return j.size }

// graph is the wait-for graph of what is sure at a time, where what is not known may let go on.
func (j *Job) graph(time int) *waitfor.Graph {
	return j.waits(func(r int) bool { return j.at(r, time) }, true)
}

// guess is the wait-for graph in which what a call waits for that is not known is one of all other ranks, and each call
// counts that was seen each time.
func (j *Job) guess() *waitfor.Graph {
	return j.waits(func(int) bool { return true }, false)
}

// waits is the wait-for graph of the ranks that count.
func (j *Job) waits(counts func(rank int) bool, sure bool) *waitfor.Graph {
	g := waitfor.New(len(j.threads))
	number := make(map[*node]waitfor.Node)
	for i, n := range j.threads {
		number[n] = waitfor.Node(i)
	}
	ranks := make([]waitfor.Node, j.size)
	for r := range ranks {
		var list []waitfor.Node
		for _, n := range j.of[r] {
			list = append(list, number[n])
		}
		switch {
		case slices.Contains(j.over, op.Rank(r)) && counts(r):
			ranks[r] = g.Never()
		case len(list) > 0:
			ranks[r] = g.Any(list)
		default:
			ranks[r] = g.Running()
		}
	}
	for _, n := range j.threads {
		if !counts(n.rank.Rank.Rank) {
			continue
		}
		if o := j.joined(n); o != nil {
			g.Block(number[n], []waitfor.Node{number[o]})
			continue
		}
		if n.asleep && (!sure || j.quiet[n.rank.Rank.Rank]) {
			var rest []waitfor.Node
			for _, o := range j.of[n.rank.Rank.Rank] {
				if o != n {
					rest = append(rest, number[o])
				}
			}
			g.BlockAny(number[n], rest)
			continue
		}
		if !n.stuck(sure) || sure && j.apart && j.entries != nil && n.call == nil {
			continue
		}
		var needs []waitfor.Node
		for i := range n.parts {
			needs = append(needs, n.need(g, ranks, &n.parts[i]))
		}
		switch {
		case len(needs) == 0:
			g.BlockAny(number[n], ranks)
		case n.any:
			g.BlockAny(number[n], needs)
		default:
			g.Block(number[n], needs)
		}
	}
	return g
}

// need is the node of what one part needs.
func (n *node) need(g *waitfor.Graph, ranks []waitfor.Node, p *part) waitfor.Node {
	switch {
	case !p.known:
		return g.Any(ranks)
	case p.kind == waitstate.NeedMembers && p.sync == op.SyncAll:
		return g.All(named(ranks, p.absent))
	case p.kind == waitstate.NeedMembers && p.sync == op.SyncFromRoot && slices.Contains(p.absent, p.root):
		return ranks[p.root]
	case p.kind == waitstate.NeedMembers:
		return g.Any(named(ranks, p.absent))
	case (p.peer == op.AnySource || p.kind == waitstate.NeedUnlock) && len(p.from) > 0:
		return g.Any(named(ranks, p.from))
	case p.peer == op.AnySource:
		return g.Any(ranks)
	}
	return ranks[p.peer]
}

// stuck says whether a thread may be taken to wait for others only.
func (n *node) stuck(sure bool) bool {
	c := n.thread.Call
	if c == nil || n.met || outer(c.Function.Class) || n.thread.Kept == look.Left || c.Function.Class.Quiet() ||
		polls(c.Function) || held(n.thread) {
		return false
	}
	if !sure {
		return true
	}
	return n.thread.Kept == look.Stays && (n.thread.Ran || n.call != nil) && len(n.parts) > 0 &&
		!slices.ContainsFunc(n.parts, func(p part) bool { return !p.sure() })
}

// outer says whether a call begins or ends MPI, which takes its time: it waits for processes more than for calls.
func outer(c mpi.Class) bool { return c == mpi.Init || c == mpi.Finalize }

func stopped(t *look.Thread) bool { return t.State == 'T' || t.State == 't' }

// held says whether the kernel keeps a thread: it is stopped, or in an uninterruptible sleep.
func held(t *look.Thread) bool { return stopped(t) || t.State == 'D' }

// polls says whether a function returns at once whether or not what it asks for is there.
func polls(f *mpi.Func) bool {
	switch f.Class {
	case mpi.Test, mpi.Testall, mpi.Testany, mpi.Testsome, mpi.Iprobe, mpi.Improbe, mpi.Parrived, mpi.WinTest,
		mpi.GetStatus, mpi.GetStatusAll, mpi.GetStatusAny, mpi.GetStatusSome:
		return true
	}
	return f.Nonblocking || f.Persistent
}

func named(ranks []waitfor.Node, list []op.Rank) (nodes []waitfor.Node) {
	for _, r := range list {
		nodes = append(nodes, ranks[r])
	}
	return nodes
}
