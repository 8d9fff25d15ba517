package calls

import (
	"unknot/internal/observe/decode"
	"unknot/internal/vocab/mpi"
)

// arguments are what a record says of a call, with the objects of its rank, which say what that names: communicators,
// windows, the type and size of data.
type arguments struct {
	decode.Call
	r *Rank
}

func (c *arguments) status() (Status, bool) {
	at := int(c.Func.ExitAt[mpi.RStatus])
	if at < 0 || at+3 > len(c.Words) {
		return Status{}, false
	}
	return newStatus(c.Words[at : at+3]), true
}

func (c *arguments) flag() bool {
	v, ok := c.Out(mpi.RFlag)
	return ok && v != 0
}
