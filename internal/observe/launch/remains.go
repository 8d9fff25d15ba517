package launch

import (
	"bytes"
	"io"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"

	"unknot/internal/kit/procstat"
	"unknot/internal/observe/ring"
	"unknot/internal/shmem/layout"
)

// Ranks returns the processes of this host that are attached to a session: those that have left a ring
// ("ring.PID.TID") in its directory and still map it, or as PEs of OpenSHMEM their stream.
func Ranks(session string) []int {
	var pids []int
	for _, pid := range ringed(session) {
		// A pid may have been given to another process since.
		if strings.Contains(memoryMap(pid), session+"/") {
			pids = append(pids, pid)
		}
	}
	return pids
}

// ringed returns the processes that have left a ring or a stream in the session's directory, whether they are still
// there or not.
func ringed(session string) []int {
	entries, err := os.ReadDir(session)
	if err != nil {
		return nil
	}
	var pids []int
	seen := map[int]bool{}
	for _, e := range entries {
		name, ok := strings.CutPrefix(e.Name(), ring.RingPrefix)
		if !ok {
			name, ok = strings.CutPrefix(e.Name(), layout.PEPrefix)
		}
		if !ok {
			continue
		}
		name, _, _ = strings.Cut(name, ".")
		if pid, err := strconv.Atoi(name); err == nil && !seen[pid] {
			seen[pid] = true
			pids = append(pids, pid)
		}
	}
	return pids
}

// members returns all processes of this host except bystanders whose environment names the session: ranks before and
// after MPI_Init, and what the launcher started around them. unsure says that a process could not be recognised, as it
// was just in the middle of an execve.
func members(session string, b Bystanders) (pids []int, unsure bool) {
	for _, pid := range Processes() {
		if pid == os.Getpid() || b.has(pid) {
			continue
		}
		env, known := StartedWith(pid)
		if bytes.Contains(env, []byte(envSession+"="+session+"\x00")) {
			pids = append(pids, pid)
		}
		unsure = unsure || !known
	}
	return pids, unsure
}

// StartedWith returns what a process was started with, nothing if it may not be read. known is false in the middle of
// an execve, when a process has new memory without an environment in it yet.
func StartedWith(pid int) (env []byte, known bool) {
	const looks = 5
	for look := range looks {
		env, err := readAtOnce(procFile(pid, "environ"))
		if len(env) > 0 || err != nil {
			return env, true
		}
		// Threads of the kernel and processes that have ended have no memory at all.
		stat, err := procstat.Of(procFile(pid, ""))
		if err != nil || procstat.Ended(stat) {
			return nil, true
		}
		const kernel = 0x200000
		if n, err := strconv.ParseUint(stat[procstat.Flags], 10, 64); err != nil || n&kernel != 0 {
			return nil, true
		}
		// The execve may have come to its end since the environment was read. While its end is set up, it is where it
		// begins.
		if stat[procstat.EnvTo] != "0" && stat[procstat.EnvTo] == stat[procstat.EnvFrom] {
			if look == looks-1 {
				return nil, true // there is none
			}
			time.Sleep(time.Millisecond)
		}
	}
	return nil, false
}

// readAtOnce reads a file of /proc by one call of read: an execve between two would leave the first part alone.
func readAtOnce(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	for size := 1 << 16; ; size *= 2 {
		buffer := make([]byte, size)
		n, err := f.ReadAt(buffer, 0)
		if n < size {
			if err == io.EOF {
				err = nil
			}
			return buffer[:n], err
		}
	}
}

// memoryMap returns what a process has mapped, as proc(5) tells it; "" if it has gone or may not be looked at.
func memoryMap(pid int) string {
	data, _ := os.ReadFile(procFile(pid, "maps"))
	return string(data)
}

// AwaitRanks returns when no rank of the session is left on this host, or kills those that are after the grace period.
// It returns how many it killed. Ranks that outlive their launcher leave their shared memory behind; see End.
func AwaitRanks(session string, grace time.Duration) int {
	deadline := time.Now().Add(grace)
	var traces Traces
	left := traces.lookAtRanks(ringed(session), session)
	defer traces.Remove()
	for pause := time.Millisecond; ; pause = min(2*pause, 50*time.Millisecond) {
		if len(left) == 0 {
			return 0
		}
		if time.Now().After(deadline) {
			return kill(left)
		}
		time.Sleep(pause)
		left = Ranks(session)
	}
}

// End ends the job: it asks the launcher to, kills ranks that are still there after rankGrace, as nothing will make
// them move, and what is left of the job after grace.
//
// Open MPI's ranks share memory through files in /dev/shm, which they remove themselves unless they are killed; so
// those files are removed for them.
func (p *Process) End(session string, rankGrace, grace time.Duration) {
	var traces Traces
	traces.Look(session)
	p.Signal(syscall.SIGTERM)
	if !p.endsWithin(rankGrace) {
		kill(Ranks(session))
	}
	if !p.endsWithin(grace) {
		p.Signal(syscall.SIGKILL)
		<-p.Done
	}
	if p.wrapped {
		AwaitMembers(session, grace)
	}
	KillMembers(session)
	traces.Remove()
}

// Sweep removes what a launcher that was killed has left. It is called when the ranks have gone.
func (p *Process) Sweep() {
	if p.Killed != 0 {
		t := Traces{launchers: map[int]bool{p.PID: true}}
		t.Remove()
	}
}

func (p *Process) endsWithin(d time.Duration) bool {
	select {
	case <-p.Done:
		return true
	case <-time.After(d):
		return false
	}
}

// AwaitMembers returns when the launcher and all that it started on this host have ended, or after the grace period.
func AwaitMembers(session string, grace time.Duration) {
	for deadline := time.Now().Add(grace); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if pids, unsure := members(session, nil); len(pids) == 0 && !unsure {
			return
		}
	}
}

// KillMembers kills all processes of the session on this host and returns when they are gone or cannot be killed.
func KillMembers(session string) {
	const patience = 2 * time.Second
	for deadline := time.Now().Add(patience); ; time.Sleep(5 * time.Millisecond) {
		pids, unsure := members(session, nil)
		if kill(pids) == 0 && !unsure || time.Now().After(deadline) {
			return
		}
	}
}

func kill(pids []int) int {
	n := 0
	for _, pid := range pids {
		if syscall.Kill(pid, syscall.SIGKILL) == nil {
			n++
		}
	}
	return n
}
