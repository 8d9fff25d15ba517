package supervise

import (
	"os"
	"sync"
	"syscall"
	"time"

	"unknot/internal/observe/launch"
	"unknot/internal/observe/probe"
	"unknot/internal/observe/ring"
	"unknot/internal/root/link"
	"unknot/internal/say/report/progress"
	"unknot/internal/shmem/judge"
	"unknot/internal/upc/races"
)

// run is one watched run.
type run struct {
	o        Options
	streams  launch.Streams
	screen   *screen
	start    time.Time
	progress *progress.Writer // nil if nobody wants to follow the run

	account
	job     *launch.Job
	probe   *probe.Probe
	needed  needed   // what ranks on all hosts need
	key     link.Key // of the job's links, if ranks may be on other hosts
	session *ring.Session
	agent   *agentProcess
	process *launch.Process
	races   *races.Reader
	pes     *judge.Reader
	meeting string // the file of a meeting of calls (meet) that is to be made, "" for none
	signals <-chan os.Signal

	notes       []string
	mismatched  bool           // the launcher is one that the program's MPI library does not know
	lost        string         // why the run was not watched to its end
	interrupted bool           // by a signal to us
	looking     syscall.Signal // it waits to be passed on until it is known where the ranks are; 0 if none does
	ended       bool           // the launcher has
	stopping    bool           // the agent asked for the job's end
	traces      launch.Traces  // of an interrupted job
	tasks       sync.WaitGroup // what ends the job beside the main loop
	left        bool           // to a debugger, as --on-deadlock=leave has it
	growing     growing
	lingering   lingering
}
