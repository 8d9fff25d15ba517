package main

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// machine is where and when the figures were made.
type machine struct {
	cpu, kernel, memory string
	mpis                []mpi
	begin, end          time.Time
	loadBefore          string
	loadAfter           string
	busy                float64 // part of the cores that other work had before
}

func describe(mpis []mpi) *machine {
	m := &machine{mpis: mpis, begin: time.Now(), loadBefore: load()}
	m.cpu = field("/proc/cpuinfo", "model name")
	m.memory = field("/proc/meminfo", "MemTotal")
	idle, all := processorTimes()
	time.Sleep(2 * time.Second)
	idleNow, allNow := processorTimes()
	m.busy = 1 - (idleNow-idle)/(allNow-all)
	release, _ := os.ReadFile("/proc/sys/kernel/osrelease")
	m.kernel = strings.TrimSpace(string(release))
	return m
}

func (m *machine) finish() { m.end, m.loadAfter = time.Now(), load() }

func (m *machine) lines() []string {
	out := []string{
		fmt.Sprintf("Machine: %s, %d cores, %s; Linux %s, %s", m.cpu, runtime.NumCPU(), m.memory, m.kernel,
			runtime.Version()),
		fmt.Sprintf("Load before: %s; after: %s (1, 5, 15 minutes). Load that is not ours makes all times of more "+
			"ranks than free cores worse.", m.loadBefore, m.loadAfter),
		fmt.Sprintf("Date: %s, took %.0f minutes", m.begin.UTC().Format("2006-01-02 15:04 UTC"),
			m.end.Sub(m.begin).Minutes()),
		"Command: `make bench`, which is `go run ./bench " + strings.Join(os.Args[1:], " ") + "`",
	}
	if m.busy > 0.1 {
		out = append(out, fmt.Sprintf("**Other work kept the cores %.0f %% busy: these figures do not judge the "+
			"budgets.** Repeat it on a quiet machine.", 100*m.busy))
	}
	for _, i := range m.mpis {
		out = append(out, i.name+": "+i.version())
	}
	return out
}

// processorTimes are the time that the cores were idle, and all of their time, in units that do not matter.
func processorTimes() (idle, all float64) {
	text, _ := os.ReadFile("/proc/stat")
	first, _, _ := strings.Cut(string(text), "\n")
	for i, f := range strings.Fields(first) {
		n, _ := strconv.ParseFloat(f, 64)
		all += n
		if i == 4 || i == 5 { // idle, and idle while a disk works; see proc(5)
			idle += n
		}
	}
	return idle, all
}

// field is the value of the first line of a file under /proc that begins with a name.
func field(path, name string) string {
	text, _ := os.ReadFile(path)
	for l := range strings.Lines(string(text)) {
		if k, v, ok := strings.Cut(l, ":"); ok && strings.TrimSpace(k) == name {
			return strings.TrimSpace(v)
		}
	}
	return "unknown"
}

func load() string {
	text, _ := os.ReadFile("/proc/loadavg")
	f := strings.Fields(string(text))
	if len(f) < 3 {
		return "unknown"
	}
	return strings.Join(f[:3], " ")
}

// version is the first line that says one in what the launcher prints of itself.
func (i mpi) version() string {
	text, err := exec.Command(i.launcher(), "--version").CombinedOutput()
	if err != nil {
		return "unknown"
	}
	for l := range strings.Lines(string(text)) {
		if strings.ContainsAny(l, "0123456789") {
			return strings.Join(strings.Fields(l), " ")
		}
	}
	return "unknown"
}
