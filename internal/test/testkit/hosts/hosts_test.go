//go:build !quick

package hosts

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"unknot/internal/test/testkit"
)

// do runs a command on a host and returns what it prints.
func do(t *testing.T, h *Host, argv ...string) string {
	t.Helper()
	text, err := h.Command(t.Context(), nil, argv...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %q: %v\n%s", h.Name(), argv, err, text)
	}
	return strings.TrimSpace(string(text))
}

func TestEachHostReachesEachByName(t *testing.T) {
	c := New(t, Options{Separate: map[string]bool{"node2": true}})
	for _, from := range c.Hosts() {
		for _, to := range c.Hosts() {
			if name := do(t, from, "ssh", to.Name(), "hostname"); name != to.Name() {
				t.Errorf("%s: ssh %s hostname: %q", from.Name(), to.Name(), name)
			}
			if where := do(t, from, "ssh", to.Name(), "command -v mpirun"); where != "/usr/bin/mpirun" {
				t.Errorf("%s: ssh %s finds mpirun at %q", from.Name(), to.Name(), where)
			}
		}
	}
}

func TestHostsHaveTheirOwnOfWhatTellsThemApart(t *testing.T) {
	c := New(t, Options{})
	front, node := c.Host("front"), c.Host("node1")
	for _, dir := range []string{"/dev/shm", "/tmp", "/var/tmp", "/run"} {
		file := dir + "/made-on-front"
		do(t, front, "touch", file)
		if found := front.Files(dir); !slices.Contains(found, file) {
			t.Errorf("front has in %s: %q", dir, found)
		}
		if found := node.Files(dir); slices.Contains(found, file) {
			t.Errorf("node1 has in %s what front has made there: %q", dir, found)
		}
		if _, err := os.Stat(file); err == nil {
			t.Errorf("the machine has %s", file)
		}
	}
	for _, kind := range []string{"net", "pid", "uts", "ipc", "mnt"} {
		inodes := make(map[string]bool)
		for _, h := range c.Hosts() {
			inodes[do(t, h, "readlink", "/proc/self/ns/"+kind)] = true
		}
		machine, err := os.Readlink("/proc/self/ns/" + kind)
		if err != nil {
			t.Fatal(err)
		}
		if inodes[machine] || len(inodes) != len(c.Hosts()) {
			t.Errorf("%s namespaces %v of the hosts, %s of the machine", kind, inodes, machine)
		}
	}
	// A process is seen on its host only, and there it is the leader of its session.
	start(t, front, "sleep", "1000")
	if found := front.Processes(); !slices.Equal(found, []string{"sleep 1000"}) {
		t.Errorf("front runs %q", found)
	}
	if found := node.Processes(); len(found) > 0 {
		t.Errorf("node1 runs %q", found)
	}
	if group := do(t, front, "sh", "-c",
		"ps -o sid=,pgid= -p $$; echo $$"); len(slices.Compact(strings.Fields(group))) != 1 {
		t.Errorf("session, process group and number of a command: %q", group)
	}
	if interfaces := do(t, node, "sh", "-c", "ls /sys/class/net"); interfaces != "eth0\nlo" {
		t.Errorf("node1 has the interfaces %q", interfaces)
	}
}

// start starts a command that the test does not wait for, and returns when it runs.
func start(t *testing.T, h *Host, argv ...string) *exec.Cmd {
	t.Helper()
	cmd := h.Command(t.Context(), nil, argv...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Wait() })
	eventually(t, "it runs", func() bool { return slices.Contains(h.Processes(), strings.Join(argv, " ")) })
	return cmd
}

// eventually waits for what has to happen, however long that takes on a busy machine.
func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("not in %v: %s", patience, what)
		}
	}
}

func TestOnlyHostsThatAreNotSeparateShareFiles(t *testing.T) {
	shared := t.TempDir()
	project, err := filepath.Abs("../../../..")
	if err != nil {
		t.Fatal(err)
	}
	c := New(t, Options{Shared: []string{shared, project}, Separate: map[string]bool{"node2": true}})
	front, node1, node2 := c.Host("front"), c.Host("node1"), c.Host("node2")
	do(t, front, "sh", "-c", "echo said > "+shared+"/file; echo said > $HOME/file")
	for _, file := range []string{shared + "/file", Home + "/file"} {
		if said := do(t, node1, "cat", file); said != "said" {
			t.Errorf("node1 has in %s: %q", file, said)
		}
	}
	do(t, node1, "ls", project+"/go.mod")
	for _, path := range []string{shared, Home + "/file", project} {
		if text, err := node2.Command(t.Context(), nil, "ls", path).CombinedOutput(); err == nil {
			t.Errorf("node2 has %s: %s", path, text)
		}
	}
	// The directories of the system, and nothing of the machine besides.
	if top := strings.Fields(do(t, node2, "ls", "/")); slices.ContainsFunc(top, func(name string) bool {
		return !slices.Contains(system, name) && !slices.Contains(private, name)
	}) {
		t.Errorf("node2 has in /: %q", top)
	}
	// What is shared is not what a host has of its own.
	for _, h := range c.Hosts() {
		if found := h.Files("/tmp"); len(found) > 0 {
			t.Errorf("%s has in /tmp: %q", h.Name(), found)
		}
		if text, err := h.Command(t.Context(), nil, "touch", "/usr/file", "/etc/file").CombinedOutput(); err == nil {
			t.Errorf("%s writes to the system's directories: %s", h.Name(), text)
		}
	}
}

func TestCommandsEndAsTheyDoOnTheHost(t *testing.T) {
	front := New(t, Options{Names: []string{"front"}}).Host("front")
	for _, test := range []struct {
		argv   []string
		status int
	}{{[]string{"true"}, 0}, {[]string{"sh", "-c", "exit 66"}, 66}, {[]string{"sh", "-c", "kill -9 $$"}, 137},
		{[]string{"no-such-program"}, couldNotStart}} {
		cmd := front.Command(t.Context(), nil, test.argv...)
		cmd.Run()
		if status := cmd.ProcessState.ExitCode(); status != test.status {
			t.Errorf("%q: exit status %d, want %d", test.argv, status, test.status)
		}
	}
	cmd := front.Command(t.Context(), []string{"WORD=b"}, "sh", "-c", "cat; echo $WORD; pwd; echo d >&2")
	cmd.Stdin = strings.NewReader("a\n")
	var errors strings.Builder
	cmd.Stderr = &errors
	if text, err := cmd.Output(); err != nil || string(text) != "a\nb\n"+Home+"\n" || errors.String() != "d\n" {
		t.Errorf("%q and %q, %v", text, errors.String(), err)
	}
	// A signal goes to the command, which may survive it.
	cmd = front.Command(t.Context(), nil, "sh", "-c", "trap 'exit 5' INT; echo set; while true; do sleep 0.01; done")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	bufio.NewReader(out).ReadString('\n')
	cmd.Process.Signal(syscall.SIGINT)
	cmd.Wait()
	if status := cmd.ProcessState.ExitCode(); status != 5 {
		t.Errorf("interrupted: exit status %d", status)
	}
}

func TestAKilledCommandTakesItsGroupWithIt(t *testing.T) {
	front := New(t, Options{Names: []string{"front"}}).Host("front")
	ctx, cancel := context.WithCancel(t.Context())
	cmd := front.Command(ctx, nil, "sh", "-c", "sleep 1000 & sleep 2000")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	running := func(n int) func() bool { return func() bool { return len(front.Processes()) == n } }
	eventually(t, "sh and two of sleep run", running(3))
	cancel()
	cmd.Wait()
	eventually(t, "nothing runs", running(0))
}

func TestSignalFindsProcessesByCommandLine(t *testing.T) {
	c := New(t, Options{Names: []string{"front"}})
	front := c.Host("front")
	start(t, front, "sleep", "1000")
	ended := start(t, front, "sleep", "2000")
	c.Signal("front", "^sleep 2", syscall.SIGTERM)
	ended.Wait()
	if status := ended.ProcessState.ExitCode(); status != 128+int(syscall.SIGTERM) {
		t.Errorf("exit status %d", status)
	}
	if left := front.Processes(); !slices.Equal(left, []string{"sleep 1000"}) {
		t.Errorf("left: %q", left)
	}
}

func TestAKilledHostIsGoneForTheOthers(t *testing.T) {
	c := New(t, Options{})
	node := c.Host("node1")
	cmd := start(t, node, "sleep", "1000")
	namespace := namespaceOf(t, node)
	node.Kill()
	cmd.Wait()
	if status := cmd.ProcessState.ExitCode(); status != couldNotStart {
		t.Errorf("a command of a host that has died: exit status %d", status)
	}
	if left := inNamespaces(t, []string{namespace}); len(left) > 0 {
		t.Errorf("left of node1: %q", left)
	}
	if left := node.Processes(); len(left) > 0 {
		t.Errorf("left of node1: %q", left)
	}
	if reaches(t, c.Host("front"), "node1") {
		t.Error("front reaches node1")
	}
	if !reaches(t, c.Host("front"), "node2") {
		t.Error("front does not reach node2")
	}
}

// reaches says whether a host can log in to another.
func reaches(t *testing.T, from *Host, to string) bool {
	t.Helper()
	return from.Command(t.Context(), nil, "ssh", "-o", "ConnectTimeout=2", to, "true").Run() == nil
}

// echo is a connection to another host that gives back what it is sent.
type echo struct {
	in  io.Writer
	out *bufio.Reader
}

func newEcho(t *testing.T, from *Host, to string) echo {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	cmd := from.Command(ctx, nil, "ssh", to, "cat")
	in, out := testkit.StartPiped(t, cmd)
	t.Cleanup(func() { cancel(); cmd.Wait() })
	e := echo{in, out}
	e.say(t, "first")
	return e
}

func (e echo) say(t *testing.T, word string) {
	t.Helper()
	fmt.Fprintln(e.in, word)
	e.hear(t, word)
}

func (e echo) hear(t *testing.T, word string) {
	t.Helper()
	if line, err := e.out.ReadString('\n'); err != nil || line != word+"\n" {
		t.Fatalf("%q came back, %v; want %q", line, err, word)
	}
}

func TestACutIsBetweenTwoHostsUntilItIsHealed(t *testing.T) {
	c := New(t, Options{})
	front, node2 := c.Host("front"), c.Host("node2")
	open := newEcho(t, front, "node1")
	c.Cut("front", "node1")
	if reaches(t, front, "node1") || reaches(t, c.Host("node1"), "front") {
		t.Error("front and node1 reach each other")
	}
	if !reaches(t, front, "node2") || !reaches(t, node2, "node1") {
		t.Error("others do not reach each other")
	}
	fmt.Fprintln(open.in, "over the cut")
	c.Heal("front", "node1")
	open.hear(t, "over the cut")
	if !reaches(t, front, "node1") || !reaches(t, c.Host("node1"), "front") {
		t.Error("front and node1 do not reach each other")
	}
}

func TestADelayIsAddedInBothDirections(t *testing.T) {
	c := New(t, Options{})
	open := newEcho(t, c.Host("front"), "node1")
	const delay = 150 * time.Millisecond
	c.Delay("front", "node1", delay)
	began := time.Now()
	open.say(t, "delayed")
	if took := time.Since(began); took < 2*delay {
		t.Errorf("a line was there and back in %v, with a delay of %v", took, delay)
	}
	// More than a packet holds, and in order.
	for i := range 100 {
		open.say(t, strings.Repeat("x", 10000)+fmt.Sprint(i))
		if i == 1 {
			c.Heal("front", "node1")
		}
	}
}

func TestAMachineThatForbidsNamespacesIsNamed(t *testing.T) {
	if os.Getenv("HOSTS_TEST_FORBIDDEN") != "" {
		_, err := Open(Options{})
		fmt.Print(err)
		return
	}
	cmd := exec.Command("setpriv", "--bounding-set=-sys_admin", os.Args[0],
		"-test.run=^TestAMachineThatForbidsNamespacesIsNamed$")
	cmd.Env = append(os.Environ(), "HOSTS_TEST_FORBIDDEN=1")
	text, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if want := "hosts: this machine forbids new namespaces (network, mount, pid, uts, ipc), which hosts are made of: "; !strings.Contains(string(text), want) {
		t.Errorf("%s\nwant %s", text, want)
	}
}
