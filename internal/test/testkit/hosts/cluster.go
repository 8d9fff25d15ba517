// Package hosts makes several hosts of one machine, for tests of what runs on a cluster: each has its own network
// address, name, process numbers, System V objects, /dev/shm, /tmp and sshd, and Slurm if wanted. Without that, a test
// on one machine would prove nothing: with shared memory in common, one agent sees all ranks.
//
// Three kinds of processes, all the same executable (roles.go), make a cluster:
//
//   - the test, with the Cluster;
//   - the site (site.go): a network namespace with the bridge that joins the hosts, and a mount namespace with
//     everything that they need of files, in memory. It is a child of the test and ends with it, as its standard input
//     does;
//   - for each host its init (inside.go), process 1 of the host's namespaces, a child of the site that ends with it in
//     the same way. With process 1 the kernel ends all processes of a namespace.
//
// So nothing stays behind when the test is killed: the network interfaces are in namespaces and the files in memory,
// and both are gone with the last process that sees them.
package hosts

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"syscall"
	"testing"
)

// Options say which hosts there are.
type Options struct {
	// front, node1 and node2 if there are none; Slurm's controller is on the first, its nodes are the others
	Names []string
	// hosts with a separate root and home, which have the system's directories and nothing else of the machine
	Separate map[string]bool
	Shared   []string // directories of the machine that all other hosts have at the same path, and can write to
	Slurm    bool
	Epilog   string // a program that Slurm's nodes run when a job has ended, "" for none
}

// Cluster is some hosts, joined by a network that is theirs alone.
type Cluster struct {
	hosts    []*Host
	network  *network
	site     *exec.Cmd
	requests io.Closer
	fail     func(...any)
}

// New makes a cluster for a test, and removes it with the test. It fails the test if this machine forbids it.
func New(t testing.TB, o Options) *Cluster {
	t.Helper()
	c, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	c.fail = t.Fatal
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

// Open makes a cluster, for one who closes it.
func Open(o Options) (*Cluster, error) {
	p, err := newPlan(o)
	if err != nil {
		return nil, fmt.Errorf("hosts: %w", err)
	}
	site, err := again(siteRole)
	if err != nil {
		return nil, fmt.Errorf("hosts: %w", err)
	}
	site.SysProcAttr = &syscall.SysProcAttr{Cloneflags: siteNamespaces, Setsid: true}
	in, err := site.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("hosts: %w", err)
	}
	out, err := site.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("hosts: %w", err)
	}
	site.Stderr = os.Stderr
	if err := site.Start(); err != nil {
		return nil, fmt.Errorf("hosts: %w", forbidden(err))
	}
	requests, answers := json.NewEncoder(in), json.NewDecoder(out)
	c := &Cluster{site: site, requests: in, fail: func(words ...any) { panic(fmt.Sprint(words...)) }}
	var made siteMade
	if err := errors.Join(requests.Encode(p), answers.Decode(&made)); err != nil {
		return nil, fmt.Errorf("hosts: the site does not answer: %w", errors.Join(err, c.Close()))
	}
	if made.Error != "" {
		return nil, errors.Join(errors.New("hosts: "+made.Error), c.Close())
	}
	c.network = &network{requests: requests, answers: answers}
	for i, place := range p.Hosts {
		h := &Host{cluster: c, place: place, shared: p.Shared, pid: made.Inits[i]}
		if h.own, err = h.pids(); err != nil {
			return nil, errors.Join(fmt.Errorf("hosts: %w", err), c.Close())
		}
		c.hosts = append(c.hosts, h)
	}
	return c, nil
}

// Close removes the cluster: when it returns, no process of it is left.
func (c *Cluster) Close() error {
	c.requests.Close()
	if err := c.site.Wait(); err != nil {
		return fmt.Errorf("hosts: the site: %w", err)
	}
	return nil
}

// Host is the host of that name.
func (c *Cluster) Host(name string) *Host {
	i := slices.IndexFunc(c.hosts, func(h *Host) bool { return h.place.Name == name })
	if i < 0 {
		c.fail("hosts: there is no host ", name)
	}
	return c.hosts[i]
}

// Hosts are all of them, in the order of their names in Options.
func (c *Cluster) Hosts() []*Host { return slices.Clone(c.hosts) }
