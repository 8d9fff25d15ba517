package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"unknot/bench/quiet"
	ranks "unknot/internal/attach/job"
	"unknot/internal/supervise"
	"unknot/internal/vocab/finding"
)

// alarms are the codes of findings that call a job hung.
var alarms = []finding.Code{finding.Deadlock, finding.DeadlockLikely, finding.StalledInLibrary,
	finding.CollectiveMismatch, finding.Livelock}

func alarming() (names []string) {
	for _, c := range alarms {
		names = append(names, string(c))
	}
	return names
}

// way is how a job is looked at.
type way struct {
	name    string
	options []string // of unknot, before the command; none if the job runs without it
	attach  bool
}

var ways = []way{
	{"record, watched", []string{"record", "--stall=2s"}, false},
	{"attach, recorded", []string{"record", "--stall=0s"}, true},
	{"attach", nil, true},
	{"run", []string{"run", "--stall=2s"}, false},
}

// job is one run of a program.
type job struct {
	*bench
	*program
	way    way
	random *rand.Rand
	seen   seen
	alarms []string
}

// longest is for how long a job runs: what is done to it makes it slow. It is ended then.
const longest = 5 * time.Minute

func (j *job) run() error {
	dir, err := os.MkdirTemp(j.dir, "job-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if j.needs != "" {
		if err := os.CopyFS(filepath.Join(dir, "work"), os.DirFS(j.needs)); err != nil {
			return err
		}
	}
	report := filepath.Join(dir, "report.json")
	argv := j.command
	if j.way.options != nil {
		argv = slices.Concat([]string{j.unknot}, j.way.options, []string{"--json", report}, argv)
	}
	cmd := exec.Command(argv[0], argv[1:]...)
	if j.needs != "" {
		cmd.Dir = filepath.Join(dir, "work")
	}
	cmd.Env = slices.Concat(os.Environ(), quiet.Crowded(), []string{"OMPI_MCA_orte_tmpdir_base=" + dir})
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	begin := time.Now()
	if err := cmd.Start(); err != nil {
		return err
	}
	over := make(chan error, 1)
	go func() { over <- cmd.Wait() }()
	err = j.accompany(cmd.Process.Pid, over, dir)
	j.seen.jobs, j.seen.time = 1, time.Since(begin)
	if !j.way.attach {
		j.seen.looks++
		j.judge(report)
	}
	if err != nil {
		return fmt.Errorf("%w\n%s", err, tail(said.Bytes()))
	}
	return nil
}

func tail(text []byte) []byte { return text[max(0, len(text)-1000):] }

// accompany does things to a job, and looks at it, until it is over.
func (j *job) accompany(pid int, over chan error, dir string) error {
	late := time.After(longest)
	what := j.random.IntN(4)
	if what == loaded {
		stop := hog(4)
		defer stop()
	}
	for n := 0; ; n++ {
		select {
		case err := <-over:
			return err
		case <-late:
		case <-j.ctx.Done():
		case <-time.After(time.Duration(1+j.random.IntN(6)) * time.Second):
			j.disturb(pid, what, over, func() {
				if j.way.attach {
					j.look(pid, filepath.Join(dir, fmt.Sprintf("look%d.json", n)))
				}
			})
			continue
		}
		_ = syscall.Kill(-pid, syscall.SIGKILL)
		for _, r := range ranks.Of(pid, ranks.All()) {
			_ = syscall.Kill(r.PID, syscall.SIGKILL)
		}
		<-over
		return nil
	}
}

// What is done to a job.
const (
	nothing = iota
	suspended
	frozen // one rank
	loaded
)

// disturb does one thing to a job while it is looked at.
func (j *job) disturb(pid, what int, over chan error, look func()) {
	var stopped []int
	if what == suspended || what == frozen {
		for _, r := range ranks.Of(pid, ranks.All()) {
			stopped = append(stopped, r.PID)
		}
		if what == frozen && len(stopped) > 0 {
			stopped = stopped[j.random.IntN(len(stopped)):][:1]
		}
		for _, p := range stopped {
			_ = syscall.Kill(p, syscall.SIGSTOP)
		}
	}
	look()
	if len(stopped) > 0 {
		select {
		case err := <-over:
			over <- err
		case <-j.ctx.Done():
		case <-time.After(time.Duration(3+j.random.IntN(13)) * time.Second):
		}
		for _, p := range stopped {
			_ = syscall.Kill(p, syscall.SIGCONT)
		}
	}
}

// look has unknot attach look at a job, which may be over meanwhile.
func (j *job) look(pid int, report string) {
	cmd := exec.CommandContext(j.ctx, j.unknot, "attach", "--watch=2s", "--json", report, fmt.Sprint(pid))
	var failed *exec.ExitError
	if err := cmd.Run(); errors.As(err, &failed) && failed.ExitCode() == supervise.ExitTool {
		j.alarms = append(j.alarms, "unknot attach has failed")
	}
	if _, err := os.Stat(report); err == nil {
		j.seen.looks++
		j.judge(report)
	}
}

// judge looks for false alarms in a report; there is none of a job of which nothing was said.
func (j *job) judge(report string) {
	text, err := os.ReadFile(report)
	if err != nil {
		return
	}
	var run finding.Run
	if err := json.Unmarshal(text, &run); err != nil {
		j.alarms = append(j.alarms, err.Error())
		return
	}
	for _, f := range run.Findings {
		if slices.Contains(alarms, f.Code) {
			j.seen.false++
			j.alarms = append(j.alarms, fmt.Sprintf("%s: %s", f.Code, f.Sentence))
		}
	}
}

// hog has processes take the processors until stop is called.
func hog(n int) (stop func()) {
	var all []*exec.Cmd
	for range n {
		c := exec.Command("sh", "-c", "while :; do :; done")
		if c.Start() == nil {
			all = append(all, c)
		}
	}
	return func() {
		for _, c := range all {
			_ = c.Process.Kill()
			_ = c.Wait()
		}
	}
}
