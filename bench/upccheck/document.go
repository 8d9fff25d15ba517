package main

import (
	"fmt"
	"strings"

	"unknot/bench/quiet"
)

// What is promised of one operation, in microseconds and as a share of the median, and of memory in bytes.
const (
	mostMicros = 5.0
	spread     = 0.15
	mostBytes  = 128 << 10
	mostLevel  = 512
)

func costTable(all []cost) string {
	d := new(strings.Builder)
	fmt.Fprintf(d, "The check of one `upc_all_broadcast` is measured by itself: in a "+
		"program whose linker was given a function that does nothing in the\n"+
		"place of the library's, so that nobody waits in it. In each round all threads but one make 48 calls; then "+
		"the last one does, which so compares with both\n"+
		"neighbours each time, and measures the processor time (`CLOCK_THREAD_CPUTIME_ID`) of the last 32. That does "+
		"not grow while the thread waits for a\n"+
		"processor; after it has waited, its data are not in the processor's cache, which the first 16 calls are "+
		"for. The table has the time that the fastest tenth of the\n"+
		"rounds do not exceed, the median of %d launches, less that of the same loop without checks. Thread 0 has a "+
		"processor for itself. Beside it is the time that a call takes without checks, from its start to its "+
		"end, when all\n"+
		"threads make it.\n\n", launches)
	middle := make([]float64, len(all))
	for i, c := range all {
		middle[i] = c.check
	}
	usual, worst, deviation := quiet.Median(middle), 0.0, 0.0
	for _, c := range all {
		worst = max(worst, c.check)
		deviation = max(deviation, c.check/usual-1) // with two threads there is one neighbour to compare with
	}
	fmt.Fprintf(d, "| | promised | measured |\n|---|---|---|\n| the check | at most %.0f µs | %.2f µs%s |\n| from %d "+
		"to %d threads | at most %.0f %% above the median | %.0f %%%s |\n\n",
		mostMicros, worst, missed(worst > mostMicros), all[0].threads, all[len(all)-1].threads, 100*spread,
		100*deviation, missed(deviation > spread))
	d.WriteString("| threads | the check | a call without checks |\n|---|---|---|\n")
	for _, c := range all {
		fmt.Fprintf(d, "| %d | %.2f µs | %.1f µs |\n", c.threads, c.check, c.call)
	}
	return d.String()
}

func memoryTable(all []memory) string {
	d := new(strings.Builder)
	d.WriteString("What the checks add to a thread of a program that uses them all, compiled with `-s`: " +
		"its part of shared objects and its writable data, by the sections of\n" +
		"the program, which are compared with those of the program without checks; what malloc gave to the checks; " +
		"and what a call of a function of\n" +
		"the program adds to the stack. Reports have memory only when there is one.\n\n")
	d.WriteString("| threads | shared | private | allocated | together | promised | a call level | promised " +
		"|\n|---|---|---|---|---|---|---|---|\n")
	for _, m := range all {
		fmt.Fprintf(d, "| %d | %s | %s | %s | %s | at most %s%s | %d bytes | at most %d bytes%s |\n", m.threads,
			kib(m.shared), kib(m.private), kib(m.allocated),
			kib(m.total()), kib(mostBytes), missed(m.total() > mostBytes), m.level, mostLevel,
			missed(m.level > mostLevel))
	}
	return d.String()
}

func kib(bytes int64) string { return fmt.Sprintf("%.1f KiB", float64(bytes)/1024) }
