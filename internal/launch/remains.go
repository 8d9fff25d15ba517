package launch

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"unknot/internal/ring"
)

// Ranks returns the processes of this host that are attached to a session: those that have left a ring
// ("ring.PID.TID") in its directory and still map it.
func Ranks(session string) []int {
	entries, err := os.ReadDir(session)
	if err != nil {
		return nil
	}
	var pids []int
	seen := map[int]bool{}
	for _, e := range entries {
		name, ok := strings.CutPrefix(e.Name(), ring.RingPrefix)
		if !ok {
			continue
		}
		name, _, _ = strings.Cut(name, ".")
		pid, err := strconv.Atoi(name)
		if err != nil || seen[pid] {
			continue
		}
		seen[pid] = true
		// A pid may have been given to another process since.
		if procHas(pid, "maps", session+"/") {
			pids = append(pids, pid)
		}
	}
	return pids
}

// members returns all processes of this host whose environment names the session: ranks before and after MPI_Init, and
// what the launcher started around them.
func members(session string) []int {
	names, _ := filepath.Glob("/proc/[0-9]*")
	var pids []int
	for _, name := range names {
		pid, err := strconv.Atoi(filepath.Base(name))
		if err == nil && pid != os.Getpid() && procHas(pid, "environ", envSession+"="+session+"\x00") {
			pids = append(pids, pid)
		}
	}
	return pids
}

func procHas(pid int, file, text string) bool {
	data, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), file))
	return err == nil && bytes.Contains(data, []byte(text))
}

// AwaitRanks returns when no rank of the session is left on this host, or kills those that are after the grace period.
// It returns how many it killed. Ranks that outlive their launcher leave their shared memory behind; see End.
func AwaitRanks(session string, grace time.Duration) int {
	deadline := time.Now().Add(grace)
	left := Ranks(session)
	shared := sharedFiles(left)
	defer Remove(shared)
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
// Open MPI's ranks share memory through files in /dev/shm, which they remove themselves unless they are killed; so those
// files are removed for them.
func (p *Process) End(session string, rankGrace, grace time.Duration) {
	shared := sharedFiles(Ranks(session))
	p.Signal(syscall.SIGTERM)
	if !p.endsWithin(rankGrace) {
		kill(Ranks(session))
	}
	if !p.endsWithin(grace) {
		p.Signal(syscall.SIGKILL)
		<-p.Done
	}
	KillMembers(session)
	Remove(shared)
}

// Sweep removes what a launcher that was killed has left. It is called when the ranks have gone.
func (p *Process) Sweep() {
	if p.Killed != 0 {
		Remove(launcherFiles([]int{p.PID}))
	}
}

// launcherFiles lists the directories in which launchers of Open MPI keep their sockets and shared memory (release 4
// names them TMPDIR/ompi.HOST.UID/pid.PID). They remove them unless they are killed, or asked to end twice.
func launcherFiles(pids []int) []string {
	var dirs []string
	for _, pid := range pids {
		found, _ := filepath.Glob(filepath.Join(os.TempDir(), "ompi.*", "pid."+strconv.Itoa(pid)))
		dirs = append(dirs, found...)
	}
	return dirs
}

// Remove removes files and directories that a job has left.
func Remove(files []string) {
	for _, file := range files {
		os.RemoveAll(file)
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

// sharedFiles lists the files by which Open MPI's ranks share memory: component vader in release 4, sm in release 5.
func sharedFiles(pids []int) []string {
	var files []string
	for _, pid := range pids {
		maps, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "maps"))
		if err != nil {
			continue
		}
		for line := range strings.Lines(string(maps)) {
			at := strings.Index(line, "/dev/shm/")
			if at < 0 {
				continue
			}
			file := strings.TrimSpace(line[at:])
			name := filepath.Base(file)
			if (strings.HasPrefix(name, "vader_segment.") || strings.HasPrefix(name, "sm_segment.")) && !slices.Contains(files, file) {
				files = append(files, file)
			}
		}
	}
	return files
}

// AwaitMembers returns when the launcher and all that it started on this host have ended, or after the grace period.
func AwaitMembers(session string, grace time.Duration) {
	for deadline := time.Now().Add(grace); len(members(session)) > 0 && time.Now().Before(deadline); {
		time.Sleep(10 * time.Millisecond)
	}
}

// Shared lists the files and directories that the ranks of a session and their launcher leave if they are killed.
func Shared(session string) []string {
	return append(sharedFiles(Ranks(session)), launcherFiles(members(session))...)
}

// KillMembers kills all processes of the session on this host and returns when they are gone or cannot be killed.
func KillMembers(session string) {
	const patience = 2 * time.Second
	for deadline := time.Now().Add(patience); kill(members(session)) > 0 && time.Now().Before(deadline); {
		time.Sleep(5 * time.Millisecond)
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
