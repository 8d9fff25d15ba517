package main

import (
	"os"
	"strconv"
	"strings"
)

// machine is what else happened while something was measured: load averages before and after, and the share of the processors' time that a
// hypervisor gave to others.
type machine struct {
	loadBefore, loadAfter string
	stolen, ticks         float64
}

// look reads the load average, and the processor time since the machine started: what was stolen, and all (proc(5), /proc/stat).
func look() machine {
	var m machine
	if text, err := os.ReadFile("/proc/loadavg"); err == nil {
		m.loadBefore, _, _ = strings.Cut(string(text), " ")
	}
	text, err := os.ReadFile("/proc/stat")
	if err != nil {
		return m
	}
	line, _, _ := strings.Cut(string(text), "\n")
	for i, word := range strings.Fields(line) {
		n, err := strconv.ParseFloat(word, 64)
		if err != nil {
			continue // "cpu"
		}
		m.ticks += n
		if i == 8 {
			m.stolen = n
		}
	}
	return m
}

func since(before machine) machine {
	now := look()
	return machine{before.loadBefore, now.loadBefore, now.stolen - before.stolen, now.ticks - before.ticks}
}

func (m machine) stolenPercent() float64 { return 100 * m.stolen / max(m.ticks, 1) }
