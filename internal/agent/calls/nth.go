package calls

import (
	"unknot/internal/model/objects"
	"unknot/internal/model/waitstate"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// A plan names sends and wildcard receives of a thread by their place in its order (package plan). This file is the
// only one that counts them. The probe counts by the same rules, so they go by the call alone: what is sent to
// MPI_PROC_NULL, or on a communicator that is not modelled, counts too.

// ordinals takes a call's send of standard or ready mode and its receive or blocking probe from any source into
// account, and returns their places: 0 for what does not count.
func (c *call) ordinals() (send, wild uint32) {
	source := mpi.RPeer
	switch c.Func.Class {
	case mpi.Send, mpi.Isend, mpi.Sendrecv, mpi.Isendrecv:
		if c.Func.Mode.Blocks() == op.Standard {
			send = c.t.sends
			c.t.sends++
		}
		source = mpi.RSource
	}
	if c.Func.EnterAt[source] != -1 && c.anySource(source) {
		wild = c.t.probes
		c.t.probes++
	}
	return send, wild
}

// countStart is ordinals for one start of a persistent request.
func (t *Thread) countStart(q *objects.Request) (nth uint32) {
	switch {
	case q.Standard:
		nth = t.sends
		t.sends++
	case q.Wild:
		nth = t.probes
		t.probes++
	}
	return nth
}

// countFound is ordinals for a probe that does not block and has found a message.
func (c *call) countFound() (wild uint32) {
	if c.anySource(mpi.RPeer) {
		wild = c.t.probes
		c.t.probes++
	}
	return wild
}

func (c *arguments) anySource(role mpi.Role) bool {
	return int64(int32(c.Num(role))) == c.r.Objects.Limits.AnySource
}

// probeFound counts and records an Iprobe or Improbe that found a message: it stands for the blocking call.
func (c *call) probeFound() {
	e := c.atEntry()
	nth := e.countFound()
	comm := c.r.Objects.Comm(e.Word(mpi.RComm))
	st, ok := c.status()
	if !c.a.Records || comm == nil || comm.Foreign || !ok {
		return
	}
	kind := op.Probe
	if c.Func.Class == mpi.Improbe {
		kind = op.Recv
	}
	e.op = &waitstate.Op{Origin: e.op.Origin}
	p := e.recvPart(comm, kind, e.Num(mpi.RPeer), e.Num(mpi.RTag))
	p.Nth = nth
	e.op.Post(p)
	e.op.Wait(p)
	c.t.See.Found(e.op)
	if src := comm.World(int64(st.Source)); src >= 0 {
		c.t.See.Matched(p, src, st.Tag)
	}
}

// testFound records a successful MPI_Test… as the completion that waits for the same.
func (c *call) testFound() {
	some := c.Func.Class == mpi.Testsome || c.Func.Class == mpi.GetStatusSome
	found := some && len(c.Outs(mpi.RIndices)) > 0 || !some && c.flag()
	if !c.a.Records || !found {
		return
	}
	e := c.atEntry()
	e.op = &waitstate.Op{Origin: e.op.Origin, Any: c.Func.Class.OfAny()}
	for i, q := range c.t.Requests {
		e.await(q, c.t.Handles[i], int32(i))
	}
	if len(e.op.Waits) > 0 {
		c.t.See.Found(e.op)
	}
}
