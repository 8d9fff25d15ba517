// Package recording is unknot record: it starts a job with the recorder in each rank, and keeps the ranks' records until
// the job has ended. It judges nothing.
package recording

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"

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
	p, err := job.Start(launch.Injection{Probe: library, More: [][2]string{{record.EnvDirectory, dir.Path}}}, streams)
	if err != nil {
		return supervise.ExitTool, err
	}
	attend(p, signals)
	return p.Exit, nil
}

// attend waits for the end of the job, and passes signals on to it.
func attend(p *launch.Process, signals <-chan os.Signal) {
	for {
		select {
		case <-p.Done:
			return
		case sig := <-signals:
			p.Forward(sig.(syscall.Signal))
		}
	}
}

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
