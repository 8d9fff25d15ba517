// Command tree drives real agents, relays and the real root with simulated ranks, of which there may be many more than
// a machine has room for processes, and measures what following them and finding their deadlocks costs. Everything runs
// in one goroutine, on one core; messages between members become bytes on the way, as between hosts. With -o, it writes
// the section "Large jobs" of a document and curves beside it.
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"unknot/bench/section"
)

// settings are what the command line says.
type settings struct {
	exchanges, deadlocks []int // numbers of ranks
	perAgent, perNode    int
	fanIn, iterations    int
	checks               bool
	out                  string
}

func main() {
	var s settings
	exchanges := flag.String("exchanges", "16,64,256,1024,4096,16384,65536",
		"numbers of ranks for the ring exchange, with commas between them")
	deadlocks := flag.String("deadlocks", "16,256,4096,65536,1048576", "numbers of ranks for the deadlocks")
	flag.IntVar(&s.perAgent, "per-agent", 8, "ranks of an agent where the exchange is measured")
	flag.IntVar(&s.perNode, "per-node", 256,
		"ranks of an agent where deadlocks are found; four times as many from half a million ranks on")
	flag.IntVar(&s.fanIn, "fan-in", 16, "fan-in of the tree over the agents")
	flag.IntVar(&s.iterations, "iterations", 100, "iterations of the ring exchange that are measured")
	flag.BoolVar(&s.checks, "checks", true, "check the use of MPI as unknot does by default")
	flag.StringVar(&s.out, "o", "", "the document to write to, such as bench/RESULTS.md")
	flag.Parse()
	err := s.sizes(*exchanges, *deadlocks)
	if err == nil {
		err = s.run()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench/tree:", err)
		os.Exit(1)
	}
}

func (s *settings) sizes(exchanges, deadlocks string) error {
	for text, list := range map[string]*[]int{exchanges: &s.exchanges, deadlocks: &s.deadlocks} {
		for field := range strings.FieldsFuncSeq(text, func(c rune) bool { return c == ',' }) {
			n, err := strconv.Atoi(field)
			if err != nil || n < 2 {
				return fmt.Errorf("%q: expected a number of ranks, at least 2", field)
			}
			*list = append(*list, n)
		}
	}
	return nil
}

// results are all that was measured.
type results struct {
	settings
	costs []cost
	found []detection
	took  time.Duration
}

func (s *settings) run() error {
	runtime.GOMAXPROCS(1)
	r := results{settings: *s}
	begin := time.Now()
	debug.SetMemoryLimit(14 << 30) // of many agents
	debug.SetGCPercent(400)        // an agent has a separate process, and collects its own garbage alone
	for _, size := range s.exchanges {
		c, err := exchanged(shape{size, min(s.perAgent, size), s.fanIn, s.checks}, s.iterations)
		if err != nil {
			return err
		}
		r.costs = append(r.costs, c)
	}
	if err := alone(r.costs); err != nil {
		return err
	}
	for i := range r.costs {
		fmt.Fprintln(os.Stderr, r.costs[i].line())
	}
	debug.SetMemoryLimit(mostHeld - 1<<30) // before that garbage may wait
	debug.SetGCPercent(40)
	for _, size := range s.deadlocks {
		perNode := s.perNode
		if size >= 1<<19 {
			perNode *= 4
			debug.SetGCPercent(8)
		}
		for _, d := range deadlocks() {
			x, err := deadlocked(shape{size, min(perNode, size), s.fanIn, s.checks}, d)
			if err != nil {
				return err
			}
			fmt.Fprintln(os.Stderr, x.line())
			r.found = append(r.found, x)
		}
	}
	r.took = time.Since(begin)
	if s.out == "" {
		return nil
	}
	if err := r.draw(s.out); err != nil {
		return err
	}
	return section.Replace(s.out, section.Large, r.text())
}

// exchanged measures the ring exchange in a job, and takes down what one of its agents gets.
func exchanged(s shape, iterations int) (cost, error) {
	debug.FreeOSMemory()
	watched := &course{agent: (s.size - 1) / s.perAgent / 2}
	j, err := newJob(s, watched)
	if err != nil {
		return cost{}, err
	}
	c := j.exchange(iterations)
	watched.calls, c.course = j.agents[watched.agent].Calls(), watched
	return c, nil
}

// a deadlock is the last call of all ranks.
type deadlock struct {
	name string
	last callAtEnd
}

func deadlocks() []deadlock {
	return []deadlock{{"all receive from any rank", wildcards}, {"each receives from its left", circle}}
}

// deadlocked has a job run into a deadlock.
func deadlocked(s shape, x deadlock) (detection, error) {
	debug.FreeOSMemory()
	begin := time.Now()
	j, err := newJob(s, nil)
	if err != nil {
		return detection{}, err
	}
	setup := time.Since(begin)
	d, err := j.deadlock(x.last)
	d.shape, d.name, d.setup = s, x.name, setup
	return d, err
}
