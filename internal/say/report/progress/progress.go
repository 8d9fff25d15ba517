// Package progress tells other programs how far a command is, while it runs: one JSON object a line, described in
// docs/progress.md.
//
// A reader that is slow or gone never holds the command up: what it cannot be given at once is left out, except for the
// lines that come once.
package progress

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"syscall"
	"time"

	"unknot/internal/say/report"
	"unknot/internal/vocab/finding"
)

// Schema names what the lines mean. Fields may be added; a new number says that one has changed its meaning.
const Schema = "unknot.progress/1"

// Writer writes the lines. That of a command which nobody wants to follow is nil, and does nothing.
type Writer struct {
	start time.Time
	lines chan []byte
	done  chan struct{} // closed when all lines are written, or none can be
}

const (
	pending = 64              // lines that may wait for the reader
	patient = 2 * time.Second // how long the last ones are waited for
)

// New opens what a path names: a file, which is replaced, a pipe, standard error, or a descriptor that the caller has
// opened (/dev/fd/3), which the processes of the job do not get. The path "" is for nothing. What goes to a named pipe
// waits until somebody reads it.
func New(path string) (*Writer, error) {
	if path == "" {
		return nil, nil
	}
	w := &Writer{start: time.Now(), lines: make(chan []byte, pending), done: make(chan struct{})}
	if info, err := os.Stat(path); err == nil && info.Mode()&os.ModeNamedPipe != 0 &&
		descriptor.FindString(path) == "" {
		go w.write(func() (*os.File, error) { return os.OpenFile(path, os.O_WRONLY, 0) })
		return w, nil
	}
	f, err := open(path)
	if err != nil {
		return nil, fmt.Errorf("--progress %s: %w; hint: name a file, a pipe, or an open descriptor such as /dev/fd/3",
			path, plain(err))
	}
	go w.write(func() (*os.File, error) { return f, nil })
	return w, nil
}

// plain leaves out the name of the operation and of the file.
func plain(err error) error {
	var of *os.PathError
	if errors.As(err, &of) {
		return of.Err
	}
	return err
}

var descriptor = regexp.MustCompile(`^/(?:dev|proc/self)/fd/([0-9]{1,6})$`)

func open(path string) (*os.File, error) {
	if f := report.Stream(path); f != nil {
		return f, nil
	}
	m := descriptor.FindStringSubmatch(path)
	if m == nil {
		return os.Create(path)
	}
	fd, err := strconv.Atoi(m[1])
	if err != nil {
		return nil, err
	}
	var stat syscall.Stat_t
	if err := syscall.Fstat(fd, &stat); err != nil {
		return nil, err
	}
	syscall.CloseOnExec(fd)
	return os.NewFile(uintptr(fd), path), nil
}

func (w *Writer) write(open func() (*os.File, error)) {
	defer close(w.done)
	f, err := open()
	if err != nil {
		return
	}
	for line := range w.lines {
		if _, err := f.Write(line); err != nil {
			break
		}
	}
	if f != os.Stdout && f != os.Stderr {
		_ = f.Close()
	}
}

// say writes a line; one that matters is waited for, for a while, if others wait too.
func (w *Writer) say(v any, matters bool) {
	line, err := json.Marshal(v)
	if err != nil {
		return
	}
	line = append(line, '\n')
	select {
	case w.lines <- line:
		return
	default:
	}
	if !matters {
		return
	}
	select {
	case w.lines <- line:
	case <-w.done:
	case <-time.After(patient):
	}
}

// head is what each line begins with.
type head struct {
	Event   string  `json:"event"`
	Seconds float64 `json:"seconds"` // since the command began
}

func (w *Writer) head(event string) head {
	return head{event, thousandths(time.Since(w.start).Seconds())}
}

func thousandths(seconds float64) float64 { return float64(int64(seconds*1000+0.5)) / 1000 }

// Start is the first line: what is done with which command.
func (w *Writer) Start(what, version string, command []string) {
	if w == nil {
		return
	}
	w.say(struct {
		head
		Schema  string   `json:"schema"`
		Unknot  string   `json:"unknot"`
		What    string   `json:"what"`
		Command []string `json:"command"`
	}{w.head("start"), Schema, version, what, command}, true)
}

// Running says how a job is getting on, which has made so many calls.
func (w *Writer) Running(s report.Status, calls uint64) {
	if w == nil {
		return
	}
	line := struct {
		head
		Ranks   int     `json:"ranks"`
		Calls   uint64  `json:"calls"`
		Rate    float64 `json:"calls_per_second"`
		Blocked int     `json:"blocked"`
		Oldest  float64 `json:"oldest_seconds"`
		Rank    *int    `json:"oldest_rank,omitempty"`
		Held    int     `json:"held"`
		Slowest string  `json:"slowest,omitempty"`
		Watched []int   `json:"slowest_ranks,omitempty"`
	}{w.head("running"), s.Ranks, calls, thousandths(s.Rate), s.Blocked, thousandths(s.Oldest.Seconds()), nil, s.Held,
		s.Slowest, s.Watched}
	if s.Blocked > 0 {
		line.Rank = &s.Rank
	}
	w.say(line, false)
}

// Found says what has been found, or what a finding has become; number is the same then.
func (w *Writer) Found(number int, f *finding.Finding) {
	if w == nil {
		return
	}
	w.say(struct {
		head
		Number   int              `json:"number"`
		Code     finding.Code     `json:"code"`
		Severity finding.Severity `json:"severity"`
		Standing finding.Standing `json:"standing"`
		Sentence string           `json:"sentence"`
		Ranks    []int            `json:"ranks"`
	}{w.head("finding"), number, f.Code, f.Severity, f.Standing, f.Sentence, append([]int{}, f.Ranks...)}, true)
}

// Exploring says how far an exploration is.
func (w *Writer) Exploring(e report.Exploring) {
	if w == nil {
		return
	}
	w.say(struct {
		head
		Made      int      `json:"runs_made"`
		Running   int      `json:"runs_running"`
		Left      int      `json:"runs_left"`
		Remaining *float64 `json:"remaining_seconds,omitempty"`
		Judged    int      `json:"control_flows_judged"`
		Deadlocks int      `json:"deadlocks"`
		States    int      `json:"states,omitempty"`
	}{w.head("exploring"), e.Made, e.Running, e.Left, remaining(e.Remaining), e.Judged, e.Deadlocks, e.States}, false)
}

// Predicting says how far a prediction is.
func (w *Writer) Predicting(p report.Predicting) {
	if w == nil {
		return
	}
	w.say(struct {
		head
		States    int      `json:"states"`
		Deadlocks int      `json:"deadlocks"`
		Share     float64  `json:"share"`
		Remaining *float64 `json:"remaining_seconds,omitempty"`
	}{w.head("predicting"), p.States, p.Deadlocks, thousandths(p.Share), remaining(p.Remaining)}, false)
}

func remaining(d time.Duration) *float64 {
	if d <= 0 {
		return nil
	}
	s := thousandths(d.Seconds())
	return &s
}

// End is the last line: the result in numbers, and the exit status. It returns when all lines are written, or the
// reader has been waited for.
func (w *Writer) End(run *finding.Run, exit int) {
	if w == nil {
		return
	}
	line := struct {
		head
		Exit     int  `json:"exit"`
		Errors   int  `json:"errors"`
		Warnings int  `json:"warnings"`
		Complete bool `json:"complete"`
	}{head: w.head("end"), Exit: exit}
	if run != nil {
		line.Complete = run.Complete
		for i := range run.Findings {
			switch run.Findings[i].Severity {
			case finding.Error:
				line.Errors++
			case finding.Warning:
				line.Warnings++
			}
		}
	}
	w.say(line, true)
	close(w.lines)
	select {
	case <-w.done:
	case <-time.After(patient):
	}
}
