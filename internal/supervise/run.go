package supervise

import (
	"os"
	"time"

	"unknot/internal/observe/launch"
	"unknot/internal/observe/probe"
	"unknot/internal/observe/ring"
	"unknot/internal/root/link"
	"unknot/internal/say/report/progress"
	"unknot/internal/shmem/judge"
	"unknot/internal/upc/races"
)

// run is one watched run: what it was asked for, what was made for it, and what each part of its course knows. Such a
// part has a struct and a file.
type run struct {
	o        Options
	streams  launch.Streams
	screen   *screen
	start    time.Time
	progress *progress.Writer // nil if nobody wants to follow the run

	account account
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

	end       jobEnd
	growing   growing
	lingering lingering
}
