package hosts

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
)

// plan is what the site and the hosts are passed of the cluster.
type plan struct {
	Hosts  []place
	Shared []string
	Slurm  bool
	Epilog string
}

// place is one host in a plan.
type place struct {
	Number   int // from 1
	Name     string
	Separate bool
}

// largest is the number of addresses that the network of a cluster has.
const largest = 254

var hostName = regexp.MustCompile(`^[a-z][a-z0-9-]{0,62}$`)

func newPlan(o Options) (plan, error) {
	names := o.Names
	if len(names) == 0 {
		names = []string{"front", "node1", "node2"}
	}
	p := plan{Slurm: o.Slurm, Epilog: o.Epilog}
	for i, name := range names {
		switch {
		case !hostName.MatchString(name):
			return plan{}, fmt.Errorf("%q is not a name of a host", name)
		case slices.Contains(names[:i], name):
			return plan{}, fmt.Errorf("two hosts have the name %s", name)
		}
		p.Hosts = append(p.Hosts, place{Number: i + 1, Name: name, Separate: o.Separate[name]})
	}
	for name := range o.Separate {
		if !slices.Contains(names, name) {
			return plan{}, fmt.Errorf("there is no host %s that could have a separate root", name)
		}
	}
	switch {
	case len(names) > largest:
		return plan{}, fmt.Errorf("%d hosts; at most %d are possible", len(names), largest)
	case o.Slurm && len(names) < 2:
		return plan{}, fmt.Errorf("slurm needs a host for its controller and at least one more")
	}
	for _, dir := range o.Shared {
		path, err := filepath.Abs(dir)
		if err != nil {
			return plan{}, err
		}
		p.Shared = append(p.Shared, path)
	}
	return p, nil
}

func (p place) address() string { return fmt.Sprintf("10.77.0.%d", p.Number) }

// hardware is the address of the host's network interface.
func (p place) hardware() string { return fmt.Sprintf("02:00:00:00:00:%02x", p.Number) }
