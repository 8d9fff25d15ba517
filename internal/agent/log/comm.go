package log

import (
	"fmt"
	"slices"

	"unknot/internal/model/objects"
	"unknot/internal/model/waitstate"
	"unknot/internal/trace"
	tracefile "unknot/internal/trace/file"
	"unknot/internal/vocab/op"
)

// comm is the number of a communicator, or of something else in which messages are matched; p is a part in it.
func (l *Log) comm(k *Rank, id op.CommID, p *waitstate.Part) uint32 {
	slot := &l.recent[uint64(id)%uint64(len(l.recent))]
	if slot.id == id {
		return slot.number
	}
	n, known := l.known[id]
	if !known {
		n = l.newComm(k, id, p)
		l.known[id] = n
	}
	slot.id, slot.number = id, n
	return n
}

// newComm finds out what has an identity. This is done once for each, so it may take its time.
func (l *Log) newComm(k *Rank, id op.CommID, p *waitstate.Part) uint32 {
	if c := k.Objects.CommByID(id); c != nil {
		return l.userComm(k, c)
	}
	for c := range k.Objects.Comms() {
		if !c.Foreign && id == objects.Ident(c.ID, objects.SaltLeader) {
			return l.inner(k, id, "leaders of intercommunicators over ", c, c.All())
		}
	}
	for _, w := range k.Objects.Windows {
		switch id {
		case w.ID:
			return l.inner(k, id, "window over ", w.Comm, w.Comm.All())
		case objects.Ident(w.ID, objects.SaltPost):
			return l.inner(k, id, "posts of a window over ", w.Comm, w.Comm.All())
		case objects.Ident(w.ID, objects.SaltComplete):
			return l.inner(k, id, "completions of a window over ", w.Comm, w.Comm.All())
		}
	}
	for _, f := range k.Objects.Files {
		if f.ID == id {
			return l.inner(k, id, "file over ", f.Comm, f.Comm.All())
		}
	}
	if p.Kind == op.Coll { // one that a group makes, or a persistent collective
		return l.w.Comm(tracefile.Comm{Comm: trace.Comm{ID: id, Name: "a group of its own",
			Members: p.Member.Group.Members.List(), Inner: true}})
	}
	// A partitioned message, or one on a communicator that has been freed.
	members := []op.Rank{p.Src, p.Dst}
	slices.Sort(members)
	members = slices.DeleteFunc(slices.Compact(members), func(r op.Rank) bool { return r < 0 })
	return l.w.Comm(tracefile.Comm{Comm: trace.Comm{ID: id, Name: "a channel of its own", Members: members,
		Inner: true}})
}

// inner makes something known that is not a communicator of the program's.
func (l *Log) inner(k *Rank, id op.CommID, what string, of *objects.Comm, members op.Ranks) uint32 {
	name := of.Name
	if name == "" {
		name = "a communicator"
	}
	return l.w.Comm(tracefile.Comm{Comm: trace.Comm{ID: id, Name: what + name, Members: members.List(), Inner: true}})
}

// userComm makes a communicator known after the one that it was made of.
func (l *Log) userComm(k *Rank, c *objects.Comm) uint32 {
	d := tracefile.Comm{Comm: trace.Comm{ID: c.ID, Name: c.Name, Members: c.Members.List()}}
	if c.Grouped && c.Name == "" {
		d.Name = fmt.Sprintf("communicator %q", c.Tag)
	}
	if c.Inter {
		d.Remote = c.Remote.List()
	}
	if c.Parent != nil && !c.Parent.Foreign {
		d.Origin = &tracefile.Origin{How: c.How, Parent: l.userComm(k, c.Parent), Site: l.site(k, c.Made.Site)}
	}
	return l.w.Comm(d)
}

// Named takes in the name that the program gave a communicator.
func (l *Log) Named(k *Rank, c *objects.Comm) {
	if l != nil && !c.Foreign {
		l.w.Name(l.userComm(k, c), c.Name)
	}
}
