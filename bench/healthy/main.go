// Command healthy runs programs that are right, under load and suspended again and again, and has unknot look at them:
// each time that it calls one of them hung is a false alarm. It adds what it has seen to the tables of
// bench/HEALTHY.md. It must be started in the repository's root, after scripts/apps/measured.sh.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"time"

	"unknot/bench/quiet"
)

func main() {
	last := flag.Duration("for", 30*time.Minute, "start no job after this time")
	jobs := flag.Int("jobs", 4, "jobs at a time")
	seed := flag.Uint64("seed", uint64(time.Now().Unix()), "of the order of programs, and of what is done to them")
	flag.Parse()
	quiet.Main("bench/healthy", func(ctx context.Context) error {
		dir, err := os.MkdirTemp("", "unknot-healthy-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		b := &bench{ctx: ctx, dir: dir, end: time.Now().Add(*last)}
		if b.unknot, err = quiet.Unknot(ctx, dir); err != nil {
			return err
		}
		if err := b.build(); err != nil {
			return err
		}
		fmt.Printf("seed %d\n", *seed)
		var all sync.WaitGroup
		for i := range *jobs {
			all.Go(func() { b.work(rand.New(rand.NewPCG(*seed, uint64(i)))) })
		}
		all.Wait()
		if n := len(b.alarms); n > 0 {
			b.failed = append(b.failed, fmt.Errorf("%d false alarms", n))
		}
		return errors.Join(append(b.failed, b.write())...)
	})
}

// bench is what all jobs share.
type bench struct {
	ctx         context.Context
	dir, unknot string
	end         time.Time
	programs    []program
	mu          sync.Mutex
	seen        map[string]*seen // by program and way
	alarms      []string
	failed      []error
}

// seen is what was seen of jobs of one kind.
type seen struct {
	jobs, looks, false int
	time               time.Duration
}

// work runs one job after the other.
func (b *bench) work(random *rand.Rand) {
	for time.Now().Before(b.end) && b.ctx.Err() == nil {
		p := &b.programs[random.IntN(len(b.programs))]
		w := ways[random.IntN(len(ways))]
		j := &job{bench: b, program: p, way: w, random: random}
		err := j.run()
		b.mu.Lock()
		if err != nil {
			b.failed = append(b.failed, fmt.Errorf("%s, %s: %w", p.name, w.name, err))
		}
		if err == nil {
			b.count(p.name+" | "+w.name, &j.seen)
		}
		for _, a := range j.alarms {
			a = fmt.Sprintf("%s, %s: %s", p.name, w.name, a)
			fmt.Println(a)
			b.alarms = append(b.alarms, a)
		}
		b.mu.Unlock()
	}
}

func (b *bench) count(key string, s *seen) {
	if b.seen == nil {
		b.seen = make(map[string]*seen)
	}
	if b.seen[key] == nil {
		b.seen[key] = &seen{}
	}
	b.seen[key].add(s)
}

func (s *seen) add(o *seen) {
	s.jobs += o.jobs
	s.looks += o.looks
	s.false += o.false
	s.time += o.time
}

// line is a row of the tables.
func (s *seen) line(key string) string {
	return fmt.Sprintf("| %s | %d | %.2f | %d | %d |", key, s.jobs, s.time.Hours(), s.looks, s.false)
}

// parse reads a row.
func parse(line string) (s seen) {
	cells := strings.Split(strings.Trim(line, "| "), " | ")
	if len(cells) < 6 {
		return s
	}
	hours := 0.0
	_, _ = fmt.Sscan(strings.Join(cells[2:], " "), &s.jobs, &hours, &s.looks, &s.false) // what is not there is 0
	s.time = time.Duration(hours * float64(time.Hour))
	return s
}
