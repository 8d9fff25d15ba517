package hosts

import (
	"os"
	"os/exec"
	"os/signal"
	"sync"
	"syscall"
)

// children are the processes that a host's init has started. As process 1 it is also the parent of all whose own parent
// has ended, and has to wait for those too; so one loop waits for every process and tells who has started it.
type children struct {
	mu      sync.Mutex // held while a child starts, so that it does not end before it is known
	started map[int]*child
}

type child struct {
	pid   int
	ended chan syscall.WaitStatus // has one value, and is closed then
}

// newChildren starts the loop. From then on no process may be started in another way and waited for.
func newChildren() *children {
	c := &children{started: make(map[int]*child)}
	changes := make(chan os.Signal, 1)
	signal.Notify(changes, syscall.SIGCHLD)
	go func() {
		for range changes {
			for c.reap() {
			}
		}
	}()
	return c
}

// reap takes one process that has ended, if there is one.
func (c *children) reap() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	var status syscall.WaitStatus
	pid, err := syscall.Wait4(-1, &status, syscall.WNOHANG, nil)
	if err == syscall.EINTR {
		return true
	}
	if err != nil || pid <= 0 {
		return false
	}
	if child := c.started[pid]; child != nil {
		delete(c.started, pid)
		child.ended <- status
		close(child.ended)
	}
	return true
}

// start starts a program as the leader of a session and process group, as sshd does, with these files as its standard
// ones.
func (c *children) start(argv, env []string, files []*os.File) (*child, error) {
	path, err := exec.LookPath(argv[0])
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	process, err := os.StartProcess(path, argv, &os.ProcAttr{Dir: Home, Env: env, Files: files,
		Sys: &syscall.SysProcAttr{Setsid: true}})
	if err != nil {
		return nil, err
	}
	defer process.Release()
	child := &child{pid: process.Pid, ended: make(chan syscall.WaitStatus, 1)}
	c.started[child.pid] = child
	return child, nil
}

// signal sends a signal to a child, unless it has ended.
func (c *children) signal(child *child, signal syscall.Signal) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.started[child.pid] == child {
		syscall.Kill(child.pid, signal)
	}
}
