package hosts

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Home is the home directory on each host.
const Home = "/root"

// Host is one host of a cluster.
type Host struct {
	cluster *Cluster
	place   place
	shared  []string
	pid     int   // of its init, as the machine counts
	own     []int // the processes, as it counts itself, that it has had from the start: init and the daemons
}

// Name is its name.
func (h *Host) Name() string { return h.place.Name }

// Address is its address in the network of the cluster.
func (h *Host) Address() string { return h.place.address() }

// Command is a command that runs on the host in its home directory, with the environment variables that a session of
// ssh has there and those of env. If it is killed, or ctx ends, its whole process group is killed. Other signals go to
// the command alone. If a signal ends it, its exit status is 128 and the signal's number, as in a shell.
func (h *Host) Command(ctx context.Context, env []string, argv ...string) *exec.Cmd {
	self, err := os.Executable()
	if err != nil {
		h.cluster.fail("hosts: ", err)
	}
	cmd := exec.CommandContext(ctx, self)
	cmd.Args = append([]string{commandRole, h.Path(controlSocket)}, argv...)
	cmd.Env = append([]string{"PATH=" + path, "HOME=" + Home, "USER=root", "LOGNAME=root", "SHELL=/bin/bash",
		"LANG=C.UTF-8"}, env...)
	return cmd
}

// Path is where the test finds a file of the host.
func (h *Host) Path(name string) string {
	return filepath.Join("/proc", strconv.Itoa(h.pid), "root", name)
}

// Processes are the command lines of the processes that have been started on the host since it was made, in the order
// of their numbers.
func (h *Host) Processes() []string {
	var lines []string
	for _, p := range h.processes() {
		lines = append(lines, p.line)
	}
	return lines
}

type process struct {
	pid  int // as the host counts
	line string
}

func (h *Host) processes() []process {
	pids, err := h.pids()
	if err != nil {
		return nil // a dead host has none
	}
	var all []process
	for _, pid := range pids {
		if slices.Contains(h.own, pid) {
			continue
		}
		// A process that has ended, and one that its parent has not waited for, have no command line.
		line, err := os.ReadFile(h.Path(fmt.Sprintf("proc/%d/cmdline", pid)))
		if err == nil && len(line) > 0 {
			all = append(all, process{pid, strings.ReplaceAll(strings.TrimRight(string(line), "\x00"), "\x00", " ")})
		}
	}
	return all
}

func (h *Host) pids() ([]int, error) {
	entries, err := os.ReadDir(h.Path("proc"))
	if err != nil {
		return nil, err
	}
	var pids []int
	for _, e := range entries {
		if pid, err := strconv.Atoi(e.Name()); err == nil {
			pids = append(pids, pid)
		}
	}
	slices.Sort(pids)
	return pids, nil
}

// Files are the files and directories in a directory of the host, such as /dev/shm and /tmp, by their paths on the
// host; without those in directories that are shared, and without the directories that lead to these.
func (h *Host) Files(dir string) []string {
	var found []string
	top := h.Path(dir)
	filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == top {
			return nil // what goes away meanwhile is not there
		}
		name := filepath.Join(dir, strings.TrimPrefix(path, top))
		leads := func(shared string) bool { return strings.HasPrefix(shared, name+"/") }
		switch {
		case !h.place.Separate && slices.Contains(h.shared, name):
			return fs.SkipDir
		case h.place.Separate || !slices.ContainsFunc(h.shared, leads):
			found = append(found, name)
		}
		return nil
	})
	return found
}

// Kill ends the whole host at once; when it returns, no process of it is left.
func (h *Host) Kill() {
	if err := h.cluster.network.ask(siteRequest{Kill: h.place.Name}); err != nil {
		h.cluster.fail("hosts: ", err)
	}
}

// Signal sends a signal to all processes on a host that have been started since it was made and whose command line
// matches a regular expression. There must be one; the others may end meanwhile, as a launcher ends those that are left
// when one has died.
func (c *Cluster) Signal(host, pattern string, signal syscall.Signal) {
	n, err := c.signal(host, pattern, signal)
	if n == 0 {
		c.fail(fmt.Sprintf("hosts: no process of %s matches %q: %q", host, pattern, c.Host(host).Processes()))
	}
	if err != nil {
		c.fail(fmt.Sprintf("hosts: %s: %v", host, err))
	}
}

// SignalThoseLeft is Signal for processes that may have ended, or may do so meanwhile.
func (c *Cluster) SignalThoseLeft(host, pattern string, signal syscall.Signal) {
	_, _ = c.signal(host, pattern, signal)
}

// signal sends a signal to so many processes. Those that it kills are gone when it returns, which on a busy machine is
// not so when the signal is sent.
func (c *Cluster) signal(host, pattern string, signal syscall.Signal) (n int, err error) {
	h, match := c.Host(host), regexp.MustCompile(pattern)
	argv, sent := []string{"/usr/bin/env", "kill", "-s", strconv.Itoa(int(signal))}, make(map[int]bool)
	for _, p := range h.processes() {
		if match.MatchString(p.line) {
			argv, sent[p.pid] = append(argv, strconv.Itoa(p.pid)), true
			n++
		}
	}
	if n == 0 {
		return 0, nil
	}
	text, err := h.Command(context.Background(), nil, argv...).CombinedOutput()
	if gone := strings.Count(string(text), "No such process"); err != nil &&
		(gone == n || gone < strings.Count(string(text), "\n")) {
		return n, fmt.Errorf("%w: %s", err, text)
	}
	for signal == syscall.SIGKILL && slices.ContainsFunc(h.processes(), func(p process) bool { return sent[p.pid] }) {
		time.Sleep(time.Millisecond)
	}
	return n, nil
}
