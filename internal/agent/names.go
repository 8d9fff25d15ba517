package agent

import (
	"fmt"
	"path/filepath"

	"unknot/internal/mpi"
	"unknot/internal/objects"
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
func (a *Agent) commName(r *rank, c *objects.Comm) string {
	switch {
	case c == nil:
		return "a communicator that unknot does not know"
	case c.Name != "":
		return c.Name
	case c.Parent == nil:
		return "a communicator of other processes"
	}
	at := ""
	if f := a.frame(r, c.Made.Site); f.File != "" {
		at = fmt.Sprintf(" at %s:%d", filepath.Base(f.File), f.Line)
	}
	return fmt.Sprintf("%s of %s%s", c.How, a.commName(r, c.Parent), at)
}
