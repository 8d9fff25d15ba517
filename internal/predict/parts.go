package predict

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"unknot/internal/kit/procstat"
	"unknot/internal/predict/exact"
	"unknot/internal/predict/screen"
	"unknot/internal/say/explain/unobserved"
	"unknot/internal/trace"
	"unknot/internal/trace/file"
	"unknot/internal/vocab/finding"
)

// opening is the first that a process says of its part of a run.
type opening struct {
	Head   trace.Head
	Calls  uint64
	Ranks  int    // that have calls in it
	Beyond string // why the calls are not all
	Error  string
}

// Exchange is what screening a run in parts has taken.
type Exchange struct {
	screen.Traffic
	Decided bool     // without joining the parts
	Peaks   []uint64 // by part: the memory of its process at most, in bytes
}

// The question for a whole file, instead of the length of a question for screen.Part.
const wholeFile = 1<<32 - 1

// Parts screens a run of which each file has the calls of some ranks, and may be on another host: HOST:PATH. A process
// there reads it. What only a look at the whole can decide is decided by joining the parts.
func Parts(ctx context.Context, files []string, o Options) (*finding.Run, *Exchange, error) {
	start := time.Now()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var peers []screen.Peer
	var all []*part
	e := &Exchange{}
	run := &finding.Run{Schema: finding.Schema, Unknot: o.Version, Complete: true, Findings: []finding.Finding{}}
	whole, ranks := true, 0
	for _, name := range files {
		p, err := startPart(ctx, o.Self, name)
		if err != nil {
			return nil, nil, err
		}
		defer p.stop(stop)
		if p.Error != "" {
			return nil, nil, errors.New(p.Error)
		}
		whole = whole && p.Beyond == ""
		ranks += p.opening.Ranks
		run.Calls += p.Calls
		all, peers = append(all, p), append(peers, p)
	}
	h := &all[0].Head
	run.Command, run.MPI, run.Ranks, run.Start = h.Command, h.MPI, h.Ranks, h.Start
	r, traffic, err := screen.Across(peers)
	if err != nil {
		return nil, nil, err
	}
	e.Traffic, e.Decided = traffic, r != nil && whole && ranks == h.Ranks
	if !e.Decided {
		if run, err = joined(ctx, all, o); err != nil {
			return nil, nil, err
		}
		run.Notes = append(run.Notes, unobserved.PartsJoined(len(all)))
	} else {
		run.Verdict, run.Why = unobserved.Screened(nil, r, 0, "")
		run.Claim = finding.FreeAsTried
		if !r.Certificate() {
			run.Complete, run.Judged, run.Claim = false, true, finding.NotDecided
		}
		run.Notes = append(run.Notes, unobserved.PartsScreened(len(all), traffic.Crossings, traffic.Rounds,
			traffic.Bytes))
	}
	for _, p := range all {
		e.Peaks = append(e.Peaks, p.peak())
	}
	run.Seconds = time.Since(start).Seconds()
	return run, e, nil
}

// joined judges the parts as one log.
func joined(ctx context.Context, all []*part, o Options) (*finding.Run, error) {
	dir, err := os.MkdirTemp("", "unknot-parts-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	var from []*file.Survey
	for i, p := range all {
		text, err := p.ask(nil, wholeFile)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.name, err)
		}
		path := filepath.Join(dir, fmt.Sprint(i))
		if err := os.WriteFile(path, text, 0o600); err != nil {
			return nil, err
		}
		s, err := file.Look(path)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.name, err)
		}
		from = append(from, s)
	}
	whole := filepath.Join(dir, "whole")
	if err := file.Join(whole, from, ""); err != nil {
		return nil, err
	}
	return File(ctx, whole, o)
}

// part is a process that reads a part of a run.
type part struct {
	opening
	name    string
	command *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
}

// startPart starts the process for PATH or HOST:PATH, and hears what it says first. Self is unknot, "" for this
// process.
func startPart(ctx context.Context, self, name string) (*part, error) {
	if self == "" {
		var err error
		if self, err = os.Executable(); err != nil {
			return nil, err
		}
	}
	command := exec.CommandContext(ctx, self, "part", name)
	command.Args[0] = "unknot"
	host, path, remote := strings.Cut(name, ":")
	if _, err := os.Stat(name); err != nil && remote && !strings.Contains(host, "/") {
		const run = `if [ -x %[1]s ]; then exec %[1]s part %[2]s; else exec unknot part %[2]s; fi`
		there := fmt.Sprintf(run, quoted(self), quoted(path))
		command = exec.CommandContext(ctx, "ssh", "-o", "BatchMode=yes", host, there)
	}
	command.Stderr = os.Stderr
	p := &part{name: name, command: command}
	in, err := command.StdinPipe()
	if err != nil {
		return nil, err
	}
	p.in = in
	out, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.out = bufio.NewReader(out)
	if err := command.Start(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	first, err := readFrame(p.out)
	if err == nil {
		err = json.Unmarshal(first, &p.opening)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: its process says nothing: %w", name, err)
	}
	return p, nil
}

// quoted is a word for a shell.
func quoted(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }

// Ask asks the process what screen.Part answers.
func (p *part) Ask(request []byte) ([]byte, error) { return p.ask(request, uint32(len(request))) }

func (p *part) ask(request []byte, length uint32) ([]byte, error) {
	if _, err := p.in.Write(append(binary.BigEndian.AppendUint32(nil, length), request...)); err != nil {
		return nil, err
	}
	return readFrame(p.out)
}

// peak is the most memory that the process has had; 0 if it does not say.
func (p *part) peak() (most uint64) {
	if text, err := p.ask(nil, 0); err == nil {
		_ = json.Unmarshal(text, &most)
	}
	return most
}

// stop ends the process.
func (p *part) stop(kill func()) {
	p.in.Close()
	ended := time.AfterFunc(5*time.Second, kill)
	defer ended.Stop()
	_ = p.command.Wait() // what it has said counts
}

// ServePart reads a part of a run, and answers questions on it until there are no more.
func ServePart(path string, in io.Reader, out io.Writer) error {
	l, err := Read(path)
	var p *screen.Part
	if err == nil {
		p, err = screen.NewPart(l)
	}
	var first opening
	if err != nil {
		first.Error = err.Error()
	} else {
		first = openingOf(l)
	}
	l = nil
	text, failed := json.Marshal(first)
	if failed = errors.Join(failed, writeFrame(out, text)); failed != nil || err != nil {
		return failed
	}
	for {
		var length [4]byte
		if _, err := io.ReadFull(in, length[:]); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		var answer []byte
		switch n := binary.BigEndian.Uint32(length[:]); n {
		case 0:
			if answer, err = json.Marshal(procstat.PeakMemory("/proc/self/status")); err != nil {
				return err
			}
		case wholeFile:
			if answer, err = asTrace(path); err != nil {
				return err
			}
		default:
			request := make([]byte, n)
			if _, err := io.ReadFull(in, request); err != nil {
				return err
			}
			if answer, err = p.Answer(request); err != nil {
				return err
			}
		}
		if err := writeFrame(out, answer); err != nil {
			return err
		}
	}
}

// asTrace is a file, as a trace if it is a text log.
func asTrace(path string) ([]byte, error) {
	if _, err := file.Look(path); err == nil {
		return os.ReadFile(path)
	}
	l, err := Read(path)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "unknot-part-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path = filepath.Join(dir, "trace")
	if err := file.Write(path, l); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}

// openingOf is what is said of a log first.
func openingOf(l *trace.Log) opening {
	own := *l
	own.Threads = slices.DeleteFunc(slices.Clone(l.Threads), func(t trace.Thread) bool { return len(t.Ops) == 0 })
	o := opening{Head: l.Head, Beyond: exact.Beyond(&own)}
	for i := range own.Threads {
		o.Calls += uint64(len(own.Threads[i].Ops))
		if i == 0 || own.Threads[i].Rank != own.Threads[i-1].Rank {
			o.Ranks++
		}
	}
	return o
}

func writeFrame(to io.Writer, text []byte) error {
	_, err := to.Write(append(binary.BigEndian.AppendUint32(nil, uint32(len(text))), text...))
	return err
}

func readFrame(from io.Reader) ([]byte, error) {
	var length [4]byte
	if _, err := io.ReadFull(from, length[:]); err != nil {
		return nil, err
	}
	var text bytes.Buffer
	_, err := io.CopyN(&text, from, int64(binary.BigEndian.Uint32(length[:])))
	return text.Bytes(), err
}
