package supervise

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"unknot/internal/finding"
	"unknot/internal/upc/races"
)

// mostConfirmed is how many races are looked at in further runs, two each.
const mostConfirmed = 16

// confirm runs the program again for each race that was found, with the threads held until they are about to race, once with each of the two first.
func (r *run) confirm(list []finding.Finding) {
	if !r.o.Races.Confirm || r.interrupted {
		return
	}
	limit := max(30*time.Second, 20*time.Since(r.start))
	all := r.races.Candidates()
	for i := range all {
		c := &all[i]
		for k := range list {
			switch f := &list[k]; {
			case !c.Is(f):
			case !c.BetweenThreads():
				f.Notes = append(f.Notes, "the two accesses are of one thread, so there are no threads that could be made to meet")
			case c.Apart():
				f.Notes = append(f.Notes, "not looked at in further runs: threads can be made to meet only if all of them are on the host of unknot")
			case i >= mostConfirmed:
				f.Notes = append(f.Notes, fmt.Sprintf("not looked at in further runs, which are made for %d races", mostConfirmed))
			default:
				r.screen.status(fmt.Sprintf("running again for race %d of %d", i+1, min(len(all), mostConfirmed)))
				c.Conclude(f, r.meetings(c, limit))
			}
		}
	}
	r.screen.erase()
}

// meetings makes the two runs.
func (r *run) meetings(c *races.Candidate, limit time.Duration) (outcomes []races.Outcome) {
	for _, second := range []bool{false, true} {
		path := filepath.Join(r.session.Dir, "meeting")
		if err := c.Prepare(path, second); err != nil {
			r.note(fmt.Sprintf("races: %v", err))
			return outcomes
		}
		if err := r.again(path, limit); err != nil {
			r.note(fmt.Sprintf("a run in which threads were to meet: %v", err))
			return outcomes
		}
		o, err := races.ReadOutcome(path)
		if err != nil {
			r.note(fmt.Sprintf("races: %v", err))
			return outcomes
		}
		outcomes = append(outcomes, o)
	}
	return outcomes
}

// again runs the command once more, quietly. What it comes to does not matter: it may have been made to crash.
func (r *run) again(meeting string, limit time.Duration) error {
	args := []string{"run", "--quiet", "--race-sampling", "all", "--race-meet", meeting}
	if r.o.MPICC != "" {
		args = append(args, "--mpicc", r.o.MPICC)
	}
	c := exec.Command(r.needed.unknot, append(args, r.o.command()...)...)
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
	c.WaitDelay = endGrace
	if err := c.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	late := time.NewTimer(limit)
	defer late.Stop()
	select {
	case <-ended:
		return nil
	case <-late.C:
		end(c.Process, ended)
		return fmt.Errorf("it was ended after %v", limit.Round(time.Second))
	case sig := <-r.signals:
		r.interrupted = true
		end(c.Process, ended)
		return fmt.Errorf("%v", sig)
	}
}

// end ends a run of unknot, which ends its job.
func end(p *os.Process, ended <-chan error) {
	_ = p.Signal(syscall.SIGTERM)
	<-ended
}
