package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

// maxOutput is how much of a run's output is kept.
const maxOutput = 4 << 20

// outcome is the result of one run of a case.
type outcome struct {
	Exit     int  `json:"exit"` // 128+N if ended by signal N
	TimedOut bool `json:"timed_out,omitempty"`
	stdout   []byte
	stderr   []byte
	Seconds  float64 `json:"seconds"`
}

func (o outcome) status() string {
	if o.TimedOut {
		return "time limit"
	}
	return fmt.Sprint(o.Exit)
}

// capped keeps the beginning of what is written to it.
type capped struct{ bytes.Buffer }

func (c *capped) Write(p []byte) (int, error) {
	if room := maxOutput - c.Len(); room > 0 {
		c.Buffer.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}

// execute runs a command in a process group of its own, which is ended at the limit: first asked to, then killed.
func execute(c Case, command []string, limit time.Duration) outcome {
	var stdout, stderr capped
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Dir = c.Dir
	// Open MPI jobs that start at the same moment get in each other's way where they share a directory.
	own, err := os.MkdirTemp("", "apps-")
	if err != nil {
		return outcome{Exit: 127, stderr: []byte(err.Error())}
	}
	defer os.RemoveAll(own)
	cmd.Env = append(append(os.Environ(), "OMPI_MCA_orte_tmpdir_base="+own), c.Env...)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.WaitDelay = 2 * time.Second
	if c.Output != "" {
		os.Remove(filepath.Join(c.Dir, c.Output))
	}
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return outcome{Exit: 127, stderr: []byte(err.Error())}
	}
	o := outcome{}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err = <-ended:
	case <-time.After(limit):
		o.TimedOut = true
		syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM)
		select {
		case err = <-ended:
		case <-time.After(5 * time.Second):
			syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
			err = <-ended
		}
	}
	o.Seconds = time.Since(start).Seconds()
	o.Exit = exitStatus(cmd, err)
	o.stdout, o.stderr = stdout.Bytes(), stderr.Bytes()
	if c.Output != "" {
		if text, err := os.ReadFile(filepath.Join(c.Dir, c.Output)); err == nil {
			o.stdout = append(o.stdout, text...)
		}
	}
	return o
}

func exitStatus(cmd *exec.Cmd, err error) int {
	if ws, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return 128 + int(ws.Signal())
	}
	if err != nil && cmd.ProcessState.ExitCode() == 0 && !errors.Is(err, exec.ErrWaitDelay) {
		return 127
	}
	return cmd.ProcessState.ExitCode()
}
