// Command apps runs real MPI applications and test suites twice, plain and under unknot, and writes what differed and
// what was found as a table. `make apps` prepares the programs and calls it.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"sync"
	"time"
)

func main() {
	var o options
	flag.StringVar(&o.unknot, "unknot", "bin/unknot", "the tool")
	flag.StringVar(&o.dir, "dir", "build/apps", "where scripts/apps/prepare.sh put the programs")
	flag.StringVar(&o.out, "o", "bench/APPS.md", "the table to write")
	flag.StringVar(&o.only, "only", "", "run only cases whose name matches this `regexp`, and print their output "+
		"instead of writing the table")
	flag.StringVar(&o.results, "results", "",
		"a `file` that keeps the results: cases that are in it are not run again, so that a run may be made in parts")
	flag.StringVar(&o.expected, "expected", "bench/apps/findings.tsv", "what is to be found, and why it is true")
	flag.IntVar(&o.jobs, "jobs", runtime.NumCPU(), "cases run at a time")
	flag.DurationVar(&o.limit, "limit", 20*time.Second,
		"time limit of one plain run; a watched run has three times as long")
	flag.DurationVar(&o.within, "within", 35*time.Minute, "cases that have not begun by then are left out")
	flag.Parse()
	if err := run(o); err != nil {
		fmt.Fprintln(os.Stderr, "apps:", err)
		os.Exit(1)
	}
}

type options struct {
	unknot, dir, out, only, results, expected string
	jobs                                      int
	limit, within                             time.Duration
}

func run(o options) error {
	for _, p := range []*string{&o.unknot, &o.dir} {
		abs, err := filepath.Abs(*p)
		if err != nil {
			return err
		}
		*p = abs
	}
	expected, err := readExpected(o.expected)
	if err != nil {
		return err
	}
	cases, missing, err := plan(o.dir)
	if err != nil {
		return err
	}
	if o.only != "" {
		re, err := regexp.Compile(o.only)
		if err != nil {
			return err
		}
		cases = slices.DeleteFunc(cases, func(c Case) bool { return !re.MatchString(c.Name) })
	}
	results, took, err := o.obtain(cases)
	if err != nil {
		return err
	}
	for i := range results {
		results[i].Judged = judge(results[i], expected)
	}
	if o.only != "" {
		for _, r := range results {
			r.print(os.Stdout)
		}
		return nil
	}
	if left := len(cases) - len(results); left > 0 {
		missing = append(missing, fmt.Sprintf("%d tests of the suite: they had not begun within %v, which -within sets",
			left, o.within))
	}
	if err := writeTable(o.out, results, missing, took); err != nil {
		return err
	}
	fmt.Printf("apps: %s\n", summary(results))
	for _, r := range results {
		switch {
		case r.failed():
			return fmt.Errorf("some runs differ under unknot; see %s; hint: repeat one with -only", o.out)
		case len(r.Missed)+len(r.Unexplained) > 0:
			return fmt.Errorf("what was found is not what %s expects; see %s; hint: repeat one with -only",
				o.expected, o.out)
		}
	}
	return nil
}

// obtain gives the results of the cases, those that have begun in time: from the file of results, and by running the
// others.
func (o *options) obtain(cases []Case) (results []Result, took time.Duration, err error) {
	keep, known := (*store)(nil), map[string]Result(nil)
	if o.results != "" {
		if keep, known, err = openStore(o.results); err != nil {
			return nil, 0, err
		}
		defer keep.file.Close()
	}
	var todo []Case
	for _, c := range cases {
		if r, ok := known[c.id()]; ok {
			r.Case = c
			results = append(results, r)
			took += r.took()
		} else {
			todo = append(todo, c)
		}
	}
	took /= time.Duration(max(o.jobs, 1))
	start := time.Now()
	fresh := runAll(o.unknot, todo, o.jobs, o.limit, start.Add(o.within), keep)
	if keep != nil {
		err = keep.err
	}
	return append(results, fresh...), took + time.Since(start), err
}

// runAll runs the cases, each plain and then watched, keeps each result as it comes, and returns them in the order of
// the cases.
func runAll(unknot string, cases []Case, jobs int, limit time.Duration, end time.Time, keep *store) []Result {
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
				keep.add(results[i])
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
