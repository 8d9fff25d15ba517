package agent

import (
	"fmt"
	"path/filepath"

	"unknot/internal/mpi"
	"unknot/internal/op"
)

// maker says in a word how a function makes a communicator.
func maker(f *mpi.Func) string {
	switch {
	case f.Class == mpi.IntercommCreate:
		return "intercommunicator"
	case f.Class != mpi.CommCreate:
		return "subset"
	case f.Duplicates():
		return "duplicate"
	case f.Topology == mpi.Cartesian && f.Suits == mpi.SuitsCartesian:
		return "slice"
	case f.Topology == mpi.Cartesian:
		return "Cartesian topology"
	case f.Topology != mpi.NoTopology:
		return "graph topology"
	case f.Suits == mpi.SuitsInter:
		return "merge"
	case f.Named("color", "split_type") >= 0:
		return "split"
	}
	return "subset"
}

// commName is what the user knows a communicator by.
func (a *Agent) commName(r *rank, c *comm) string {
	switch {
	case c == nil:
		return "a communicator that unknot does not know"
	case c.name != "":
		return c.name
	case c.parent == nil:
		return "a communicator of other processes"
	}
	at := ""
	if f := a.frame(r, c.site); f.File != "" {
		at = fmt.Sprintf(" at %s:%d", filepath.Base(f.File), f.Line)
	}
	return fmt.Sprintf("%s of %s%s", c.how, a.commName(r, c.parent), at)
}

// commByID finds the communicator of a rank that has an identity.
func commByID(r *rank, id op.CommID) *comm {
	for _, c := range r.comms {
		if c.id == id {
			return c
		}
	}
	return nil
}
