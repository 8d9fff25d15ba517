package judge

import (
	"slices"

	"unknot/internal/attach/look"
	"unknot/internal/model/waitstate"
	"unknot/internal/observe/record"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// What the ranks of a job have recorded says which messages were sent and taken and which collectives were entered, so
// that nothing has to be assumed of the MPI library. All of it is of one moment: no rank has completed a call between
// the looks.

// entry is a communicator as one of its members has recorded it.
type entry struct {
	rank *record.Rank
	comm *record.Comm
}

// entries are the communicators that ranks have recorded, by their identities and the members' world ranks.
type entries map[uint64]map[op.Rank]entry

func entriesOf(ranks []look.Rank) entries {
	all := make(entries)
	for i := range ranks {
		r := ranks[i].Record
		if r == nil {
			continue
		}
		for k := range r.Comms {
			c := &r.Comms[k]
			if c.Identity == 0 {
				continue
			}
			if all[c.Identity] == nil {
				all[c.Identity] = make(map[op.Rank]entry)
			}
			all[c.Identity][op.Rank(r.Rank)] = entry{r, c}
		}
	}
	return all
}

// facts are what a rank has recorded, beside what the others have.
type facts struct {
	*Job
	rank *record.Rank
}

// recorded are the parts of a thread's call that keep it, by the records; any says that one of them is enough.
func (f *facts) recorded(c *record.Call) (parts []part, any bool) {
	comm := on(f.rank, c)
	peer, tag := number(c, mpi.RPeer), number(c, mpi.RTag)
	switch c.Func.Class {
	case mpi.Recv, mpi.Probe, mpi.Mprobe:
		return []part{f.receive(comm, peer, tag, c.Order)}, false
	case mpi.Send:
		return []part{f.send(comm, peer, tag, c.Order)}, false
	case mpi.Sendrecv:
		return []part{f.receive(comm, number(c, mpi.RSource), number(c, mpi.RRecvTag), c.Order),
			f.send(comm, peer, tag, c.Order)}, false
	case mpi.Coll, mpi.CommCreate, mpi.CommFree:
		if c.Func.Nonblocking || c.Func.Persistent {
			return nil, false
		}
		return []part{f.last(comm, c.Func, number(c, mpi.RCount) > 0)}, false
	case mpi.WinColl, mpi.FileColl, mpi.WinCreate, mpi.FileOpen:
		return []part{f.last(comm, c.Func, false)}, false
	case mpi.WinStart, mpi.WinComplete, mpi.WinWait:
		return f.epoch(comm, c.Func.Class), false
	case mpi.WinLock, mpi.WinUnlock, mpi.WinFlush:
		return []part{f.lock(comm, c)}, false
	case mpi.Wait, mpi.Waitall, mpi.Waitany, mpi.Waitsome:
		any = c.Func.Class == mpi.Waitany || c.Func.Class == mpi.Waitsome
		for i, h := range c.Requests {
			if p, open := f.request(h); open {
				p.index = int32(i)
				parts = append(parts, p)
			}
		}
		if !c.Whole {
			parts = append(parts, part{peer: op.Unknown})
		}
		return parts, any
	}
	return nil, false
}

// request is what the completion of a request needs; open is false if it needs nothing.
func (f *facts) request(handle uint64) (p part, open bool) {
	if k := &f.rank.Constants; handle == k.NoRequest || handle != 0 && slices.Contains(k.Complete[:], handle) {
		return p, false
	}
	r := f.rank.RequestOf(handle)
	p = part{peer: op.Unknown, root: op.Unknown}
	if r == nil || r.Func == nil || r.Cancelled {
		return p, true
	}
	if !r.Active || r.Complete {
		return p, false
	}
	i := slices.IndexFunc(f.rank.Comms, func(c record.Comm) bool { return c.Serial == r.Comm })
	if i < 0 {
		return p, true
	}
	comm := &f.rank.Comms[i]
	switch r.Func.Class {
	case mpi.Irecv, mpi.RecvInit:
		p = f.receive(comm, int64(r.Peer), int64(r.Tag), r.Order)
	case mpi.Isend, mpi.SendInit:
		p = f.send(comm, int64(r.Peer), int64(r.Tag), r.Order)
	case mpi.Coll, mpi.CommCreate, mpi.FileIcoll:
		p = f.collective(comm, r.Func, uint64(r.Count), r.Tag > 0)
	}
	p.posted, p.by = r.Site, r.Func
	return p, true
}

// receive is what a receive needs that was posted with an order.
func (f *facts) receive(c *record.Comm, source, tag int64, order uint64) part {
	p := part{kind: waitstate.NeedMessage, peer: op.Unknown, root: op.Unknown,
		tag: value{tag, tag == int64(f.rank.Constants.AnyTag), true}}
	if source == int64(f.rank.Constants.ProcNull) {
		p.peer, p.met = op.ProcNull, true
		return p
	}
	if c == nil || c.Identity == 0 || f.rank.Lost.Receives || f.rank.Lost.Channels {
		return p
	}
	group := peers(c)
	senders := group
	if p.any = source == int64(f.rank.Constants.AnySource); p.any {
		p.peer = op.AnySource
	} else {
		if source < 0 || int(source) >= len(group) {
			return p
		}
		p.peer = op.Rank(group[source])
		senders = group[source : source+1]
	}
	there := 0
	for i, sender := range senders {
		place := int32(i)
		if !p.any {
			place = int32(source)
		}
		e, ok := f.entries[c.Identity][op.Rank(sender)]
		if !ok || e.rank.Lost.Channels {
			return p
		}
		n, counted := f.under(e, c, place, p.tag)
		if !counted {
			return p
		}
		if n > 0 && there <= 0 {
			p.there = op.Rank(sender)
		}
		there += n
		p.from = append(p.from, op.Rank(sender))
	}
	before, wild, unsure := f.before(c, &p, source, order)
	p.known, p.met, p.doubt = true, there > before, unsure && there > 0
	if len(wild) > 0 && there > before {
		// Those that were posted before take what is there, unless they have taken something else (MPI-4.0, 3.5, order).
		others, counted := f.elsewhere(c, wild)
		p.doubt = p.doubt || !counted || others > there
		p.met = p.doubt || there > before+len(wild)
	}
	return p
}

// elsewhere is how many messages are under way that some receives from any source, or with any tag, may take.
func (f *facts) elsewhere(c *record.Comm, wild []*record.Request) (n int, counted bool) {
	k := &f.rank.Constants
	for i, sender := range peers(c) {
		e, ok := f.entries[c.Identity][op.Rank(sender)]
		if !ok || e.rank.Lost.Channels {
			return 0, false
		}
		most := 0
		for _, r := range wild {
			if r.Peer != k.AnySource && int(r.Peer) != i {
				continue
			}
			m, counted := f.under(e, c, int32(i), value{int64(r.Tag), r.Tag == k.AnyTag, true})
			if !counted {
				return 0, false
			}
			most = max(most, m)
		}
		n += most
	}
	return n, true
}

// under is how many messages are under way from a member of a communicator, at a place in it, that have a tag; false if
// some were not counted.
func (f *facts) under(e entry, c *record.Comm, place int32, tag value) (n int, counted bool) {
	for _, sent := range e.rank.Channels {
		if sent.Comm != e.comm.Serial || sent.Peer != int32(c.Rank) || !tag.any && int64(sent.Tag) != tag.n {
			continue
		}
		_, sure := e.rank.Channel(sent.Comm, sent.Peer, sent.Tag)
		got, known := f.rank.Channel(c.Serial, place, sent.Tag)
		if !sure || !known {
			return 0, false
		}
		n += int(int32(sent.Sent - got.Received))
	}
	return n, true
}

// before is how many receives were posted before one that take a message of the same source and tag, or have taken one
// that is not counted as received yet; wild are those which may take it, too. It is unsure if another receive may be
// before it that is not known to be.
func (f *facts) before(c *record.Comm, p *part, source int64, order uint64) (n int, wild []*record.Request, unsure bool) {
	k := &f.rank.Constants
	for i := range f.rank.Requests {
		r := &f.rank.Requests[i]
		if !receives(r) || r.Comm != c.Serial || !r.Complete && r.Order >= order {
			continue
		}
		may := (p.any || int64(r.Peer) == source || r.Peer == k.AnySource) &&
			(p.tag.any || int64(r.Tag) == p.tag.n || r.Tag == k.AnyTag)
		switch {
		case r.Complete && !may:
		case r.Complete && (r.Cancelled || r.Peer == k.AnySource || r.Tag == k.AnyTag):
			unsure = true
		case r.Complete:
			n++
		case r.Cancelled, p.any, p.tag.any:
			unsure = true
		case int64(r.Peer) == source && int64(r.Tag) == p.tag.n:
			n++
		case may:
			wild = append(wild, r)
		}
	}
	in := 0
	for i := range f.rank.Threads {
		if f.rank.Threads[i].In != nil {
			in++
		}
	}
	return n, wild, unsure || in > 1
}

// receives says whether a request is a receive whose message does not count as received: one that is complete has it,
// as MPI_Request_get_status says.
func receives(r *record.Request) bool {
	return r.Func != nil && (r.Func.Class == mpi.Irecv || r.Func.Class == mpi.RecvInit) && r.Active
}

// send is what a send needs that was started with an order, if the library does not buffer its message.
func (f *facts) send(c *record.Comm, dest, tag int64, order uint64) part {
	p := part{kind: waitstate.NeedReceive, peer: op.Unknown, root: op.Unknown, tag: value{tag, false, true}}
	if dest == int64(f.rank.Constants.ProcNull) {
		p.peer, p.met = op.ProcNull, true
		return p
	}
	if c == nil || c.Identity == 0 || f.rank.Lost.Channels || f.rank.Lost.Requests {
		return p
	}
	group := peers(c)
	if dest < 0 || int(dest) >= len(group) {
		return p
	}
	p.peer = op.Rank(group[dest])
	e, ok := f.entries[c.Identity][p.peer]
	if lost := e.rank; !ok || lost.Lost.Receives || lost.Lost.Channels || lost.Lost.Requests {
		return p
	}
	own, sure := f.rank.Channel(c.Serial, int32(dest), int32(tag))
	got, counted := e.rank.Channel(e.comm.Serial, int32(c.Rank), int32(tag))
	if !sure || !counted {
		return p
	}
	p.known, p.from = true, []op.Rank{p.peer}
	later := 0
	for i := range f.rank.Requests {
		r := &f.rank.Requests[i]
		sends := r.Func != nil && (r.Func.Class == mpi.Isend || r.Func.Class == mpi.SendInit)
		if sends && r.Active && r.Comm == c.Serial && int64(r.Peer) == dest && int64(r.Tag) == tag && r.Order > order {
			later++
		}
	}
	left := int(int32(own.Sent-got.Received)) - later // messages up to this one that were not received
	p.met = left <= f.posted(e, int32(c.Rank), tag)
	return p
}

// posted is how many receives a member of a communicator has posted, or is in, that may take a message of a rank of it
// with a tag, or have taken it.
func (f *facts) posted(e entry, source int32, tag int64) (n int) {
	k := &e.rank.Constants
	fits := func(peer, t int64) bool {
		return (peer == int64(source) || peer == int64(k.AnySource)) && (t == tag || t == int64(k.AnyTag))
	}
	for i := range e.rank.Requests {
		r := &e.rank.Requests[i]
		if receives(r) && r.Comm == e.comm.Serial && fits(int64(r.Peer), int64(r.Tag)) {
			n++
		}
	}
	for i := range e.rank.Threads {
		in := e.rank.Threads[i].In
		if in == nil || e.rank.CommOf(argument(in, mpi.RComm)) != e.comm {
			continue
		}
		switch in.Func.Class {
		case mpi.Recv:
			if fits(number(in, mpi.RPeer), number(in, mpi.RTag)) {
				n++
			}
		case mpi.Sendrecv:
			if fits(number(in, mpi.RSource), number(in, mpi.RRecvTag)) {
				n++
			}
		}
	}
	return n
}

// epoch is what a call needs that synchronises a window with some of its members: their posts, or their completions
// (MPI-4.0, 12.5.2).
func (f *facts) epoch(win *record.Comm, class mpi.Class) (parts []part) {
	if win == nil {
		return nil
	}
	group, tag := win.Started.Ranks, int32(record.Post)
	if class == mpi.WinWait {
		group, tag = win.Posted.Ranks, record.Complete
	}
	for _, m := range group {
		p := part{kind: waitstate.NeedMessage, peer: op.Rank(m), root: op.Unknown, from: []op.Rank{op.Rank(m)}}
		e, ok := f.entries[win.Identity][p.peer]
		if ok && win.Identity != 0 && m >= 0 {
			sent, sure := e.rank.Channel(e.comm.Serial, int32(f.rank.Rank), tag)
			got, counted := f.rank.Channel(win.Serial, m, tag)
			p.known = sure && counted
			p.met = p.known && int32(sent.Sent-got.Received) > 0
		}
		parts = append(parts, p)
	}
	return parts
}

// last is what the collective call needs that a rank has entered last on a communicator; data says that it carries any.
func (f *facts) last(c *record.Comm, fn *mpi.Func, data bool) part {
	number := uint64(0)
	if c != nil {
		number = c.Collectives
	}
	return f.collective(c, fn, number, data)
}

// collective is what a collective call needs that is the one of a number on its communicator.
func (f *facts) collective(c *record.Comm, fn *mpi.Func, number uint64, data bool) part {
	p := part{kind: waitstate.NeedMembers, sync: fn.Sync, peer: op.Unknown, root: op.Unknown}
	if fn.Class == mpi.CommCreate || p.sync == op.SyncAllData && data {
		p.sync = op.SyncAll
	}
	if c == nil || c.Identity == 0 || number == 0 {
		return p
	}
	members := slices.Concat(c.Local.Ranks, c.Remote.Ranks)
	if len(members) != c.Local.Size+c.Remote.Size {
		return p
	}
	own, ok := c.Entered(number)
	if ok && c.Kind == record.Intra && own.Root >= 0 && int(own.Root) < len(members) {
		p.root = op.Rank(members[own.Root])
	}
	p.doubt = !ok
	for _, m := range members {
		e, ok := f.entries[c.Identity][op.Rank(m)]
		if !ok && fn.Class == mpi.CommFree && f.hasFreed(op.Rank(m), c.Identity) {
			continue
		}
		if !ok {
			return p
		}
		if e.comm.Collectives < number {
			p.absent = append(p.absent, op.Rank(m))
			continue
		}
		theirs, ok := e.comm.Entered(number)
		p.doubt = p.doubt || !ok
		p.clash = p.clash || ok && !p.doubt && !agree(c, own, theirs)
	}
	p.known, p.members = true, len(members)
	if c.Handle == f.rank.Constants.World {
		p.ctx = world
	}
	p.met = len(p.absent) == 0 && !p.clash
	if p.sync == op.SyncFromRoot && int(own.Root) != c.Rank && !p.clash {
		// The library may pass on what the root has sent through members that have not called it (MPI-4.0, 6.1).
		p.met, p.doubt = !slices.Contains(p.absent, p.root), p.doubt || len(p.absent) > 0
	}
	return p
}

// hasFreed says whether a rank has freed a communicator, as far as its record still has that.
func (f *facts) hasFreed(rank op.Rank, identity uint64) bool {
	for _, e := range f.entries {
		if of, ok := e[rank]; ok {
			return slices.Contains(of.rank.Gone, identity)
		}
	}
	return false
}

// agree says whether the calls of two members are parts of one collective operation. Between two groups, the root has
// another name for each of them.
func agree(c *record.Comm, a, b record.Collective) bool {
	return together(a.Func, b.Func) && (a.Root == b.Root || c.Kind == record.Inter)
}

// peers are the members of a communicator that a rank of it can name, by their places in it.
func peers(c *record.Comm) []int32 {
	if c.Kind == record.Inter {
		return c.Remote.Ranks
	}
	return c.Local.Ranks
}

func argument(c *record.Call, role mpi.Role) uint64 {
	v, _ := c.Arg(role)
	return v
}

func number(c *record.Call, role mpi.Role) int64 {
	v, _ := c.Int(role)
	return v
}
