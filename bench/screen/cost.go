package main

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"unknot/bench/quiet"
)

const costOpening = `A stencil in which every 64th process is the master of the others and receives their results by
wildcards, in memory. Operations are sends, receives, collectives and waits; seconds are processor time of one core.

| processes | operations | seconds | million operations/s | memory | bytes an operation |
|---|---|---|---|---|---|
`

// cost is a table of seconds and memory by the length of the log and the number of processes.
func (b *bench) cost() (string, error) {
	out, err := quiet.GoBench(b.ctx, "./internal/predict/screen", "^BenchmarkCost$", "1x", 1,
		fmt.Sprintf("UNKNOT_SCREEN_STEPS=%d", b.steps))
	if err != nil {
		return "", err
	}
	var figures [3]map[string][]float64
	for i, name := range []string{"steps", "cpu-s", "peak-MiB"} {
		if figures[i], err = quiet.Metric(out, name); err != nil {
			return "", err
		}
	}
	text := costOpening
	names := slices.SortedFunc(maps.Keys(figures[0]), func(x, y string) int {
		return slices.Compare(numbers(x), numbers(y))
	})
	for _, name := range names {
		steps, seconds, memory := figures[0][name][0], figures[1][name][0], figures[2][name][0]
		text += fmt.Sprintf("| %s | %s | %.4f | %.1f | %.0f MiB | %.0f |\n", grouped(numbers(name)[0]),
			grouped(int(steps)), seconds, steps/seconds/1e6, memory, memory*(1<<20)/steps)
	}
	return text, nil
}

// numbers are those in the name of a benchmark.
func numbers(name string) (list []int) {
	for _, word := range strings.Split(name, "/")[1:] {
		n, _ := strconv.Atoi(word) // BenchmarkCost makes the names
		list = append(list, n)
	}
	return list
}

// grouped is a number with a comma at each thousand.
func grouped(n int) string {
	text := strconv.Itoa(n)
	for at := len(text) - 3; at > 0; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}
