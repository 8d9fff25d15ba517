package supervise

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"unknot/internal/observe/rendezvous"
	"unknot/internal/say/explain/unobserved"
	"unknot/internal/upc/races"
	"unknot/internal/vocab/finding"
)

// Confirmation runs a program again for races that were found, twice for each: with two threads, ranks or PEs held
// until they are about to race, and then with each of the two first.
type Confirmation struct {
	Unknot  string   // the tool itself, which makes the runs
	MPICC   string   // "" for that of the command
	Command []string // the user's
	Threads int
	Process string        // what its processes are called: "rank"
	Dir     string        // for files
	Limit   time.Duration // for a run
	Status  func(string)  // is called with what is being done
	Note    func(string)  // is called with what goes wrong
}

// mostConfirmed is how many races are looked at in further runs.
const mostConfirmed = 16

// Conclude makes the runs, and says in the findings what came of them. Once the context ends no more is begun. The
// error is why the command cannot be watched.
func (c *Confirmation) Conclude(ctx context.Context, list []finding.Finding) error {
	all := 0
	for i := range list {
		if list[i].Meeting != nil {
			all++
		}
	}
	n := 0
	for i := range list {
		switch f := &list[i]; {
		case !f.IsRace() || ctx.Err() != nil:
		case f.Meeting != nil && n >= mostConfirmed:
			f.Notes = append(f.Notes, unobserved.TooMany.Note(mostConfirmed))
		case f.Meeting != nil:
			n++
			c.Status(fmt.Sprintf("running again for race %d of %d", n, min(all, mostConfirmed)))
			if err := c.meeting(ctx, f); err != nil {
				return err
			}
		case len(f.Ranks) == 1:
			f.Notes = append(f.Notes, unobserved.OneThread.Note(mostConfirmed))
		default:
			f.Notes = append(f.Notes, unobserved.Elsewhere.Note(mostConfirmed))
		}
	}
	return nil
}

// meeting makes the runs for a race, and says in the finding what came of them: of two calls, or of accesses of UPC
// threads.
func (c *Confirmation) meeting(ctx context.Context, f *finding.Finding) error {
	if len(f.Meeting.Ranks) == 2 {
		outcomes, found, err := outcomesOf(ctx, c, f.Meeting, rendezvous.Prepare, rendezvous.Read)
		if err == nil && f.Meeting.OfThreads() {
			unobserved.ConcludeThreads(f, outcomes, found)
		} else if err == nil {
			unobserved.Conclude(f, f.Language.Terms().Process, outcomes)
		}
		return err
	}
	outcomes, _, err := outcomesOf(ctx, c, f.Meeting, races.PrepareMeeting, races.ReadOutcome)
	if err == nil {
		races.Conclude(f, c.Threads, outcomes)
	}
	return err
}

// outcomesOf makes the two runs for a race, with the file that says what is to be done, and in which what came of it is
// read. found are the findings of each. An error is why the command cannot be watched.
func outcomesOf[T any](ctx context.Context, c *Confirmation, m *finding.Meeting, prepare func(*finding.Meeting, string,
	bool) error, read func(string) (T, error)) (outcomes []T, found [][]finding.Finding, unwatched error) {
	path := filepath.Join(c.Dir, "meeting")
	report := path + ".json"
	defer races.Forget(path)
	defer os.Remove(report)
	for _, second := range []bool{false, true} {
		if err := prepare(m, path, second); err != nil {
			c.Note(fmt.Sprintf("races: %v", err))
			return outcomes, found, nil
		}
		err := c.again(ctx, path, report)
		if _, ok := err.(cannotWatch); ok {
			return outcomes, found, err
		}
		if err != nil {
			c.Note(fmt.Sprintf("a run in which %ss were to meet: %v", c.Process, err))
			return outcomes, found, nil
		}
		o, err := read(path)
		races.Forget(path)
		if err != nil {
			c.Note(fmt.Sprintf("races: %v", err))
			return outcomes, found, nil
		}
		outcomes, found = append(outcomes, o), append(found, findingsIn(report))
	}
	return outcomes, found, nil
}

// findingsIn are those of a report; none if it cannot be read, as of a run that was ended.
func findingsIn(path string) []finding.Finding {
	data, err := os.ReadFile(path)
	_ = os.Remove(path)
	var r finding.Run
	if err != nil || json.Unmarshal(data, &r) != nil {
		return nil
	}
	return r.Findings
}

// cannotWatch is what a run of unknot says of a command that it cannot watch.
type cannotWatch string

func (e cannotWatch) Error() string { return string(e) }

// again runs the command once more, quietly, with a report. Its result does not matter: it may have been made to crash.
func (c *Confirmation) again(ctx context.Context, meeting, report string) error {
	options := meeting + "." + internalName
	defer os.Remove(options)
	if err := (Internal{Run: &Inner{Meet: meeting}}).Write(options); err != nil {
		return err
	}
	args := []string{"run", "--quiet", "--require-watched=false", "--race-sampling", "all", "--json", report}
	if c.MPICC != "" {
		args = append(args, "--mpicc", c.MPICC)
	}
	limited, stop := context.WithTimeout(ctx, c.Limit)
	defer stop()
	cmd := exec.CommandContext(limited, c.Unknot, append(args, c.Command...)...)
	cmd.Env = append(os.Environ(), EnvInternal+"="+options)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) } // it ends its job
	// should something of the job keep its standard error open
	cmd.WaitDelay = c.Limit
	said := &tail{}
	cmd.Stderr = said
	if err := cmd.Start(); err != nil {
		return err
	}
	_ = cmd.Wait()
	switch status := cmd.ProcessState.ExitCode(); {
	case status == ExitUsage || status == ExitTool:
		if what, ours := said.last(); ours {
			return cannotWatch(what)
		}
	}
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case limited.Err() != nil:
		return fmt.Errorf("it was ended after %v", c.Limit.Round(time.Second))
	}
	return nil
}

// confirm looks at the races of a run, if the user wants that.
func (r *run) confirm(list []finding.Finding) {
	if !r.o.Races.Confirm || r.end.interrupted || !slices.ContainsFunc(list, func(f finding.Finding) bool {
		return f.IsRace()
	}) {
		return
	}
	ctx, stop := context.WithCancelCause(context.Background())
	over := make(chan struct{})
	caught := make(chan bool)
	go func() {
		select {
		case sig := <-r.signals:
			stop(fmt.Errorf("%v", sig))
			caught <- true
		case <-over:
			caught <- false
		}
	}()
	c := Confirmation{Unknot: r.needed.unknot, MPICC: r.o.MPICC, Command: r.o.command(), Threads: r.account.result.Ranks,
		Process: r.account.result.Language.Terms().Process, Dir: r.session.Dir,
		Limit:  max(30*time.Second, 20*time.Since(r.start)),
		Status: r.screen.status, Note: r.account.note}
	if err := c.Conclude(ctx, list); err != nil {
		r.account.note(fmt.Sprintf("a run in which threads were to meet: %v", err))
	}
	close(over)
	r.end.interrupted = <-caught
	stop(nil)
	r.screen.erase()
}

// tail keeps the end of what is written to it.
type tail struct{ text []byte }

func (t *tail) Write(p []byte) (int, error) {
	const most = 4 << 10
	t.text = append(t.text, p...)
	t.text = t.text[max(0, len(t.text)-most):]
	return len(p), nil
}

// last is the last line, and whether it is unknot's own.
func (t *tail) last() (string, bool) {
	lines := strings.Split(strings.TrimSpace(string(t.text)), "\n")
	return strings.CutPrefix(lines[len(lines)-1], "unknot: ")
}

// prepareMeeting puts the file of a meeting of calls into the session. That of threads of UPC is for their reader.
func (r *run) prepareMeeting() error {
	path := r.o.Races.Meet
	if path == "" {
		return nil
	}
	if _, err := rendezvous.Read(path); err != nil {
		return nil
	}
	r.meeting, r.o.Races.Meet = path, ""
	return rendezvous.Copy(filepath.Join(r.session.Dir, rendezvous.Name), path)
}

// takeMeeting gives back what has come of it.
func (r *run) takeMeeting() {
	if r.meeting == "" {
		return
	}
	if err := rendezvous.Copy(r.meeting, filepath.Join(r.session.Dir, rendezvous.Name)); err != nil {
		r.account.note(fmt.Sprintf("races: %v", err))
	}
}
