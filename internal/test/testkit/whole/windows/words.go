package windows

import (
	"fmt"
	"strings"
)

// String lists the steps of a round, for who looks for the cause of a failure.
func (r *Round) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s of a window of MPI_Win_%s, %d cells of each rank\n", r.Style,
		[...]string{"create", "allocate", "allocate_shared"}[r.Flavour], r.Cells)
	for i := range r.Steps {
		fmt.Fprintf(&b, "%5d  %s\n", i, &r.Steps[i])
	}
	return b.String()
}

func (s *Step) String() string {
	who := fmt.Sprint("rank ", s.Rank)
	if s.Rank == Everyone {
		who = "all ranks"
	}
	to := fmt.Sprint(s.Peer)
	if s.Peer == Everyone {
		to = "all"
	}
	name := [...]string{"", "barrier", "message to", "sync", "fence", "post to", "start", "complete", "wait", "lock",
		"unlock", "flush", "flush_local"}[s.Kind]
	switch s.Kind {
	case Acts:
		return who + ": " + s.Act.String()
	case Message, Unlock, Flush, FlushLocal:
		return who + ": " + name + " " + to
	case Lock:
		if s.Exclusive {
			to += ", exclusive"
		}
		return who + ": " + name + " " + to
	case Post, Start:
		return who + ": " + name + " " + fmt.Sprint(s.Group)
	}
	return strings.TrimSpace(who + ": " + name + " " + s.Assert)
}

func (a *Act) String() string {
	name := [...]string{"load", "store", "copy from", "copy to", "put", "get", "accumulate", "get and accumulate",
		"rput", "rget"}[a.Manner]
	if a.Op != "" {
		name += " " + a.Op
	}
	s := fmt.Sprintf("%s rank %d's %d", name, a.Target, a.At)
	if a.N > 1 {
		s += fmt.Sprintf(" to %d", a.At+a.N-1)
	}
	if a.Lent >= 0 {
		s += fmt.Sprintf(", with its own %d", a.Lent)
	}
	return s
}
