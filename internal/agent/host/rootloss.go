package host

import (
	"context"
	"fmt"
	"os"
	"slices"
	"syscall"
	"time"

	"unknot/internal/agent"
	"unknot/internal/agent/kernel"
	"unknot/internal/root/parts"
	"unknot/internal/say/explain"
	"unknot/internal/vocab/op"
)

// When the root is lost, the process of another host watches its ranks to their ends and leaves a part (package parts),
// from which `unknot report` makes what the root would have reported. Whether the root is lost for good is known only
// after a while. As long as its link is down, the agents note where their threads are, as it may be the job's end that
// is noticed first.

// feel looks whether the link to the root is down. As long as it is, what threads of UPC tell is kept.
func (n *node) feel() {
	defer n.keepThreads()
	since, down := n.link.Down()
	if down != n.alone.since.IsZero() {
		return
	}
	n.alone.since = time.Time{}
	if down {
		n.alone.since = since
	}
	n.p.watchState(down)
}

// keepThreads keeps where the threads of UPC are, as long as the root is out of reach.
func (n *node) keepThreads() {
	if n.alone.since.IsZero() || time.Since(n.alone.looked) < copyEvery {
		return
	}
	n.alone.looked = time.Now()
	n.alone.threads.Look(n.alone.looked, n.p.world.Processes.Gone)
}

// outlive watches the ranks of this host to their ends, and leaves what is known of them. Nothing is left where nobody
// has begun to watch, or where the process was asked to end while the root could be reached.
func (n *node) outlive(ctx context.Context) {
	if n.p.net == nil || n.lost == nil && n.alone.since.IsZero() {
		return
	}
	if n.alone.since.IsZero() {
		n.alone.since = time.Now()
	}
	dir, err := parts.Prepare(parts.Places(n.p.opts.Parts, n.p.opts.Job))
	if err != nil {
		n.say(explain.NoPart(kernel.Hostname(), err))
		return
	}
	n.say(explain.Outlives(n.rootsHost(), n.alone.since, n.p.watchedRanks(), kernel.Hostname(), dir))
	n.direct.close()
	n.carrier.close() // what came later would not be in the counts
	n.p.loseRoot()
	n.p.follow(ctx, func() bool {
		n.keepThreads()
		return n.p.allOver()
	})
	p := parts.Part{Head: n.head()}
	n.p.discover()
	n.p.endAgents()
	p.Ended, p.Shares, p.Threads = n.p.last().Ended, n.p.shares(), n.alone.threads.Last()
	if p.Trace, err = n.leaveTrace(dir); err != nil {
		p.Notes = append(p.Notes, err.Error())
	}
	if _, err := parts.Write(dir, &p, n.p.table); err != nil {
		n.say(explain.NoPart(kernel.Hostname(), err))
	}
}

// leaveTrace puts what was recorded beside the part, and returns the name of the file; "" if nothing was.
func (n *node) leaveTrace(dir string) (string, error) {
	if n.p.trace == nil {
		return "", nil
	}
	if err := n.p.trace.Close(explain.CallsOf(kernel.Hostname())); err != nil {
		return "", err
	}
	return parts.KeepTrace(dir, n.tracePath(), kernel.Hostname(), n.alone.begun.Self)
}

// head says whose part it is.
func (n *node) head() parts.Head {
	o, b := &n.p.opts, n.alone.begun
	h := parts.Head{Job: o.Job, Unknot: o.Version, Command: o.Command, Start: o.Start, MPI: b.Library,
		Size: b.Layout.Size, Host: kernel.Hostname(), Process: b.Self,
		Lost: n.alone.since, Until: time.Now(), Whole: n.p.allOver(), Notes: n.alone.notes, Recorded: o.Trace}
	for number, host := range b.Hosts {
		w := parts.Watch{Process: number, Host: host}
		for _, s := range b.Layout.Agents {
			if s.Process == number {
				w.Ranks = w.Ranks.Union(s.Ranks)
			}
		}
		if w.Ranks.Len() > 0 {
			h.Watch = append(h.Watch, w)
		}
	}
	return h
}

// rootsHost is the host of the root.
func (n *node) rootsHost() string {
	if hosts := n.alone.begun.Hosts; len(hosts) > supervisorsHost {
		return hosts[supervisorsHost]
	}
	return "the supervisor's host"
}

// watchedRanks are the ranks of this process.
func (p *process) watchedRanks() (list []op.Rank) {
	for r := range p.ranks {
		list = append(list, r)
	}
	slices.Sort(list)
	return list
}

// allOver says whether all ranks of this process have ended, or wait for it at the end of MPI_Finalize.
func (p *process) allOver() bool {
	gone := true
	for pid := range p.main {
		gone = gone && p.world.Processes.Gone(pid)
	}
	if !gone && underSlurm() && p.allFinal() {
		p.final = true
	}
	return gone || p.final
}

// say tells the user something for which there is no other way: on the standard error of a rank, where the launcher
// takes it from.
func (n *node) say(text string) {
	for _, rank := range n.p.watchedRanks() {
		f, err := os.OpenFile(fmt.Sprintf("/proc/%d/fd/2", n.p.ranks[rank]),
			os.O_WRONLY|os.O_APPEND|syscall.O_NONBLOCK|syscall.O_NOCTTY, 0)
		if err != nil {
			continue
		}
		_, err = fmt.Fprintf(f, "unknot: %s\n", text)
		f.Close()
		if err == nil {
			return
		}
	}
}

// shares waits until the agents of this process have read everything, and gives what they know.
func (p *process) shares() (list []parts.Share) {
	for id, box := range p.boxes {
		share := make(chan parts.Share, 1)
		box.Put(agent.Instruction{Share: share})
		select {
		case s := <-share:
			list = append(list, s)
		case <-p.agents[id]: // the root has let it go, as it had judged everything
		}
	}
	return list
}

// loseRoot tells the agents of this process that the root and the ranks of other processes cannot be reached any more.
func (p *process) loseRoot() {
	away := func(r op.Rank) bool { return !p.expected(r) }
	for _, box := range p.boxes {
		box.Put(agent.Instruction{Away: away})
	}
}

// watchState has the agents of this process note where their threads are, or not any more.
func (p *process) watchState(on bool) {
	for _, box := range p.boxes {
		box.Put(agent.Instruction{Alone: &on})
	}
}
