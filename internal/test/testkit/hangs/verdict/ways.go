package verdict

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"unknot/internal/test/testkit"
	"unknot/internal/test/testkit/hangs"
	"unknot/internal/test/testkit/hangs/outside"
)

// Runner runs programs.
type Runner struct {
	Unknot string // the program
	Most   time.Duration
}

// All runs a program each way, and gives the verdicts in the order of Ways.
func (r *Runner) All(ctx context.Context, p *hangs.Program, library, dir string) (list []Verdict, err error) {
	program, err := outside.Build(p, library, dir)
	if err != nil {
		return nil, err
	}
	for i, way := range Ways {
		j := &job{Runner: r, program: p, dir: filepath.Join(dir, strconv.Itoa(i))}
		if err := os.Mkdir(j.dir, 0o755); err != nil {
			return nil, err
		}
		j.command = append([]string{"mpirun." + library, "-n", strconv.Itoa(p.Ranks), program}, p.Args...)
		v, err := j.run(ctx, way)
		if err != nil {
			return nil, fmt.Errorf("seed %d, %s: %w: %s", p.Seed, way, err, j.said.String())
		}
		list = append(list, v)
	}
	return list, nil
}

// job is one run of a program.
type job struct {
	*Runner
	program *hangs.Program
	dir     string
	command []string
	said    bytes.Buffer
}

func (j *job) run(ctx context.Context, way Way) (Verdict, error) {
	ctx, cancel := context.WithTimeout(ctx, j.Most)
	defer cancel()
	report := filepath.Join(j.dir, "report.json")
	switch way {
	case Watched:
		j.command = append([]string{j.Unknot, "run", "--stall=8s", "--json", report}, j.command...)
	case Recorded:
		j.command = append([]string{j.Unknot, "record", "--stall=0s"}, j.command...)
	}
	cmd := exec.Command(j.command[0], j.command[1:]...)
	cmd.Env = testkit.Gently()
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Stdout, cmd.Stderr = &j.said, &j.said
	if err := cmd.Start(); err != nil {
		return Verdict{}, err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	defer func() { finish(cmd.Process.Pid, ended) }()
	if way == Watched {
		return j.watched(ctx, report, ended)
	}
	return j.attached(ctx, cmd.Process.Pid, report, ended)
}

// watched is the verdict of `unknot run`, which ends the job if it is an error.
func (j *job) watched(ctx context.Context, report string, ended chan error) (Verdict, error) {
	for {
		select {
		case err := <-ended:
			ended <- err
			return read(report, j.program), nil
		case <-ctx.Done():
			return read(report, j.program), nil
		case <-time.After(100 * time.Millisecond):
		}
		if v := read(report, j.program); v.Word != Nothing && v.Word != Proved {
			return v, nil
		}
	}
}

// attached is the verdict of `unknot attach`: one that is proved twice, or else given three times.
func (j *job) attached(ctx context.Context, pid int, report string, ended chan error) (last Verdict, err error) {
	var untrue []string
	for same := 0; same < 3; {
		select {
		case err := <-ended:
			ended <- err
			return last, fmt.Errorf("the job ended: %w", err)
		case <-ctx.Done():
			return last, nil
		case <-time.After(300 * time.Millisecond):
		}
		os.Remove(report)
		cmd := exec.CommandContext(ctx, j.Unknot, "attach", "--watch=300ms", "--json", report, strconv.Itoa(pid))
		out, err := cmd.CombinedOutput()
		if failed := (*exec.ExitError)(nil); errors.As(err, &failed) && failed.ExitCode() != 66 {
			same, last = 0, Verdict{} // it has not started
			continue
		}
		v := read(report, j.program)
		if len(v.False) > 0 {
			untrue = append(untrue, append(v.False, string(out))...)
		}
		if same++; !v.Same(last) || v.Word == Moving || v.Word == Nothing {
			same = 1
		}
		if last = v; v.Word == Proved && same == 2 { // the first time, other ranks may be about to hang
			break
		}
	}
	last.False = untrue
	return last, nil
}

// finish ends a job.
func finish(pid int, ended chan error) {
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGKILL} {
		to := pid
		if signal == syscall.SIGKILL {
			to = -pid
		}
		_ = syscall.Kill(to, signal) // it may have ended
		select {
		case <-ended:
			return
		case <-time.After(5 * time.Second):
		}
	}
	<-ended
}
