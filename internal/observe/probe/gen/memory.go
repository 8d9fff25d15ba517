package gen

import (
	"strings"

	"unknot/internal/vocab/mpi"
)

// buffers has it recorded what each buffer of the call lies in (csrc/objects/memory.h), and the memory that a window is
// made of, which others may use until the window is freed.
func (c *call) buffers() {
	if base, ok := c.f.Param(mpi.RBuf); ok && (c.f.Class == mpi.WinCreate || c.f.Name == "MPI_Win_attach") {
		c.say(&c.tell, "uk_buffer(t, %d, %s, true);", base, arg(base))
	}
	switch c.f.Class {
	case mpi.Send, mpi.Recv, mpi.Isend, mpi.Irecv, mpi.Isendrecv, mpi.Sendrecv, mpi.SendInit, mpi.RecvInit,
		mpi.Mrecv, mpi.Imrecv, mpi.FileReq, mpi.FileIcoll, mpi.FileColl, mpi.Opaque, mpi.Coll:
	default:
		return
	}
	for i := range c.f.Params {
		if p := &c.f.Params[i]; p.Kind == mpi.KPtr && strings.Contains(p.Name, "buf") {
			c.say(&c.tell, "uk_buffer(t, %d, %s, %t);", i, arg(i), c.f.Nonblocking || c.f.Persistent)
		}
	}
}
