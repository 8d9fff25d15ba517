// Command papers measures again what the pages of docs/papers say in figures; `make papers` calls it in the root of the
// repository. With a word, as in `go run ./bench/papers must`, only the steps of pages with that word in their name are
// made. Each step is a command that writes its own section of a page, and starts nothing new after its limit.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"unknot/bench/quiet"
)

func main() {
	only := strings.Join(os.Args[1:], " ")
	quiet.Main("papers", func(ctx context.Context) error {
		var failed []error
		for _, s := range steps() {
			if !strings.Contains(s.page, only) {
				continue
			}
			if err := s.run(ctx); err != nil {
				failed = append(failed, fmt.Errorf("%s: %w", s.command(), err))
			}
			if ctx.Err() != nil {
				return ctx.Err()
			}
		}
		return errors.Join(failed...)
	})
}

// run makes a step, and says how long it took.
func (s step) run(ctx context.Context) error {
	fmt.Println("papers:", s.command())
	start := time.Now()
	words := strings.Fields(s.command())
	command := exec.CommandContext(ctx, words[0], words[1:]...)
	command.Stdout, command.Stderr = os.Stdout, os.Stderr
	command.Cancel = func() error { return command.Process.Signal(os.Interrupt) }
	err := command.Run()
	fmt.Printf("papers: took %.1f minutes of %.0f\n", time.Since(start).Minutes(), s.limit.Minutes())
	return err
}
