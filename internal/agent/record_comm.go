package agent

import (
	"fmt"
	"slices"

	"unknot/internal/objects"
	"unknot/internal/op"
	"unknot/internal/trace"
	tracefile "unknot/internal/trace/file"
	"unknot/internal/waitstate"
)

// comm is the number of a communicator, or of something else in which messages are matched; p is a part in it.
func (r *recorder) comm(k *rank, id op.CommID, p *waitstate.Part) uint32 {
	slot := &r.recent[uint64(id)%uint64(len(r.recent))]
	if slot.id == id {
		return slot.number
	}
	n, known := r.known[id]
	if !known {
		n = r.newComm(k, id, p)
		r.known[id] = n
	}
	slot.id, slot.number = id, n
	return n
}

// newComm finds out what has an identity. This is done once for each, so it may take its time.
func (r *recorder) newComm(k *rank, id op.CommID, p *waitstate.Part) uint32 {
	if c := k.objects.CommByID(id); c != nil {
		return r.userComm(k, c)
	}
	for c := range k.objects.Comms() {
		if !c.Foreign && id == objects.Ident(c.ID, objects.SaltLeader) {
			return r.inner(k, id, "leaders of intercommunicators over ", c, c.All())
		}
	}
	for _, w := range k.objects.Windows {
		switch id {
		case w.ID:
			return r.inner(k, id, "window over ", w.Comm, w.Comm.All())
		case objects.Ident(w.ID, objects.SaltPost):
			return r.inner(k, id, "posts of a window over ", w.Comm, w.Comm.All())
		case objects.Ident(w.ID, objects.SaltComplete):
			return r.inner(k, id, "completions of a window over ", w.Comm, w.Comm.All())
		}
	}
	for _, f := range k.objects.Files {
		if f.ID == id {
			return r.inner(k, id, "file over ", f.Comm, f.Comm.All())
		}
	}
	if p.Kind == op.Coll { // one that a group makes, or a persistent collective
		return r.w.Comm(tracefile.Comm{Comm: trace.Comm{ID: id, Name: "a group of its own",
			Members: p.Member.Group.Members.List(), Inner: true}})
	}
	// A partitioned message, or one on a communicator that has been freed.
	members := []op.Rank{p.Src, p.Dst}
	slices.Sort(members)
	members = slices.DeleteFunc(slices.Compact(members), func(r op.Rank) bool { return r < 0 })
	return r.w.Comm(tracefile.Comm{Comm: trace.Comm{ID: id, Name: "a channel of its own", Members: members,
		Inner: true}})
}

// inner makes something known that is not a communicator of the program's.
func (r *recorder) inner(k *rank, id op.CommID, what string, of *objects.Comm, members op.Ranks) uint32 {
	name := of.Name
	if name == "" {
		name = "a communicator"
	}
	return r.w.Comm(tracefile.Comm{Comm: trace.Comm{ID: id, Name: what + name, Members: members.List(), Inner: true}})
}

// userComm makes a communicator known after the one that it was made of.
func (r *recorder) userComm(k *rank, c *objects.Comm) uint32 {
	d := tracefile.Comm{Comm: trace.Comm{ID: c.ID, Name: c.Name, Members: c.Members.List()}}
	if c.Grouped && c.Name == "" {
		d.Name = fmt.Sprintf("communicator %q", c.Tag)
	}
	if c.Inter {
		d.Remote = c.Remote.List()
	}
	if c.Parent != nil && !c.Parent.Foreign {
		d.Origin = &tracefile.Origin{How: c.How, Parent: r.userComm(k, c.Parent), Site: r.site(k, c.Made.Site)}
	}
	return r.w.Comm(d)
}

// named takes in the name that the program gave a communicator.
func (r *recorder) named(k *rank, c *objects.Comm) {
	if r != nil && !c.Foreign {
		r.w.Name(r.userComm(k, c), c.Name)
	}
}
