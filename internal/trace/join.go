package trace

import "unknot/internal/op"

// Join makes one log of those of several hosts, each of which has the calls of its own ranks. The first has the head.
func Join(logs []*Log) *Log {
	j := joiner{all: &Log{Head: logs[0].Head, Sites: []Site{{}}}, funcs: make(map[string]uint16), comms: make(map[op.CommID]uint32), sites: make(map[Site]uint32)}
	for _, l := range logs {
		j.add(l)
		if j.all.Cut == "" {
			j.all.Cut = l.Cut
		}
	}
	j.all.Threads = Ordered(j.all.Threads, j.all.Head.Ranks)
	return j.all
}

// joiner gives what several logs name numbers of its own.
type joiner struct {
	all   *Log
	funcs map[string]uint16
	comms map[op.CommID]uint32
	sites map[Site]uint32
}

func (j *joiner) add(l *Log) {
	funcs, comms, sites := make([]uint16, len(l.Funcs)), make([]uint32, len(l.Comms)), make([]uint32, len(l.Sites))
	for i, name := range l.Funcs {
		funcs[i] = number(j.funcs, &j.all.Funcs, name, name)
	}
	for i := range l.Comms {
		comms[i] = number(j.comms, &j.all.Comms, l.Comms[i].ID, l.Comms[i])
		if c := &j.all.Comms[comms[i]]; c.Name == "" {
			c.Name = l.Comms[i].Name
		}
	}
	for i := 1; i < len(l.Sites); i++ {
		sites[i] = number(j.sites, &j.all.Sites, l.Sites[i], l.Sites[i])
	}
	for _, n := range l.Noted {
		n.Site = sites[n.Site]
		j.all.Noted = append(j.all.Noted, n)
	}
	// Threads that made no call are those of other hosts.
	threads := make([]uint32, len(l.Threads))
	for i := range l.Threads {
		if len(l.Threads[i].Ops)+len(l.Threads[i].Polls) > 0 {
			threads[i] = uint32(len(j.all.Threads))
			j.all.Threads = append(j.all.Threads, l.Threads[i])
		}
	}
	for i := range l.Threads {
		if len(l.Threads[i].Ops)+len(l.Threads[i].Polls) == 0 {
			continue
		}
		t := &j.all.Threads[threads[i]]
		for k := range t.Ops {
			t.Ops[k].Fn, t.Ops[k].Site = funcs[t.Ops[k].Fn], sites[t.Ops[k].Site]
		}
		for k := range t.Polls {
			p := &t.Polls[k]
			p.Fn, p.Site = funcs[p.Fn], sites[p.Site]
			if p.Probe {
				p.Comm = comms[p.Comm]
			}
		}
		for k := range t.Parts {
			t.Parts[k].Comm = comms[t.Parts[k].Comm]
		}
		for k := range t.Waits {
			t.Waits[k].Thread = threads[t.Waits[k].Thread]
		}
	}
}

// number is that of something in a list, to which it is added if it is not there.
func number[K comparable, V any, N uint16 | uint32](known map[K]N, list *[]V, key K, value V) N {
	n, there := known[key]
	if !there {
		n = N(len(*list))
		known[key] = n
		*list = append(*list, value)
	}
	return n
}
