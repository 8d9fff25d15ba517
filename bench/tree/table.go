package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"unknot/bench/section"
	"unknot/internal/root/detect"
)

func (c *cost) line() string {
	return fmt.Sprintf("%8d ranks: %v an operation, alone %v, %.0f records/s, %.4f messages and %.2f bytes an "+
		"operation, root %v a barrier", c.size, c.agent, c.alone, float64(c.records), c.messages, c.bytes, c.root)
}

func (d *detection) line() string {
	return fmt.Sprintf("%8d ranks, %s: %v, stages %v, root %d bytes, page %d bytes, %d MiB, set-up %v: %s", d.size,
		d.name, d.whole, d.stages[detect.Synchronisation:],
		d.traffic.rootBytes, d.html, d.held>>20, d.setup,
		d.findings[0].Sentence[:min(100, len(d.findings[0].Sentence))])
}

// count writes a number with a comma between each three digits.
func count(n int) string {
	text := strconv.Itoa(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

func millis(d time.Duration) string { return fmt.Sprintf("%.1f", float64(d.Microseconds())/1000) }

// curves are the files that the section shows, beside the document.
var curves = []string{"tree-cost.svg", "tree-detection.svg", "tree-root.svg"}

// missed marks a figure that is not as required.
func missed(is bool) string {
	if is {
		return " **missed**"
	}
	return ""
}

// mostHeld is how much memory the process may have.
const mostHeld = 8 << 30

// text is the section.
func (r *results) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\nWritten by `go run ./bench/tree -o %s`; do not edit. Real agents, relays and the real "+
		"root with simulated ranks, in one goroutine on one core;\n"+
		"messages between members become bytes. Fan-in %d, checks %s. %s, %s, took %.0f s.\n\n", section.Large, r.out,
		r.fanIn, map[bool]string{true: "as by default", false: "off"}[r.checks],
		runtime.Version(), time.Now().UTC().Format("2006-01-02 15:04 UTC"), r.took.Seconds())
	if len(r.costs) > 0 {
		fmt.Fprintf(&b, "The ring exchange of the SC 2013 paper (MPI_Isend, MPI_Recv, MPI_Wait, a barrier after each "+
			"tenth time), %d ranks an agent. An operation is an MPI call; its cost is the median of slices of ten "+
			"iterations.\n"+
			"All agents take turns in one process, and each finds the processor's caches full of what the others "+
			"had. So one in the middle of the job gets the same records and messages\n"+
			"once more, turn by turn, with the caches for itself, as on a separate host: that is what an operation "+
			"costs its agent, the least of 15 times. Messages and bytes are all that go over links, and are those of "+
			"the agent itself. The cost must stay within 20 %% of that at %s ranks.\n\n", r.perAgent,
			count(r.costs[0].size))
		b.WriteString("| ranks | agents | an operation costs its agent | compared | in one process with all others | " +
			"records/s there | messages an operation | bytes an operation | root, for a barrier " +
			"|\n|---|---|---|---|---|---|---|---|---|\n")
		for i := range r.costs {
			c := &r.costs[i]
			ratio := float64(c.alone) / float64(r.costs[0].alone)
			fmt.Fprintf(&b, "| %s | %s | %d ns | %.2f%s | %d ns | %s | %.4f | %.2f | %.1f µs |\n", count(c.size),
				count((c.size+r.perAgent-1)/r.perAgent), c.alone.Nanoseconds(), ratio,
				missed(ratio < 0.8 || ratio > 1.2), c.agent.Nanoseconds(),
				count(int(c.records)), c.messages, c.bytes, float64(c.root.Nanoseconds())/1000)
		}
		fmt.Fprintf(&b, "\n![Cost of an operation](%s)\n\n", curves[0])
	}
	if len(r.found) > 0 {
		fmt.Fprintf(&b, "Deadlocks, from the trigger to the page, split as in the paper (figure 10), in "+
			"milliseconds. An agent has %d ranks; from half a million on four times as many.\n"+
			"Required: 4,096 ranks ≤ 1,000 ms, 1,048,576 ranks ≤ 30,000 ms and ≤ 8,192 MiB. Bytes are those that "+
			"come to the root, and leave it, from the trigger on.\n\n", r.perNode)
		b.WriteString("| ranks | deadlock | synchronisation | gathering | graph | check | output | in all | bytes at " +
			"the root | memory of the process, MiB |\n|---|---|---|---|---|---|---|---|---|---|\n")
		for i := range r.found {
			d := &r.found[i]
			fmt.Fprintf(&b, "| %s | %s |", count(d.size), d.name)
			for _, s := range d.stages[detect.Synchronisation:] {
				fmt.Fprintf(&b, " %s |", millis(s))
			}
			fmt.Fprintf(&b, " %s | %s | %s%s |\n", millis(d.whole), count(d.traffic.rootBytes), count(int(d.held>>20)),
				missed(d.held > mostHeld))
		}
		fmt.Fprintf(&b, "\n![Time of detection](%s)\n\n![Bytes at the root](%s)\n", curves[1], curves[2])
	}
	return b.String()
}

// draw writes the curves beside the document.
func (r *results) draw(out string) error {
	var cost, whole, bytes []curve
	if len(r.costs) > 0 {
		alone, among := curve{name: "with the caches for itself"}, curve{name: "in one process with all others"}
		for i := range r.costs {
			alone.add(r.costs[i].size, float64(r.costs[i].alone.Nanoseconds()))
			among.add(r.costs[i].size, float64(r.costs[i].agent.Nanoseconds()))
		}
		cost = []curve{alone, among}
	}
	for _, x := range deadlocks() {
		w, b := curve{name: x.name}, curve{name: x.name}
		for i := range r.found {
			if d := &r.found[i]; d.name == x.name {
				w.add(d.size, float64(d.whole.Microseconds())/1000)
				b.add(d.size, float64(d.traffic.rootBytes))
			}
		}
		whole, bytes = append(whole, w), append(bytes, b)
	}
	for i, d := range []drawing{{"cost of an operation to its agent, ns", cost}, {"from the trigger to the page, ms",
		whole}, {"bytes to and from the root", bytes}} {
		if len(d.curves) == 0 || len(d.curves[0].at) == 0 {
			continue
		}
		if err := os.WriteFile(filepath.Join(filepath.Dir(out), curves[i]), []byte(d.svg()), 0o644); err != nil {
			return err
		}
	}
	return nil
}
