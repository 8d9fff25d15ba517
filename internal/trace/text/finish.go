package text

import (
	"fmt"
	"slices"

	"unknot/internal/trace"
	"unknot/internal/vocab/op"
)

// finish puts the log together when all lines have been read.
func (p *parser) finish() {
	l := &p.log
	if l.Head.Ranks == 0 {
		l.Head.Ranks = len(p.threads)
	}
	if int(p.highRank) >= l.Head.Ranks && p.highest.number > 0 {
		p.failAt(p.highest, "expected a process below %d, found %d; hint: a line \"ranks %d\" at the top says how "+
			"many there are",
			l.Head.Ranks, p.highRank, p.highRank+1)
		return
	}
	if l.Head.Ranks == 0 {
		p.failAt(place{number: max(1, p.number)}, "expected calls of processes, such as \"P0: Send(1,0)\", found none")
		return
	}
	if named := p.named(); l.Head.Ranks-named > maxGap && l.Head.Ranks-named > maxIdle*named {
		p.failAt(p.ranksAt, "expected a line for at least one in %d processes, found %s; hint: lower the number for "+
			"\"ranks\"; processes without calls do not matter",
			maxIdle+1, found(named, l.Head.Ranks))
		return
	}
	for r := range l.Head.Ranks {
		p.thread(threadName{op.Rank(r), 0})
	}
	p.comms[0].Members = p.world
	if p.world == nil {
		p.comms[0].Members = make([]op.Rank, l.Head.Ranks)
		for r := range p.comms[0].Members {
			p.comms[0].Members[r] = op.Rank(r)
		}
	}
	all := p.ordered()
	p.resolve()
	l.Funcs, l.Comms, l.Sites = p.shapes.names, p.comms, p.sites
	l.Threads = make([]trace.Thread, len(all))
	for i, t := range all {
		l.Threads[i] = t.Thread
	}
}

// named is how many processes have a line.
func (p *parser) named() int {
	n := 0
	for _, t := range p.threads {
		if t != nil {
			n++
		}
	}
	return n
}

func found(named, ranks int) string {
	if named == 1 {
		return fmt.Sprintf("one of %d", ranks)
	}
	return fmt.Sprintf("%d of %d", named, ranks)
}

// ordered numbers the threads by rank and index, and tells the waits of each its number.
func (p *parser) ordered() []*thread {
	all := p.threads
	if len(p.more) > 0 {
		all = slices.Clone(all)
		for _, t := range p.more {
			all = append(all, t)
		}
		slices.SortFunc(all, func(a, b *thread) int {
			if a.Rank != b.Rank {
				return int(a.Rank - b.Rank)
			}
			return int(a.Index - b.Index)
		})
	}
	for i, t := range all {
		t.at = uint32(i)
		for w := range t.Waits {
			t.Waits[w].Thread = uint32(i)
		}
	}
	return all
}

// resolve finds what is waited for in other threads.
func (p *parser) resolve() {
	for _, f := range p.foreign {
		var s span
		var of *thread
		if int(f.of.rank) < len(p.threads) {
			of = p.threads[f.of.rank]
			if f.of.index != 0 {
				of = p.more[f.of]
			}
		}
		if of != nil {
			s, _ = of.requests.get(f.name)
		}
		if s.count != 1 && len(p.errs) < maxErrors {
			p.failAt(f.place, "expected a request of one send or receive that P%d.%d starts, found %q", f.of.rank,
				f.of.index, f.word)
			continue
		}
		if s.count == 1 {
			f.by.Waits[f.wait].Thread, f.by.Waits[f.wait].Part = of.at, s.first
		}
	}
}
