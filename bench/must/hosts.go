package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"unknot/bench/quiet"
	"unknot/bench/watched"
	"unknot/internal/test/testkit/hosts"
)

// ranksOfAHost is how many each of the many hosts has.
const ranksOfAHost = 4

func hostsPart() part {
	open := new(cluster)
	return part{
		name: "hosts", heading: "## Many hosts",
		about: func(b *bench) string {
			return fmt.Sprintf("%d hosts with\n"+
				"%d ranks each, which are namespaces of this machine (`internal/test/testkit/hosts`), joined by a "+
				"bridge; `mpirun` starts the ranks over ssh. Each host has an agent, and the root is on one more.\n"+
				"The programs are those of [real ranks](#real-ranks). *Agent* is the largest resident memory of an "+
				"agent process.", b.hosts, ranksOfAHost)
		},
		tables: []table{
			{
				head: "| library | ranks | iterations | plain | watched | slow-down |", keys: 2,
				rows: func(b *bench) (rows []row, err error) {
					for _, l := range libraries() {
						rows = append(rows, row{fmt.Sprintf("exchange, %s | %d", l.name, b.hosts*ranksOfAHost),
							func() (string, error) { return open.exchange(b, l) }})
					}
					return rows, nil
				},
			},
			{
				head: "| library | ranks | deadlock | found | named | to the report | to the end of all processes | agent |",
				keys: 3,
				rows: func(b *bench) (rows []row, err error) {
					for _, l := range libraries() {
						for _, d := range deadlocks() {
							rows = append(rows, row{fmt.Sprintf("%s | %d | %s", l.name, b.hosts*ranksOfAHost, d.what),
								func() (string, error) { return open.deadlock(b, l, d) }})
						}
					}
					return rows, nil
				},
			},
		},
	}
}

// cluster is the hosts, once they are wanted.
type cluster struct {
	*hosts.Cluster
	nodes []string
	env   []string
}

// open makes the hosts, which end with this process. They share the directory of the programs, which has unknot and its
// cache too.
func (c *cluster) open(b *bench) error {
	if c.Cluster != nil {
		return nil
	}
	library, err := hosts.BuildFinalize(b.dir)
	if err != nil {
		return err
	}
	for i := range b.hosts {
		c.nodes = append(c.nodes, fmt.Sprintf("node%d", i+1))
	}
	c.Cluster, err = hosts.Open(hosts.Options{Names: append([]string{"front"}, c.nodes...), Shared: []string{b.dir}})
	c.env = append(b.settings(ranksOfAHost*b.hosts), "LD_PRELOAD="+b.polite+":"+library, "XDG_CACHE_HOME="+filepath.Join(b.dir, "cache"),
		"UCX_TLS=all")
	return err
}

// job is one of all hosts.
func (c *cluster) job(b *bench, l library, name string, args ...string) job {
	argv := []string{"mpirun.openmpi", "--host", strings.Join(c.nodes, ":"+strconv.Itoa(ranksOfAHost)+",") + ":" +
		strconv.Itoa(ranksOfAHost)}
	if l.suffix == "mpich" {
		argv = []string{"mpirun.mpich", "-hosts", strings.Join(c.nodes, ","), "-ppn", strconv.Itoa(ranksOfAHost)}
	}
	argv = append(argv, "-n", strconv.Itoa(ranksOfAHost*b.hosts), b.program(l, name))
	return job{argv: append(argv, args...), limit: patience(ranksOfAHost * b.hosts)}
}

// start prepares a job's command on the first host.
func (c *cluster) start(b *bench, j job) (*exec.Cmd, context.CancelFunc) {
	ctx, cancel := context.WithTimeout(b.ctx, j.limit)
	return c.Hosts()[0].Command(ctx, c.env, j.argv...), cancel
}

func (c *cluster) exchange(b *bench, l library) (string, error) {
	if err := c.open(b); err != nil {
		return "", err
	}
	const iterations = 100
	j := c.job(b, l, "exchange", strconv.Itoa(iterations))
	all, err := b.inTurns(1, func(watch bool) (o once, err error) {
		it := j
		if watch {
			it = b.watched(j)
		}
		cmd, cancel := c.start(b, it)
		defer cancel()
		var out, complaint bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &complaint
		begin := time.Now()
		err = cmd.Run()
		return o.finish(it, begin, out.Bytes(), complaint.Bytes(), err)
	})
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%d | %.2f s | %.2f s | %.2f", iterations,
		quiet.MedianOf(all, plainSeconds), quiet.MedianOf(all, watchedSeconds), quiet.MedianOf(all, ratio)), nil
}

func (c *cluster) deadlock(b *bench, l library, d deadlock) (string, error) {
	if err := c.open(b); err != nil {
		return "", err
	}
	report := filepath.Join(b.dir, "report.json")
	j := b.watched(c.job(b, l, "hang", d.shape), "--json="+report)
	cmd, cancel := c.start(b, j)
	defer cancel()
	done, most := make(chan struct{}), make(chan float64, 1)
	go func() { most <- c.agents(done) }()
	h, err := watched.Hang(cmd, d.said)
	close(done)
	h.Agent = <-most
	if err != nil {
		return "", fmt.Errorf("%s: %w", j, err)
	}
	return d.found(report, h, ranksOfAHost*b.hosts, ranksOfAHost)
}

// agents is the largest resident memory of an agent process of some hosts, until done is closed. Others have the same
// task.
func (c *cluster) agents(done <-chan struct{}) (most float64) {
	tick := time.NewTicker(500 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-done:
			return most
		case <-tick.C:
		}
		for _, at := range []int{0, 1, len(c.nodes) / 2, len(c.nodes)} {
			lines, _ := filepath.Glob(c.Hosts()[at].Path("proc/[0-9]*/cmdline"))
			for _, line := range lines {
				if text, _ := os.ReadFile(line); bytes.Contains(text, []byte("unknot\x00agent\x00")) {
					most = max(most, watched.Resident(filepath.Join(filepath.Dir(line), "status")))
				}
			}
		}
	}
}
