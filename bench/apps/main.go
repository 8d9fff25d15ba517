// Command apps runs real MPI applications and test suites twice, plain and under unknot, and writes what differed and what
// was found as a table. `make apps` prepares the programs and calls it.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"sync"
	"time"
)

func main() {
	unknot := flag.String("unknot", "bin/unknot", "the tool")
	dir := flag.String("dir", "build/apps", "where scripts/apps/prepare.sh put the programs")
	out := flag.String("o", "bench/APPS.md", "the table to write")
	only := flag.String("only", "", "run only cases whose name matches this `regexp`, and print their output")
	jobs := flag.Int("jobs", runtime.NumCPU(), "cases run at a time")
	limit := flag.Duration("limit", 20*time.Second, "time limit of one plain run; a watched run has three times as long")
	within := flag.Duration("within", 35*time.Minute, "cases that have not begun by then are left out")
	flag.Parse()
	if err := run(*unknot, *dir, *out, *only, *jobs, *limit, *within); err != nil {
		fmt.Fprintln(os.Stderr, "apps:", err)
		os.Exit(1)
	}
}

func run(unknot, dir, out, only string, jobs int, limit, within time.Duration) error {
	for _, p := range []*string{&unknot, &dir} {
		abs, err := filepath.Abs(*p)
		if err != nil {
			return err
		}
		*p = abs
	}
	cases, missing, err := plan(dir)
	if err != nil {
		return err
	}
	if only != "" {
		re, err := regexp.Compile(only)
		if err != nil {
			return err
		}
		kept := cases[:0]
		for _, c := range cases {
			if re.MatchString(c.Name) {
				kept = append(kept, c)
			}
		}
		cases = kept
	}
	start := time.Now()
	results := runAll(unknot, cases, jobs, limit, start.Add(within))
	if only != "" {
		for _, r := range results {
			r.print(os.Stdout)
		}
		return nil
	}
	if left := len(cases) - len(results); left > 0 {
		missing = append(missing, fmt.Sprintf("%d tests of the suite: they had not begun within %v, which -within sets", left, within))
	}
	if err := writeTable(out, results, missing, time.Since(start)); err != nil {
		return err
	}
	fmt.Printf("apps: %s\n", summary(results))
	for _, r := range results {
		if r.failed() {
			return fmt.Errorf("some runs differ under unknot; see %s; hint: repeat one with -only", out)
		}
	}
	return nil
}

// runAll runs the cases, each plain and then watched, and returns the results in the order of the cases.
func runAll(unknot string, cases []Case, jobs int, limit time.Duration, end time.Time) []Result {
	results := make([]Result, len(cases))
	shared := make(map[string]*sync.Mutex)
	for _, c := range cases {
		shared[c.Shared] = new(sync.Mutex)
	}
	next := make(chan int)
	var done sync.WaitGroup
	for range max(jobs, 1) {
		done.Go(func() {
			for i := range next {
				lock := shared[cases[i].Shared]
				if cases[i].Shared != "" {
					lock.Lock()
				}
				results[i] = compare(unknot, cases[i], limit)
				if cases[i].Shared != "" {
					lock.Unlock()
				}
				fmt.Fprintf(os.Stderr, "%4d/%d %s\n", i+1, len(cases), results[i].line())
			}
		})
	}
	begun := 0
	for begun < len(cases) && time.Now().Before(end) {
		next <- begun
		begun++
	}
	close(next)
	done.Wait()
	return results[:begun]
}
