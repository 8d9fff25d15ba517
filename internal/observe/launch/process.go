package launch

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"syscall"

	"golang.org/x/sys/unix"
)

// Process is a started job.
type Process struct {
	PID int
	// Done is closed when the launcher has ended; Exit counts from then on.
	Done <-chan struct{}
	// Exit is the launcher's exit status, 128+N if signal N ended it.
	Exit int
	// Killed is the signal that ended the launcher itself, 0 if none did; for a program without a launcher it is the
	// program's.
	Killed syscall.Signal

	shared  bool // in our process group, where signals from the terminal's keys reach it without us
	wrapped bool // the process that we know is a script or a wrapper, and the launcher one of those that it starts
}

// Streams are the job's standard streams: the user's own, untouched.
type Streams struct {
	In, Out, Err *os.File
}

// Start starts the job with the probe in each rank. The launcher gets a SIGTERM should this process vanish.
//
// If the job reads from the terminal that we belong to, it stays in our process group: only the terminal's foreground
// group may read from it, and the keys for interrupting and stopping work on all of us as they do without unknot.
// Otherwise it has a separate group, so that a signal sent to our group does not reach it twice.
func (j *Job) Start(in Injection, s Streams) (*Process, error) {
	argv, env := j.inject(in, os.Environ())
	path := j.Launcher
	if j.prefix > 0 || path == "" {
		path = argv[0]
		if len(j.Programs) > 0 && j.Programs[0].Arg == 0 {
			path = j.Programs[0].Path
		} else if found, err := environment(env).lookPath(argv[0], ""); err == nil {
			path = found
		}
	}
	done := make(chan struct{})
	p := &Process{Done: done, shared: foreground(s.In), wrapped: j.prefix > 0 || j.Launcher == ""}
	cmd := &exec.Cmd{Path: path, Args: argv, Env: env, Stdin: s.In, Stdout: s.Out, Stderr: s.Err}
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM, Setpgid: !p.shared}
	started := make(chan error)
	go func() {
		// The kernel sends the signal when the thread that forked ends, so it has to last as long as the job.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		if err := cmd.Start(); err != nil {
			started <- err
			return
		}
		p.PID = cmd.Process.Pid
		started <- nil
		err := cmd.Wait()
		p.Exit = exitStatus(cmd.ProcessState, err)
		if p.Exit > 128 && !cmd.ProcessState.Exited() {
			p.Killed = syscall.Signal(p.Exit - 128)
		}
		close(done)
	}()
	if err := <-started; err != nil {
		return nil, fmt.Errorf("%s cannot be started: %w", path, err)
	}
	return p, nil
}

func exitStatus(state *os.ProcessState, err error) int {
	if state == nil {
		return 1
	}
	if ws, ok := state.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return 128 + int(ws.Signal())
	}
	if _, ok := errors.AsType[*exec.ExitError](err); err != nil && !ok && state.ExitCode() == 0 {
		return 1
	}
	return state.ExitCode()
}

// Forward passes a signal that we got on to the launcher, unless the terminal has given it to the launcher as well.
func (p *Process) Forward(sig syscall.Signal) {
	if p.shared && sig == syscall.SIGINT && foreground(os.Stdin) {
		return
	}
	p.Signal(sig)
}

// Signal sends a signal to the launcher, if it has not ended. A wrapper or a script may not pass it on, so that all of
// its group get it, as they would from a terminal.
func (p *Process) Signal(sig syscall.Signal) {
	select {
	case <-p.Done:
		return
	default:
	}
	if p.wrapped && !p.shared {
		syscall.Kill(-p.PID, sig)
		return
	}
	syscall.Kill(p.PID, sig)
}

// foreground says whether f is our controlling terminal and we are its foreground group.
func foreground(f *os.File) bool {
	if f == nil {
		return false
	}
	group, err := unix.IoctlGetInt(int(f.Fd()), unix.TIOCGPGRP)
	return err == nil && group == syscall.Getpgrp()
}
