package gen

import (
	"fmt"
	"strings"

	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// force adds to the description of a call what a plan may make of it (csrc/objects/forced.h): another source of a
// receive from MPI_ANY_SOURCE, a synchronous or buffered send, a chosen report. What is recorded stays what the program
// called. Address gives the C expression of a buffer.
func (c *call) force(t *mpi.T, address func(i int) string) {
	c.forceReceive()
	c.forceSend(t, address)
	c.forceRequests(address)
	c.forceChoice()
}

func (c *call) say(to *[]string, format string, args ...any) {
	*to = append(*to, fmt.Sprintf(format, args...))
}

// of is the argument with a role.
func (c *call) of(role mpi.Role) string {
	i, _ := c.f.Param(role)
	return arg(i)
}

// forceReceive replaces source and tag by variables. A poll asks for the decision and uses it up only if it finds
// something.
func (c *call) forceReceive() {
	source, tag, ok := c.f.Receives()
	if !ok || c.f.Class == mpi.RecvInit {
		return
	}
	c.source, c.tag = source, tag
	ask, comm := "uk_forced_receive", c.of(mpi.RComm)
	if c.f.Poll {
		ask = "uk_forced_poll"
		c.say(&c.later, "if (UK_UNLIKELY(t->forced) && %s == MPI_ANY_SOURCE)", arg(source))
		c.say(&c.later, "    uk_forced_found(%s);", comm)
	}
	c.say(&c.before, "int source = %s, tag = %s;", arg(source), arg(tag))
	c.say(&c.before, "const bool forced = UK_UNLIKELY(t->forced) && source == MPI_ANY_SOURCE && %s(%s, &source, &tag);",
		ask, comm)
	c.say(&c.tell, "if (UK_UNLIKELY(forced))")
	c.say(&c.tell, "    uk_forced_tell(t, 0, source, tag);")
	c.args[source], c.args[tag] = "source", "tag"
}

// forceSend declares what the send shall be.
func (c *call) forceSend(t *mpi.T, address func(i int) string) {
	switch c.f.Class {
	case mpi.Send, mpi.Isend, mpi.Sendrecv, mpi.Isendrecv:
		c.say(&c.before, "if (UK_UNLIKELY(t->forced))")
		c.say(&c.before, "    uk_forced_delay();")
	}
	if !c.f.SendsStandard() {
		return
	}
	switch c.f.Class {
	case mpi.SendInit: // decided at each start
		return
	case mpi.Isendrecv: // one request stands for both, so its send cannot be made another; it counts all the same
		c.say(&c.before, "if (UK_UNLIKELY(t->forced))")
		c.say(&c.before, "    uk_forced_send();")
		return
	case mpi.Sendrecv:
		c.exchange = c.sendrecv(address)
	default:
		buf, _ := c.f.Param(mpi.RBuf)
		c.copied = fmt.Sprintf("(%s, %s, %s, %s, %s, %s, %t", address(buf), c.of(mpi.RCount), c.of(mpi.RType),
			c.of(mpi.RPeer),
			c.of(mpi.RTag), c.of(mpi.RComm), c.f.Large())
		if c.f.Class == mpi.Isend {
			c.copied = "uk_forced_icopy" + c.copied + ", %s)"
		} else {
			c.copied = "uk_forced_copy" + c.copied + ")"
		}
	}
	c.canSync, c.twin = true, t.InMode(c.f, op.Synchronous)
	c.say(&c.before, "const enum uk_send mode = UK_UNLIKELY(t->forced) ? uk_forced_send() : UK_AS_CALLED;")
	c.say(&c.tell, "if (UK_UNLIKELY(mode == UK_BUFFERED))")
	c.say(&c.tell, "    uk_forced_tell_buffered(t, 0);")
}

// copying is the expression of a call whose send is buffered. Request is where a non-blocking one puts its request.
func (c *call) copying(request string) string {
	if c.f.Class == mpi.Isend {
		return fmt.Sprintf(c.copied, request)
	}
	return c.copied
}

// sendrecv is the C expression of an exchange whose send is synchronous or buffered.
func (c *call) sendrecv(address func(i int) string) string {
	buf, _ := c.f.Param(mpi.RBuf)
	status, _ := c.f.Param(mpi.RStatus)
	s := fmt.Sprintf("%s, %s, %s, %s, %s", address(buf), c.of(mpi.RCount), c.of(mpi.RType), c.of(mpi.RPeer),
		c.of(mpi.RTag))
	end := fmt.Sprintf("source, tag, %s, %s, %t, mode", c.of(mpi.RComm), c.args[status], c.f.Large())
	recvbuf, two := c.f.Param(mpi.RRecvBuf)
	if !two {
		return fmt.Sprintf("uk_forced_replace(%s, %s)", s, end)
	}
	return fmt.Sprintf("uk_forced_sendrecv(%s, %s, %s, %s, %s)", s, address(recvbuf), c.of(mpi.RRecvCount),
		c.of(mpi.RRecvType), end)
}

// forceRequests follows persistent requests, which are made anew when a start differs.
func (c *call) forceRequests(address func(i int) string) {
	switch f := c.f; f.Class {
	case mpi.RecvInit, mpi.SendInit:
		if f.Class == mpi.SendInit && !f.SendsStandard() {
			return
		}
		buf, _ := f.Param(mpi.RBuf)
		which := "true"
		if f.Class == mpi.RecvInit {
			which = c.of(mpi.RPeer) + " == MPI_ANY_SOURCE"
		}
		request := c.of(mpi.RRequest)
		c.say(&c.after, "if (UK_UNLIKELY(t->forced) && %s && %s)", which, request)
		c.say(&c.after, "    uk_forced_persistent(*%s, %t, %s, %s, %s, %s, %s, %s, %t);", request,
			f.Class == mpi.SendInit, address(buf),
			c.of(mpi.RCount), c.of(mpi.RType), c.of(mpi.RPeer), c.of(mpi.RTag), c.of(mpi.RComm), f.Large())
	case mpi.Start:
		c.starts = fmt.Sprintf("UK_UNLIKELY(t->forced) && uk_forced_start(t, %s, 1)", c.of(mpi.RRequest))
	case mpi.Startall:
		requests, _ := f.Param(mpi.RRequests)
		c.starts = fmt.Sprintf("UK_UNLIKELY(t->forced) && uk_forced_start(t, %s, n%d)", arg(requests), requests)
	case mpi.RequestFree:
		c.say(&c.before, "if (UK_UNLIKELY(t->forced))")
		c.say(&c.before, "    uk_forced_free(%s);", c.of(mpi.RRequest))
	}
}

// forceChoice declares what the call shall report, if MPI may choose that.
func (c *call) forceChoice() {
	if !c.f.Chooses() {
		return
	}
	c.kind = "UK_" + strings.ToUpper(strings.TrimPrefix(c.f.Name, "MPI_"))
	n, requests := "0", "NULL"
	if i, several := c.f.Param(mpi.RRequests); several {
		n, requests = fmt.Sprintf("n%d", i), arg(i)
	} else if i, one := c.f.Param(mpi.RRequest); one {
		n, requests = "1", arg(i)
	}
	c.say(&c.before, "struct uk_chosen chosen = {0};")
	c.say(&c.before, "if (UK_UNLIKELY(t->forced))")
	c.say(&c.before, "    uk_forced_choice(t, %s, %s, %s, &chosen);", c.kind, n, requests)
	c.say(&c.tell, "if (UK_UNLIKELY(chosen.forced && !chosen.nothing))")
	c.say(&c.tell, "    uk_forced_tell_choice(t, &chosen);")
}

// choice is the call's struct uk_choice in C. Role gives the expression of an argument that the call has.
func (c *call) choice(role func(mpi.Role, int) string) string {
	fields := []string{".kind = " + c.kind}
	for _, m := range []struct {
		member string
		role   mpi.Role
	}{
		{"requests", mpi.RRequest}, {"requests", mpi.RRequests}, {"flag", mpi.RFlag}, {"index", mpi.RIndex},
		{"outcount", mpi.ROutcount},
		{"indices", mpi.RIndices}, {"status", mpi.RStatus}, {"status", mpi.RStatuses}, {"comm", mpi.RComm},
		{"message", mpi.RMessage},
	} {
		i, has := c.f.Param(m.role)
		if !has {
			continue
		}
		fields = append(fields, fmt.Sprintf(".%s = %s", m.member, role(m.role, i)))
		switch m.role {
		case mpi.RRequest:
			fields = append(fields, ".n = 1")
		case mpi.RRequests:
			fields = append(fields, fmt.Sprintf(".n = (int)n%d", i))
		case mpi.RComm:
			fields = append(fields, ".source = source", ".tag = tag")
		}
	}
	return fmt.Sprintf("{%s}", strings.Join(fields, ", "))
}
