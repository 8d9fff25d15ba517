package agent

import (
	"path/filepath"
	"slices"
	"strings"
	"time"

	"unknot/internal/agent/kernel"
	"unknot/internal/kit/symbol"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/message"
)

// describeSleeper describes a thread that sleeps outside of MPI: where in the program, and in which function that makes
// threads wait for each other.
func (a *describer) describeSleeper(t *thread, k message.Key, end time.Time) message.Described {
	d := message.Described{Key: k, Still: t.stays(k)}
	d.Place = finding.Place{Rank: int(k.Rank), Thread: int(k.Thread), PID: t.rank.PID, Host: kernel.Hostname(),
		State: "blocked", Call: "asleep", WaitsFor: []int{}}
	d.Place.Last = a.history(t, false)
	if !t.asked {
		if d.Still && !k.Strict {
			a.locateScript(t, nil, &d)
		}
		return d
	}
	pcs, err := t.rank.processes.Stack(t.ring, end)
	if err != nil {
		return d
	}
	at := slices.IndexFunc(pcs, func(pc uint64) bool { return a.inProgram(t.rank, pc) })
	if at < 0 {
		return d
	}
	stack := symbol.UpToMain(a.Named(&t.rank.Process, pcs[at:]))
	d.Place.Frame, d.Place.Stack = stack[0], stack
	for at--; at > 0; at-- {
		if module, _ := t.rank.Maps.Locate(pcs[at]); !ofProbe(module) {
			break
		}
	}
	if at >= 0 {
		d.Place.Call = a.sleepsIn(t.rank, pcs[at])
	}
	return d
}

// inProgram says whether code is the program's own, with line numbers.
func (a *describer) inProgram(r *rank, pc uint64) bool {
	module, _ := r.Maps.Locate(pc)
	return !ofSystem(module) && a.resolve.Frames(r.Maps, pc, true)[0].File != ""
}

// ofSystem says whether a module is a library of the system.
func ofSystem(module string) bool {
	return strings.HasPrefix(module, "/lib") || strings.HasPrefix(module, "/usr/lib")
}

// ofProbe says whether a module is the probe, which stands before functions of the system.
func ofProbe(module string) bool {
	name := filepath.Base(module)
	return strings.HasPrefix(name, "probe-") && strings.HasSuffix(name, ".so")
}

// sleepsIn names the function of a system library that a thread sleeps in, as the program knows it, or at least the
// library.
func (a *describer) sleepsIn(r *rank, pc uint64) string {
	frames := a.resolve.Frames(r.Maps, pc, true)
	function := frames[len(frames)-1].Function
	for _, name := range []string{"pthread_barrier_wait", "pthread_cond_wait", "pthread_mutex_lock",
		"pthread_rwlock_rdlock", "pthread_rwlock_wrlock", "sem_wait"} {
		if strings.Contains(function, name) {
			return name
		}
	}
	if strings.HasPrefix(function, "GOMP_") {
		return function
	}
	if module, _ := r.Maps.Locate(pc); module != "" {
		return "asleep in " + filepath.Base(module)
	}
	return "asleep"
}
