package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"

	"unknot/internal/vocab/finding"
)

// maxFindings is how many findings of a result are kept.
const maxFindings = 200

// store keeps results in a file, one JSON object a line, so that a long run may be made in parts. The file is only
// added to.
type store struct {
	mu   sync.Mutex
	file *os.File
	err  error // the first one in writing
}

// id names a case among all.
func (c Case) id() string { return c.MPI + " " + c.Name }

// openStore opens the file of results, and gives those that are in it, by the id of their case.
func openStore(path string) (*store, map[string]Result, error) {
	known := make(map[string]Result)
	text, err := os.Open(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, nil, err
	default:
		defer text.Close()
		for d := json.NewDecoder(bufio.NewReader(text)); ; {
			var r Result
			if err := d.Decode(&r); err == io.EOF {
				break
			} else if err != nil {
				return nil, nil,
					fmt.Errorf("%s after %d results: %w; hint: the run that wrote it was cut short, so delete "+
						"its last line", path, len(known), err)
			}
			known[r.ID] = r
		}
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, nil, err
	}
	return &store{file: f}, known, nil
}

// add writes a result to the file. Of the findings it keeps what the table needs. There may be no store.
func (s *store) add(r Result) {
	if s == nil {
		return
	}
	r.Findings = slim(r.Findings)
	line, err := json.Marshal(r)
	s.mu.Lock()
	defer s.mu.Unlock()
	if err == nil && s.err == nil {
		_, err = s.file.Write(append(line, '\n'))
	}
	if s.err == nil {
		s.err = err
	}
}

// slim is findings without their stacks and time lines.
func slim(list []finding.Finding) []finding.Finding {
	var out []finding.Finding
	for _, f := range list[:min(len(list), maxFindings)] {
		f.Story, f.Others = nil, nil
		places := make([]finding.Place, 0, len(f.Places))
		for _, p := range f.Places {
			p.Stack, p.Last = nil, nil
			places = append(places, p)
		}
		f.Places = places
		out = append(out, f)
	}
	return out
}
