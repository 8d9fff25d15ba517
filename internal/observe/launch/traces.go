package launch

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"unknot/internal/kit/owned"
	"unknot/internal/observe/ring"
)

// Traces are the files that a job leaves behind if it is ended by force: those in /dev/shm by which Open MPI's ranks
// share memory, and the directories of its launchers. They are kept as what their names are made of, so that files
// which appear after the last look are found too.
type Traces struct {
	// Bystanders cannot have left any: processes that were there before the job. Nil means that all are looked at.
	Bystanders Bystanders

	launchers map[int]bool    // pids of processes that may be launchers
	jobs      map[uint32]bool // numbers by which Open MPI calls jobs before release 5
	files     map[string]bool // files that ranks were seen to share
	settled   Bystanders      // ranks whose file is known: they make no other one
}

// Look notes what the session's processes on this host would leave; false if there are none.
func (t *Traces) Look(session string) bool {
	pids, _ := members(session, t.Bystanders)
	ranks := ringed(session)
	for _, pid := range pids {
		if !slices.Contains(ranks, pid) {
			t.lookAt(pid, "")
		}
	}
	return len(t.lookAtRanks(ranks, session)) > 0 || len(pids) > 0
}

// lookAtRanks is Look for those that have left a ring. It returns the ones that still map it; what is known of the
// others stands in their rings.
func (t *Traces) lookAtRanks(ranks []int, session string) (there []int) {
	for _, pid := range ranks {
		if t.lookAt(pid, session) {
			there = append(there, pid)
		} else if job := ring.JobOf(session, pid); job != 0 {
			t.begin()
			t.jobs[job] = true
		}
	}
	return there
}

// begin makes room for what is noted.
func (t *Traces) begin() {
	if t.files == nil {
		t.launchers, t.jobs, t.files, t.settled = map[int]bool{}, map[uint32]bool{}, map[string]bool{}, Bystanders{}
	}
}

// lookAt notes what a process would leave, if it is a rank whose memory map names the session, or none ("" for
// session): of those only ranks of Open MPI share files that have not called MPI_Init yet. False if it is no rank of
// the session.
func (t *Traces) lookAt(pid int, session string) bool {
	if t.settled.has(pid) {
		return true
	}
	t.begin()
	id := variable(pid, "PMIX_NAMESPACE")
	var mapped string
	if session != "" || id != "" {
		// It takes long to read, the longer the more the process is busy with its memory.
		mapped = memoryMap(pid)
	}
	if session != "" && !strings.Contains(mapped, session+"/") {
		return false
	}
	t.launchers[pid] = true
	if job, err := strconv.ParseUint(id, 10, 32); err == nil {
		t.jobs[uint32(job)] = true
	}
	for _, file := range sharedFiles(mapped) {
		t.files[file] = true
		if id, there := identify(pid); there {
			t.settled[pid] = id // its own file is there before it maps those of others
		}
	}
	return true
}

// Remove removes all that is there of them. It is called when the job's processes have gone.
func (t *Traces) Remove() {
	for file := range t.files {
		os.RemoveAll(file)
	}
	// Open MPI 4 names a segment after the host, the user, the job in hexadecimal and the rank; release 5 has no number
	// here.
	for job := range t.jobs {
		removeAll(fmt.Sprintf("/dev/shm/vader_segment.*.%d.%x.*", os.Getuid(), job))
	}
	for pid := range t.launchers {
		dirs, _ := filepath.Glob(filepath.Join(os.TempDir(), "ompi.*"))
		for _, dir := range dirs {
			if owned.IsDir(dir) { // not another user's, nor a link to somewhere else
				os.RemoveAll(filepath.Join(dir, "pid."+strconv.Itoa(pid)))
			}
		}
	}
}

func removeAll(pattern string) {
	found, _ := filepath.Glob(pattern)
	for _, file := range found {
		os.RemoveAll(file)
	}
}

// variable returns the value of an environment variable that a process was started with, "" if it has none.
func variable(pid int, name string) string {
	env, _ := StartedWith(pid)
	for entry := range bytes.SplitSeq(env, []byte{0}) {
		if value, ok := strings.CutPrefix(string(entry), name+"="); ok {
			return value
		}
	}
	return ""
}

// sharedFiles lists the files of a memory map by which Open MPI's ranks share memory: component vader in release 4, sm
// in release 5.
func sharedFiles(mapped string) []string {
	var files []string
	for line := range strings.Lines(mapped) {
		at := strings.Index(line, "/dev/shm/")
		if at < 0 {
			continue
		}
		file := strings.TrimSuffix(strings.TrimSpace(line[at:]), " (deleted)")
		name := filepath.Base(file)
		if strings.HasPrefix(name, "vader_segment.") || strings.HasPrefix(name, "sm_segment.") {
			files = append(files, file)
		}
	}
	return files
}
