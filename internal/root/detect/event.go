package detect

import (
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/op"
)

// Event is what the process tells the root. One of its parts is there.
type Event struct {
	Ended  *Ended
	Lost   *Lost
	Survey string // a signal is about to end the run
}

// Ended is what the process tells the root when the launcher has ended.
type Ended struct {
	Outside []message.Outside // calls that ranks made outside of MPI's life
	Freed   []op.Rank         // ranks that have freed info objects after MPI_Finalize
	Orphan  bool              // unknot itself was killed, and the launcher with it, or it has ended the job
	Exit    int               // the launcher's exit status
}
