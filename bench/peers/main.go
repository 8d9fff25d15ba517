// Command peers runs the small broken programs that unknot comes with, and their fixed twins, under unknot and under
// other tools that can be had here, and writes what each reports to docs/compared.md. It must be started in the
// repository's root, as go run ./bench/peers.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"time"

	"unknot/bench/quiet"
	"unknot/bench/section"
)

const (
	document = "docs/compared.md"
	heading  = "## Measured"
)

func main() {
	only := flag.String("only", "", "measure only pairs whose directory matches this `regexp`, and write nothing")
	flag.Parse()
	quiet.Main("bench/peers", func(ctx context.Context) error {
		return run(ctx, *only)
	})
}

type bench struct {
	ctx         context.Context
	dir, unknot string
}

// row is what was reported of the pairs of a family, by tool.
type row struct {
	family       string
	pairs        int
	found, false []int
}

func run(ctx context.Context, only string) error {
	wanted, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	b := &bench{ctx: ctx}
	if b.dir, err = os.MkdirTemp("", "unknot-peers-"); err != nil {
		return err
	}
	defer os.RemoveAll(b.dir)
	if b.unknot, err = quiet.Unknot(ctx, b.dir); err != nil {
		return err
	}
	if err := b.controls(); err != nil {
		return err
	}
	list, err := pairs()
	if err != nil {
		return err
	}
	var rows []row
	for i := range list {
		p := &list[i]
		if !wanted.MatchString(p.dir) {
			continue
		}
		if n := len(rows); n == 0 || rows[n-1].family != p.family {
			rows = append(rows, row{p.family, 0, make([]int, len(tools())), make([]int, len(tools()))})
		}
		if err := b.measure(p, &rows[len(rows)-1]); err != nil {
			return err
		}
	}
	if only != "" {
		fmt.Print(table(rows))
		return nil
	}
	return section.Replace(document, heading, text(rows))
}

// controls makes sure that the other tools work here: each reports what it is made for, and nothing of the fixed
// program.
func (b *bench) controls() error {
	for _, c := range []struct {
		dir, tools string
	}{{"overflow", "valgrind, address and undefined behaviour sanitizers"}, {"race", "thread sanitizer"}} {
		p := pair{dir: "bench/peers/testdata/" + c.dir, ranks: "2"}
		for _, t := range tools() {
			if !strings.Contains(c.tools, t.name) {
				continue
			}
			found, err := b.try(&t, &p, "broken")
			if err != nil {
				return err
			}
			mistaken, err := b.try(&t, &p, "fixed")
			if err != nil {
				return err
			}
			if !found || mistaken {
				return fmt.Errorf("the %s does not work here: it reports something of %s/broken.c: %v, of fixed.c: "+
					"%v; hint: apt-get install valgrind-mpi, or see whether ptrace is allowed", t.name, p.dir,
					found, mistaken)
			}
		}
	}
	return nil
}

// measure runs a pair under each tool.
func (b *bench) measure(p *pair, r *row) error {
	r.pairs++
	var told []string
	for i, t := range tools() {
		found, err := b.try(&t, p, "broken")
		if err != nil {
			return err
		}
		mistaken := false
		if found || t.name == unknot {
			if mistaken, err = b.try(&t, p, "fixed"); err != nil {
				return err
			}
		}
		if found && !mistaken {
			r.found[i]++
			told = append(told, t.name)
		}
		if mistaken {
			r.false[i]++
			told = append(told, t.name+" (also of the fixed program)")
		}
	}
	fmt.Printf("%s: %s\n", p.dir, strings.Join(told, ", "))
	return nil
}

func table(rows []row) string {
	var b strings.Builder
	b.WriteString("| error | programs |")
	for _, t := range tools() {
		fmt.Fprintf(&b, " %s |", t.name)
	}
	b.WriteString(" MUST has a check | ITAC has a check |\n|---|--:|" + strings.Repeat("--:|", len(tools())+2) + "\n")
	for _, r := range rows {
		fmt.Fprintf(&b, "| %s | %d |", r.family, r.pairs)
		for i := range r.found {
			fmt.Fprintf(&b, " %d", r.found[i])
			if r.false[i] > 0 {
				fmt.Fprintf(&b, " (%d also of the fixed program)", r.false[i])
			}
			b.WriteString(" |")
		}
		if must, itac, codes := named(r.family); codes > 0 {
			fmt.Fprintf(&b, " %d of %d codes | %d of %d codes |\n", must, codes, itac, codes)
		} else {
			b.WriteString(" yes | yes |\n")
		}
	}
	return b.String()
}

func text(rows []row) string {
	return fmt.Sprintf(`%s

Written by `+"`go run ./bench/peers`"+`; do not edit. %s, Open MPI. The programs are every third one
of `+"`examples/`"+`, and one for each code of a check. Each has a broken and a fixed version. A tool has found an
error if it reports something at a line of the broken program and nothing in the fixed one; unknot must also
report the right code. The MPI library has found an error if the job ends with a status other than 0. A
program that hangs without a report counts as not found. The columns of MUST and ITAC count the codes for
which [they name a check](checks.md#what-other-tools-call-it). Neither tool could be installed, so these
counts are claims and not measurements. The programs were written for unknot, so its own column says less than
the others.

%s`, heading, time.Now().Format("2 January 2006"), table(rows))
}
