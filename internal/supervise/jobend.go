package supervise

import (
	"sync"
	"syscall"

	"unknot/internal/observe/launch"
)

// jobEnd is how far the end of a job is, and what it takes.
type jobEnd struct {
	ended       bool           // the launcher has
	stopping    bool           // the agent asked for the job's end
	left        bool           // to a debugger, as --on-deadlock=leave has it
	interrupted bool           // by a signal to us
	looking     syscall.Signal // it waits to be passed on until it is known where the ranks are; 0 if none does
	traces      launch.Traces  // of an interrupted job
	tasks       sync.WaitGroup // what ends the job beside the main loop
}
