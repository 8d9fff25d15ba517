package explore

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"unknot/internal/vocab/finding"
)

// state is the frontier and what was found, kept in a file to which it only adds, a JSON object a line: what a kill
// leaves can be read up to the last whole line.
type state struct {
	file     *os.File
	Head     head
	items    map[int]*item
	queue    []*item           // waiting, the next one last
	tried    map[identity]bool // alternatives
	last     *item             // that the file has
	done     map[int]*result
	found    []found
	flows    map[uint64]*flowState
	order    []int             // of the runs, as they were made
	decisive []finding.Finding // wildcard receives whose match was seen to decide what their rank does next
	pruned   pruned
	shown    int // runs after which the first deadlock had happened
	nextID   int
	files    files
}

// head says what is explored.
type head struct {
	Explore   int      `json:"explore"` // version of the file
	Command   []string `json:"command"`
	Strategy  string   `json:"strategy"`
	Buffering string   `json:"buffering"`
}

const stateVersion = 6

// result is what is kept of a run.
type result struct {
	ID       int     `json:"id"`
	Flow     uint64  `json:"flow"`
	Exit     int     `json:"exit"`
	Ranks    int     `json:"ranks"`
	MPI      string  `json:"mpi"`
	Calls    uint64  `json:"calls"`
	Seconds  float64 `json:"seconds"`
	Left     string  `json:"left,omitempty"` // how it left its plan
	TimedOut bool    `json:"timed_out,omitempty"`
	Hung     bool    `json:"hung,omitempty"` // ranks never get on
	Crashed  bool    `json:"crashed,omitempty"`
	Before   bool    `json:"before,omitempty"` // it was ended before it had done all that the plan says
	External string  `json:"heard,omitempty"`  // what a rank may have heard by other ways than MPI's
	Asks     bool    `json:"asks,omitempty"`   // a rank asks for the time or for random numbers
	Clocks   int     `json:"clocks,omitempty"` // of the item
	Acted    string  `json:"acted,omitempty"`  // how ranks acted on other clocks
	// Shared is a file by which it may have heard of runs made at the same time.
	Shared string `json:"shared,omitempty"`
	// Wrote are files that it changes and no run before did; Looked those that it looks at, if others were under way
	// meanwhile.
	Wrote  []string `json:"wrote,omitempty"`
	Looked []look   `json:"looked,omitempty"`
}

// fate is how a run ended, if not as planned.
type fate uint8

const (
	planned fate = iota
	diverged
	infeasible
	killed
	died
)

func (r *result) fate() fate {
	switch {
	case r.Crashed:
		return died
	case r.TimedOut && r.Before:
		return infeasible
	case r.TimedOut:
		return killed
	case r.Left != "" && !r.Hung:
		return diverged
	}
	return planned
}

// ended says whether the program ended normally, or at least was not kept from it by anything that the run shows.
func (r *result) ended() bool { return !r.TimedOut && !r.Hung && !r.Crashed }

// flowState is what is known of a control flow.
type flowState struct {
	Flow    uint64 `json:"flow"`
	Verdict string `json:"verdict"` // free, deadlocks, undecided
	// it is free, and nothing that a call gives depends on timing: there is no other
	Only bool `json:"only,omitempty"`
}

// found is a deadlock, and whether a run has shown it.
type found struct {
	N        int               `json:"n"`
	Finding  finding.Finding   `json:"finding"`
	Meanings []finding.Meaning `json:"meanings,omitempty"` // of its places, in the file only
	Core     string            `json:"core"`
	Flow     int               `json:"flow,omitempty"`     // the run whose calls it follows from
	Replies  bool              `json:"replies,omitempty"`  // it supposes an answer to another rank than the one met
	Rejected string            `json:"rejected,omitempty"` // how the replay refuted it
	Open     string            `json:"open,omitempty"`     // why the replay decided nothing
}

// line is one line of the file; one of its fields is set.
type line struct {
	Head     *head            `json:"head,omitempty"`
	Item     *item            `json:"item,omitempty"`
	Done     *result          `json:"done,omitempty"`
	Flow     *flowState       `json:"flow,omitempty"`
	Found    *found           `json:"found,omitempty"`
	Decisive *finding.Finding `json:"decisive,omitempty"`
	Pruned   *pruned          `json:"pruned,omitempty"`
	Shown    int              `json:"shown,omitempty"`
}

// newState begins a file, in place of one that is there.
func newState(path string, h head) (*state, error) {
	f, err := os.Create(path)
	if err != nil {
		return nil, fmt.Errorf("cannot save the state of the exploration: %w; hint: choose a directory with --state",
			err)
	}
	h.Explore = stateVersion
	s := emptyState()
	s.file, s.Head = f, h
	return s, s.note(line{Head: &h})
}

func emptyState() *state {
	return &state{items: make(map[int]*item), tried: make(map[identity]bool), done: make(map[int]*result),
		flows: make(map[uint64]*flowState), files: newFiles()}
}

// resume takes up a file where it ends.
func resume(path string, h head) (*state, error) {
	b, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("no exploration of this command to resume (%s); hint: start one without --resume", path)
	}
	if err != nil {
		return nil, err
	}
	s := emptyState()
	whole := 0
	r := bufio.NewReader(bytes.NewReader(b))
	for n := 1; ; n++ {
		text, err := r.ReadBytes('\n')
		if err != nil {
			break // the rest is a line that was cut off
		}
		var l line
		if err := json.Unmarshal(text, &l); err != nil {
			return nil, fmt.Errorf("%s:%d: %w; hint: start over without --resume", path, n, err)
		}
		if l.Item != nil && !l.Item.expand(s.last) {
			return nil, fmt.Errorf("%s:%d: the run before it has fewer decisions; hint: start over without --resume",
				path, n)
		}
		s.take(l)
		whole += len(text)
	}
	switch {
	case s.Head.Explore != stateVersion:
		return nil, fmt.Errorf("%s is not the state of an exploration of this version (%d, expected %d); hint: start "+
			"over without --resume", path, s.Head.Explore, stateVersion)
	case !slices.Equal(s.Head.Command, h.Command):
		return nil, fmt.Errorf("%s belongs to another command: %q; hint: give the same command, or start over "+
			"without --resume", path, s.Head.Command)
	case s.Head.Strategy != h.Strategy || s.Head.Buffering != h.Buffering:
		return nil,
			fmt.Errorf("%s was started with --strategy=%s --buffering=%s; hint: resume it with the same options", path,
				s.Head.Strategy, s.Head.Buffering)
	}
	if s.file, err = os.OpenFile(path, os.O_RDWR, 0o644); err != nil {
		return nil, err
	}
	if err := s.file.Truncate(int64(whole)); err != nil {
		return nil, err
	}
	_, err = s.file.Seek(0, io.SeekEnd)
	return s, err
}

// take puts a line into the state.
func (s *state) take(l line) {
	switch {
	case l.Head != nil:
		s.Head = *l.Head
	case l.Item != nil:
		if l.Item.whole == nil {
			s.last = l.Item
		}
		s.queue = append(s.queue, l.Item)
		s.items[l.Item.ID] = l.Item
		if l.Item.Purpose == alternative && l.Item.whole == nil {
			s.tried[l.Item.identity()] = true
		}
		s.nextID = max(s.nextID, l.Item.ID+1)
	case l.Done != nil:
		s.done[l.Done.ID] = l.Done
		s.order = append(s.order, l.Done.ID)
		s.files.take(l.Done)
		s.nextID = max(s.nextID, l.Done.ID+1)
		s.drop(&item{ID: l.Done.ID})
	case l.Flow != nil:
		s.flows[l.Flow.Flow] = l.Flow
	case l.Pruned != nil:
		s.pruned = *l.Pruned
	case l.Shown > 0:
		s.shown = l.Shown
	case l.Decisive != nil:
		s.decisive = append(s.decisive, *l.Decisive)
	case l.Found != nil:
		l.Found.Finding.SetMeanings(l.Found.Meanings)
		if l.Found.N < len(s.found) {
			s.found[l.Found.N] = *l.Found
		} else {
			s.found = append(s.found, *l.Found)
		}
	}
}

// drop takes a run out of the queue.
func (s *state) drop(it *item) {
	s.queue = slices.DeleteFunc(s.queue, func(q *item) bool { return q.ID == it.ID })
}

// note takes a line in and writes it down.
func (s *state) note(l line) error {
	written := l
	if l.Item != nil {
		written.Item = l.Item.after(s.last)
	}
	if l.Found != nil {
		f := *l.Found
		f.Meanings = f.Finding.Meanings()
		written.Found = &f
	}
	if l.Head == nil {
		s.take(l)
	}
	b, err := json.Marshal(written)
	if err != nil {
		return err
	}
	if _, err := s.file.Write(append(b, '\n')); err != nil {
		return fmt.Errorf("cannot save the state of the exploration: %w; hint: free some space, then continue "+
			"with --resume", err)
	}
	return nil
}
