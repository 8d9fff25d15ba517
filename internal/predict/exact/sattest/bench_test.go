package sattest

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"unknot/internal/predict/exact"
	"unknot/internal/vocab/mpi"
)

var (
	table = flag.String("table", "", "write the table of the benchmark into this `file`, between its marks")
	limit = flag.Duration("limit", 20*time.Second, "processor time for one answer")
)

// methods are what is compared: package exact, the formula, and the formula with counts.
var methods = []string{"search", "sat", "sat+counts"}

// sample is one answer and what it took.
type sample struct {
	Verdict       string
	Method        exact.Method
	CPU           time.Duration
	Vars, Clauses int
	Rounds        int
	TooLarge      bool
}

// job names what a separate process shall answer, for the solver cannot be interrupted.
const job = "UNKNOT_SATTEST_JOB"

func TestMain(m *testing.M) {
	text := os.Getenv(job)
	if text == "" {
		os.Exit(m.Run())
	}
	var family, size, method, seconds = "", 0, "", uint64(0)
	fields := strings.Split(text, "|")
	family, method = fields[0], fields[2]
	size, _ = strconv.Atoi(fields[1])
	seconds, _ = strconv.ParseUint(fields[3], 10, 64)
	s, err := perform(family, size, method, seconds)
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(s)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// perform answers one question, and is killed when it has had its processor time.
func perform(name string, size int, method string, seconds uint64) (s sample, err error) {
	runtime.GOMAXPROCS(1)
	if err := syscall.Setrlimit(syscall.RLIMIT_CPU, &syscall.Rlimit{Cur: seconds, Max: seconds}); err != nil {
		return s, fmt.Errorf("limit of %d s: %w", seconds, err)
	}
	all := families()
	p := all[slices.IndexFunc(all, func(f family) bool { return f.name == name })].make(size)
	table, err := mpi.Load()
	if err != nil {
		return s, err
	}
	start := used()
	if method == "search" {
		r, err := exact.Predict(context.Background(), p.log, table, options(p.buffering))
		if err != nil {
			return s, err
		}
		return sample{Verdict: r.Verdict.String(), Method: r.Stats.Method, CPU: used() - start}, nil
	}
	a, err := decide(p.log, p.buffering, method == "sat+counts")
	s = sample{CPU: used() - start, Vars: a.vars, Clauses: a.clauses, Rounds: a.rounds}
	if errors.Is(err, errTooLarge) {
		s.TooLarge = true
		return s, nil
	}
	s.Verdict = a.verdict().String()
	return s, err
}

func used() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// errLate says that the processor time was used up.
var errLate = errors.New("no answer in time")

// delegate has a separate process answer a question.
func delegate(name string, size int, method string) (s sample, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), 15**limit)
	defer cancel()
	self, err := os.Executable()
	if err != nil {
		return s, err
	}
	c := exec.CommandContext(ctx, self)
	c.Env = append(os.Environ(), fmt.Sprintf("%s=%s|%d|%s|%d", job, name, size, method, int(limit.Seconds())))
	out, err := c.Output()
	if ctx.Err() != nil {
		return s, fmt.Errorf("%s-%d by %s did not get its processor time\nhint: measure on a machine that is less busy",
			name, size, method)
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) && !exit.Exited() {
		return s, errLate
	}
	if err != nil {
		return s, fmt.Errorf("%s-%d by %s: %w", name, size, method, err)
	}
	return s, json.Unmarshal(out, &s)
}

// row is a line of the table: what each method answered, or why not.
type row struct {
	name  string
	want  exact.Verdict
	cells map[string]string
}

// BenchmarkMethods compares the methods. Where one does not answer, it is not asked about larger problems of the
// family.
func BenchmarkMethods(b *testing.B) {
	var rows []*row
	lost := make(map[string]bool)
	for _, f := range families() {
		for _, size := range f.sizes {
			name := fmt.Sprintf("%s-%d", strings.ReplaceAll(strings.ReplaceAll(f.name, ",", ""), " ", "-"), size)
			r := &row{fmt.Sprintf("%s, %d", f.name, size), f.want, make(map[string]string)}
			for _, method := range methods {
				if lost[f.name+method] {
					continue
				}
				var samples []sample
				b.Run(name+"/"+method, func(b *testing.B) {
					for range b.N {
						if lost[f.name+method] || len(samples) > 0 && samples[len(samples)-1].CPU > *limit/4 {
							break // what takes long is measured once
						}
						s, err := delegate(f.name, size, method)
						switch {
						case errors.Is(err, errLate):
							lost[f.name+method] = true
							r.cells[method] = fmt.Sprintf("> %d s", int(limit.Seconds()))
						case err != nil:
							b.Fatal(err)
						case s.TooLarge:
							lost[f.name+method] = true
							r.cells[method] = fmt.Sprintf("> %d million clauses", many/1_000_000)
						case s.Verdict != f.want.String():
							b.Fatalf("%s says %s, want %v", method, s.Verdict, f.want)
						default:
							samples = append(samples, s)
						}
					}
					if len(samples) > 0 {
						m := median(samples)
						b.ReportMetric(m.CPU.Seconds(), "cpu-s")
						b.ReportMetric(float64(m.Vars), "vars")
						b.ReportMetric(float64(m.Clauses), "clauses")
					}
				})
				if len(samples) > 0 && !lost[f.name+method] {
					r.cells[method] = median(samples).String()
				}
			}
			if len(r.cells) > 0 {
				rows = append(rows, r)
			}
		}
		if *table != "" {
			if err := write(*table, rows); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func median(s []sample) sample {
	s = slices.SortedFunc(slices.Values(s), func(a, b sample) int { return cmp.Compare(a.CPU, b.CPU) })
	return s[(len(s)-1)/2]
}

func (s sample) String() string {
	ms := float64(s.CPU.Microseconds()) / 1000
	text := fmt.Sprintf("%.1f ms", ms)
	if ms >= 1000 {
		text = fmt.Sprintf("%.1f s", ms/1000)
	}
	if s.Method != "" {
		return fmt.Sprintf("%s (%s)", text, s.Method)
	}
	return fmt.Sprintf("%s (%s, %s, %d)", text, short(s.Vars), short(s.Clauses), s.Rounds)
}

func short(n int) string {
	if n >= 10_000 {
		return fmt.Sprintf("%dk", n/1000)
	}
	return strconv.Itoa(n)
}

const (
	startMark = "<!-- table -->\n"
	endMark   = "<!-- end of table -->\n"
)

// write puts the rows into a file, between the marks.
func write(file string, rows []*row) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	head, rest, ok := strings.Cut(string(text), startMark)
	_, tail, ends := strings.Cut(rest, endMark)
	if !ok || !ends {
		return fmt.Errorf("%s has no marks\nhint: add lines with %q and %q", file, startMark, endMark)
	}
	var out strings.Builder
	fmt.Fprintf(&out, "%s, %d processors, load %s, %s.\n\n", processor(), runtime.NumCPU(), load(), runtime.Version())
	out.WriteString("| problem | verdict | " + strings.Join(methods, " | ") + " |\n|---|---|" + strings.Repeat("---|",
		len(methods)) + "\n")
	for _, r := range rows {
		fmt.Fprintf(&out, "| %s | %v |", r.name, r.want)
		for _, m := range methods {
			fmt.Fprintf(&out, " %s |", cmp.Or(r.cells[m], "–"))
		}
		out.WriteString("\n")
	}
	return os.WriteFile(file, []byte(head+startMark+out.String()+endMark+tail), 0o644)
}

func processor() string {
	text, _ := os.ReadFile("/proc/cpuinfo")
	_, rest, _ := strings.Cut(string(text), "model name")
	line, _, _ := strings.Cut(rest, "\n")
	return cmp.Or(strings.TrimSpace(strings.TrimLeft(line, "\t :")), runtime.GOARCH)
}

func load() string {
	text, _ := os.ReadFile("/proc/loadavg")
	first, _, _ := strings.Cut(string(text), " ")
	return cmp.Or(first, "not known")
}
