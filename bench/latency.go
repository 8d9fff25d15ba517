package main

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// latency is the time from the last progress of a job to the report of its deadlock, and the whole end.
func (b *bench) latency() []row {
	var rows []row
	for _, i := range b.mpis {
		for _, c := range []struct {
			shape string
			ranks int
			most  time.Duration
		}{
			{"ring", 2, 30 * time.Second}, {"ring", 64, 45 * time.Second},
			{"wildcard", 16, 30 * time.Second}, {"wildcard", 64, 45 * time.Second},
			{"wildcard", 256, 240 * time.Second},
		} {
			rows = append(rows, b.latencyOf(i, c.shape, c.ranks, c.most))
		}
	}
	return rows
}

func (b *bench) latencyOf(i mpi, shape string, ranks int, allowed time.Duration) row {
	r := row{what: fmt.Sprintf("from the last progress to the report, %s of %d ranks, %s", shapeName(shape),
		ranks, i.name)}
	if ranks <= 64 {
		r.budget = "≤ 2 s"
	}
	var told, ended sample
	for left := b.stopwatch(allowed); len(told) < b.pairs && left(len(told)); {
		j := b.plain(i, ranks, "hang", shape).watched()
		if ranks > 64 {
			j.limit = 200 * time.Second // to start so many takes a minute and more
		}
		h, err := j.hang()
		if err != nil {
			r.err = err
			return r
		}
		told, ended = append(told, h.told.Seconds()), append(ended, h.ended.Seconds())
	}
	if len(told) == 0 {
		r.err = errTime
		return r
	}
	r.met = told.median() <= 2
	r.figure = fmt.Sprintf("%.2f s", told.median())
	r.detail = fmt.Sprintf("%d runs, %s s; to the end of all processes %.2f s", len(told), told.spread("%.2f"),
		ended.median())
	return r
}

func shapeName(shape string) string {
	if shape == "wildcard" {
		return "wildcard all-block"
	}
	return "recv-recv ring"
}

// hanging is what became of a job that hangs.
type hanging struct{ told, ended time.Duration }

// hang runs a hanging job. Ranks say when they made their last call; the report begins with the first line on standard
// error that speaks of a deadlock.
func (j job) hang() (hanging, error) {
	cmd, cancel := j.command()
	defer cancel()
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return hanging{}, err
	}
	stderr, err := cmd.StderrPipe()
	if err != nil {
		return hanging{}, err
	}
	if err := cmd.Start(); err != nil {
		return hanging{}, err
	}
	var last int64
	var told time.Time
	var wait sync.WaitGroup
	wait.Go(func() {
		eachLine(stdout, func(l string) {
			if rest, ok := strings.CutPrefix(l, "last "); ok {
				if at, err := strconv.ParseInt(rest, 10, 64); err == nil && at > last {
					last = at
				}
			}
		})
	})
	wait.Go(func() {
		eachLine(stderr, func(l string) {
			if told.IsZero() && strings.HasPrefix(l, "unknot: error: deadlock") {
				told = time.Now()
			}
		})
	})
	wait.Wait()
	_ = cmd.Wait() // it fails, as it should
	ended := time.Now()
	// Whatever the launcher left behind is ended with the group.
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	if told.IsZero() || last == 0 {
		return hanging{}, fmt.Errorf("%s: no deadlock was reported", j)
	}
	from := time.Unix(0, last)
	return hanging{told.Sub(from), ended.Sub(from)}, nil
}

func eachLine(r io.Reader, do func(string)) {
	for s := bufio.NewScanner(r); s.Scan(); {
		do(s.Text())
	}
}
