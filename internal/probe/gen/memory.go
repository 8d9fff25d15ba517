package gen

import (
	"strings"

	"unknot/internal/probe/mpiapi"
)

// buffers lets what each buffer of the call lies in be told (csrc/memory.h).
func (c *call) buffers() {
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
