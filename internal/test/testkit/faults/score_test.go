package faults

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
)

var update = flag.Bool("update", false, "write bench/FAULTS.md, with UNKNOT_NIGHTLY=1")

// score counts grades by the kinds of jobs.
type score struct {
	mu    sync.Mutex
	jobs  map[string]int           // by kind
	right map[string]int           // by kind
	given map[string]map[Grade]int // by kind, of those that were not right
}

func (s *score) add(c Case, g Grade) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.jobs == nil {
		s.jobs, s.right, s.given = make(map[string]int), make(map[string]int), make(map[string]map[Grade]int)
	}
	k := c.Kind()
	s.jobs[k]++
	if c.Right(g) {
		s.right[k]++
		return
	}
	if s.given[k] == nil {
		s.given[k] = make(map[Grade]int)
	}
	s.given[k][g]++
}

// meanings are what the kinds of jobs are, in the order of the page.
func meanings() [][2]string {
	return [][2]string{{"lose", "a message is lost in the library"},
		{"drop", "a message is lost in the network"}, {"spin", "a call polls forever"},
		{"poll", "a call sleeps in poll forever"}, {"thread", "a call waits for a progress thread that is gone"},
		{"pipe", "a call writes to a pipe that nobody reads"},
		{"late", "a call has done its work and does not return"}, {"stop", "SIGSTOP in a call"},
		{"trace", "a debugger stops a process in a call"}, {"deep", "an uninterruptible sleep in a call"},
		{"wrong", "the program waits for another tag"}, {"chooses", "the program waits for a second message"},
		{"skips", "the program leaves out a collective"},
		{"keeps", "the program does not release a lock"}, {"computes", "a rank computes"},
		{"reads", "a rank reads a pipe"}, {"sleeps", "a rank sleeps"},
		{"holds", "a rank sleeps with a lock"}, {"folds", "an operator of the program does not return"}}
}

// write makes the page.
func (s *score) write(t *testing.T, file string) {
	t.Helper()
	var b strings.Builder
	b.WriteString("# Who is at fault when nothing moves\n\n" +
		"Jobs with both MPI libraries on one host, with 2 to 4 ranks, that stand still. In the first ten kinds a correct " +
		"program runs\nwith a library that has a fault; the program is at fault in the next four, and slow in the last. " +
		"Written by\n`UNKNOT_NIGHTLY=1 go test ./internal/test/testkit/faults -update`.\n\n" +
		"| kind | jobs | right | otherwise |\n|---|---|---|---|\n")
	jobs, right := 0, 0
	for _, m := range meanings() {
		jobs, right = jobs+s.jobs[m[0]], right+s.right[m[0]]
		var other []string
		for g, n := range s.given[m[0]] {
			other = append(other, fmt.Sprintf("%s: %d", g, n))
		}
		slices.Sort(other)
		fmt.Fprintf(&b, "| %s | %d | %d | %s |\n", m[1], s.jobs[m[0]], s.right[m[0]], strings.Join(other, ", "))
	}
	fmt.Fprintf(&b, "| all | %d | %d | |\n", jobs, right)
	if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}
