package quiet

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"
)

// Watch is what else happened on the machine while something was measured.
type Watch struct {
	start         time.Time
	load          string
	stolen, ticks float64
}

// Start begins a measurement.
func Start() Watch {
	w := Watch{start: time.Now(), load: load()}
	w.stolen, w.ticks = ProcessorTime()
	return w
}

// Day is today, as tables have it beside what was measured: 2 Jan.
func Day() string { return time.Now().UTC().Format("2 Jan") }

// Caption is what a document says of a measurement that ends now: the command that writes it, which is this one of
// package main in ./bench with its arguments; when and where it was made, and how long it took (seconds below two
// minutes); the load average of one minute before and after; and the share of the processors' time that the hypervisor
// gave to others.
func (w Watch) Caption(bench string) string {
	command := strings.Join(append([]string{"go run ./bench/" + bench}, os.Args[1:]...), " ")
	now, took := Start(), time.Since(w.start).Round(time.Second).String()
	if d := time.Since(w.start); d >= 2*time.Minute {
		took = fmt.Sprintf("%.0f minutes", d.Minutes())
	}
	return fmt.Sprintf("Written by `%s`; do not edit. %s, took %s on %d processors (%s). The load average was %s "+
		"before and %s after;\nthe hypervisor gave %.0f %% of the processors' time to others meanwhile.", command,
		w.start.UTC().Format("2 January 2006"), took, runtime.NumCPU(), processor(), w.load, now.load,
		100*(now.stolen-w.stolen)/max(now.ticks-w.ticks, 1))
}

// load is the load average of the last minute (proc(5), /proc/loadavg).
func load() string {
	text, _ := os.ReadFile("/proc/loadavg")
	one, _, _ := strings.Cut(string(text), " ")
	return one
}

// processor is the name of the processor's model.
func processor() string {
	text, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(text)) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return "unknown model"
}
