package launch

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"unknot/internal/kit/procstat"
)

// Daemon is the process by which mpirun of Open MPI 4 starts ranks on another host. It is to end with its mpirun, but
// may hang in the end of its PMIx server: Debian 12's has a thread lock a mutex twice if ranks are killed in
// MPI_Finalize. It then stays forever.
type Daemon struct {
	process *os.File // a pidfd: pids are given again
	pid     int
}

// daemonName is the name of such a process.
const daemonName = "orted"

// DaemonAbove is the daemon that has started this process, nil if none has.
func DaemonAbove() *Daemon {
	for pid := os.Getppid(); pid > 1; pid = parentOf(pid) {
		if name, _ := os.ReadFile(procFile(pid, "comm")); strings.TrimSpace(string(name)) != daemonName {
			continue
		}
		return daemonOf(pid)
	}
	return nil
}

// daemonOf is the daemon with that pid, nil if it has ended, or the kernel is older than 5.3.
func daemonOf(pid int) *Daemon {
	fd, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		return nil
	}
	return &Daemon{os.NewFile(uintptr(fd), daemonName), pid}
}

// contact is how Open MPI says where a process listens: "3149987840.0;tcp://10.0.0.1,10.1.0.1:43219".
var contact = regexp.MustCompile(`tcp6?://([^:;]+|[^;]*\]):(\d+)`)

// listening is where the mpirun of a daemon listens, by the daemon's command line.
func listening(words string) (addresses []string) {
	_, uri, _ := strings.Cut(words, "\x00orte_hnp_uri\x00")
	uri, _, _ = strings.Cut(uri, "\x00")
	for _, m := range contact.FindAllStringSubmatch(uri, -1) {
		for host := range strings.SplitSeq(m[1], ",") {
			addresses = append(addresses, net.JoinHostPort(strings.Trim(host, "[]"), m[2]))
		}
	}
	return addresses
}

// jobFiles is the directory of a daemon's job, "" if it has none.
func jobFiles(pid int) string {
	open, _ := filepath.Glob(procFile(pid, "fd/*"))
	for _, link := range open {
		file, _ := os.Readlink(link)
		dir := filepath.Dir(file)
		if strings.HasPrefix(filepath.Base(dir), "jf.") &&
			strings.HasPrefix(filepath.Base(filepath.Dir(dir)), "ompi.") {
			return dir
		}
	}
	return ""
}

// End ends the daemon if it does not end within some time after its job, and has no process left to look after and no
// mpirun. It says whether it had to.
func (d *Daemon) End(patience time.Duration) bool {
	if d == nil {
		return false
	}
	defer d.process.Close()
	if d.ended(patience) || d.needed() {
		return false
	}
	files := jobFiles(d.pid)
	if unix.PidfdSendSignal(int(d.process.Fd()), syscall.SIGKILL, nil, 0) != nil {
		return false
	}
	if d.ended(patience) && files != "" {
		_ = os.RemoveAll(files) // which it does itself when it is not killed
	}
	return true
}

// ended waits for the end of the daemon; false if it does not come.
func (d *Daemon) ended(patience time.Duration) bool {
	poll := []unix.PollFd{{Fd: int32(d.process.Fd()), Events: unix.POLLIN}}
	for end := time.Now().Add(patience); ; {
		n, err := unix.Poll(poll, int(time.Until(end).Milliseconds()))
		if !errors.Is(err, unix.EINTR) {
			return n > 0
		}
	}
}

// needed says whether the daemon has processes, or its mpirun may be there: only a refusal says that it is not.
func (d *Daemon) needed() bool {
	for _, pid := range Processes() {
		if stat, err := procstat.Of(procFile(pid, "")); err == nil && stat[procstat.Parent] == strconv.Itoa(d.pid) &&
			!procstat.Ended(stat) {
			return true
		}
	}
	const patience = time.Second
	refused := false
	words, _ := os.ReadFile(procFile(d.pid, "cmdline"))
	for _, address := range listening(string(words)) {
		c, err := net.DialTimeout("tcp", address, patience)
		if err == nil {
			c.Close()
			return true
		}
		refused = refused || errors.Is(err, syscall.ECONNREFUSED)
	}
	return !refused
}
