package gen

import (
	"fmt"
	"slices"
	"strings"

	"unknot/internal/mpi"
	"unknot/internal/op"
)

// sent lets the data of sends be looked at (csrc/objects/sent.h), from the call that starts one to the call that completes it.
func (c *call) sent() {
	request, one := c.f.Param(mpi.RRequest)
	requests, several := c.f.Param(mpi.RRequests)
	switch class := c.f.Class; {
	case class == mpi.Rma || class == mpi.Rrma:
		c.put(request)
	case one && c.f.Params[request].Kind == mpi.KOutHandle:
		c.madeRequest(arg(request))
	case class == mpi.RequestFree || class == mpi.Cancel:
		c.say(&c.before, "if (uk_sending)\n        uk_sent_forget(UK_AT(%s));", arg(request))
	case class == mpi.Start:
		c.say(&c.before, "if (uk_sending) {\n        const uint64_t sent = UK_AT(%s);\n        uk_sent_start(%d, site, &sent, 1);\n    }", arg(request), c.f.ID)
	case class == mpi.Startall:
		c.keep(requests)
		c.say(&c.before, "if (sent)\n        uk_sent_start(%d, site, sent, n%d);", c.f.ID, requests)
	case completes(c.f) && one:
		handle := "UK_AT"
		if c.f.Params[request].Kind == mpi.KHandle {
			handle = "UK_H"
		}
		c.say(&c.before, "const uint64_t sent = %s(%s);", handle, arg(request))
		c.say(&c.done, "if (UK_UNLIKELY(rc != MPI_SUCCESS) && uk_sending)\n        uk_sent_forget(sent);")
		c.say(&c.later, "if (uk_sending && rc == MPI_SUCCESS)\n            uk_sent_end(t, sent);")
	case completes(c.f) && several:
		c.keep(requests)
		c.say(&c.done, "for (size_t i = 0; UK_UNLIKELY(rc != MPI_SUCCESS) && sent && i < n%d; i++)\n        uk_sent_forget(sent[i]);", requests)
		c.say(&c.later, "if (sent && rc == MPI_SUCCESS) {\n            %s\n        }", c.completed(requests))
	default:
		c.window()
	}
}

// completes says whether a function completes requests.
func completes(f *mpi.Func) bool { return f.Class >= mpi.Wait && f.Class <= mpi.GetStatus }

// unseen is what a wrapper does in a call that is not recorded but may complete something: the program's functions that MPI
// calls may complete what the program itself has started.
func unseen(f *mpi.Func) string {
	if !completes(f) && f.Settles == mpi.SettlesNone {
		return ""
	}
	return "        if (uk_sending)\n            uk_sent_unseen();\n"
}

// keep copies the handles of requests, which MPI replaces.
func (c *call) keep(requests int) {
	c.say(&c.before, "uint64_t *const sent = uk_sending ? uk_sent_keep(t, n%d) : NULL;", requests)
	c.say(&c.before, "for (size_t i = 0; sent && i < n%d; i++)\n        sent[i] = UK_H(%s[i]);", requests, arg(requests))
}

// completed is what is done with those of several requests that a call has found complete.
func (c *call) completed(requests int) string {
	n := arg(requests)[1:]
	switch c.f.Class {
	case mpi.Waitany, mpi.Testany:
		index := c.of(mpi.RIndex)
		return "if (" + index + " && *" + index + " >= 0 && (size_t)*" + index + " < n" + n + ")\n                uk_sent_end(t, sent[*" + index + "]);"
	case mpi.Waitsome, mpi.Testsome:
		indices := c.of(mpi.RIndices)
		return "for (size_t i = 0; i < n" + indices[1:] + "; i++)\n                if (" + indices + "[i] >= 0 && (size_t)" + indices + "[i] < n" + n +
			")\n                    uk_sent_end(t, sent[" + indices + "[i]]);"
	}
	return "for (size_t i = 0; i < n" + n + "; i++)\n                uk_sent_end(t, sent[i]);"
}

// madeRequest follows the request of a call: that of a send is looked at, another one may have the handle of a send that is over.
func (c *call) madeRequest(request string) {
	buf, sends := c.f.Param(mpi.RBuf)
	const when = "if (uk_sending)\n            "
	if !sends || !sendsFrom(c.f) {
		c.say(&c.later, when+"uk_sent_forget(UK_AT(%s));", request)
		return
	}
	cond := ""
	if c.f.Class == mpi.Coll {
		cond = " && uk_gives(" + c.of(mpi.RComm) + ", " + arg(buf) + ")"
	}
	c.say(&c.later, "if (uk_sending%s) {", cond)
	c.later = append(c.later, c.sentCall(buf)...)
	c.say(&c.later, "    uk_sent_begin(UK_AT(%s), &call, %t);", request, c.f.Persistent)
	c.say(&c.later, "}")
}

// sentCall declares the call as csrc/objects/sent.h wants it.
func (c *call) sentCall(buf int) []string {
	var words []string
	for _, p := range c.enter {
		if p.array == "" {
			words = append(words, p.words...)
		}
	}
	count := "1"
	if _, counted := c.f.Param(mpi.RCount); counted {
		count = c.of(mpi.RCount)
	}
	return []string{fmt.Sprintf("    const uint64_t k[] = {%s};", strings.Join(words, ", ")),
		fmt.Sprintf("    const struct uk_sent_call call = {%d, site, k, %d, %s, %s, %s};", c.f.ID, len(words), arg(buf), count, c.of(mpi.RType))}
}

// sendsFrom says whether the call starts, or makes a request of, a send whose buffer must not change until it is complete: a
// buffered one copies it. Of collectives, those are taken whose buffer is one count of one datatype, at every member.
func sendsFrom(f *mpi.Func) bool {
	switch f.Class {
	case mpi.Isend, mpi.SendInit:
		return f.Mode != op.Buffered
	case mpi.Isendrecv:
		_, two := f.Param(mpi.RRecvBuf)
		return two
	case mpi.Coll:
		return slices.ContainsFunc(f.Buffers(), func(b mpi.Buffer) bool {
			whole := !b.Counts && b.Each == mpi.ByParam
			return b.Access == mpi.Reads && whole && (b.Used == mpi.Everywhere || b.Used == mpi.AtLeaves)
		})
	}
	return false
}

// put looks at the origin of an operation on a window, unless that is what it writes.
func (c *call) put(request int) {
	handle, asks := "0", c.f.Class == mpi.Rrma
	if asks {
		handle = "UK_AT(" + arg(request) + ")"
	}
	buf, _ := c.f.Param(mpi.RBuf)
	if slices.ContainsFunc(c.f.Buffers(), func(b mpi.Buffer) bool { return b.At == buf && b.Access != mpi.Reads }) {
		if asks {
			c.say(&c.done, "if (uk_sending && rc == MPI_SUCCESS)\n        uk_sent_forget(%s);", handle)
		}
		return
	}
	reads := ""
	if _, op := c.f.Param(mpi.ROp); op {
		reads = " && uk_sent_read(" + c.of(mpi.ROp) + ")"
	}
	c.say(&c.done, "if (uk_sending && rc == MPI_SUCCESS && %s != MPI_PROC_NULL%s) {", c.of(mpi.RPeer), reads)
	c.done = append(c.done, c.sentCall(buf)...)
	c.say(&c.done, "    uk_sent_put(%s, %s, %s, &call);", handle, c.of(mpi.RWin), c.of(mpi.RPeer))
	c.say(&c.done, "}")
}

// window follows what else a call means for operations on windows, and for the memory that other processes may change.
func (c *call) window() {
	switch {
	case c.f.Settles != mpi.SettlesNone:
		target := "-1"
		if c.f.Settles == mpi.SettlesTarget {
			target = c.of(mpi.RPeer)
		}
		c.say(&c.done, "if (uk_sending)\n        uk_sent_settle(t, %s, %s, rc != MPI_SUCCESS);", c.of(mpi.RWin), target)
	case c.f.Freed == mpi.OWin:
		c.say(&c.before, "if (uk_sending && %[1]s)\n        uk_sent_drop(*%[1]s);", c.of(mpi.RWin))
	case c.f.Name == "MPI_Win_attach":
		c.say(&c.before, "if (uk_sending)\n        uk_sent_attached(%s, %s, %s);", c.of(mpi.RWin), c.named("base"), c.named("size"))
	}
}

// named is the argument of a name.
func (c *call) named(name string) string {
	return arg(slices.IndexFunc(c.f.Params, func(p mpi.Param) bool { return p.Name == name }))
}
