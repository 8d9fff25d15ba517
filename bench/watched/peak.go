// Package watched looks at jobs that unknot watches, for measurements: what its agent process and its rings take, and
// how soon a hang is reported.
package watched

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"unknot/internal/kit/procstat"
)

// Peak is the most that a job was seen to have, in MiB.
type Peak struct {
	Agent float64 // resident memory of the agent process
	Ring  float64 // size of one ring's file
	Rings int     // rings at a time
}

// interval is between two looks: as short as the shortest job allows.
const interval = 10 * time.Millisecond

// Look looks at the agent process below a process, and at its rings, until done is closed.
func Look(pid int, done <-chan struct{}) Peak {
	var p Peak
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		select {
		case <-done:
			return p
		case <-tick.C:
			if agent, session := agentOf(pid); agent != 0 {
				p.see(fmt.Sprintf("/proc/%d/status", agent), session)
			}
		}
	}
}

// see takes in the status of an agent process and the rings of its session.
func (p *Peak) see(status, session string) {
	p.Agent = max(p.Agent, Resident(status))
	rings, _ := filepath.Glob(filepath.Join(session, "ring.*"))
	p.Rings = max(p.Rings, len(rings))
	if p.Ring == 0 && len(rings) > 0 { // all have one size
		if info, err := os.Stat(rings[0]); err == nil {
			p.Ring = float64(info.Size()) / (1 << 20)
		}
	}
}

// Resident is the resident memory that a process had at most, in MiB, by its status file; 0 if it is gone.
func Resident(status string) float64 { return float64(procstat.PeakMemory(status)) / (1 << 20) }

// agentOf finds the agent process among a process's children, and its session directory in its arguments.
func agentOf(pid int) (agent int, session string) {
	lists, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, list := range lists {
		text, _ := os.ReadFile(list)
		for child := range strings.FieldsSeq(string(text)) {
			line, _ := os.ReadFile("/proc/" + child + "/cmdline")
			words := strings.Split(string(line), "\x00")
			for k := 0; k+1 < len(words); k++ {
				if words[k] == "--session" {
					n, _ := strconv.Atoi(child)
					return n, words[k+1]
				}
			}
		}
	}
	return 0, ""
}
