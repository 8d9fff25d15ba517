package gen

import (
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
