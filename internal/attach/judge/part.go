package judge

import (
	"unknot/internal/attach/callsite"
	"unknot/internal/attach/look"
	"unknot/internal/model/waitstate"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// sure says whether it is known that a part keeps its call, and who can let that go on.
func (p *part) sure() bool {
	return p.known && !p.clash && (p.kind != waitstate.NeedUnlock || !p.doubt)
}

// part is one thread's part in a communication, as far as it is known. A call that sends and receives has two.
type part struct {
	kind  waitstate.NeedKind // what it needs of others: a message, a receive, members
	ctx   comm
	peer  op.Rank // in MPI_COMM_WORLD; op.AnySource
	tag   value
	sync  op.Sync
	root  op.Rank // op.Unknown if it is not known
	known bool    // who can let it go on is known
	met   bool    // what it needs is there
	// Of a recorded call: doubt says that another receive may take what is there, clash that members have entered
	// other collectives in its place. Members are so many if the communicator is none of the predefined ones.
	doubt, clash bool
	members      int
	from         []op.Rank // who may send what it needs
	there        op.Rank   // one of them whose message is under way, if it is met
	absent       []op.Rank // members that have not entered the collective
	any          bool      // from any source
	index        int32     // place in the array of requests
	by           *mpi.Func // that has started the request, nil if there is none
	posted       uint64    // where
}

// comm is a communicator, as far as it is known.
type comm uint8

const (
	unknown comm = iota
	world        // MPI_COMM_WORLD
	self         // MPI_COMM_SELF
)

// value is an integer, as far as it is known.
type value struct {
	n     int64
	any   bool // MPI_ANY_TAG
	known bool
}

// meets says whether two tags may match: what is not known may.
func (v value) meets(o value) bool { return !v.known || !o.known || v.any || o.any || v.n == o.n }

// parts are those of a thread; none if its call waits for nobody, or it is in none.
func (j *Job) parts(r *look.Rank, t *look.Thread) []part {
	c := t.Call
	if c == nil || r.Library == nil {
		return nil
	}
	f := c.Function
	ctx := j.comm(t)
	p := part{ctx: ctx, peer: op.Unknown, root: op.Unknown}
	switch f.Class {
	case mpi.Recv, mpi.Probe, mpi.Mprobe:
		p.kind = waitstate.NeedMessage
		return []part{j.addressed(r, t, p, mpi.RPeer, mpi.RTag)}
	case mpi.Send:
		p.kind = waitstate.NeedReceive
		return []part{j.addressed(r, t, p, mpi.RPeer, mpi.RTag)}
	case mpi.Sendrecv:
		send, receive := p, p
		send.kind, receive.kind = waitstate.NeedReceive, waitstate.NeedMessage
		return []part{j.addressed(r, t, receive, mpi.RSource, mpi.RRecvTag),
			j.addressed(r, t, send, mpi.RPeer, mpi.RTag)}
	case mpi.Coll, mpi.CommCreate, mpi.WinCreate, mpi.FileOpen, mpi.CommFree:
		p.kind, p.sync, p.known = waitstate.NeedMembers, f.Sync, ctx != unknown
		if f.Class == mpi.CommCreate {
			p.sync = op.SyncAll
		}
		if n, ok := j.argument(t, mpi.RRoot).Int(); ok && ctx == world {
			p.root = op.Rank(n)
		}
		p.known = p.known && !f.Nonblocking && !f.Persistent
		return []part{p}
	}
	return nil
}

// addressed puts down whom a message is from or for.
func (j *Job) addressed(r *look.Rank, t *look.Thread, p part, peer, tag mpi.Role) part {
	if n, ok := j.argument(t, tag).Int(); ok {
		p.tag = value{int64(n), int64(n) == r.Library.AnyTag, true}
	}
	n, ok := j.argument(t, peer).Int()
	switch {
	case !ok:
	case int64(n) == r.Library.ProcNull:
		p.peer = op.ProcNull
	case p.ctx == unknown:
	case int64(n) == r.Library.AnySource && p.kind == waitstate.NeedMessage:
		p.peer, p.known = op.AnySource, true
	case p.ctx == world && n >= 0 && n < r.Size:
		p.peer, p.known = op.Rank(n), true
	case p.ctx == self && n == 0:
		p.peer, p.known = op.Rank(r.Rank.Rank), true
	}
	return p
}

// argument is what a call was given for a role. What another thread of the program may have changed since is not known.
func (j *Job) argument(t *look.Thread, role mpi.Role) callsite.Value {
	if i, has := t.Call.Function.Param(role); has && i < len(t.Call.Arguments) {
		v := t.Call.Arguments[i]
		v.Known = v.Known && (!v.Shared || t.Alone)
		return v
	}
	return callsite.Value{}
}

// constant is the predefined object that a call was given for a role, "" if it is another, or not known.
func (j *Job) constant(t *look.Thread, role mpi.Role) string {
	i, has := t.Call.Function.Param(role)
	if !has || i >= len(t.Call.Constants) || !j.argument(t, role).Known {
		return ""
	}
	return t.Call.Constants[i]
}

// comm is the communicator that a call was given.
func (j *Job) comm(t *look.Thread) comm {
	switch j.constant(t, mpi.RComm) {
	case "MPI_COMM_WORLD":
		return world
	case "MPI_COMM_SELF":
		return self
	}
	return unknown
}
