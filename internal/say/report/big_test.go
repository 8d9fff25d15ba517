package report

import (
	"io"
	"testing"
)

// BenchmarkReport times a knot in which every rank waits for every other one, the largest input for its ranks.
func BenchmarkReport(b *testing.B) {
	run := wildcardKnot(4096)
	for name, write := range map[string]func() error{
		"terminal": func() error { return Terminal(io.Discard, run, TerminalOptions{}) },
		"html":     func() error { return HTML(io.Discard, run, HTMLOptions{}) },
		"json":     func() error { return JSON(io.Discard, run) },
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if err := write(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
