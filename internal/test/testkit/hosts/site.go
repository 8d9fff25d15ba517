package hosts

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
)

// The site keeps what the hosts share in a file system in memory. It lies over /run, which the hosts have their own of.
const (
	workspace = "/run"
	home      = workspace + "/home"      // the hosts' Home
	mungeKey  = workspace + "/munge.key" // what Slurm's daemons know each other by
)

// siteMade is what the site answers to the plan.
type siteMade struct {
	Inits []int // the processes that are the hosts' init, by the machine's numbers
	Error string
}

// siteRequest is what it is asked then, and siteDone what it answers.
type (
	siteRequest struct {
		Kill  string // the name of a host that dies
		Delay bool   // messages are to be delayed
	}
	siteDone struct{ Error string }
)

// site makes the hosts, does what it is asked, and ends them when nobody can ask any more.
func site(in io.Reader, out io.Writer) int {
	outlive()
	requests, answers := json.NewDecoder(in), json.NewEncoder(out)
	var p plan
	if err := requests.Decode(&p); err != nil {
		return 1
	}
	inits := make(map[string]*exec.Cmd)
	defer func() {
		for _, host := range inits {
			host.Process.Kill()
		}
		for _, host := range inits {
			host.Wait() // which waits for all processes of the host
		}
	}()
	// The test may end while the hosts are made.
	asked := make(chan siteRequest)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for {
			var request siteRequest
			if requests.Decode(&request) != nil {
				return
			}
			asked <- request
		}
	}()
	var made siteMade
	if err := build(p, inits, ended); err != nil {
		made.Error = err.Error()
	}
	for _, place := range p.Hosts {
		if host := inits[place.Name]; host != nil {
			made.Inits = append(made.Inits, host.Process.Pid)
		}
	}
	if answers.Encode(made) != nil {
		return 1
	}
	delays := &delayer{}
	for {
		var request siteRequest
		select {
		case request = <-asked:
		case <-ended:
			return 0
		}
		var done siteDone
		if err := obey(request, inits, delays); err != nil {
			done.Error = err.Error()
		}
		if answers.Encode(done) != nil {
			return 1
		}
	}
}

func obey(request siteRequest, inits map[string]*exec.Cmd, delays *delayer) error {
	if request.Delay {
		return delays.start()
	}
	host := inits[request.Kill]
	if host == nil {
		return fmt.Errorf("host %s is dead", request.Kill)
	}
	host.Process.Kill()
	host.Wait()
	delete(inits, request.Kill)
	return nil
}

// build makes the site and its hosts, unless nobody wants them any more; inits gets them as they come.
func build(p plan, inits map[string]*exec.Cmd, ended <-chan struct{}) error {
	if err := syscall.Mount("", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("this machine forbids mounts: %w", err)
	}
	if err := syscall.Mount("tmpfs", workspace, "tmpfs", 0, "mode=755"); err != nil {
		return fmt.Errorf("this machine forbids mounts: %w", err)
	}
	if err := makeHome(); err != nil {
		return err
	}
	if p.Slurm {
		key := make([]byte, 128)
		rand.Read(key)
		if err := os.WriteFile(mungeKey, key, 0o400); err != nil {
			return err
		}
	}
	if err := runIP("link add bridge type bridge", "link set bridge up"); err != nil {
		return err
	}
	// The hosts do most of it at the same time, and one that cannot be made is heard before those that wait for it.
	made := make(chan error, len(p.Hosts))
	for i, place := range p.Hosts {
		answers, err := makeHost(p, i, inits)
		if err != nil {
			return fmt.Errorf("host %s: %w", place.Name, err)
		}
		go func() { made <- hear(place, answers) }()
	}
	for range p.Hosts {
		select {
		case err := <-made:
			if err != nil {
				return err
			}
		case <-ended:
			return errors.New("the test has ended")
		}
	}
	return nil
}

func hear(p place, answers *json.Decoder) error {
	var made hostMade
	if err := answers.Decode(&made); err != nil {
		return fmt.Errorf("host %s has died: %w", p.Name, err)
	}
	if made.Error != "" {
		return fmt.Errorf("host %s: %s", p.Name, made.Error)
	}
	return nil
}

// makeHost starts the init of a host, joins it to the bridge and tells it the plan; its answer is still to come.
func makeHost(p plan, i int, inits map[string]*exec.Cmd) (*json.Decoder, error) {
	host, err := again(initRole)
	if err != nil {
		return nil, err
	}
	host.SysProcAttr = &syscall.SysProcAttr{Cloneflags: hostNamespaces}
	host.Stderr = os.Stderr
	// The host's end of this pipe is read until nobody has the other one: the site keeps it for as long as it lives.
	in, err := host.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := host.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := host.Start(); err != nil {
		return nil, forbidden(err)
	}
	place := p.Hosts[i]
	inits[place.Name] = host
	port := fmt.Sprintf("port%d", place.Number)
	if err := runIP(
		fmt.Sprintf("link add %s type veth peer name eth0 address %s netns %d", port, place.hardware(),
			host.Process.Pid),
		fmt.Sprintf("link set %s master bridge up", port),
	); err != nil {
		return nil, err
	}
	return json.NewDecoder(out), json.NewEncoder(in).Encode(hostPlan{Plan: p, At: i})
}

// makeHome makes the home directory of the hosts that have it in common, in which ssh finds how to get to the others
// without a question.
func makeHome() error {
	dir := filepath.Join(home, ".ssh")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	key := filepath.Join(dir, "id_ed25519")
	if err := makeKey(key); err != nil {
		return err
	}
	public, err := os.ReadFile(key + ".pub")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "authorized_keys"), public, 0o600); err != nil {
		return err
	}
	const config = `BatchMode yes
StrictHostKeyChecking no
UserKnownHostsFile /dev/null
GSSAPIAuthentication no
LogLevel ERROR
`
	return os.WriteFile(filepath.Join(dir, "config"), []byte(config), 0o600)
}

func makeKey(path string) error {
	return runTool(exec.Command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "hosts", "-f", path))
}

// runIP has ip do some commands in this network namespace.
func runIP(lines ...string) error {
	cmd := exec.Command("ip", "-batch", "-")
	cmd.Stdin = strings.NewReader(strings.Join(lines, "\n") + "\n")
	return runTool(cmd)
}

func runTool(cmd *exec.Cmd) error {
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, text)
	}
	return nil
}
