package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"unknot/internal/test/testkit/hosts"
	"unknot/internal/test/testkit/whole"
)

// cluster is several hosts on this machine, with what jobs on them need.
type cluster struct {
	*hosts.Cluster
	b   *bench
	env []string
}

// nodes are the hosts of ranks.
var nodes = []string{"node1", "node2", "node3", "node4"}

const ranksOfANode = 16

// hosts are jobs of 64 ranks on four hosts, which are namespaces of this machine: each has an agent, and the root is on
// a fifth.
func (b *bench) hosts() (rows []row) {
	c, err := b.cluster()
	if err != nil {
		return []row{{what: "64 ranks on 4 hosts", err: err}}
	}
	defer func() {
		if err := c.Close(); err != nil {
			rows = append(rows, row{what: "64 ranks on 4 hosts, their end", err: err})
		}
	}()
	for _, i := range b.mpis {
		rows = append(rows, c.row(i, "ring exchange (MPI_Isend, MPI_Recv, MPI_Wait)", "exchange"),
			c.row(i, "stencil", "stencil"))
	}
	return rows
}

// row measures runs that take so long without unknot that their beginning does not count.
func (c *cluster) row(i mpi, what, workload string) row {
	r := row{what: fmt.Sprintf("%s, %d ranks on %d hosts, %s", what, ranksOfANode*len(nodes), len(nodes), i.name)}
	const trial, enough = 20, 2.0
	first, err := c.plain(i, workload, trial).seconds()
	if err != nil {
		r.err = err
		return r
	}
	n := max(trial, int(enough/first*trial)/10*10)
	j := c.plain(i, workload, n)
	p, w, err := c.b.inTurns(90*time.Second, j.seconds, j.watched().seconds)
	ratios := w.over(p)
	r.err, r.figure = err, fmt.Sprintf("%.2f ×", ratios.median())
	r.detail = fmt.Sprintf("%d iterations; namespaces of this machine, an agent on each; median ratio of %d pairs "+
		"(%s); plain %.2f s (%s), watched %.2f s (%s)%s",
		n, len(p), ratios.spread("%.2f"), p.median(), p.spread("%.2f"), w.median(), w.spread("%.2f"), c.b.fewer(len(p)))
	return r
}

// cluster makes the hosts. They share the directory of the workloads, which has unknot and its cache too.
func (b *bench) cluster() (*cluster, error) {
	unknot := filepath.Join(b.dir, "unknot")
	text, err := os.ReadFile(b.unknot)
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(unknot, text, 0o755); err != nil {
		return nil, err
	}
	library, err := hosts.BuildFinalize(b.dir)
	if err != nil {
		return nil, err
	}
	c, err := hosts.Open(hosts.Options{Names: append([]string{"front"}, nodes...), Shared: []string{b.dir}})
	if err != nil {
		return nil, err
	}
	env := append(whole.Settings("/tmp"), "XDG_CACHE_HOME="+filepath.Join(b.dir, "cache"), "LD_PRELOAD="+library)
	return &cluster{Cluster: c, b: b, env: env}, nil
}

// plain is a workload on all nodes.
func (c *cluster) plain(i mpi, workload string, iterations int) job {
	argv := []string{i.launcher(), "--host", strings.Join(nodes, ","), "--map-by", "node"}
	if i.suffix == "mpich" {
		argv = []string{i.launcher(), "-hosts", strings.Join(nodes, ",")}
	}
	argv = append(argv, "-n", strconv.Itoa(ranksOfANode*len(nodes)), filepath.Join(c.b.dir, i.suffix, workload),
		strconv.Itoa(iterations))
	return job{b: c.b, on: c, argv: argv}
}
