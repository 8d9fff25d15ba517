package agent

import (
	"slices"

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
	if c := commByID(k, id); c != nil {
		return r.userComm(k, c)
	}
	for _, c := range k.comms {
		if !c.foreign && id == ident(c.id, saltLeader) {
			return r.inner(k, id, "leaders of intercommunicators over ", c, c.all())
		}
	}
	for _, w := range k.wins {
		switch id {
		case w.id:
			return r.inner(k, id, "window over ", w.comm, w.comm.all())
		case ident(w.id, saltPost):
			return r.inner(k, id, "posts of a window over ", w.comm, w.comm.all())
		case ident(w.id, saltComplete):
			return r.inner(k, id, "completions of a window over ", w.comm, w.comm.all())
		}
	}
	for _, f := range k.files {
		if f.id == id {
			return r.inner(k, id, "file over ", f.comm, f.comm.all())
		}
	}
	if p.Kind == op.Coll { // one that a group makes, or a persistent collective
		return r.w.Comm(tracefile.Comm{Comm: trace.Comm{ID: id, Name: "a group of its own", Members: p.Member.Group.Members, Inner: true}})
	}
	// A partitioned message, or one on a communicator that has been freed.
	members := []op.Rank{p.Src, p.Dst}
	slices.Sort(members)
	members = slices.DeleteFunc(slices.Compact(members), func(r op.Rank) bool { return r < 0 })
	return r.w.Comm(tracefile.Comm{Comm: trace.Comm{ID: id, Name: "a channel of its own", Members: members, Inner: true}})
}

// inner makes something known that is not a communicator of the program's.
func (r *recorder) inner(k *rank, id op.CommID, what string, of *comm, members []op.Rank) uint32 {
	name := of.name
	if name == "" {
		name = "a communicator"
	}
	return r.w.Comm(tracefile.Comm{Comm: trace.Comm{ID: id, Name: what + name, Members: members, Inner: true}})
}

// userComm makes a communicator known after the one that it was made of.
func (r *recorder) userComm(k *rank, c *comm) uint32 {
	d := tracefile.Comm{Comm: trace.Comm{ID: c.id, Name: c.name, Members: c.members}}
	if c.inter {
		d.Remote = c.remote
	}
	if c.parent != nil && !c.parent.foreign {
		d.Origin = &tracefile.Origin{How: c.how, Parent: r.userComm(k, c.parent), Site: r.site(k, c.site)}
	}
	return r.w.Comm(d)
}

// named takes in the name that the program gave a communicator.
func (r *recorder) named(k *rank, c *comm) {
	if r != nil && !c.foreign {
		r.w.Name(r.userComm(k, c), c.name)
	}
}
