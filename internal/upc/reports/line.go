package reports

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"unknot/internal/kit/symbol"
	"unknot/internal/upc/layout"
	"unknot/internal/vocab/finding"
)

// line is a line of the file: a finding of the checks, an error of the run-time, or the end of the program by itself.
type line struct {
	Layout    uint64           `json:"layout"`
	Code      finding.Code     `json:"code"`
	Severity  finding.Severity `json:"severity"`
	ID        string           `json:"id"`
	Sentence  string           `json:"sentence"`
	Hint      string           `json:"hint"`
	Of        int              `json:"of"` // threads of the program
	By        int              `json:"by"` // the thread that tells it
	Threads   []thread         `json:"threads"`
	Edges     []edge           `json:"edges"`
	Calls     []place          `json:"calls"` // around the operation of that thread
	Unchecked string           `json:"unchecked"`
	// Where what is in arguments and locks is declared.
	Declarations []string `json:"declarations"`
	// Of errors of the run-time.
	Thread int      `json:"thread"`
	PID    int      `json:"pid"`
	Stack  []uint64 `json:"stack"`
	Maps   string   `json:"maps"`
	Access bool     `json:"access"` // it is an access to a shared object, which no check looks at
	// The status with which the program ends itself.
	End  *int `json:"end"`
	Stop bool `json:"stop"` // it waits for unknot to end the job
}

type place struct {
	Function string `json:"function"`
	File     string `json:"file"`
	Line     int    `json:"line"`
}

type thread struct {
	Thread    int    `json:"thread"`
	State     string `json:"state"`
	Operation string `json:"operation"`
	Call      string `json:"call"`
	place
	Argument string `json:"argument"`
	Value    string `json:"value"`
	Text     string `json:"text"`
	Declared string `json:"declared"`
	Named    bool   `json:"named"` // by a sentence that is not about all
}

// edge says that a thread waits for another one.
type edge struct {
	From     int    `json:"from"`
	To       int    `json:"to"`
	Why      string `json:"why"` // "lock", "ahead" or "collective"
	Lock     string `json:"lock"`
	Declared string `json:"declared"`
	Since    *place `json:"since"` // where the lock was taken
}

// Report is what the programs of a session have reported.
type Report struct {
	Findings []finding.Finding
	// Ended says that a program has ended itself before its threads ended. Status is its exit status then.
	Ended  bool
	Status int
	// Stop says that the program waits for its job to be ended.
	Stop bool
	Bad  int // lines that are not understood
}

// Read reads the file of a session. Whoever wrote it may have been killed meanwhile, or be something else.
func Read(session string) (Report, error) {
	text, err := os.ReadFile(filepath.Join(session, layout.FindingsName))
	if errors.Is(err, os.ErrNotExist) {
		return Report{}, nil
	}
	if err != nil {
		return Report{}, err
	}
	if _, err := waits(session); err != nil {
		return Report{}, err
	}
	return read(text)
}

// read reads the lines. Those of another version are an error, and then nothing is taken of them.
func read(text []byte) (Report, error) {
	var r Report
	seen := map[sameness]int{}
	resolve := symbol.New()
	defer resolve.Close()
	for raw := range bytes.Lines(text) {
		var l line
		if json.Unmarshal(bytes.ToValidUTF8(raw, []byte("\ufffd")), &l) != nil {
			r.Bad++
			continue
		}
		if err := layout.CheckVersion(l.Layout); err != nil {
			return Report{}, err
		}
		if l.End != nil {
			if !r.Ended {
				r.Ended, r.Status = true, *l.End
			}
			r.Stop = r.Stop || l.Stop
			continue
		}
		f, err := l.finding(resolve)
		if err != nil {
			r.Bad++
			continue
		}
		r.add(f, seen)
	}
	return r, nil
}

// sameness is what findings about one thread have in common that are counted as one.
type sameness struct {
	code     finding.Code
	sentence string // without the thread's number, if it begins with that
	at       finding.Frame
}

// add takes a finding in; one about one thread at one place is counted if it has been reported before, in the same
// words, of whichever thread.
func (r *Report) add(f finding.Finding, seen map[sameness]int) {
	if len(f.Places) == 1 && len(f.Others) == 0 {
		p := f.Places[0]
		key := sameness{f.Code, strings.TrimPrefix(f.Sentence, fmt.Sprintf("Thread %d ", p.Rank)), p.Frame}
		if i, ok := seen[key]; ok {
			again(&r.Findings[i], &f)
			return
		}
		seen[key] = len(r.Findings)
	}
	r.Findings = append(r.Findings, f)
}

// again counts a finding that was reported before. It is about the first of the threads, and has the places of all.
func again(told, f *finding.Finding) {
	told.Count++
	p := f.Places[0]
	at, there := slices.BinarySearch(told.Ranks, p.Rank)
	if there {
		return
	}
	if at == 0 {
		told.Sentence = f.Sentence
	}
	told.Ranks = slices.Insert(told.Ranks, at, p.Rank)
	told.Places = slices.Insert(told.Places, at, p)
}

// finding makes the finding of a line, and refuses one that cannot have come from a program of ours.
func (l *line) finding(resolve *symbol.Resolver) (finding.Finding, error) {
	if l.Of < 1 || l.Of > mostThreads {
		return finding.Finding{}, fmt.Errorf("%d threads", l.Of)
	}
	f := l.checked()
	if l.Code == finding.UPCError {
		f = l.fatal(resolve)
	}
	run := finding.Run{Schema: finding.Schema, Ranks: l.Of, Findings: []finding.Finding{f}}
	return f, run.Validate()
}

// mostThreads bounds what is made for each thread of a line.
const mostThreads = 1 << 16
