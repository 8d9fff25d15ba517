package gen

import (
	"fmt"

	"unknot/internal/vocab/mpi"
)

// effect is, in C, what a call does that programs repeat while they wait for a value in a window (struct uk_effect), ""
// for other calls. An operation is complete at its target after MPI_Win_flush and the like; one that only reads is so
// as soon as it is complete at its origin (MPI-4.0, 12.5.4).
func effect(f *mpi.Func) string {
	target, _ := f.Target()
	peer, kind := target.Peer, ""
	switch {
	case f.Class == mpi.Rma && target.Access == mpi.Reads:
		kind = "UK_OPENS_HERE"
	case f.Class == mpi.Rma:
		kind = "UK_OPENS"
	case f.Class == mpi.WinFlush:
		kind, peer = "UK_CLOSES", f.Named("rank")
	case f.Flushes():
		kind, peer = "UK_CLOSES_HERE", f.Named("rank")
	case f.Name == "MPI_Win_sync":
		kind, peer = "UK_ALONE", -1
	default:
		return ""
	}
	part := "-1"
	if peer >= 0 {
		part = arg(peer)
	}
	return fmt.Sprintf("{%s, UK_H(%s), %s}", kind, arg(f.Named("win")), part)
}
