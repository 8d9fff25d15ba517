package hosts

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
)

// The processes of a cluster are this executable again, under these names.
const (
	siteRole    = "unknot-hosts-site"
	initRole    = "unknot-hosts-init"
	commandRole = "unknot-hosts-command"
)

// An executable with this package takes its part before its own main, so that no test needs to know of it.
func init() {
	if len(os.Args) == 0 {
		return
	}
	switch os.Args[0] {
	case siteRole:
		os.Exit(site(os.Stdin, os.Stdout))
	case initRole:
		os.Exit(inside(os.Stdin, os.Stdout))
	case commandRole:
		os.Exit(command(os.Args[1], os.Args[2:]))
	}
}

// again is this executable in another role.
func again(role string, arguments ...string) (*exec.Cmd, error) {
	path, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return &exec.Cmd{Path: path, Args: append([]string{role}, arguments...)}, nil
}

// outlive keeps the site and init from what ends a test early: they end when it has ended. The signals are taken and
// not ignored, as what they start would ignore them too.
func outlive() {
	signal.Notify(make(chan os.Signal, 1), syscall.SIGINT, syscall.SIGHUP, syscall.SIGTERM, syscall.SIGQUIT)
}

const (
	siteNamespaces = syscall.CLONE_NEWNET | syscall.CLONE_NEWNS
	hostNamespaces = syscall.CLONE_NEWNET | syscall.CLONE_NEWNS | syscall.CLONE_NEWPID | syscall.CLONE_NEWUTS |
		syscall.CLONE_NEWIPC
)

// forbidden names the namespaces that this machine does not let us make, if an error says that it does not.
func forbidden(err error) error {
	if !errors.Is(err, syscall.EPERM) && !errors.Is(err, syscall.EINVAL) && !errors.Is(err, syscall.ENOSPC) {
		return err
	}
	var names []string
	for _, kind := range []struct {
		name string
		flag uintptr
	}{{"network", syscall.CLONE_NEWNET}, {"mount", syscall.CLONE_NEWNS}, {"pid", syscall.CLONE_NEWPID},
		{"uts", syscall.CLONE_NEWUTS}, {"ipc", syscall.CLONE_NEWIPC}} {
		probe := exec.Command("true")
		probe.SysProcAttr = &syscall.SysProcAttr{Cloneflags: kind.flag}
		if probe.Run() != nil {
			names = append(names, kind.name)
		}
	}
	return fmt.Errorf("this machine forbids new namespaces (%s), which hosts are made of: %w; hint: run the tests as "+
		"root, in a container with --privileged",
		strings.Join(names, ", "), err)
}
