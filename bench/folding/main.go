// Command folding measures what it costs to watch programs, with calls that repeat others left out and without, and
// writes the section "Calls that repeat" of bench/RESULTS.md. Runs of the forms of a program take turns, and the table
// has medians. It must be started in the repository's root, as go run ./bench/folding, after scripts/apps/measured.sh.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"unknot/bench/others"
	"unknot/bench/quiet"
	"unknot/bench/section"
)

const (
	document = "bench/RESULTS.md"
	heading  = "## Calls that repeat"
)

func main() {
	pairs := flag.Int("pairs", 3, "runs of each form")
	only := flag.String("only", "", "measure only programs whose name matches this `regexp`, and write nothing")
	prepared := flag.String("programs", others.Prepared,
		"where scripts/apps/measured.sh has put the inputs of programs")
	flag.Parse()
	quiet.Main("bench/folding", func(ctx context.Context) error {
		b := &bench{ctx: ctx, pairs: *pairs, prepared: *prepared}
		return b.run(*only)
	})
}

type bench struct {
	ctx                   context.Context
	pairs                 int
	dir, unknot, prepared string
}

func (b *bench) run(only string) error {
	wanted, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	if b.dir, err = os.MkdirTemp("", "unknot-folding-"); err != nil {
		return err
	}
	defer os.RemoveAll(b.dir)
	if b.unknot, err = quiet.Unknot(b.ctx, b.dir); err != nil {
		return err
	}
	list, err := b.programs()
	if err != nil {
		return err
	}
	var rows []row
	for _, p := range list {
		if !wanted.MatchString(p.name) {
			continue
		}
		r, err := b.measure(p)
		if err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		fmt.Println(r.line())
		rows = append(rows, r)
	}
	if only != "" {
		return nil
	}
	return section.Replace(document, heading, b.document(rows))
}

// form is how a program is run: the columns.
type form struct {
	name    string
	watched []string // options of unknot run; nil for a plain run
}

func forms() []form {
	return []form{{"plain", nil}, {"with folding", []string{"--log=detect,agent"}},
		{"without", []string{"--log=detect,agent", "--no-fold"}}}
}

// once is what one run shows.
type once struct {
	seconds     float64
	calls, left float64 // of all ranks, and of these that were left out
	// those that were not left out, and of these that were given what others had been given before
	followed, prepared float64
	used, bytes        float64 // by the agent process: seconds of a processor, and read from rings
}

var (
	timed  = regexp.MustCompile(`(?m)^seconds ([0-9.]+)$`)
	counts = regexp.MustCompile(`detect: (\d+) of (\d+) calls repeated others`)
	use    = regexp.MustCompile(`agent: ([0-9.]+) s of a processor, (\d+) bytes`)
	judged = regexp.MustCompile(`agent: (\d+) of (\d+) calls were given what others`)
)

// Bounds of the runs of a program that fails, and of the time of one: ScaLAPACK's tester of LLT fails by itself now and
// then, or hangs (MPI_ERR_TRUNCATE in a collective).
const (
	mostTries = 12
	mostTime  = 20 * time.Second
)

// succeed runs a program in a form until it does not fail.
func (b *bench) succeed(p *program, f *form) (o once, err error) {
	for range mostTries {
		if o, err = b.once(p, f); err == nil || b.ctx.Err() != nil {
			break
		}
	}
	return o, err
}

// once runs a program in a form. Its time is what it prints, or that of the whole run.
func (b *bench) once(p *program, f *form) (o once, err error) {
	command := p.command
	if f.watched != nil {
		command = slices.Concat([]string{b.unknot, "run"}, f.watched, p.options, command)
	}
	ctx, cancel := context.WithTimeout(b.ctx, mostTime)
	defer cancel()
	c := exec.CommandContext(ctx, command[0], command[1:]...)
	c.Dir = p.dir
	c.Env = slices.Concat(os.Environ(), quiet.Jobs(), []string{"OMPI_MCA_mpi_yield_when_idle=1"})
	begin := time.Now()
	out, err := c.CombinedOutput()
	o.seconds = time.Since(begin).Seconds()
	if err != nil {
		return o, fmt.Errorf("%s: %w\n%s", strings.Join(command, " "), err, out)
	}
	if m := timed.FindSubmatch(out); m != nil {
		o.seconds = number(m[1])
	}
	if f.watched == nil {
		return o, nil
	}
	c1, c2 := counts.FindSubmatch(out), use.FindSubmatch(out)
	if c1 == nil || c2 == nil {
		return o, errors.New("unknot has not said how many calls there were")
	}
	o.left, o.calls, o.used, o.bytes = number(c1[1]), number(c1[2]), number(c2[1]), number(c2[2])
	for _, one := range judged.FindAllSubmatch(out, -1) {
		o.prepared += number(one[1])
		o.followed += number(one[2])
	}
	return o, nil
}

// number is one that matched.
func number(text []byte) float64 {
	n, err := strconv.ParseFloat(string(text), 64)
	if err != nil {
		panic(err) // the expression lets nothing else through
	}
	return n
}

// row is a program's line: medians, of the watched forms one after the other.
type row struct {
	name  string
	plain float64
	forms [2]watched
}

// watched is a form's part of it.
type watched struct{ ratio, left, prepared, used, bytes, calls float64 }

func (b *bench) measure(p program) (row, error) {
	all, _, err := quiet.Runs(b.pairs, func() (round []once, err error) {
		for _, f := range forms() {
			o, err := b.succeed(&p, &f)
			if err != nil {
				return nil, err
			}
			round = append(round, o)
		}
		return round, nil
	})
	if err != nil {
		return row{}, err
	}
	of := func(pick func(round []once) float64) float64 {
		var list []float64
		for _, round := range all {
			list = append(list, pick(round))
		}
		return quiet.Median(list)
	}
	r := row{name: p.name, plain: of(func(round []once) float64 { return round[0].seconds })}
	for i := range r.forms {
		r.forms[i] = watched{
			ratio:    of(func(round []once) float64 { return round[i+1].seconds / round[0].seconds }),
			left:     of(func(round []once) float64 { return 100 * round[i+1].left / round[i+1].calls }),
			prepared: of(func(round []once) float64 { return 100 * round[i+1].prepared / max(1, round[i+1].followed) }),
			used:     of(func(round []once) float64 { return 1e6 * round[i+1].used / round[i+1].calls }),
			bytes:    of(func(round []once) float64 { return round[i+1].bytes / round[i+1].calls }),
			calls:    of(func(round []once) float64 { return round[i+1].calls }),
		}
	}
	return r, nil
}

// manyCalls is from how many calls on it says something what the agent does for one: with fewer, start and end are
// more.
const manyCalls = 10_000

// line is the row in the document.
func (r *row) line() string {
	with, without := r.forms[0], r.forms[1]
	line := fmt.Sprintf("| %s | %.2f s | %.0f | %.2f | %.2f | %.2f | %.0f %% | %.0f %% |", r.name, r.plain, with.calls,
		with.ratio, without.ratio, with.ratio/without.ratio, with.left, without.prepared)
	if with.calls < manyCalls {
		return line + " | | | |"
	}
	return line + fmt.Sprintf(" %.2f s | %.2f s | %.1f | %.1f |", with.used, without.used, with.bytes, without.bytes)
}

func (b *bench) document(rows []row) string {
	var d strings.Builder
	fmt.Fprintf(&d, "%s\n\nWritten by `go run ./bench/folding`; do not edit. %d processors, %s, all checks that are "+
		"on by default; medians of %d neighbouring runs of each form.\n"+
		"Times of the exchange, of calls that alternate between what repeats and what differs, and of the kernels "+
		"are those of the slowest rank, else those of the whole run, start and end included.\n"+
		"Required: exchange ≤ 2 ×, ScaLAPACK's testers ≤ 1.3 ×, kernels ≤ 1.03 × (MG 1.05), GROMACS ≤ 1.01 ×; "+
		"folding never slows a program by more than 5 %%.\n"+
		"Prepared are calls of which nothing had to be judged, as another one was given the same before "+
		"(without folding). "+
		"Processor time is that of the agent process for a million calls of the ranks, bytes are those that it reads "+
		"from rings for a call.\n\n",
		heading, runtime.NumCPU(), time.Now().Format("2 January 2006"), b.pairs)
	d.WriteString("| program | plain | calls | with folding | without | with / without | left out | prepared | " +
		"agent, with | agent, without | bytes a call, with | without " +
		"|\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	for i := range rows {
		d.WriteString(rows[i].line() + "\n")
	}
	return d.String()
}
