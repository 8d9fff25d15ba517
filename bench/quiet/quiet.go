// Package quiet is for measurements on a machine whose hypervisor gives processors to others now and then: whoever
// waits for others in a barrier then waits for the hypervisor.
package quiet

import (
	"cmp"
	"os"
	"slices"
	"strconv"
	"strings"
)

// A run is disturbed if more than this share of the processors' time was given to others meanwhile. For each
// undisturbed one that is wanted, up to Patience are made.
const (
	Disturbed = 0.02
	Patience  = 3
)

// Runs makes n undisturbed runs, or Patience*n altogether, and gives the n least disturbed ones in the order in which
// they were made; stolen is the share of the processors' time that the most disturbed one of them lacked.
func Runs[T any](n int, run func() (T, error)) (kept []T, stolen float64, err error) {
	type result struct {
		value  T
		stolen float64
		nth    int
	}
	var all []result
	for good := 0; good < n && len(all) < Patience*n; {
		stolen, ticks := ProcessorTime()
		value, err := run()
		if err != nil {
			return nil, 0, err
		}
		stolen2, ticks2 := ProcessorTime()
		share := (stolen2 - stolen) / max(ticks2-ticks, 1)
		if all = append(all, result{value, share, len(all)}); share <= Disturbed {
			good++
		}
	}
	slices.SortStableFunc(all, func(a, b result) int { return cmp.Compare(a.stolen, b.stolen) })
	all = all[:n]
	stolen = all[n-1].stolen
	slices.SortFunc(all, func(a, b result) int { return a.nth - b.nth })
	for _, r := range all {
		kept = append(kept, r.value)
	}
	return kept, stolen, nil
}

// ProcessorTime is the processor time since the machine started, in ticks: what a hypervisor gave to others, and all
// (proc(5), /proc/stat).
func ProcessorTime() (stolen, all float64) {
	text, err := os.ReadFile("/proc/stat")
	if err != nil {
		return 0, 0
	}
	line, _, _ := strings.Cut(string(text), "\n")
	for i, word := range strings.Fields(line) {
		n, err := strconv.ParseFloat(word, 64)
		if err != nil {
			continue // "cpu"
		}
		all += n
		if i == 8 {
			stolen = n
		}
	}
	return stolen, all
}
