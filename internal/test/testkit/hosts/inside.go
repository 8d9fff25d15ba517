package hosts

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"syscall"
)

// hostPlan is what a host's init is passed.
type hostPlan struct {
	Plan plan
	At   int // which host it is
}

// hostMade is what it answers when its daemons serve.
type hostMade struct{ Error string }

// controlSocket is where a host takes commands, in its own /run.
const controlSocket = "/run/hosts-control"

// path is where a command of a host looks for programs.
const path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

// inside is process 1 of a host: it makes the host of its namespaces, starts what serves there, and ends with the site.
func inside(in io.Reader, out io.Writer) int {
	outlive()
	requests := json.NewDecoder(in)
	var h hostPlan
	if err := requests.Decode(&h); err != nil {
		return 1
	}
	// Nothing comes any more but the end, which may be early.
	go func() {
		requests.Decode(&struct{}{})
		os.Exit(0)
	}()
	var made hostMade
	if err := h.make(); err != nil {
		made.Error = err.Error()
	}
	if json.NewEncoder(out).Encode(made) != nil {
		return 1
	}
	select {}
}

func (h hostPlan) place() place { return h.Plan.Hosts[h.At] }

func (h hostPlan) make() error {
	if err := syscall.Sethostname([]byte(h.place().Name)); err != nil {
		return fmt.Errorf("set the host's name: %w", err)
	}
	if err := h.makeRoot(); err != nil {
		return fmt.Errorf("make the root directory: %w", err)
	}
	os.Clearenv()
	os.Setenv("PATH", path)
	os.Setenv("HOME", Home)
	if err := h.joinNetwork(); err != nil {
		return err
	}
	if err := makeKey("/etc/ssh/host_key"); err != nil {
		return err
	}
	children := newChildren()
	if err := serve(children); err != nil {
		return err
	}
	for _, daemon := range h.daemons() {
		if err := daemon.start(children); err != nil {
			return err
		}
	}
	return nil
}

// joinNetwork gives the host its address. Neighbours are known from the start and by nothing else, so that the network
// between two hosts is what their tables of neighbours say (network.go).
func (h hostPlan) joinNetwork() error {
	for _, which := range []string{"all", "default"} { // link-local addresses come late, and libraries try them
		if err := os.WriteFile("/proc/sys/net/ipv6/conf/"+which+"/disable_ipv6", []byte("1"), 0o644); err != nil &&
			!os.IsNotExist(err) {
			return err
		}
	}
	lines := []string{"link set lo up", "addr add " + h.place().address() + "/24 dev eth0", "link set eth0 up"}
	for i, other := range h.Plan.Hosts {
		if i != h.At {
			lines = append(lines, neighbour(other, other.hardware()))
		}
	}
	return runIP(lines...)
}
