package file

import (
	"fmt"
	"os"

	"unknot/internal/vocab/op"
)

// Survey is what a file says of itself: what its numbers stand for, how many calls there are, and why it ends before
// the run did.
type Survey struct {
	Info
	path string
	made map[uint32]bool // threads that have made calls; others are those of other hosts
}

// Look surveys a file, and gives nobody its calls.
func Look(path string) (*Survey, error) {
	s := &Survey{path: path, made: make(map[uint32]bool)}
	info, err := scanBlocks(path, func(h *header, _ []byte, _ uint32) error {
		s.made[h.thread] = s.made[h.thread] || h.ops+h.polls > 0
		return nil
	})
	if err != nil {
		return nil, err
	}
	s.Info = *info
	return s, nil
}

// Join writes one trace of those of several hosts, each of which has the calls of its own ranks. The first has the
// head. Blocks are copied one by one, and calls that repeat stay one block, so that it takes little memory however long
// the run was. Cut says why the trace is not the whole run; if it is empty, the first reason that one of them has does.
// A file that is at path, which may be one of them, is replaced when the new one is complete.
func Join(path string, from []*Survey, cut string) error {
	for _, s := range from {
		if cut == "" {
			cut = s.Cut
		}
	}
	whole := path + ".joined"
	if err := write(whole, from, cut); err != nil {
		os.Remove(whole)
		return err
	}
	return os.Rename(whole, path)
}

// write makes the new file.
func write(path string, from []*Survey, cut string) error {
	w, err := Create(path, from[0].Defs.Head)
	if err != nil {
		return err
	}
	names := namesOf(from)
	parts := make([]*joined, len(from))
	for i, s := range from {
		parts[i] = &joined{Survey: s, streams: make(map[uint32]*Stream)}
		parts[i].define(w, names)
	}
	for _, p := range parts {
		if err = p.copy(w); err != nil {
			break
		}
	}
	if failed := w.Close(cut); err == nil {
		err = failed
	}
	return err
}

// namesOf are the names of communicators, some of which have one on another host alone.
func namesOf(from []*Survey) map[op.CommID]string {
	names := make(map[op.CommID]string)
	for _, s := range from {
		for _, c := range s.Defs.Comms {
			if names[c.ID] == "" {
				names[c.ID] = c.Name
			}
		}
	}
	return names
}

// joined is one of the files that are joined.
type joined struct {
	*Survey
	streams map[uint32]*Stream
	numbers numbers
}

// define gives what the file names its numbers in the new one.
func (p *joined) define(w *Writer, names map[op.CommID]string) {
	d, n := &p.Defs, &p.numbers
	for _, name := range d.Funcs {
		n.funcs = append(n.funcs, uint64(w.Func(name)))
	}
	for _, c := range d.Comms {
		c.Name = names[c.ID]
		n.comms = append(n.comms, uint64(w.Comm(Comm{Comm: c})))
	}
	stacks := make([]uint32, len(d.Stacks))
	for i, frames := range d.Stacks {
		stacks[i] = w.Stack(frames)
	}
	for _, s := range d.Sites {
		s.Stack = stacks[s.Stack]
		n.sites = append(n.sites, uint64(w.Site(s)))
	}
	for _, noted := range d.Interactions {
		noted.Site = uint32(n.sites[noted.Site])
		w.Note(noted)
	}
	n.threads = make([]uint64, len(d.Threads))
	for i, t := range d.Threads {
		if p.made[uint32(i)] {
			s := w.Stream(t.Rank, t.Index)
			p.streams[uint32(i)], n.threads[i] = s, uint64(s.Number)
		}
	}
}

// copy writes the calls of the file to the new one.
func (p *joined) copy(w *Writer) error {
	_, err := scanBlocks(p.path, func(h *header, raw []byte, times uint32) error {
		s := p.streams[h.thread]
		if s == nil { // nothing but what became of calls that it has not made
			return nil
		}
		to := *h
		to.thread = s.Number
		raw, err := p.numbers.block(h, raw)
		if err != nil {
			return fmt.Errorf("trace %s: a block of calls with %w; hint: record the run again", p.path, err)
		}
		w.addRepeated(s, to, w.pack(&to, raw), times)
		return nil
	})
	return err
}

// numbers are what the numbers of a file are in another one.
type numbers struct{ funcs, comms, sites, threads []uint64 }

// block is the payload of a block of calls, by the new numbers. What does not name a function, site, communicator or
// thread stays as it is.
func (n *numbers) block(h *header, raw []byte) ([]byte, error) {
	c := cursor{b: raw}
	out := make([]byte, 0, len(raw)+len(raw)/8)
	if h.kind == repeatBlock {
		for range repeatHead {
			out = put(out, c.next())
		}
	}
	var col []byte
	for i := range numColumns {
		size := c.count()
		one := cursor{b: c.b[:size]}
		c.b = c.b[size:]
		col = n.column(col[:0], i, h, &one)
		if one.bad {
			return nil, fmt.Errorf("impossible numbers")
		}
		out = append(put(out, uint64(len(col))), col...)
	}
	if c.bad || len(c.b) > 0 {
		return nil, fmt.Errorf("columns whose lengths differ from the header")
	}
	return out, nil
}

// column appends a column by the new numbers.
func (n *numbers) column(to []byte, i int, h *header, c *cursor) []byte {
	switch i {
	case colFn:
		return renumber(to, c, n.funcs)
	case colSite:
		return renumber(to, c, n.sites)
	case colComm:
		return renumber(to, c, n.comms)
	case colOther:
		for len(c.b) > 0 {
			to = put(put(to, of(n.threads, c)), c.next())
		}
		return to
	case colPoll:
		return n.polls(to, h, c)
	}
	return append(to, c.b...)
}

func renumber(to []byte, c *cursor, list []uint64) []byte {
	for len(c.b) > 0 {
		to = put(to, of(list, c))
	}
	return to
}

// of reads a number and gives what it is now.
func of(list []uint64, c *cursor) uint64 {
	n := c.below(len(list))
	if c.bad {
		return 0
	}
	return list[n]
}

// polls appends the column that Stream.Poll writes.
func (n *numbers) polls(to []byte, h *header, c *cursor) []byte {
	for range h.polls {
		to = put(to, of(n.funcs, c))
		flags := c.next()
		to = put(put(put(put(to, flags), c.next()), c.next()), c.next()) // calls before it, how many, which one
		to = put(to, of(n.sites, c))
		if flags&pollProbe != 0 {
			to = put(put(put(to, of(n.comms, c)), c.next()), c.next()) // peer, tag
		}
		waits := c.count()
		to = put(to, uint64(waits))
		for range waits {
			to = put(to, c.next()) // the place
			thread := c.next()
			switch {
			case thread == 0: // its own
			case thread > uint64(len(n.threads)):
				c.b, c.bad = nil, true
			default:
				thread = n.threads[thread-1] + 1
			}
			to = put(put(to, thread), c.next()) // the part
		}
	}
	return to
}
