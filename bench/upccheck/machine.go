package main

import (
	"os"
	"strings"

	"unknot/bench/quiet"
)

// machine is what else happened while something was measured: load averages before and after, and the share of the
// processors' time that a hypervisor gave to others.
type machine struct {
	loadBefore, loadAfter string
	stolen, ticks         float64
}

func look() machine {
	var m machine
	if text, err := os.ReadFile("/proc/loadavg"); err == nil {
		m.loadBefore, _, _ = strings.Cut(string(text), " ")
	}
	m.stolen, m.ticks = quiet.ProcessorTime()
	return m
}

func since(before machine) machine {
	now := look()
	return machine{before.loadBefore, now.loadBefore, now.stolen - before.stolen, now.ticks - before.ticks}
}

func (m machine) stolenPercent() float64 { return 100 * m.stolen / max(m.ticks, 1) }
