// Package recording is unknot record: it starts a job with the recorder in each rank, and keeps the ranks' records until
// the job has ended. It sees whether the job stands still, and judges nothing.
package recording

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"unknot/internal/kit/scratch"
	"unknot/internal/observe/launch"
	"unknot/internal/observe/probe"
	"unknot/internal/observe/record"
	"unknot/internal/supervise"
)

// Options are what unknot record takes.
type Options struct {
	Argv  []string
	MPICC string
	// Say gets a sentence if the user has to wait; may be nil.
	Say func(sentence string)
	// Stall is the time without a completed call in any rank of this host after which Stalled is called, with the
	// launcher's process: once each time. It says whether to end the job. 0 stands for never.
	Stall   time.Duration
	Stalled func(ctx context.Context, launcher int) (end bool)
	// Ended is called with the records of the ranks of this host when the job has ended with a status other than 0.
	Ended func(records []*record.Rank, started time.Time, status int)
}

// directoryPrefix is what the directory of a job's records begins with.
const directoryPrefix = "unknot-record-"

// Run runs the job and gives its exit status. An error says why it cannot be started.
func Run(ctx context.Context, o Options, streams launch.Streams) (exit int, err error) {
	job, err := launch.Recognise(o.Argv, launch.Options{MPICC: o.MPICC})
	if err != nil {
		return supervise.ExitUsage, err
	}
	dir, err := directory()
	if err != nil {
		return supervise.ExitTool, err
	}
	defer dir.Remove()
	library, err := o.library(ctx, probe.Options{MPICC: job.MPICC, FallbackDir: dir.Path, Soname: job.MPI.Soname,
		Family: job.MPI.Family.String(), Library: job.MPI.Path})
	if err != nil {
		return supervise.ExitTool, err
	}
	signals, quiet := supervise.Listen()
	defer quiet()
	started := time.Now()
	p, err := job.Start(launch.Injection{Probe: library, More: [][2]string{{record.EnvDirectory, dir.Path}}}, streams)
	if err != nil {
		return supervise.ExitTool, err
	}
	if ended := o.attend(ctx, p, &watcher{dir: dir.Path, stall: o.Stall}, signals); ended {
		return supervise.ExitFindings, nil
	}
	if p.Exit != 0 {
		o.Ended(records(dir.Path), started, p.Exit)
	}
	return p.Exit, nil
}

// records are those in a directory that can be read.
func records(dir string) (list []*record.Rank) {
	files, err := record.Files(dir)
	if err != nil {
		return nil
	}
	for _, file := range files {
		if r, err := record.ReadFile(file); err == nil {
			list = append(list, r)
		}
	}
	return list
}

// attend waits for the end of the job, passes signals on to it, and looks now and then whether it stands still. ended
// says that it was ended for that.
func (o Options) attend(ctx context.Context, p *launch.Process, w *watcher, signals <-chan os.Signal) (ended bool) {
	var look, patience <-chan time.Time
	if o.Stall > 0 {
		ticker := time.NewTicker(max(o.Stall/2, time.Millisecond))
		defer ticker.Stop()
		look = ticker.C
	}
	for {
		select {
		case <-p.Done:
			return ended
		case sig := <-signals:
			p.Forward(sig.(syscall.Signal))
		case now := <-look:
			if ended || !w.stands(now) || !o.Stalled(ctx, p.PID) {
				continue
			}
			ended = true
			p.Signal(syscall.SIGTERM)
			patience = time.After(grace)
		case <-patience:
			p.Signal(syscall.SIGKILL)
		}
	}
}

// grace is how long a launcher has to end its ranks.
const grace = 10 * time.Second

// directory is where ranks on this host keep their records, so that these outlive them. Those on other hosts do not find
// it, and keep theirs in memory that has no name.
func directory() (*scratch.Dir, error) {
	const shared = "/dev/shm"
	scratch.Sweep(shared, directoryPrefix)
	if dir, err := scratch.New(shared, directoryPrefix); err == nil {
		return dir, nil
	}
	return scratch.New(os.TempDir(), directoryPrefix)
}

// Library builds the recorder, or finds it, and gives its path, which LD_PRELOAD can hold.
func Library(ctx context.Context, o Options) (string, error) {
	return o.library(ctx, probe.Options{MPICC: o.MPICC})
}

func (o Options) library(ctx context.Context, of probe.Options) (string, error) {
	of.Say = o.Say
	p, err := record.Build(ctx, of)
	if err != nil {
		return "", err
	}
	if strings.ContainsAny(p.Path, " :") {
		return "", fmt.Errorf("the recorder %s cannot be preloaded: its path contains a space or a colon; hint: set "+
			"XDG_CACHE_HOME to a path without either", p.Path)
	}
	if of.Soname != "" && p.Soname != "" && of.Soname != p.Soname {
		return "", fmt.Errorf("%s compiles for %s, but the program needs %s; hint: pass the mpicc that the program "+
			"was built with by --mpicc", filepath.Base(of.MPICC), p.Soname, of.Soname)
	}
	return p.Path, nil
}
