package supervise

import (
	"errors"
	"fmt"
	"net"
	"os"

	"unknot/internal/root/link"
)

// reach prepares for agents of other hosts, if ranks may be there: a key for this job, and the addresses at which they
// may join.
func (r *run) reach() error {
	names, several := r.job.Hosts(os.Environ())
	if !several && len(r.o.Listen) == 0 {
		return nil
	}
	key, err := link.NewKey()
	if err != nil {
		return err
	}
	r.key, r.o.Key = key, key.String()
	if r.o.Listen, err = Listening(r.o.Listen, names); err != nil {
		r.screen.say("ranks on other hosts cannot be watched: %v", err)
		r.o.Listen, r.o.Key = nil, ""
	}
	return nil
}

// Listening is where to listen for hosts: at the addresses that the user has chosen (--bind), else at those by which
// the hosts reach this one.
func Listening(bind, names []string) (list []string, err error) {
	if len(bind) == 0 {
		return addressesTowards(names)
	}
	for _, address := range bind {
		if _, _, err := net.SplitHostPort(address); err != nil {
			address = net.JoinHostPort(address, "0")
		}
		list = append(list, address)
	}
	return list, nil
}

// addressesTowards are the addresses of this host by which others reach it: those from which it reaches the named ones,
// or all but the loopback if none of them can be resolved.
func addressesTowards(names []string) (list []string, err error) {
	if list = link.Towards(names); len(list) > 0 {
		return list, nil
	}
	all, err := net.InterfaceAddrs()
	if err != nil {
		return nil, fmt.Errorf("%w; hint: name an address of this host with --bind", err)
	}
	for _, a := range all {
		if n, ok := a.(*net.IPNet); ok {
			list = link.AddAddress(list, n.IP)
		}
	}
	if len(list) == 0 {
		return nil, errors.New("this host has no address that others can reach; hint: name one with --bind")
	}
	return list, nil
}

// linkOf is what agents of other hosts need to join.
func (r *run) linkOf() string {
	if len(r.agent.addresses) == 0 {
		return ""
	}
	return link.Invitation{Key: r.key, Addresses: r.agent.addresses}.String()
}
