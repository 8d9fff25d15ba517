package calls

import (
	"slices"

	"unknot/internal/agent/place"
	"unknot/internal/model/objects"
	"unknot/internal/model/waitstate"
	"unknot/internal/observe/decode"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// collective adds one member's part in a collective to the call.
func (c *call) collective() bool {
	member, comm, ok := c.member()
	if !ok {
		c.r.Strange = true
		c.op.Blocking = !c.Func.Nonblocking && !c.Func.Persistent
		c.op.Opaque = c.op.Blocking
		return c.op.Blocking
	}
	if c.Func.Class == mpi.CommFree && c.Func.Name == "MPI_Comm_free" {
		c.a.Node.Leave(member)
		return false // collective, but local in all that the program can rely on (MPI-4.0, 7.4.3)
	}
	if c.Func.Persistent {
		return false // started later
	}
	if c.Func.Freed != mpi.NoObject {
		member.FreedByNext()
	}
	p := c.collPart(member, comm)
	if k := c.t.Pending.kind; k != mpi.Local {
		c.t.Pending.Seq = member.Seq()
	}
	c.op.Post(p)
	if !c.Func.Nonblocking {
		c.op.Blocking = true
		c.op.Wait(p)
		c.leaders(comm)
	}
	return true
}

// collPart is one member's part of a collective on a communicator, window or file.
func (c *call) collPart(member *waitstate.Member, comm *objects.Comm) *waitstate.Part {
	p := c.a.Node.NewPart()
	p.Kind, p.Origin, p.Bytes = op.Coll, c.op.Origin, -1
	p.Collective = c.a.colls.Get()
	p.Member = member
	p.Nonblock, p.Root = c.Func.Nonblocking, op.AnySource
	p.Sig = waitstate.Signature{Op: uint32(c.Func.Family), Root: op.AnySource, Side: op.AnySource}
	if c.Func.EnterAt[mpi.RRoot] != -1 {
		p.Root = c.Root(comm)
		p.Sig.Root = p.Root
		if comm != nil && comm.Inter {
			c.rooted(comm, &p.Sig)
		}
	}
	if c.Func.EnterAt[mpi.ROp] != -1 {
		p.Sig.Fold = c.r.Objects.Fold(c.Word(mpi.ROp))
	}
	p.Sync = c.sync(comm)
	p.Everybody = p.Sync == op.SyncAll && comm != nil && !comm.Inter && comm.Size() == c.r.Size
	p.Blocks = c.blocks(comm)
	return p
}

func (c *arguments) Root(comm *objects.Comm) op.Rank {
	v := int32(c.Num(mpi.RRoot))
	if comm == nil {
		return op.Unknown
	}
	if comm.Inter {
		return op.RootRank
	}
	return comm.World(int64(v))
}

// rooted says what a member of an intercommunicator makes the root of a collective (MPI-4.0, 6.2.3).
func (c *arguments) rooted(comm *objects.Comm, s *waitstate.Signature) {
	s.Side = lowest(comm.Members)
	switch v := int64(int32(c.Num(mpi.RRoot))); v {
	case c.r.Objects.Limits.Root:
		s.Root = c.r.World
	case c.r.Objects.Limits.ProcNull:
		s.Root = op.AnySource
	default:
		s.Root, s.Side, s.Facing = comm.World(v), lowest(comm.Remote), true
	}
}

// sync is what the collective necessarily waits for at this member. Between the two sides of an intercommunicator only
// synchronising collectives are taken to wait.
func (c *arguments) sync(comm *objects.Comm) op.Sync {
	return c.Func.Sync.Carrying(comm != nil && !comm.Inter && c.count() != 0)
}

// count is what this member gets from the others, in elements; 0 if that is nothing or not known. The forms with a
// count for each member may get nothing from some of them.
func (c *arguments) count() int64 {
	if _, received := c.sides(); received != nil && received.Counts {
		return 0
	}
	count, datatype := mpi.RRecvCount, mpi.RRecvType
	if c.Func.EnterAt[count] == -1 {
		count, datatype = mpi.RCount, mpi.RType
	}
	if c.Func.EnterAt[count] == -1 {
		return 0
	}
	if c.Func.EnterAt[datatype] != -1 {
		if c.r.Objects.Size(c.Word(datatype)) == 0 {
			return 0
		}
	}
	return c.Num(count)
}

// member finds the group whose order the call takes its place in, and notes what the call makes.
func (c *call) member() (*waitstate.Member, *objects.Comm, bool) {
	switch c.Func.Class {
	case mpi.WinColl:
		if w := c.r.Objects.Windows[c.Word(mpi.RWin)]; w != nil {
			return w.Member, w.Comm, true
		}
		return nil, nil, false
	case mpi.FileColl, mpi.FileIcoll:
		if f := c.r.Objects.Files[c.Word(mpi.RFile)]; f != nil {
			return f.Member, f.Comm, true
		}
		return nil, nil, false
	}
	if c.Func.OfGroup() {
		m := c.groupAlone()
		return m, nil, m != nil
	}
	comm := c.r.Objects.Comm(c.Word(mpi.RComm))
	if comm == nil || comm.Foreign {
		return nil, nil, false
	}
	c.t.Pending = Creation{kind: c.Func.Class, Parent: comm, how: place.Maker(c.Func), site: c.t.Site,
		Seq: comm.Member.Seq()}
	switch c.Func.Class {
	case mpi.CommCreateGroup:
		return c.groupMember(comm), comm, true
	case mpi.Coll, mpi.CommFree:
		c.t.Pending = Creation{}
	case mpi.IntercommCreate:
		c.t.Pending.salt = objects.SaltLeader + c.Word(mpi.RTag)<<8
	}
	return comm.Member, comm, true
}

// groupMember is the group of a Creation that only the members of a group call, distinguished by tag and by order
// (MPI-4.0, 7.4.2).
func (c *call) groupMember(comm *objects.Comm) *waitstate.Member {
	var list []op.Rank
	for _, v := range tail(c.List(mpi.RGroup)) {
		list = append(list, op.Rank(int32(v)))
	}
	members := op.RanksOf(list...)
	tag := c.Word(mpi.RTag)
	key := uint64(objects.Ident(comm.ID, append(objects.MemberWords(members, op.Ranks{}), tag)...))
	nth := comm.NextByGroup(key)
	c.t.Pending.salt = objects.SaltGroup + key + nth
	ctx := objects.Ident(comm.ID, objects.SaltGroup, key, nth)
	m := c.a.Node.Join(c.r.World, ctx, members)
	m.FreedByNext()
	return m
}

// tail is the members of a group, which is recorded as its handle, their number and their world ranks.
func tail(v []uint64) []uint64 {
	if len(v) < 2 {
		return nil
	}
	return v[2:]
}

// leaders adds the exchange between the two leaders of MPI_Intercomm_create (MPI-4.0, 7.6.2).
func (c *call) leaders(local *objects.Comm) {
	if c.Func.Class != mpi.IntercommCreate || local == nil {
		return
	}
	peer := c.r.Objects.Comm(c.Word(mpi.RPeerComm))
	if peer == nil || peer.Foreign || local.World(int64(int32(c.Num(mpi.RRoot)))) != c.r.World {
		return
	}
	other := peer.World(int64(int32(c.Num(mpi.RPeer))))
	if other == op.Unknown {
		return
	}
	ctx := objects.Ident(peer.ID, objects.SaltLeader)
	tag := int32(c.Num(mpi.RTag))
	send := &waitstate.Part{Kind: op.Send, Mode: op.Buffered, Origin: c.op.Origin, Src: c.r.World, Dst: other, Tag: tag,
		Ctx: ctx, Bytes: -1}
	recv := &waitstate.Part{Kind: op.Recv, Origin: c.op.Origin, Src: other, Dst: c.r.World, Tag: tag,
		Ctx: ctx, Bytes: -1}
	c.op.Post(send)
	c.op.Post(recv)
	c.op.Wait(recv)
}

// Leader is the rank that exchanges with the other group on behalf of a thread's in MPI_Intercomm_create, where all
// others have to wait for it; op.Unknown if the thread is in no such call, or leads itself.
func (t *Thread) Leader() op.Rank {
	o := t.Op
	if o == nil || t.Func.Class != mpi.IntercommCreate {
		return op.Unknown
	}
	c := arguments{decode.Call{Func: t.Func, Words: o.First()}, t.Rank}
	local := c.r.Objects.Comm(c.Word(mpi.RComm))
	if local == nil {
		return op.Unknown
	}
	leader := local.World(int64(int32(c.Num(mpi.RRoot))))
	if leader == t.Rank.World {
		return op.Unknown
	}
	return leader
}

// activeTarget models post, start, complete and wait (MPI-4.0, 12.5.2): a post is a token to each origin, which start
// collects; a complete is a token to each target, which wait collects.
func (c *call) activeTarget() bool {
	w := c.r.Objects.Windows[c.Word(mpi.RWin)]
	if w == nil {
		c.op.Blocking, c.op.Opaque = true, true
		return true
	}
	post, done := objects.Ident(w.ID, objects.SaltPost), objects.Ident(w.ID, objects.SaltComplete)
	switch c.Func.Class {
	case mpi.WinPost:
		w.Exposed = c.group()
		c.tokens(w.Exposed, post)
	case mpi.WinStart:
		w.Accessed = c.group()
		c.op.Blocking = true
		c.collect(w.Accessed, post)
		w.Started = slices.Clone(c.op.Waits)
	case mpi.WinComplete:
		c.tokens(w.Accessed, done)
		c.op.Tells = c.fetched()
		c.op.Blocking = true // a library may put off the waiting of start until here
		for _, p := range w.Started {
			c.op.Wait(p)
		}
		w.Started = nil
	case mpi.WinWait:
		c.op.Blocking = true
		c.collect(w.Exposed, done)
	}
	return true
}

func (c *arguments) group() []op.Rank {
	var out []op.Rank
	for _, v := range tail(c.List(mpi.RGroup)) {
		if r := op.Rank(int32(v)); r >= 0 {
			out = append(out, r)
		}
	}
	slices.Sort(out)
	return out
}

func (c *call) tokens(to []op.Rank, ctx op.CommID) {
	for _, r := range to {
		c.op.Post(&waitstate.Part{Kind: op.Send, Mode: op.Buffered, Origin: c.op.Origin, Src: c.r.World, Dst: r,
			Ctx: ctx, Bytes: -1})
	}
}

func (c *call) collect(from []op.Rank, ctx op.CommID) {
	for _, r := range from {
		p := &waitstate.Part{Kind: op.Recv, Origin: c.op.Origin, Src: r, Dst: c.r.World, Ctx: ctx, Bytes: -1}
		c.op.Post(p)
		c.op.Wait(p)
	}
}
