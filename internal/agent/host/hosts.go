package host

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"unknot/internal/agent/kernel"
	"unknot/internal/root/detect"
	"unknot/internal/root/link"
	"unknot/internal/say/explain"
	"unknot/internal/upc/streams"
	"unknot/internal/vocab/op"
)

// listenForHosts has the processes of other hosts join.
func listenForHosts(p *process) (*hosts, error) {
	h := &hosts{p: p, remotes: []*remote{{host: kernel.Hostname()}}, begun: make(chan struct{})}
	h.open, h.shut = context.WithCancel(context.Background())
	h.carrier = newCarrier(p.table, h.send)
	h.carrier.room = h.awaitRoom
	key, err := link.ParseKey(p.opts.Key)
	if err != nil {
		return nil, err
	}
	h.hub, err = link.Options{Grace: p.opts.LinkTimeout}.Listen(key, p.opts.Listen, p.opts.Version,
		func(l *link.Link) { p.events.Put(func() { h.join(l) }) })
	if err != nil {
		return nil, err
	}
	go func() {
		for {
			select {
			case why := <-h.hub.Refused():
				p.events.Put(func() { p.note(why) })
			case <-h.open.Done():
				return
			}
		}
	}()
	return h, nil
}

func (h *hosts) close() {
	h.shut()
	h.hub.Close()
}

// send sends a message to a process, unless it is lost, which the root knows.
func (h *hosts) send(process int, text []byte) {
	if way := h.ways[process].Load(); way != nil {
		h.carrier.backlog.send(way, text)
	}
}

// awaitRoom waits while too much is under way to a process, so that who sends more of that is held back.
func (h *hosts) awaitRoom(process int) {
	if way := h.ways[process].Load(); way != nil {
		way.AwaitRoom(mostBacklog)
	}
}

// own is this host's process.
func (h *hosts) own() *remote { return h.remotes[supervisorsHost] }

// others are those of other hosts.
func (h *hosts) others() []*remote { return h.remotes[supervisorsHost+1:] }

// join takes in the process of another host.
func (h *hosts) join(l *link.Link) {
	number := len(h.remotes)
	g, err := readGreeting(l.Hello())
	switch {
	case err != nil:
		l.Abort()
		return
	case g.Died != "":
		h.mourn(&g)
		go l.Close(closing)
		return
	case h.p.net != nil || h.ending || number == maxProcesses:
		h.p.note(explain.JoinedLate(g.Host))
		l.Abort()
		return
	}
	h.hear()
	r := &remote{number: number, host: g.Host, id: g.ID, listens: g.Addresses, link: l, ended: make(chan struct{}),
		recorded: make(chan *streams.Copy, 1)}
	h.remotes = append(h.remotes, r)
	h.ways[number].Store(l)
	o := h.p.opts
	o.Session, o.Listen = "", nil
	(&control{Welcome: &welcome{Options: o, Sent: h.p.session.Sent(), Slowdown: h.p.session.Slowdown()}}).send(l)
	go h.receive(r)
	go h.takeRecorded(r)
}

// mourn takes in that a process has died, as its guard says.
func (h *hosts) mourn(g *greeting) {
	for _, r := range h.others() {
		if r.id == g.ID {
			h.p.note(explain.AgentDied(g.Host, g.Died))
			h.lose(r)
			r.link.Abort()
		}
	}
}

// receive takes in what a process says, until its link ends.
func (h *hosts) receive(r *remote) {
	defer close(r.ended)
	defer close(r.recorded)
	for {
		text, err := r.link.Receive()
		if err != nil {
			if errors.Is(err, io.EOF) {
				_ = r.link.Close(leaving) // it has left, and hears that everything has arrived
			}
			h.p.events.Put(func() { h.lose(r) })
			return
		}
		if err := h.take(r, text); err != nil {
			r.link.Abort()
			h.p.events.Put(func() { h.p.note(fmt.Sprintf("%s: %v", r.host, err)); h.lose(r) })
			return
		}
	}
}

func (h *hosts) take(r *remote, text []byte) error {
	if isMessage(text) {
		// who knows already whom to tell something may be faster than this process, which has still to tell the
		// receiver
		<-h.begun
	}
	c, err := h.carrier.take(text)
	if c == nil {
		return err
	}
	if c.Recorded != nil {
		r.recorded <- c.Recorded
		return nil
	}
	h.p.events.Put(func() {
		switch {
		case c.Here != nil:
			h.here(r, c.Here)
		case c.Note != "":
			h.p.note(explain.OnHost(r.host, c.Note))
		case c.NoWay != nil:
			h.detour(r, c.NoWay)
		case c.Last != nil:
			r.last = c.Last
			h.paste(r, &c.Last.Told)
		case c.Trace != nil:
			r.trace = c.Trace
		case c.Final:
			r.final = true
		case c.Listed:
			r.listed = true
		case c.Threads:
			h.threads.on = true
		case c.Told != nil:
			h.takeThreads(r, c.Told)
		}
	})
	return nil
}

// here notes that a rank is at a process. Once all are known, watching begins.
func (h *hosts) here(r *remote, x *here) {
	if h.heard.IsZero() {
		h.library, h.firstOn, h.heard = x.Library, r.host, time.Now()
		h.p.size = x.Size
	}
	if x.Size != h.p.size || h.p.net != nil || x.Rank < 0 || int(x.Rank) >= x.Size {
		h.p.note(explain.OtherWorld())
		return
	}
	h.hear()
	r.ranks = append(r.ranks, x.Rank)
	if x.Library != h.library {
		h.p.note(explain.OtherLibrary(r.host, x.Library, h.firstOn, h.library))
	}
	if h.known() == h.p.size {
		h.begin()
	}
}

func (h *hosts) known() (n int) {
	for _, r := range h.remotes {
		n += len(r.ranks)
	}
	return n
}

// rankPatience is how long ranks are waited for that have not been heard of, since another host or rank has. All return
// from MPI_Init at about the same time. But where many hosts start their agents at once, or share processors, the last
// may be heard of long after the first: only when nobody new has come for so long, the others are where no agent is.
const rankPatience = 10 * time.Second

// tick is called now and then.
func (h *hosts) tick() {
	h.askThreads()
	if h.p.net == nil && h.overdue() {
		h.begin()
	}
}

// hear notes that somebody new was heard of, once there is a rank to be watched.
func (h *hosts) hear() {
	if !h.heard.IsZero() {
		h.heard = time.Now()
	}
}

// overdue says whether those that have not been heard of are to be waited for no more.
func (h *hosts) overdue() bool { return !h.heard.IsZero() && time.Since(h.heard) > rankPatience }

// begin says to all who watches whom.
func (h *hosts) begin() {
	processes := make([][]op.Rank, len(h.remotes))
	for i, r := range h.remotes {
		if r.lost.IsZero() {
			processes[i] = r.ranks
		}
	}
	listen, names := make([][]string, len(h.remotes)), make([]string, len(h.remotes))
	for i, r := range h.remotes {
		listen[i], names[i] = r.listens, r.host
	}
	l := spread(h.p.size, h.p.opts.RanksPerAgent, processes)
	l.FanIn = h.p.opts.FanIn
	h.p.settle(l, supervisorsHost)
	for _, r := range h.others() {
		if r.lost.IsZero() {
			(&control{Begin: &begin{Layout: l, Library: h.library, Self: r.number, Listen: listen, Hosts: names}}).send(
				r.link)
		}
	}
	close(h.begun)
	h.p.start(l, h.library, h.names(&l))
}

// through says whether all ranks of the job have returned from MPI_Finalize, and those of other hosts wait until what
// is known of them is reported: nothing is left to be seen.
func (h *hosts) through() bool {
	waiting := false
	for _, r := range h.remotes {
		switch {
		case len(r.ranks) == 0 || !r.lost.IsZero():
		case r.number == supervisorsHost:
			if !h.p.allFinal() {
				return false
			}
		case !r.final:
			return false
		default:
			waiting = true
		}
	}
	return waiting && h.p.net != nil && h.known() == h.p.size
}

// names are the hosts on which ranks are watched, in the order of their lowest ranks.
func (h *hosts) names(l *layout) (names []string) {
	for _, s := range l.Agents {
		if name := h.remotes[s.Process].host; !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// detour takes in that the process of one host cannot reach that of another one, which is said of the first only.
func (h *hosts) detour(from *remote, w *noWay) {
	if h.noWay || h.ending || w.Process <= supervisorsHost || w.Process >= len(h.remotes) ||
		!h.remotes[w.Process].lost.IsZero() {
		return
	}
	h.noWay = true
	h.p.note(explain.Detour(from.host, h.remotes[w.Process].host, w.Why))
}

// lose notes that a process can be reached no more. That others may still reach it must not matter: the root tells them
// what they are to know.
func (h *hosts) lose(r *remote) {
	if !r.lost.IsZero() {
		return
	}
	r.lost = time.Now()
	h.ways[r.number].Store(nil)
	h.carrier.forget(r.number)
	for _, other := range h.others() {
		if other.lost.IsZero() {
			(&control{Gone: r.number}).send(other.link)
		}
	}
	h.answered(r)
	slices.Sort(r.ranks)
	if h.p.root != nil && len(r.ranks) > 0 {
		h.p.root.Lose(detect.Lost{Agents: h.agentsOf(r.number), Host: r.host, Ranks: r.ranks, Since: r.lost})
	}
}

// hostOf is where an agent is.
func (h *hosts) hostOf(agent int) string { return h.remotes[h.carrier.of[agent]].host }

func (h *hosts) agentsOf(number int) (agents []int) {
	for agent, process := range h.carrier.of {
		if process == number {
			agents = append(agents, agent)
		}
	}
	return agents
}

// lastPatience is how long what other hosts have to say at the end is waited for.
const lastPatience = 20 * time.Second

// lastMoment is how long that of a host is which is out of reach.
const lastMoment = 12 * time.Second

// finish has all processes read what is left, and adds what they say to all.
func (h *hosts) finish(all *last) {
	h.callRoll()
	h.ending = true
	if h.p.net == nil && !h.heard.IsZero() {
		h.begin()
	}
	for _, r := range h.others() {
		if r.lost.IsZero() {
			(&control{Ended: true}).send(r.link)
		}
	}
	h.awaitAll(func(r *remote) bool { return r.last != nil })
	for _, r := range h.others() {
		if l := r.last; l != nil {
			all.Ended.Outside = append(all.Ended.Outside, l.Ended.Outside...)
			all.Ended.Freed = append(all.Ended.Freed, l.Ended.Freed...)
			if l.NoRing > 0 {
				all.NoRing, all.Errno, all.Where = all.NoRing+l.NoRing, l.Errno, explain.OnHost(r.host, l.Where)
			}
		}
	}
}

// callRoll has the processes of other hosts say which ranks they have found. Ranks that end soon may have before
// anybody has heard of them.
func (h *hosts) callRoll() {
	if h.p.net != nil {
		return
	}
	h.awaitAll(func(r *remote) bool {
		if !r.asked {
			r.asked = true
			(&control{Who: true}).send(r.link)
		}
		return r.listed || h.p.net != nil
	})
}

// awaitAll waits until all processes of other hosts that are not lost have said something. Who takes too long, or is
// out of reach, is lost.
func (h *hosts) awaitAll(said func(*remote) bool) {
	patience := time.NewTimer(lastPatience)
	defer patience.Stop()
	look := time.NewTicker(100 * time.Millisecond)
	defer look.Stop()
	for h.awaited(said) {
		select {
		case <-h.p.events.Wake():
			h.p.handle()
		case <-look.C:
			h.giveUp(lastMoment, said)
		case <-patience.C:
			h.giveUp(0, said)
		}
	}
}

// awaited says whether a process that is not lost has still to say something. All of them are asked.
func (h *hosts) awaited(said func(*remote) bool) bool {
	silent := false
	for _, r := range h.others() {
		if r.lost.IsZero() && !said(r) {
			silent = true
		}
	}
	return silent
}

// giveUp loses the processes that have not said something, those that have been out of reach for so long; all with 0.
func (h *hosts) giveUp(reach time.Duration, said func(*remote) bool) {
	for _, r := range h.others() {
		if !r.lost.IsZero() || said(r) {
			continue
		}
		if since, down := r.link.Down(); reach == 0 || down && time.Since(since) > reach {
			h.lose(r)
			r.link.Abort()
		}
	}
}

// How long the processes of other hosts may take to leave when everything has been said; and when their traces are
// still to come.
const (
	leaving     = 2 * time.Second
	leavingSlow = 50 * time.Second
)

// awaitLeaving waits until they have left, so that they need not take this process for lost.
func (h *hosts) awaitLeaving() {
	most := leaving
	if h.p.trace != nil {
		most = leavingSlow
	}
	patience := time.After(most)
	for _, r := range h.others() {
		for gone := !r.lost.IsZero(); !gone; {
			select {
			case <-r.ended:
				gone = true
			case <-h.p.events.Wake():
				h.p.handle()
			case <-patience:
				return
			}
		}
	}
	h.p.handle()
}

// watched is how many ranks have been watched to their ends.
func (h *hosts) watched() (n int) {
	for _, r := range h.remotes {
		if r.lost.IsZero() || r.last != nil {
			n += len(r.ranks)
		}
	}
	return n
}
