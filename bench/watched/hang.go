package watched

import (
	"bufio"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Hanging is what became of a job that hangs: the time from the last call of its ranks to the report, and to the end of
// all processes.
type Hanging struct {
	Reported, Ended time.Duration
	Peak
}

// Hang runs the command of a job that hangs. Ranks print "last" and the time, in nanoseconds, before their last call;
// the report begins with the first line on standard error that begins with said.
func Hang(cmd *exec.Cmd, said string) (Hanging, error) {
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return Hanging{}, err
	}
	stderr, err := cmd.StderrPipe()
	if err != nil {
		return Hanging{}, err
	}
	if err := cmd.Start(); err != nil {
		return Hanging{}, err
	}
	var last int64
	var reported time.Time
	var complaint string
	var reading, looking sync.WaitGroup
	done := make(chan struct{})
	var peak Peak
	looking.Go(func() { peak = Look(cmd.Process.Pid, done) })
	reading.Go(func() {
		eachLine(stdout, func(l string) {
			if rest, ok := strings.CutPrefix(l, "last "); ok {
				if at, err := strconv.ParseInt(rest, 10, 64); err == nil {
					last = max(last, at)
				}
			}
		})
	})
	reading.Go(func() {
		eachLine(stderr, func(l string) {
			if reported.IsZero() && strings.HasPrefix(l, said) {
				reported = time.Now()
			}
			if len(complaint) < 500 {
				complaint += l + "\n"
			}
		})
	})
	reading.Wait()
	_ = cmd.Wait() // it fails, as it should
	ended := time.Now()
	close(done)
	looking.Wait()
	// Whatever the launcher left behind is ended with the group.
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	if reported.IsZero() || last == 0 {
		return Hanging{}, fmt.Errorf("%q was not reported:\n%s", said, complaint)
	}
	from := time.Unix(0, last)
	return Hanging{reported.Sub(from), ended.Sub(from), peak}, nil
}

func eachLine(r io.Reader, do func(string)) {
	for s := bufio.NewScanner(r); s.Scan(); {
		do(s.Text())
	}
}
