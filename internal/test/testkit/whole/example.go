package whole

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"unknot/internal/vocab/finding"
)

// Example is one directory of examples/.
type Example struct {
	Name   string
	Broken Program
	Fixed  Program
	Want   Expectation
}

// Program is one source file of an example.
type Program struct {
	Path string
	Text string
}

// Expectation is what expect.json holds: how the example is run and what unknot has to say about the broken program.
type Expectation struct {
	// Shows says in one line what the example is about, for the table in the README.
	Shows string `json:"shows"`
	Ranks int    `json:"ranks"`
	// MPI lists the libraries on which the example runs: "openmpi", "mpich".
	MPI []string `json:"mpi"`
	// Flags are given to `unknot run` before the launcher.
	Flags []string `json:"flags,omitempty"`
	// Plain says how the broken program behaves on each MPI without unknot: it "hangs", "ends" with status 0, or
	// "fails".
	Plain    map[string]string `json:"plain"`
	Code     finding.Code      `json:"code"`
	Severity finding.Severity  `json:"severity"`
	Standing finding.Standing  `json:"standing"`
	// Exit is the exit status of `unknot run`.
	Exit int `json:"exit"`
	// Core are the world ranks that the finding must name; CoreMay those that it may name besides (a rank that has
	// finished, or one in the same collective as a member of the core).
	Core    []int `json:"core"`
	CoreMay []int `json:"core_may,omitempty"`
	// Places must be among the finding's places, Others among its places or its others.
	Places []PlaceWant `json:"places"`
	Others []PlaceWant `json:"others,omitempty"`
	// SentenceHas are words of the sentence, WordsHas of sentence, hint, notes and the places' arguments together; case
	// does not matter.
	SentenceHas []string `json:"sentence_has,omitempty"`
	WordsHas    []string `json:"words_has,omitempty"`
	// Also are other findings that the broken program gives rightly.
	Also []finding.Code `json:"also,omitempty"`
	// FixedExit is the exit status of `unknot run` on the corrected program.
	FixedExit int `json:"fixed_exit"`
}

// PlaceWant is a thread that the finding has to name. An empty Marker stands for a call without a line of the program's
// own, such as the MPI_Finalize that mpi4py calls at exit.
type PlaceWant struct {
	Rank   int    `json:"rank"`
	Call   string `json:"call"`
	Marker string `json:"marker"`
}

// Load reads all examples under dir, in the order of their names.
func Load(dir string) ([]Example, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var all []Example
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		x, err := load(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, fmt.Errorf("example %s: %w", e.Name(), err)
		}
		all = append(all, x)
	}
	return all, nil
}

func load(dir string) (Example, error) {
	x := Example{Name: filepath.Base(dir)}
	var err error
	if x.Broken, err = program(dir, "broken"); err != nil {
		return x, err
	}
	if x.Fixed, err = program(dir, "fixed"); err != nil {
		return x, err
	}
	text, err := os.ReadFile(filepath.Join(dir, "expect.json"))
	if err != nil {
		return x, err
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&x.Want); err != nil {
		return x, fmt.Errorf("expect.json: %w", err)
	}
	return x, nil
}

// program finds the one source file of an example with the given base name.
func program(dir, name string) (Program, error) {
	found, err := filepath.Glob(filepath.Join(dir, name+".*"))
	if err != nil {
		return Program{}, err
	}
	if len(found) != 1 {
		return Program{}, fmt.Errorf("%d files named %s.*, want 1", len(found), name)
	}
	text, err := os.ReadFile(found[0])
	return Program{Path: found[0], Text: string(text)}, err
}

// Line gives the number, from 1, of the one line that carries the marker in a comment.
func (p Program) Line(marker string) (int, error) {
	line := 0
	for i, text := range strings.Split(p.Text, "\n") {
		if !carries(text, marker) {
			continue
		}
		if line != 0 {
			return 0, fmt.Errorf("%s: marker %q on lines %d and %d, want one", filepath.Base(p.Path), marker, line, i+1)
		}
		line = i + 1
	}
	if line == 0 {
		return 0, fmt.Errorf("%s: no line with the marker %q", filepath.Base(p.Path), marker)
	}
	return line, nil
}

// carries says whether a line ends in a comment that consists of the marker.
func carries(line, marker string) bool {
	line = strings.TrimSpace(line)
	if strings.HasSuffix(line, "/* "+marker+" */") {
		return true
	}
	for _, opening := range []string{"// ", "! ", "# "} {
		if strings.HasSuffix(line, opening+marker) {
			return true
		}
	}
	return false
}
