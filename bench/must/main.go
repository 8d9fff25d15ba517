// Command must measures what the paper on MUST (SC 2013) measures, with processes of this machine, and writes sections
// of docs/papers/must.md: jobs of up to 1,024 ranks, 64 hosts, a rank that runs ahead, and programs like those of SPEC
// MPI2007 on 16 ranks. It must be started in the repository's root, as root, as go run ./bench/must; programs of others
// are measured if scripts/apps/measured.sh has prepared them.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"unknot/bench/quiet"
	"unknot/bench/section"
)

const document = "docs/papers/must.md"

// bench is what all parts need.
type bench struct {
	ctx      context.Context
	deadline time.Time
	pairs    int
	sizes    []int // numbers of ranks of one machine
	hosts    int
	only     *regexp.Regexp
	prepared string // by scripts/apps/measured.sh

	dir, unknot, polite string
}

// part is a section of the page: its rows are known before they are measured.
type part struct {
	name    string
	heading string
	about   func(*bench) string // what stands above its tables
	tables  []table
}

// table is a head and rows, of which the first cells are keys.
type table struct {
	head string
	keys int
	rows func(*bench) ([]row, error)
	// below says something of all rows, nil for nothing
	below func(lines []string) string
}

// row is a line of a table: the first cells, and how the others are measured.
type row struct {
	key     string
	measure func() (string, error)
}

func main() {
	b := &bench{}
	sizes := flag.String("ranks", "256,512,1024", "numbers of ranks, with commas between them")
	only := flag.String("only", "", "measure only rows whose section and first cells match this `regexp`")
	limit := flag.Duration("limit", 35*time.Minute, "start nothing new after this time")
	flag.IntVar(&b.pairs, "pairs", 3, "pairs of a plain and a watched run")
	flag.IntVar(&b.hosts, "hosts", 64, "hosts, of 4 ranks each")
	flag.StringVar(&b.prepared, "programs", "build/measured",
		"where scripts/apps/measured.sh has put the inputs of programs")
	flag.Parse()
	quiet.Main("bench/must", func(ctx context.Context) error {
		b.ctx, b.deadline = ctx, time.Now().Add(*limit)
		var err error
		if b.sizes, err = quiet.Numbers(*sizes); err != nil {
			return err
		}
		if b.only, err = regexp.Compile(*only); err != nil {
			return err
		}
		return b.run()
	})
}

func parts() []part { return []part{programsPart(), aheadPart(), ranksPart(), hostsPart()} }

func (b *bench) run() error {
	var err error
	if b.dir, err = os.MkdirTemp("", "unknot-must-"); err != nil {
		return err
	}
	defer os.RemoveAll(b.dir)
	if b.unknot, err = quiet.Unknot(b.ctx, b.dir); err != nil {
		return err
	}
	if b.polite, err = quiet.Polite(b.ctx, b.dir); err != nil {
		return err
	}
	if b.prepared, err = filepath.Abs(b.prepared); err != nil {
		return err
	}
	if err := b.compile(); err != nil {
		return err
	}
	var failed []error
	for _, p := range parts() {
		failed = append(failed, b.write(&p))
	}
	return errors.Join(failed...)
}

// write measures the rows of a part, as long as there is time, and writes its section. Rows that are not measured stay
// as they are, with their day.
func (b *bench) write(p *part) error {
	watch := quiet.Start()
	var text strings.Builder
	var failed []error
	measured := false
	for _, t := range p.tables {
		before, err := section.Rows(document, p.heading, t.keys)
		if err != nil {
			return err
		}
		rows, err := t.rows(b)
		if err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", p.name, err))
		}
		columns := strings.Count(t.head, "|")
		fmt.Fprintf(&text, "\n%s measured |\n|%s\n", t.head, strings.Repeat("---|", columns))
		var lines []string
		for _, r := range rows {
			line := before[r.key]
			if b.only.MatchString(p.name+": "+r.key) && time.Now().Before(b.deadline) && b.ctx.Err() == nil {
				rest, err := r.measure()
				if err != nil {
					failed = append(failed, fmt.Errorf("%s: %s: %w", p.name, r.key, err))
				} else {
					line, measured = fmt.Sprintf("| %s | %s | %s |", r.key, rest, quiet.Day()), true
					fmt.Println(line)
				}
			}
			if line == "" {
				line = fmt.Sprintf("| %s | not measured%s |", r.key, strings.Repeat(" |", columns-1-t.keys))
			}
			lines = append(lines, line)
		}
		text.WriteString(strings.Join(lines, "\n") + "\n")
		if t.below != nil {
			text.WriteString("\n" + t.below(lines) + "\n")
		}
	}
	if !measured {
		return errors.Join(failed...)
	}
	whole := fmt.Sprintf("%s\n\n%s %s\n%s", p.heading, watch.Caption("must"), p.about(b), text.String())
	return errors.Join(append(failed, section.Replace(document, p.heading, whole))...)
}
