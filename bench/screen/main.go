// Command screen screens the four programs of EMPDD, measures what screening costs as logs grow, and what hosts that
// screen parts of a log exchange. It writes the sections of docs/papers/empdd.md, and must be started in the
// repository's root, as go run ./bench/screen.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"time"

	"unknot/bench/quiet"
	"unknot/bench/section"
)

const document = "docs/papers/empdd.md"

func main() {
	limit := flag.Duration("limit", 6*time.Minute, "start nothing new after this time")
	steps := flag.Int("steps", 100_000_000, "the most operations of a log in memory")
	flag.Parse()
	quiet.Main("bench/screen", func(ctx context.Context) error {
		b := &bench{ctx: ctx, steps: *steps, deadline: time.Now().Add(*limit)}
		return b.run()
	})
}

// bench is a measurement.
type bench struct {
	ctx         context.Context
	steps       int
	deadline    time.Time
	dir, unknot string
}

func (b *bench) run() (err error) {
	if b.dir, err = os.MkdirTemp("", "unknot-screen-"); err != nil {
		return err
	}
	defer os.RemoveAll(b.dir)
	if b.unknot, err = quiet.Unknot(b.ctx, b.dir); err != nil {
		return err
	}
	var failed []error
	for _, s := range []struct {
		heading string
		write   func() (string, error)
	}{
		{"## Its programs", b.programs}, {"## Cost", b.cost}, {"## Parts on several hosts", b.parts},
	} {
		if time.Now().After(b.deadline) {
			failed = append(failed, fmt.Errorf("%s: no time was left", s.heading))
			continue
		}
		watch := quiet.Start()
		text, err := s.write()
		if err == nil {
			err = section.Replace(document, s.heading, s.heading+"\n\n"+watch.Caption("screen")+"\n\n"+text)
		}
		if err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", s.heading, err))
		}
		if b.ctx.Err() != nil {
			return b.ctx.Err()
		}
	}
	return errors.Join(failed...)
}
