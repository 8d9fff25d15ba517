// Package outside runs generated hangs and compares what is seen of them from outside with what is true.
package outside

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"unknot/internal/attach/call"
	"unknot/internal/attach/callsite"
	"unknot/internal/attach/job"
	"unknot/internal/attach/thread"
	"unknot/internal/kit/symbol"
	"unknot/internal/test/testkit"
	"unknot/internal/test/testkit/hangs"
	"unknot/internal/vocab/mpi"
)

// Grade is how something that was seen compares with what is true.
type Grade uint8

// The grades.
const (
	Absent Grade = iota // there is nothing to see
	Right
	Unknown // it is said not to be known
	Wrong
)

// Row is what was seen of a thread.
type Row struct {
	hangs.Truth
	Call, Place, Peer, Tag Grade
	Seen                   string // in words
}

// Looker looks at jobs.
type Looker struct {
	Resolver *symbol.Resolver
	Table    *mpi.T
}

// Build compiles a program, with all warnings as errors.
func Build(p *hangs.Program, library, dir string) (program string, err error) {
	source := filepath.Join(dir, p.File())
	if err := os.WriteFile(source, []byte(p.Source), 0o644); err != nil {
		return "", err
	}
	program = filepath.Join(dir, "hang")
	args := append([]string{"-Wall", "-Wextra", "-Werror", "-DOMPI_SKIP_MPICXX", "-o", program, source}, p.Options...)
	c := exec.Command(p.Wrapper()+"."+library, append(args, "-lpthread")...)
	c.Dir = dir // gfortran writes modules there
	c.Env = os.Environ()
	if p.Compiler != "" {
		for _, name := range []string{"OMPI_CC", "MPICH_CC", "OMPI_CXX", "MPICH_CXX"} {
			c.Env = append(c.Env, name+"="+p.Compiler)
		}
	}
	if out, err := c.CombinedOutput(); err != nil {
		return "", fmt.Errorf("seed %d: %w: %s", p.Seed, err, out)
	}
	return program, nil
}

// Run runs a program until it hangs, looks at it, and ends it.
func (l *Looker) Run(ctx context.Context, p *hangs.Program, library, dir string) ([]Row, error) {
	program, err := Build(p, library, dir)
	if err != nil {
		return nil, err
	}
	args := append([]string{"-n", strconv.Itoa(p.Ranks), program}, p.Args...)
	c := exec.CommandContext(ctx, "mpirun."+library, args...)
	c.Env = testkit.Gently()
	c.Cancel = func() error { return c.Process.Signal(syscall.SIGTERM) }
	c.WaitDelay = 5 * time.Second
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	if err := c.Start(); err != nil {
		return nil, err
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	defer func() {
		c.Process.Signal(syscall.SIGTERM)
		select {
		case <-ended:
		case <-time.After(c.WaitDelay): // Open MPI's may hang after a second signal
			c.Process.Kill()
			<-ended
		}
	}()
	last, same := "", 0
	for {
		select {
		case err := <-ended:
			ended <- err
			return nil, fmt.Errorf("seed %d: the job ended: %w: %s", p.Seed, err, out.String())
		case <-ctx.Done():
			return nil, fmt.Errorf("seed %d: %w: %s", p.Seed, ctx.Err(), last)
		case <-time.After(200 * time.Millisecond):
		}
		rows, err := l.look(c.Process.Pid, p, library)
		if err != nil {
			continue // it has not started, or has moved
		}
		now := fmt.Sprint(rows)
		if same++; now != last || strings.Contains(now, "MPI_Init") {
			same = 0
		}
		if last = now; same == 3 {
			return rows, nil
		}
	}
}

// look looks at all ranks of a job.
func (l *Looker) look(pid int, p *hangs.Program, library string) (rows []Row, err error) {
	ranks := job.Of(pid, job.All())
	if len(ranks) != p.Ranks {
		return nil, errors.New("some ranks are missing")
	}
	for _, r := range ranks {
		seen, err := l.threads(r.PID)
		if err != nil {
			return nil, err
		}
		for _, t := range p.Truths {
			if t.Rank == r.Rank {
				rows = append(rows, grade(p, t, seen[t.Thread], library))
			}
		}
	}
	return rows, nil
}

// seenCall is a call as it is seen from outside.
type seenCall struct {
	call.Call
	frames string
	file   string
	line   int
}

// threads are the calls that the threads of a process are in: its first thread and the first of the others.
func (l *Looker) threads(pid int) (calls [2]*seenCall, err error) {
	p, err := thread.Open(l.Resolver, pid)
	if err != nil {
		return calls, err
	}
	defer p.Close()
	finder := call.Finder{Resolver: l.Resolver, Table: l.Table}
	tasks, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	if err != nil {
		return calls, err
	}
	for _, task := range tasks {
		tid, _ := strconv.Atoi(task.Name())
		seen, err := p.See(tid)
		if err != nil {
			if tid == pid {
				return calls, err
			}
			continue
		}
		which := 1
		if tid == pid {
			which = 0
		}
		if c, ok := finder.In(p, tid, &seen); ok && calls[which] == nil {
			f := l.Resolver.Frames(p.Maps, seen.Stack[c.Program].PC, true)[0]
			calls[which] = &seenCall{Call: c, file: filepath.Base(f.File), line: f.Line, frames: f.Function}
		}
	}
	return calls, nil
}

func grade(p *hangs.Program, t hangs.Truth, c *seenCall, library string) (r Row) {
	r.Truth = t
	if c == nil {
		r.Seen = "outside of MPI"
		if r.Call = Right; t.Function != "" {
			r.Call = Wrong
		}
		return r
	}
	r.Seen = fmt.Sprintf("%s at %s:%d in %s", c.Function.Name, c.file, c.line, c.frames)
	if r.Call = Right; c.Function.Name != t.Function {
		r.Call = Wrong
		return r
	}
	if strings.Contains(p.Level(), "-g") {
		if r.Place = Wrong; c.file == p.File() && c.line == t.Line {
			r.Place = Right
		}
	}
	any := [2]int{-1, -1}
	if library == "mpich" {
		any[0] = -2
	}
	r.Peer = value(c, t.Peer, any[0], &r.Seen, mpi.RPeer, mpi.RRoot)
	r.Tag = value(c, t.Tag, any[1], &r.Seen, mpi.RTag)
	return r
}

// value compares the argument with one of some roles.
func value(c *seenCall, want *int, wildcard int, words *string, roles ...mpi.Role) Grade {
	if want == nil {
		return Absent
	}
	w := *want
	if w == hangs.Any {
		w = wildcard
	}
	v := callsite.Value{}
	for _, role := range roles {
		if i, ok := c.Function.Param(role); ok && i < len(c.Arguments) {
			v = c.Arguments[i]
		}
	}
	is, known := v.Int()
	if !known {
		*words += fmt.Sprintf(", %d is not known", w)
		return Unknown
	}
	*words += fmt.Sprintf(", %d is %d", w, is)
	if is != w {
		return Wrong
	}
	return Right
}
