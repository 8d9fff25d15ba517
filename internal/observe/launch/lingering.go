package launch

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"unknot/internal/kit/procstat"
)

// Lingering are launchers that have nothing left to wait for on this host: all ranks of the session that were watched
// have ended, and nothing runs that these launchers have started but daemons of their own. Open MPI's mpirun is known
// to hang now and then when its ranks have died.
type Lingering struct {
	Launchers []int
	Name      string        // of the first one's file
	Time      time.Duration // that they have had of processors
	Alone     bool          // nothing else of the session is there but scripts and wrappers above them
	daemons   []int
}

// daemonNames are processes by which launchers start ranks on their own host.
var daemonNames = map[string]bool{daemonName: true, "prted": true, "hydra_pmi_proxy": true}

// FindLingering looks for launchers that linger.
func FindLingering(session string) (l Lingering) {
	ranks := ringed(session)
	if len(ranks) == 0 || slices.ContainsFunc(ranks, lives) {
		return l
	}
	pids, unsure := members(session, nil)
	if unsure {
		return l
	}
	children := make(map[int][]int)
	for _, pid := range Processes() {
		if parent := parentOf(pid); parent != 0 && lives(pid) {
			children[parent] = append(children[parent], pid)
		}
	}
	named := func(pid int) bool { return daemonNames[executableOf(pid)] && len(children[pid]) == 0 }
	known := make(map[int]bool)
	for _, pid := range pids {
		name := executableOf(pid)
		if !launches(name) || held(pid) || !all(children[pid], named) {
			continue
		}
		if l.Name == "" {
			l.Name = name
		}
		l.Time += timeOf(pid)
		l.Launchers, l.daemons = append(l.Launchers, pid), append(l.daemons, children[pid]...)
		for above := parentOf(pid); above > 1; above = parentOf(above) {
			known[above] = true
		}
	}
	l.Alone = all(pids, func(pid int) bool {
		return known[pid] || slices.Contains(l.Launchers, pid) || slices.Contains(l.daemons, pid) || !lives(pid)
	})
	return l
}

// End ends the launchers.
func (l *Lingering) End(grace time.Duration) {
	left := Traces{launchers: map[int]bool{}}
	for _, pid := range l.Launchers {
		left.launchers[pid] = true
		_ = syscall.Kill(pid, syscall.SIGTERM)
	}
	for deadline := time.Now().Add(grace); time.Now().Before(deadline) && slices.ContainsFunc(l.Launchers, lives); {
		time.Sleep(10 * time.Millisecond)
	}
	kill(slices.DeleteFunc(slices.Concat(l.Launchers, l.daemons), func(pid int) bool { return !lives(pid) }))
	left.Remove()
}

func all(pids []int, is func(int) bool) bool {
	return !slices.ContainsFunc(pids, func(pid int) bool { return !is(pid) })
}

// launches says whether a file is a launcher by its name: of those by which ranks are started on this host without a
// batch system.
func launches(name string) bool {
	f := launcherNames[name]
	return f == OpenMPI || f == MPICH || ambiguousNames[name]
}

// executableOf is the name of the file that a process runs, "" if that is not known.
func executableOf(pid int) string {
	path, err := os.Readlink(procFile(pid, "exe"))
	if err != nil {
		return ""
	}
	return filepath.Base(strings.TrimSuffix(path, " (deleted)"))
}

// timeOf is the processor time that a process has had.
func timeOf(pid int) time.Duration {
	stat, err := procstat.Of(procFile(pid, ""))
	if err != nil {
		return 0
	}
	return procstat.Time(stat)
}

// lives says whether a thread of a process has not ended. The first one may have left the others behind (pthread_exit
// in main).
func lives(pid int) bool {
	tasks, _ := os.ReadDir(procFile(pid, "task"))
	return slices.ContainsFunc(tasks, func(task os.DirEntry) bool {
		stat, err := procstat.Of(procFile(pid, filepath.Join("task", task.Name())))
		return err == nil && !procstat.Ended(stat)
	})
}

// held says whether a process is stopped, or held by a debugger, as somebody looks at it, or waits until what it writes
// is read.
func held(pid int) bool {
	if strings.HasPrefix(procstat.Doing(pid, pid).Call, "write") {
		return true
	}
	text, _ := os.ReadFile(procFile(pid, "status"))
	for line := range strings.Lines(string(text)) {
		switch name, value, _ := strings.Cut(line, ":"); name {
		case "State":
			if f := strings.Fields(value); len(f) > 0 && strings.EqualFold(f[0], "t") {
				return true
			}
		case "TracerPid":
			if n, err := strconv.Atoi(strings.TrimSpace(value)); err != nil || n != 0 {
				return true
			}
		}
	}
	return false
}
