package gen

import (
	"fmt"
	"slices"
	"strings"

	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// sent lets the data of sends be looked at (csrc/objects/sent.h), from the call that starts one to the call that
// completes it.
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
		c.say(&c.before, "if (uk_sending) {\n        const uint64_t sent = UK_AT(%s);\n        uk_sent_start(%d, "+
			"site, &sent, 1);\n    }", arg(request), c.f.ID)
	case class == mpi.Startall:
		c.keep(requests)
		c.say(&c.before, "if (sent)\n        uk_sent_start(%d, site, sent, n%d);", c.f.ID, requests)
	case class == mpi.Pready:
		c.say(&c.done, "if (uk_sending && rc == MPI_SUCCESS)\n        uk_sent_ready(%d, site, UK_H(%s), %s, %[3]s);",
			c.f.ID, arg(request), c.named("partition"))
	case class == mpi.PreadyRange:
		c.say(&c.done, "if (uk_sending && rc == MPI_SUCCESS)\n        uk_sent_ready(%d, site, UK_H(%s), %s, %s);",
			c.f.ID, arg(request), c.named("partition_low"), c.named("partition_high"))
	case class == mpi.PreadyList:
		c.say(&c.done, "for (int i = 0; uk_sending && rc == MPI_SUCCESS && i < %s; i++)\n        uk_sent_ready(%d, "+
			"site, UK_H(%s), %s[i], %[4]s[i]);",
			c.named("length"), c.f.ID, arg(request), c.named("array_of_partitions"))
	case class == mpi.Parrived:
		c.say(&c.later, "if (uk_sending)\n            uk_sent_arrived(t, UK_H(%s), %s);", arg(request),
			c.named("partition"))
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
		c.say(&c.done, "for (size_t i = 0; UK_UNLIKELY(rc != MPI_SUCCESS) && sent && i < n%d; i++)\n        "+
			"uk_sent_forget(sent[i]);", requests)
		c.say(&c.later, "if (sent && rc == MPI_SUCCESS) {\n            %s\n        }", c.completed(requests))
	case blocks(c.f):
		c.lendsWhile()
	default:
		c.window()
	}
}

// blocks says whether a function has the memory of its buffers for itself until it returns.
func blocks(f *mpi.Func) bool {
	switch f.Class {
	case mpi.Send, mpi.Recv, mpi.Sendrecv, mpi.Mrecv, mpi.Coll:
		return !f.Nonblocking && !f.Persistent
	}
	return false
}

// lendsWhile has the program's own accesses to the buffers of a blocking call looked at, which other threads may make
// until it returns (MPI-4.0, 11.6.1).
func (c *call) lendsWhile() {
	parts := c.parts()
	if len(parts) == 0 {
		return
	}
	c.say(&c.inner, "const bool lends = %s && uk_memory_multithreaded();", marking)
	c.say(&c.inner, "if (lends) {")
	c.inner = append(c.inner, c.sentCall("false", 0, parts)...)
	c.say(&c.inner, "    uk_sent_inside(t, &call);")
	c.say(&c.inner, "}")
	c.say(&c.done, "if (lends)\n        uk_sent_outside(t);")
}

// completes says whether a function completes requests.
func completes(f *mpi.Func) bool { return f.Class.Completes() }

// unseen is what a wrapper does in a call that is not recorded but may complete something: the program's functions that
// MPI calls may complete what the program itself has started. What a recorded call of Fortran calls under the same name
// in C is that call.
func unseen(f *mpi.Func) string {
	if !completes(f) && f.Settles == mpi.SettlesNone {
		return ""
	}
	return fmt.Sprintf("        if (uk_sending && !uk_through(%d))\n            uk_sent_unseen();\n", f.ID)
}

// keep copies the handles of requests, which MPI replaces.
func (c *call) keep(requests int) {
	c.say(&c.before, "uint64_t *const sent = uk_sending ? uk_sent_keep(t, n%d) : NULL;", requests)
	c.say(&c.before, "for (size_t i = 0; sent && i < n%d; i++)\n        sent[i] = UK_H(%s[i]);", requests,
		arg(requests))
}

// completed is what is done with those of several requests that a call has found complete.
func (c *call) completed(requests int) string {
	n := arg(requests)[1:]
	switch c.f.Class {
	case mpi.Waitany, mpi.Testany, mpi.GetStatusAny:
		index := c.of(mpi.RIndex)
		return "if (" + index + " && *" + index + " >= 0 && (size_t)*" + index + " < n" + n +
			")\n                uk_sent_end(t, sent[*" + index + "]);"
	case mpi.Waitsome, mpi.Testsome, mpi.GetStatusSome:
		indices := c.of(mpi.RIndices)
		return "for (size_t i = 0; i < n" + indices[1:] + "; i++)\n                if (" + indices +
			"[i] >= 0 && (size_t)" + indices + "[i] < n" + n +
			")\n                    uk_sent_end(t, sent[" + indices + "[i]]);"
	}
	return "for (size_t i = 0; i < n" + n + "; i++)\n                uk_sent_end(t, sent[i]);"
}

// madeRequest follows the request of a call: that of an operation whose buffers are known is looked at, another one may
// have the handle of one that is over.
func (c *call) madeRequest(request string) {
	const when = "if (uk_sending)\n            "
	buf, has := c.f.Param(mpi.RBuf)
	sends := has && sendsFrom(c.f)
	parts := c.parts()
	if n := c.f.Named("partitions"); n >= 0 && has {
		c.say(&c.later, "if (uk_sending) {")
		compared := "false"
		if c.f.Class == mpi.PsendInit {
			compared = "true"
		}
		c.later = append(c.later, c.sentCall(compared, buf, parts)...)
		c.say(&c.later, "    uk_sent_parts(UK_AT(%s), &call, %s);", request, arg(n))
		c.say(&c.later, "}")
		return
	}
	lent := c.lent()
	if !sends && len(parts) == 0 {
		c.say(&c.later, when+"uk_sent_forget(UK_AT(%s));", request)
		return
	}
	compared := "false"
	if sends {
		compared = "true"
		if c.f.Class == mpi.Coll {
			compared = "uk_gives(" + c.of(mpi.RComm) + ", " + arg(buf) + ")"
		}
	}
	asked := "uk_sending"
	if !sends {
		asked = marking
	}
	c.say(&c.later, "if (%s) {", asked)
	c.later = append(c.later, c.sentCall(compared, buf, parts)...)
	c.say(&c.later, "    uk_sent_begin(UK_AT(%s), &call, %t);", request, c.f.Persistent)
	switch {
	case !sends && lent[0] != "NULL":
		c.say(&c.later, "} else if (uk_sending) {\n            uk_sent_lend(UK_AT(%s), %s, %t);", request,
			strings.Join(lent, ", "), c.f.Persistent)
	case !sends:
		c.say(&c.later, "} else if (uk_sending) {\n            uk_sent_forget(UK_AT(%s));", request)
	}
	c.say(&c.later, "}")
}

// marking is the C expression of whether the program's own accesses are looked at, which is rare.
const marking = "UK_UNLIKELY(uk_sending & UK_SENT_MARKS)"

// sentCall declares the call as csrc/objects/sent.h wants it.
func (c *call) sentCall(compared string, buf int, parts []string) []string {
	var words []string
	for _, p := range c.enter {
		if p.array == "" {
			words = append(words, p.words...)
		}
	}
	sent := ""
	if compared != "false" {
		count := "1"
		if _, counted := c.f.Param(mpi.RCount); counted {
			count = c.of(mpi.RCount)
		}
		sent = fmt.Sprintf(", .sends = %s, .buf = %s, .count = %s, .type = %s", compared, arg(buf), count,
			c.of(mpi.RType))
	}
	lines := []string{fmt.Sprintf("    const uint64_t k[] = {%s};", strings.Join(words, ", "))}
	if len(parts) > 0 {
		lines = append(lines, fmt.Sprintf("    const struct uk_part parts[] = {%s};", strings.Join(parts, ", ")))
		sent += fmt.Sprintf(", .parts = parts, .nparts = %d", len(parts))
	}
	if lent := c.lent(); lent[0] != "NULL" {
		sent += fmt.Sprintf(", .lent = {%s}", strings.Join(lent, ", "))
	}
	return append(lines, fmt.Sprintf("    const struct uk_sent_call call = {.func = %d, .site = site, .words = k, "+
		".n = %d%s};", c.f.ID, len(words), sent))
}

// lent are the two buffers of the call that its operation uses, as C expressions, as csrc/objects/lent.h wants them.
func (c *call) lent() []string {
	list := make([]string, 0, 2)
	copied := c.f.Mode == op.Buffered && (c.f.Class == mpi.Isend || c.f.Class == mpi.SendInit)
	if !copied && c.f.Class != mpi.Rma && c.f.Class != mpi.Rrma {
		for _, b := range c.f.Buffers() {
			if at := arg(b.At); b.Type >= 0 && len(list) < cap(list) && !slices.Contains(list, at) {
				list = append(list, at)
			}
		}
	}
	for len(list) < cap(list) {
		list = append(list, "NULL")
	}
	return list
}

// parts are the buffers that belong to MPI until the operation of a call is complete, as csrc/objects/marks.h wants
// them; of a partitioned one, those of the first partition.
func (c *call) parts() (list []string) {
	if c.f.Mode == op.Buffered && (c.f.Class == mpi.Isend || c.f.Class == mpi.SendInit) {
		return nil // its data is copied by the call
	}
	for _, b := range c.f.Buffers() {
		if p := c.part(&b); p != "" {
			list = append(list, p)
		}
	}
	return list
}

// part is one of them; "" if it is not known where, or whether, the call uses it.
func (c *call) part(b *mpi.Buffer) string {
	if b.Type < 0 || b.Own {
		return ""
	}
	n, fields := "1", []string{".at = " + arg(b.At)}
	if b.Access != mpi.Reads {
		fields = append(fields, ".writes = true")
	}
	switch {
	case b.Count >= 0 && b.Counts:
		n = fmt.Sprintf("n%d", b.Count)
		fields = append(fields, fmt.Sprintf(".counts = %s, .wide_counts = sizeof *%s > sizeof(int)", arg(b.Count),
			arg(b.Count)))
		if b.Displs >= 0 {
			fields = append(fields, fmt.Sprintf(".displs = %s, .wide_displs = sizeof *%s > sizeof(int)", arg(b.Displs),
				arg(b.Displs)))
		}
	case b.Count >= 0:
		n = map[mpi.Extent]string{mpi.ByMembers: "UK_MEMBERS", mpi.ByIn: "UK_IN", mpi.ByOut: "UK_OUT"}[b.Each]
		if n != "" {
			n = fmt.Sprintf("uk_length(uk_extent(%s, %s), true)", c.of(mpi.RComm), n)
		} else {
			n = "1"
		}
		fields = append(fields, ".count = "+arg(b.Count))
	default:
		fields = append(fields, ".count = 1")
	}
	if b.Types {
		fields = append(fields, ".types = "+arg(b.Type))
	} else {
		fields = append(fields, ".type = "+arg(b.Type))
	}
	var when []string
	if b.Peer >= 0 {
		when = append(when, arg(b.Peer)+" != MPI_PROC_NULL")
	}
	if c.f.Class == mpi.Coll {
		when = append(when, fmt.Sprintf("uk_gives(%s, %s)", c.of(mpi.RComm), arg(b.At)))
	}
	switch b.Used {
	case mpi.AtRoot:
		when = append(when, c.atRoot())
	case mpi.AtOthers:
		when = append(when, "!"+c.atRoot())
	case mpi.AtLater:
		when = append(when, fmt.Sprintf("!uk_at_root(%s, 0)", c.of(mpi.RComm)))
	}
	if len(when) > 0 {
		n = fmt.Sprintf("%s ? %s : 0", strings.Join(when, " && "), n)
	}
	return fmt.Sprintf("{.n = %s, %s}", n, strings.Join(fields, ", "))
}

// sendsFrom says whether the call starts, or makes a request of, a send whose buffer must not change until it is
// complete: a buffered one copies it. Of collectives, those are taken whose buffer is one count of one datatype, at
// every member.
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

// put looks at the buffers of an operation on a window at its origin. Their data is compared unless it is written.
func (c *call) put(request int) {
	handle := "0"
	if c.f.Class == mpi.Rrma {
		handle = "UK_AT(" + arg(request) + ")"
	}
	buf, _ := c.f.Param(mpi.RBuf)
	compared := "true"
	if slices.ContainsFunc(c.f.Buffers(), func(b mpi.Buffer) bool { return b.At == buf && b.Access != mpi.Reads }) {
		compared = "false"
	} else if _, op := c.f.Param(mpi.ROp); op {
		compared = "uk_sent_read(" + c.of(mpi.ROp) + ")"
	}
	asked := "uk_sending"
	if compared == "false" {
		asked = marking
	}
	c.say(&c.done, "if (%s && rc == MPI_SUCCESS && %s != MPI_PROC_NULL) {", asked, c.of(mpi.RPeer))
	c.done = append(c.done, c.sentCall(compared, buf, c.originParts(compared))...)
	c.say(&c.done, "    uk_sent_put(%s, %s, %s, &call);", handle, c.of(mpi.RWin), c.of(mpi.RPeer))
	if compared == "false" && c.f.Class == mpi.Rrma {
		c.say(&c.done, "} else if (uk_sending && rc == MPI_SUCCESS) {\n        uk_sent_forget(%s);", handle)
	}
	c.say(&c.done, "}")
}

// originParts are these buffers. One that is read may be no address, where the operation does not read it.
func (c *call) originParts(reads string) (list []string) {
	for _, b := range c.f.Buffers() {
		p := c.part(&b)
		if p != "" && b.Access == mpi.Reads && reads != "true" && reads != "false" {
			p = strings.Replace(p, ".n = ", ".n = "+reads+" && ", 1)
		}
		if p != "" {
			list = append(list, p)
		}
	}
	return list
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
		c.say(&c.before, "if (uk_sending)\n        uk_sent_attached(%s, %s, %s);", c.of(mpi.RWin), c.named("base"),
			c.named("size"))
	case c.f.Name == "MPI_Win_detach":
		c.say(&c.before, "if (uk_sending)\n        uk_sent_detached(%s, %s);", c.of(mpi.RWin), c.named("base"))
	}
}

// named is the argument of a name.
func (c *call) named(name string) string {
	return arg(slices.IndexFunc(c.f.Params, func(p mpi.Param) bool { return p.Name == name }))
}
