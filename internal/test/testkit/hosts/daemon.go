package hosts

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// daemon is a program that serves on a host for as long as the host lives.
type daemon struct {
	argv  []string
	ready func() error // nil once it serves
}

// daemons are those of this host, each of which needs those before it.
func (h hostPlan) daemons() []daemon {
	all := []daemon{{[]string{"/usr/sbin/sshd", "-D", "-e", "-f", "/etc/ssh/sshd_config"}, sshServes}}
	if !h.Plan.Slurm {
		return all
	}
	all = append(all, daemon{[]string{"/usr/sbin/munged", "--foreground", "--force", "--key-file=/etc/munge/munge.key",
		"--socket=" + mungeSocket, "--pid-file=/run/munge/pid", "--log-file=/var/log/munge.log",
		"--seed-file=/run/munge/seed"}, mungeServes})
	if h.At == 0 {
		return append(all, daemon{[]string{"/usr/sbin/slurmctld", "-D", "-i"}, h.slurmServes})
	}
	return append(all, daemon{[]string{"/usr/sbin/slurmd", "-D", "-N", h.place().Name}, nodeServes})
}

func (d daemon) start(children *children) error {
	name := filepath.Base(d.argv[0])
	path := "/var/log/" + name + ".log"
	log, err := os.Create(path)
	if err != nil {
		return err
	}
	defer log.Close()
	null, err := os.Open(os.DevNull)
	if err != nil {
		return err
	}
	defer null.Close()
	child, err := children.start(d.argv, os.Environ(), []*os.File{null, log, log})
	if err != nil {
		return err
	}
	if err := await(child.ended, d.ready); err != nil {
		text, _ := os.ReadFile(path)
		return fmt.Errorf("%s does not serve: %w\n%s", name, err, text)
	}
	return nil
}

// patience is for daemons that start; they take far less.
const patience = time.Minute

// await asks until there is no error. It gives up when who should answer has ended, or after a long time.
func await(ended <-chan syscall.WaitStatus, ask func() error) error {
	for deadline := time.Now().Add(patience); ; {
		err := ask()
		if err == nil || time.Now().After(deadline) {
			return err
		}
		select {
		case <-ended:
			return errors.Join(errors.New("it has ended"), err)
		case <-time.After(2 * time.Millisecond):
		}
	}
}

func sshServes() error  { return listens(22) }
func nodeServes() error { return listens(slurmdPort) }

// listens says whether somebody listens on a port. To connect would have the daemon start a session.
func listens(port int) error {
	for _, table := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		text, err := os.ReadFile(table)
		if err != nil && !os.IsNotExist(err) {
			return err
		}
		for line := range strings.Lines(string(text)) {
			const listening = "0A"
			if f := strings.Fields(line); len(f) > 3 && strings.HasSuffix(f[1], fmt.Sprintf(":%04X", port)) &&
				f[3] == listening {
				return nil
			}
		}
	}
	return fmt.Errorf("nobody listens on port %d", port)
}

const mungeSocket = "/run/munge/munge.socket.2"

func mungeServes() error {
	info, err := os.Stat(mungeSocket)
	if err == nil && info.Mode()&fs.ModeSocket == 0 {
		return fmt.Errorf("%s is not a socket", mungeSocket)
	}
	return err
}

// slurmServes says whether all nodes have reported to the controller.
func (h hostPlan) slurmServes() error {
	text, err := exec.Command("sinfo", "-h", "-N", "-o", "%T").CombinedOutput()
	if err != nil {
		return fmt.Errorf("sinfo: %w\n%s", err, text)
	}
	if nodes, idle := len(h.Plan.Hosts)-1, strings.Count(string(text), "idle\n"); idle != nodes {
		return fmt.Errorf("%d of %d nodes are idle\n%s", idle, nodes, text)
	}
	return nil
}
