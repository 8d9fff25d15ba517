package file

import (
	"fmt"
	"path/filepath"

	"unknot/internal/observe/ring"
	"unknot/internal/trace"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/op"
)

// Defs is what the numbers in a file stand for.
type Defs struct {
	Head         trace.Head
	Funcs        []string
	Comms        []trace.Comm
	Sites        []trace.Site      // the first stands for an unknown one
	Stacks       [][]finding.Frame // so does the first here
	Threads      []Thread
	Interactions []trace.Interaction

	origins []origin // of communicators
}

// Thread names a thread of the run.
type Thread struct {
	Rank  op.Rank
	Index op.Thread
}

// Comm is a communicator as it becomes known to the writer.
type Comm struct {
	trace.Comm
	Origin *Origin // how it was made, if it has no name
}

// Origin says how a communicator came about: the reader makes a name of it, when sites are known by file and line.
type Origin struct {
	How    string // "split", "duplicate", …
	Parent uint32 // number of a communicator
	Site   uint32 // number of a site, 0 if not known
}

// origin is an Origin of a communicator, or none.
type origin struct {
	Origin
	known bool
}

// Kinds of definitions in a block of them.
const (
	defFunc        = iota + 1 // name
	defComm                   // id, flags, name, origin, members, remote
	defCommName               // number, name
	defSite                   // place
	defPlace                  // number of a site, place
	defThread                 // rank, index
	defInteraction            // rank, kind, changed, device, inode, function, path, site
	defStack                  // number of frames, frames
	defStackOf                // number of a site, number of a stack
)

// Flags of a communicator.
const (
	commInner = 1 << iota
	commMade
	commRemote
)

func putComm(b []byte, c *Comm) []byte {
	flags := uint64(0)
	if c.Inner {
		flags |= commInner
	}
	if c.Origin != nil {
		flags |= commMade
	}
	if c.Remote != nil {
		flags |= commRemote
	}
	b = putString(put(put(append(b, defComm), uint64(c.ID)), flags), c.Name)
	if c.Origin != nil {
		b = put(put(putString(b, c.Origin.How), uint64(c.Origin.Parent)), uint64(c.Origin.Site))
	}
	b = putRanks(b, c.Members)
	if c.Remote != nil {
		b = putRanks(b, c.Remote)
	}
	return b
}

// putRanks appends world ranks as differences.
func putRanks(b []byte, ranks []op.Rank) []byte {
	b = put(b, uint64(len(ranks)))
	last := op.Rank(-1)
	for _, r := range ranks {
		b = putSigned(b, int64(r)-int64(last)-1)
		last = r
	}
	return b
}

func putPlace(b []byte, s trace.Site) []byte {
	b = putString(putString(b, s.Function), s.File)
	return put(putString(put(b, uint64(max(0, s.Line))), s.Module), s.Offset)
}

func putStack(b []byte, frames []finding.Frame) []byte {
	b = put(b, uint64(len(frames)))
	for i := range frames {
		f := &frames[i]
		inlined := uint64(0)
		if f.Inlined {
			inlined = 1
		}
		b = put(putString(putString(b, f.Function), f.File), uint64(max(0, f.Line)))
		b = putString(put(putString(put(b, inlined), f.Module), f.Offset), f.Library)
	}
	return b
}

func (c *cursor) stack() []finding.Frame {
	var out []finding.Frame
	for range c.count() {
		f := finding.Frame{Function: c.text(), File: c.text(), Line: int(min(c.next(), 1<<31-1)),
			Inlined: c.next() != 0}
		f.Module, f.Offset, f.Library = c.text(), c.next(), c.text()
		if c.bad {
			return nil
		}
		out = append(out, f)
	}
	return out
}

func putInteraction(b []byte, n *trace.Interaction) []byte {
	changed := uint64(0)
	if n.Changed {
		changed = 1
	}
	for _, v := range []uint64{defInteraction, uint64(n.Rank), uint64(n.Kind), changed, n.Dev, n.Ino} {
		b = put(b, v)
	}
	return put(putString(putString(b, n.Func), n.Path), uint64(n.Site))
}

func (c *cursor) interaction(d *Defs) trace.Interaction {
	n := trace.Interaction{Rank: op.Rank(c.below(d.Head.Ranks)), Kind: ring.InteractionKind(c.next()), Changed: c.next() != 0,
		Dev: c.next(), Ino: c.next()}
	n.Func, n.Path, n.Site = c.text(), c.text(), uint32(c.below(len(d.Sites)))
	return n
}

func (c *cursor) ranks(limit int) []op.Rank {
	n := c.count()
	out := make([]op.Rank, 0, n)
	last := int64(-1)
	for range n {
		last += c.signed() + 1
		if last < int64(op.Unknown) || last >= int64(limit) {
			c.bad = true
			return nil
		}
		out = append(out, op.Rank(last))
	}
	return out
}

func (c *cursor) place() trace.Site {
	s := trace.Site{Function: c.text(), File: c.text()}
	s.Line = int(min(c.next(), 1<<31-1))
	s.Module, s.Offset = c.text(), c.next()
	return s
}

// add takes in a block of definitions. Those before one that cannot be are kept.
func (d *Defs) add(b []byte) error {
	c := cursor{b: b}
	for len(c.b) > 0 {
		kind := c.next()
		take := d.definition(kind, &c)
		if take == nil {
			return fmt.Errorf("a definition of kind %d", kind)
		}
		if c.bad {
			return fmt.Errorf("an incomplete definition")
		}
		take()
		if max(len(d.Funcs), len(d.Comms), len(d.Sites), len(d.Stacks), len(d.Threads), len(d.Interactions)) > maxDefined ||
			len(d.Funcs) > 1<<16 {
			return fmt.Errorf("more than %d definitions of a kind", maxDefined)
		}
	}
	return nil
}

// definition reads one definition, and returns what takes it in: to be called if the cursor has not gone bad. It is nil
// for an unknown kind.
func (d *Defs) definition(kind uint64, c *cursor) (take func()) {
	switch kind {
	case defFunc:
		name := c.text()
		return func() { d.Funcs = append(d.Funcs, name) }
	case defComm:
		comm, from := d.comm(c)
		return func() { d.Comms, d.origins = append(d.Comms, comm), append(d.origins, from) }
	case defCommName:
		n, name := c.below(len(d.Comms)), c.text()
		return func() { d.Comms[n].Name = name }
	case defSite:
		at := c.place()
		return func() { d.Sites = append(d.Sites, at) }
	case defPlace:
		n, at := c.below(len(d.Sites)), c.place()
		return func() { at.Stack, d.Sites[n] = d.Sites[n].Stack, at }
	case defThread:
		t := Thread{Rank: op.Rank(c.below(d.Head.Ranks)), Index: op.Thread(c.below(1 << 31))}
		return func() { d.Threads = append(d.Threads, t) }
	case defInteraction:
		n := c.interaction(d)
		return func() { d.Interactions = append(d.Interactions, n) }
	case defStack:
		frames := c.stack()
		return func() { d.Stacks = append(d.Stacks, frames) }
	case defStackOf:
		n, stack := c.below(len(d.Sites)), uint32(c.below(len(d.Stacks)))
		return func() { d.Sites[n].Stack = stack }
	}
	return nil
}

// comm reads a communicator. It is made of an earlier one, so that names end.
func (d *Defs) comm(c *cursor) (trace.Comm, origin) {
	var comm trace.Comm
	var from origin
	comm.ID = op.CommID(c.next())
	flags := c.next()
	comm.Name, comm.Inner = c.text(), flags&commInner != 0
	if flags&commMade != 0 {
		from = origin{Origin{c.text(), uint32(c.below(len(d.Comms))), uint32(c.below(len(d.Sites)))}, true}
	}
	comm.Members = c.ranks(d.Head.Ranks)
	if flags&commRemote != 0 {
		comm.Remote = c.ranks(d.Head.Ranks)
	}
	return comm, from
}

// name gives communicators without a name one that tells how they were made. Each is made of an earlier one.
func (d *Defs) name() {
	for i := range d.Comms {
		c, from := &d.Comms[i], d.origins[i]
		if c.Name != "" || !from.known {
			continue
		}
		const longest = 1 << 10 // of a name: that of the parent is part of it
		c.Name = from.How + " of " + d.Comms[from.Parent].Name
		if at := d.Sites[from.Site]; at.File != "" {
			c.Name += fmt.Sprintf(" at %s:%d", filepath.Base(at.File), at.Line)
		}
		if len(c.Name) > longest {
			c.Name = c.Name[:longest] + "…"
		}
	}
}
