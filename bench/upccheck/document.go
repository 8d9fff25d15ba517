package main

import (
	"fmt"
	"math"
	"runtime"
	"strings"
	"time"

	"unknot/bench/quiet"
)

// What is promised.
const (
	averageRatio  = 1.01
	greatestRatio = 1.05
	mostMicros    = 5.0
	spread        = 0.15
	mostBytes     = 128 << 10
	mostLevel     = 512
)

// results are all that was measured.
type results struct {
	slowdowns []slowdown
	costs     []cost
	memory    []memory
	machine   machine
}

func missed(isMissed bool) string {
	if isMissed {
		return " **missed**"
	}
	return ""
}

// document is bench/UPC-CHECK.md.
func (b *bench) document(r results) []byte {
	var d strings.Builder
	fmt.Fprintf(&d, "# What upc-check costs\n\nWritten by `go run ./bench/upccheck`; do not edit. %s, %d processors, "+
		"%s. The load average was %s before and %s after;\n"+
		"the machine's hypervisor gave %.0f %% of the processors' time to others meanwhile.\n\n", b.mpi,
		runtime.NumCPU(), time.Now().Format("2 January 2006"),
		r.machine.loadBefore, r.machine.loadAfter, r.machine.stolenPercent())
	slowdownTable(&d, r.slowdowns)
	costTable(&d, r.costs)
	memoryTable(&d, r.memory)
	return []byte(d.String())
}

func slowdownTable(d *strings.Builder, all []slowdown) {
	fmt.Fprintf(d, "## Whole programs\n\nPrograms of [bench/upc](UPC.md) compiled by `unknot upcc` and by `unknot "+
		"upc-check`. The two are run in turn. Times are those that\n"+
		"the programs say, and of them the one that a quarter of the runs do not exceed (the fastest of three): "+
		"others on the machine disturb runs by much more than\n"+
		"checks do. The ratio is theirs. Beside it is the median of the ratios of neighbouring runs. Pairs of\n"+
		"which the hypervisor took more than %.0f %% of the processors' time are repeated, up to %d times as many "+
		"pairs as count; \"stolen\" is the largest share that\n"+
		"it gave to others in a pair that counts. With more threads than processors, times say how waiting behaves "+
		"as well.\n\n", 100*quiet.Disturbed, quiet.Patience)
	if len(all) == 0 {
		d.WriteString("Not measured.\n\n")
		return
	}
	sum, greatest := 0.0, 0.0
	for _, s := range all {
		sum += s.ratio()
		greatest = max(greatest, s.ratio())
	}
	average := sum / float64(len(all))
	fmt.Fprintf(d, "| | promised | measured |\n|---|---|---|\n| average | at most %.2f | %.3f%s |\n| greatest | at "+
		"most %.2f | %.3f%s |\n\n", averageRatio, average,
		missed(average > averageRatio), greatestRatio, greatest, missed(greatest > greatestRatio))
	d.WriteString("| program | class | threads | pairs | without | with checks | ratio | median | stolen " +
		"|\n|---|---|---|---|---|---|---|---|---|\n")
	for _, s := range all {
		fmt.Fprintf(d, "| %s | %s | %d | %d | %.4f s | %.4f s | %.3f%s | %.3f | %.0f %% |\n", s.program, s.class,
			s.threads, s.pairs, s.plain, s.checked, s.ratio(),
			missed(s.ratio() > greatestRatio), s.median, 100*s.stolen)
	}
	d.WriteString("\n")
}

func costTable(d *strings.Builder, all []cost) {
	fmt.Fprintf(d, "## One collective operation\n\nThe check of one `upc_all_broadcast` is measured by itself: in a "+
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
	if len(all) == 0 {
		d.WriteString("Not measured.\n\n")
		return
	}
	middle := make([]float64, len(all))
	for i, c := range all {
		middle[i] = c.check
	}
	usual, worst, deviation := median(middle), 0.0, 0.0
	for _, c := range all {
		worst = max(worst, c.check)
		deviation = max(deviation, math.Abs(c.check/usual-1))
	}
	fmt.Fprintf(d, "| | promised | measured |\n|---|---|---|\n| the check | at most %.0f µs | %.2f µs%s |\n| from %d "+
		"to %d threads | within %.0f %% of the median | within %.0f %%%s |\n\n",
		mostMicros, worst, missed(worst > mostMicros), all[0].threads, all[len(all)-1].threads, 100*spread,
		100*deviation, missed(deviation > spread))
	d.WriteString("| threads | the check | a call without checks |\n|---|---|---|\n")
	for _, c := range all {
		fmt.Fprintf(d, "| %d | %.2f µs | %.1f µs |\n", c.threads, c.check, c.call)
	}
	d.WriteString("\n")
}

func memoryTable(d *strings.Builder, all []memory) {
	d.WriteString("## Memory\n\nWhat the checks add to a thread of a program that uses them all, compiled with `-s`: " +
		"its part of shared objects and its writable data, by the sections of\n" +
		"the program, which are compared with those of the program without checks; what malloc gave to the checks; " +
		"and what a call of a function of\n" +
		"the program adds to the stack. Reports have memory only when there is one.\n\n")
	if len(all) == 0 {
		d.WriteString("Not measured.\n")
		return
	}
	d.WriteString("| threads | shared | private | allocated | together | promised | a call level | promised " +
		"|\n|---|---|---|---|---|---|---|---|\n")
	for _, m := range all {
		fmt.Fprintf(d, "| %d | %s | %s | %s | %s | at most %s%s | %d bytes | at most %d bytes%s |\n", m.threads,
			kib(m.shared), kib(m.private), kib(m.allocated),
			kib(m.total()), kib(mostBytes), missed(m.total() > mostBytes), m.level, mostLevel,
			missed(m.level > mostLevel))
	}
}

func kib(bytes int64) string { return fmt.Sprintf("%.1f KiB", float64(bytes)/1024) }
