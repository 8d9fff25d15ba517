package explore

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"unknot/internal/say/report"
	"unknot/internal/supervise"
	"unknot/internal/trace"
	"unknot/internal/trace/file"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/plan"
)

// outcome is what one run gave.
type outcome struct {
	log      *trace.Log // nil if there is none, or as long as it is in the file
	file     string     // "" if it is read
	run      *finding.Run
	exit     int
	timedOut bool
	elapsed  time.Duration
	repeats  bool // a rank died in it, and did so again
}

// runner makes runs of the user's command, each by an `unknot run` of its own.
type runner struct {
	unknot   string // the tool itself
	argv     []string
	more     []string      // options of unknot run
	livelock time.Duration // how long a rank may poll for what can never come; 0: ten seconds in a forced run
	env      []string      // nil for our own
	dir      string        // for files that a run leaves
}

// livelockAfter is how long a rank of a forced run may poll if the user does not say.
const livelockAfter = 10 * time.Second

// run makes one run; p may be nil, and clocks is the number of the other clocks that the program sees, 0 for those of
// the machine. The program's output goes to out, if it is to be seen.
func (r *runner) run(ctx context.Context, id, clocks int, p *plan.Plan, limit time.Duration,
	out Output) (*outcome, error) {
	at := func(end string) string { return filepath.Join(r.dir, fmt.Sprintf("run%d.%s", id, end)) }
	inner := supervise.Internal{Run: &supervise.Inner{Whole: true, Heed: strconv.Itoa(clocks)}}
	if err := inner.Write(at("options")); err != nil {
		return nil, err
	}
	args := []string{"run", "--quiet", "--trace", at("unk"), "--json", at("json"), "--require-watched=false"}
	if p != nil {
		if err := plan.Write(at("plan"), *p); err != nil {
			return nil, err
		}
		args = append(args, "--plan", at("plan"))
	}
	switch {
	case r.livelock > 0:
		args = append(args, "--livelock-timeout", r.livelock.String())
	case p != nil:
		args = append(args, "--livelock-timeout", livelockAfter.String())
	}
	args = append(append(args, r.more...), r.argv...)
	defer func() {
		for _, end := range []string{"json", "plan", "options"} {
			_ = os.Remove(at(end)) // it may never have been made
		}
	}()
	if limit > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, limit)
		defer stop()
	}
	var said strings.Builder
	cmd := exec.CommandContext(ctx, r.unknot, args...)
	cmd.Env = append(r.environment(), supervise.EnvInternal+"="+at("options"))
	cmd.Stdin, cmd.Stdout, cmd.Stderr = out.In, out.Out, &limited{&said, 1 << 16}
	if out.Err != nil {
		cmd.Stderr = io.MultiWriter(out.Err, cmd.Stderr)
	}
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 10 * time.Second
	// If we are killed, the run ends its job and cleans up. The kernel looks at the thread that has started it
	// (prctl(2)).
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
	start := time.Now()
	err := cmd.Run()
	o := &outcome{elapsed: time.Since(start), timedOut: ctx.Err() == context.DeadlineExceeded}
	if cmd.ProcessState == nil {
		return nil, err
	}
	o.exit = cmd.ProcessState.ExitCode()
	if text, err := os.Open(at("json")); err == nil {
		o.run, err = report.ReadJSON(text)
		text.Close()
		if err != nil {
			return nil, err
		}
	}
	if o.run == nil && !o.timedOut && ctx.Err() == nil {
		return nil, fmt.Errorf("a run could not be watched: %s", last(said.String()))
	}
	o.file = at("unk")
	return o, nil
}

// environment is that of a run.
func (r *runner) environment() []string {
	if r.env == nil {
		return os.Environ()
	}
	return slices.Clone(r.env)
}

// read reads what was recorded, which stays in its file until it is wanted: there may be many runs whose turn has not
// come.
func (o *outcome) read() {
	if o.file == "" {
		return
	}
	if log, err := file.Read(o.file); err == nil {
		o.log = log
	}
	o.forget()
}

// forget removes what was recorded and nobody wants.
func (o *outcome) forget() {
	_ = os.Remove(o.file) // it may never have been made
	o.file = ""
}

// Output is where a run reads from and writes to; nil for nowhere.
type Output struct {
	In       io.Reader
	Out, Err io.Writer
}

// again is what a run reads from, from its begin, for another run; nil if it is no file.
func (o *Output) again() *os.File {
	f, is := o.In.(*os.File)
	if !is {
		return nil
	}
	if s, err := f.Stat(); err != nil || !s.Mode().IsRegular() {
		return nil
	}
	in, err := os.Open(fmt.Sprintf("/proc/self/fd/%d", f.Fd()))
	if err != nil {
		return nil
	}
	return in
}

// limited writes no more than some bytes on.
type limited struct {
	to   io.Writer
	left int
}

func (l *limited) Write(b []byte) (int, error) {
	n := min(len(b), l.left)
	l.left -= n
	_, err := l.to.Write(b[:n])
	return len(b), err
}

// last is the last line that says something.
func last(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.TrimPrefix(strings.TrimSpace(lines[len(lines)-1]), "unknot: ")
}
