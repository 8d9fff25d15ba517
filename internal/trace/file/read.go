package file

import (
	"slices"

	"unknot/internal/trace"
	"unknot/internal/vocab/op"
)

// Read reads a whole log. Of a file that is damaged or was not closed, what comes before the damage is returned, and
// Log.Cut tells of it. An error means that nothing could be read.
func Read(path string) (*trace.Log, error) {
	var b builder
	info, err := Scan(path, All, b.add)
	if err != nil {
		return nil, err
	}
	return b.log(info), nil
}

// builder puts the blocks of a file together. Threads are by their numbers in the file.
type builder struct {
	threads []trace.Thread
	ends    []ends
}

// ends is how a thread's calls ended.
type ends struct {
	returned uint32
	done     []uint32 // waits that were reported as complete, of calls with Any
	failed   []uint32
	polled   []trace.Wait // what its polls wait for
}

func (b *builder) add(k *Block) error {
	b.grow(k.Defs)
	t, e := &b.threads[k.Thread], &b.ends[k.Thread]
	t.Ops = append(t.Ops, k.Ops...)
	t.Parts = append(t.Parts, k.Parts...)
	t.Waits = append(t.Waits, k.Waits...)
	e.returned = k.Returned
	for _, p := range k.Polls {
		p.WaitAt += uint32(len(e.polled))
		t.Polls = append(t.Polls, p)
	}
	e.polled = append(e.polled, k.PollWaits...)
	for _, o := range k.Outcomes {
		switch o.Kind {
		case Matched:
			t.Parts[o.Number].Matched, t.Parts[o.Number].MatchedTag = o.Rank, o.Tag
		case Gone:
			t.Parts[o.Number].Gone = true
		case Done:
			e.done = append(e.done, o.Number)
		case Failed:
			e.failed = append(e.failed, o.Number)
		}
	}
	return nil
}

func (b *builder) grow(d *Defs) {
	for i := len(b.threads); i < len(d.Threads); i++ {
		b.threads = append(b.threads, trace.Thread{Rank: d.Threads[i].Rank, Index: d.Threads[i].Index})
		b.ends = append(b.ends, ends{})
	}
}

func (b *builder) log(info *Info) *trace.Log {
	d := &info.Defs
	b.grow(d)
	for i := range b.threads {
		b.end(i)
	}
	b.trim()
	b.meet()
	for i := range b.threads {
		b.poll(i)
	}
	return &trace.Log{Head: d.Head, Funcs: d.Funcs, Comms: d.Comms, Sites: d.Sites, Stacks: d.Stacks,
		Threads: trace.Ordered(b.threads, d.Head.Ranks), Interactions: d.Interactions, Cut: info.Cut}
}

// end says of the calls of a thread whether they returned, and of their waits whether they are done.
func (b *builder) end(i int) {
	t, e := &b.threads[i], &b.ends[i]
	slices.Sort(e.failed)
	for k := range t.Ops {
		o := &t.Ops[k]
		o.Returned = k < int(e.returned)
		if !o.Returned || o.Any {
			continue
		}
		if _, failed := slices.BinarySearch(e.failed, uint32(k)); failed {
			continue
		}
		waits := t.WaitsOf(o)
		for j := range waits {
			waits[j].Done = true
		}
	}
	for _, k := range e.done {
		t.Waits[k].Done = true
	}
}

// meet fills in what needs no telling: a receive of a message with a named source and tag, once it is done, was given
// that.
func (b *builder) meet() {
	for i := range b.threads {
		for _, w := range b.threads[i].Waits {
			p := &b.threads[w.Thread].Parts[w.Part]
			if w.Done && (p.Kind == op.Recv || p.Kind == op.Probe) && p.Matched == op.Unknown && p.Peer >= 0 &&
				p.Tag != op.AnyTag && !p.Gone {
				p.Matched, p.MatchedTag = p.Peer, p.Tag
			}
		}
	}
}

// trim cuts threads of a file that was not closed before calls that wait for a part of another thread which did not
// come to the file: so that what is left of every thread is what it did first.
func (b *builder) trim() {
	for again := true; again; {
		again = false
		for i := range b.threads {
			t := &b.threads[i]
			at := slices.IndexFunc(t.Ops, func(o trace.Op) bool {
				return slices.ContainsFunc(t.WaitsOf(&o), func(w trace.Wait) bool {
					return int(w.Part) >= len(b.threads[w.Thread].Parts)
				})
			})
			if at >= 0 {
				o := t.Ops[at]
				t.Ops, t.Parts, t.Waits = t.Ops[:at], t.Parts[:o.First], t.Waits[:o.WaitAt]
				t.Polls = slices.DeleteFunc(t.Polls, func(p trace.Poll) bool { return int(p.Before) > at })
				again = true
			}
		}
	}
}

// poll puts what a thread's polls wait for behind what its calls wait for, except for polls of a part which is not in
// the file.
func (b *builder) poll(i int) {
	t, polled := &b.threads[i], b.ends[i].polled
	kept := t.Polls[:0]
	for _, p := range t.Polls {
		waits := polled[p.WaitAt : p.WaitAt+p.Waiting]
		if slices.ContainsFunc(waits, func(w trace.Wait) bool {
			return int(w.Part) >= len(b.threads[w.Thread].Parts)
		}) {
			continue
		}
		p.WaitAt = uint32(len(t.Waits))
		t.Waits = append(t.Waits, waits...)
		kept = append(kept, p)
	}
	t.Polls = kept
}
