package agent

import (
	"fmt"
	"path/filepath"
	"strings"

	"unknot/internal/op"
)

// maker says in a word how a function makes a communicator.
func maker(name string) string {
	switch {
	case strings.HasPrefix(name, "MPI_Comm_split"):
		return "split"
	case strings.Contains(name, "dup"):
		return "duplicate"
	case strings.HasPrefix(name, "MPI_Cart_sub"):
		return "slice"
	case strings.HasPrefix(name, "MPI_Cart"):
		return "Cartesian topology"
	case strings.Contains(name, "raph"):
		return "graph topology"
	case strings.HasPrefix(name, "MPI_Intercomm_create"):
		return "intercommunicator"
	case strings.HasPrefix(name, "MPI_Intercomm_merge"):
		return "merge"
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
