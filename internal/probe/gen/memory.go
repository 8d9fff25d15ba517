package gen

import (
	"slices"
	"strings"

	"unknot/internal/probe/mpiapi"
)

// buffers lets what each buffer of the call lies in be told (csrc/memory.h), and the memory that a window is made of, which
// others may use until the window is freed.
func (c *call) buffers() {
	if base, ok := c.f.Param(mpiapi.RBuf); ok && (c.f.Class == mpiapi.WinCreate || c.f.Name == "MPI_Win_attach") {
		c.say(&c.tell, "uk_buffer(t, %d, %s, true);", base, arg(base))
	}
	switch c.f.Class {
	case mpiapi.Send, mpiapi.Recv, mpiapi.Isend, mpiapi.Irecv, mpiapi.Isendrecv, mpiapi.Sendrecv, mpiapi.SendInit, mpiapi.RecvInit,
		mpiapi.Mrecv, mpiapi.Imrecv, mpiapi.FileReq, mpiapi.FileIcoll, mpiapi.FileColl, mpiapi.Opaque, mpiapi.Coll:
	default:
		return
	}
	for i := range c.f.Params {
		if p := &c.f.Params[i]; p.Kind == mpiapi.KPtr && strings.Contains(p.Name, "buf") {
			c.say(&c.tell, "uk_buffer(t, %d, %s, %t);", i, arg(i), c.f.Nonblocking || c.f.Persistent)
		}
	}
}

// sent lets the data of sends be looked at (csrc/sent.h), from the call that starts one to the call that completes it.
func (c *call) sent() {
	request, one := c.f.Param(mpiapi.RRequest)
	requests, several := c.f.Param(mpiapi.RRequests)
	switch class := c.f.Class; {
	case one && c.f.Params[request].Kind == mpiapi.KOutHandle:
		c.madeRequest(arg(request))
	case class == mpiapi.RequestFree || class == mpiapi.Cancel:
		c.say(&c.before, "if (UK_UNLIKELY(uk_sending))\n        uk_sent_forget(UK_AT(%s));", arg(request))
	case class == mpiapi.Start:
		c.say(&c.before, "if (UK_UNLIKELY(uk_sending)) {\n        const uint64_t sent = UK_AT(%s);\n        uk_sent_start(%d, site, &sent, 1);\n    }", arg(request), c.f.ID)
	case class == mpiapi.Startall:
		c.keep(requests)
		c.say(&c.before, "if (sent)\n        uk_sent_start(%d, site, sent, n%d);", c.f.ID, requests)
	case class >= mpiapi.Wait && class <= mpiapi.GetStatus && one:
		handle := "UK_AT"
		if c.f.Params[request].Kind == mpiapi.KHandle {
			handle = "UK_H"
		}
		c.say(&c.before, "const uint64_t sent = %s(%s);", handle, arg(request))
		c.say(&c.later, "if (UK_UNLIKELY(uk_sending) && rc == MPI_SUCCESS)\n            uk_sent_end(t, sent);")
	case class >= mpiapi.Wait && class <= mpiapi.GetStatus && several:
		c.keep(requests)
		c.say(&c.later, "if (sent && rc == MPI_SUCCESS) {\n            %s\n        }", c.completed(requests))
	}
}

// keep copies the handles of requests, which MPI replaces.
func (c *call) keep(requests int) {
	c.say(&c.before, "uint64_t *const sent = UK_UNLIKELY(uk_sending) ? uk_sent_keep(t, n%d) : NULL;", requests)
	c.say(&c.before, "for (size_t i = 0; sent && i < n%d; i++)\n        sent[i] = UK_H(%s[i]);", requests, arg(requests))
}

// completed is what is done with those of several requests that a call has found complete.
func (c *call) completed(requests int) string {
	n := arg(requests)[1:]
	switch c.f.Class {
	case mpiapi.Waitany, mpiapi.Testany:
		index := c.of(mpiapi.RIndex)
		return "if (" + index + " && *" + index + " >= 0 && (size_t)*" + index + " < n" + n + ")\n                uk_sent_end(t, sent[*" + index + "]);"
	case mpiapi.Waitsome, mpiapi.Testsome:
		indices := c.of(mpiapi.RIndices)
		return "for (size_t i = 0; i < n" + indices[1:] + "; i++)\n                if (" + indices + "[i] >= 0 && (size_t)" + indices + "[i] < n" + n +
			")\n                    uk_sent_end(t, sent[" + indices + "[i]]);"
	}
	return "for (size_t i = 0; i < n" + n + "; i++)\n                uk_sent_end(t, sent[i]);"
}

// madeRequest follows the request of a call: that of a send is looked at, another one may have the handle of a send that is over.
func (c *call) madeRequest(request string) {
	buf, sends := c.f.Param(mpiapi.RBuf)
	const when = "if (UK_UNLIKELY(uk_sending))\n            "
	if !sends || !sendsFrom(c.f) {
		c.say(&c.later, when+"uk_sent_forget(UK_AT(%s));", request)
		return
	}
	var words []string
	for _, p := range c.enter {
		if p.array == "" {
			words = append(words, p.words...)
		}
	}
	cond := ""
	if c.f.Class == mpiapi.Coll {
		cond = " && uk_gives(" + c.of(mpiapi.RComm) + ", " + arg(buf) + ")"
	}
	c.say(&c.later, "if (UK_UNLIKELY(uk_sending)%s) {", cond)
	c.say(&c.later, "    const uint64_t k[] = {%s};", strings.Join(words, ", "))
	c.say(&c.later, "    const struct uk_sent_call call = {%d, site, k, %d, %s, %s, %s};", c.f.ID, len(words), arg(buf), c.of(mpiapi.RCount), c.of(mpiapi.RType))
	c.say(&c.later, "    uk_sent_begin(UK_AT(%s), &call, %t);", request, c.f.Persistent)
	c.say(&c.later, "}")
}

// sendsFrom says whether the call starts, or makes a request of, a send whose buffer must not change until it is complete: a
// buffered one copies it. Of collectives, those are taken whose buffer is one count of one datatype, at every member.
func sendsFrom(f *mpiapi.Func) bool {
	switch f.Class {
	case mpiapi.Isend, mpiapi.SendInit:
		return f.Mode != mpiapi.Buffered
	case mpiapi.Isendrecv:
		_, two := f.Param(mpiapi.RRecvBuf)
		return two
	case mpiapi.Coll:
		name := strings.TrimSuffix(strings.TrimSuffix(f.Name, "_c"), "_init")
		name = strings.TrimPrefix(name, "MPI_")
		if f.Nonblocking {
			name = strings.TrimPrefix(name, "I")
		}
		return slices.Contains([]string{"reduce", "allreduce", "scan", "exscan", "gather", "gatherv", "allgather", "allgatherv"}, strings.ToLower(name))
	}
	return false
}
