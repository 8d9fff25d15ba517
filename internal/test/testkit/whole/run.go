package whole

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"unknot/internal/observe/launch"
	"unknot/internal/vocab/finding"
)

// Result is how a command ended.
type Result struct {
	// Exit is its exit status, or 128 + N if signal N ended it.
	Exit int
	// TimedOut says that it did not end by itself.
	TimedOut bool
	// Left are processes that the command started and left behind; they have been killed.
	Left []string
	// Output is what it wrote, both streams together.
	Output  string
	Elapsed time.Duration
	// Peak is the most memory that it has used, or a process that it has waited for, in KiB.
	Peak int64
}

// markVariable is set for all processes of one command to a value that no other has, because launchers give ranks
// process groups of their own: the environment is what all of a command's processes have in common.
const markVariable = "UNKNOT_WHOLE_RUN"

// Run runs a command in dir for at most limit, then ends all of its processes.
func Run(argv []string, dir string, env []string, limit time.Duration) (Result, error) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	mark := markVariable + "=" + rand.Text()

	// The output goes to a file: with a pipe, a process left behind would keep the wait from ending.
	path := filepath.Join(dir, "output.txt")
	output, err := os.Create(path)
	if err != nil {
		return Result{}, err
	}
	defer output.Close()
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, output, output
	cmd.Env = slices.Concat(os.Environ(), env, []string{mark})
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
	cmd.WaitDelay = 5 * time.Second

	start := time.Now()
	err = cmd.Run()
	r := Result{Elapsed: time.Since(start), TimedOut: ctx.Err() != nil}
	var exit *exec.ExitError
	switch {
	case err == nil:
	case errors.As(err, &exit):
		r.Exit = status(exit)
	case cmd.Process == nil:
		return r, err
	}
	if used, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		r.Peak = used.Maxrss
	}
	r.Left = sweep(mark, time.Second)
	text, err := os.ReadFile(path)
	r.Output = string(text)
	return r, err
}

// ReadRun reads what a run has written with --json.
func ReadRun(path string) (run finding.Run, err error) {
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, &run)
	}
	return run, err
}

func status(e *exec.ExitError) int {
	if w, ok := e.Sys().(syscall.WaitStatus); ok && w.Signaled() {
		return 128 + int(w.Signal())
	}
	return e.ExitCode()
}

// sweep waits for the processes with the mark to go by themselves, kills those that have not gone by then, and names
// them.
func sweep(mark string, patience time.Duration) []string {
	for deadline := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		pids, all := marked(mark)
		if len(pids) == 0 && all {
			return nil
		}
		if time.Now().Before(deadline) {
			continue
		}
		var names []string
		for _, pid := range pids {
			line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
			names = append(names,
				fmt.Sprintf("%d %s", pid, strings.TrimSpace(strings.ReplaceAll(string(line), "\x00", " "))))
			_ = syscall.Kill(pid, syscall.SIGKILL) // it may have gone meanwhile
		}
		return names
	}
}

// marked lists the processes with the mark in their environment; all is false if some could not be recognised, being in
// the middle of an execve. A zombie has no environment, and is not counted.
func marked(mark string) (pids []int, all bool) {
	all = true
	for _, pid := range launch.Processes() {
		env, known := launch.StartedWith(pid)
		all = all && known
		if bytes.Contains(env, []byte(mark)) {
			pids = append(pids, pid)
		}
	}
	return pids, all
}
