//go:build !quick

package hosts

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"unknot/internal/test/testkit"
)

// namespaceOf is the network namespace of a host, which all processes are in that have to do with it.
func namespaceOf(t *testing.T, h *Host) string {
	t.Helper()
	return namespace(t, fmt.Sprintf("/proc/%d/ns/net", h.pid))
}

func namespace(t *testing.T, file string) string {
	t.Helper()
	name, err := os.Readlink(file)
	if err != nil {
		t.Fatal(err)
	}
	return name
}

// inNamespaces are the processes of the machine that are in one of these network namespaces.
func inNamespaces(t *testing.T, namespaces []string) (found []string) {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/ns/net")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		name, err := os.Readlink(file)
		if err != nil || !slices.Contains(namespaces, name) {
			continue
		}
		line, _ := os.ReadFile(filepath.Join(filepath.Dir(filepath.Dir(file)), "cmdline"))
		found = append(found, string(line))
	}
	return found
}

// machine is what hosts could leave on it. Other tests run at the same time, so only what hosts make is looked at.
func machine(t *testing.T) (seen []string) {
	t.Helper()
	interfaces, err := net.Interfaces()
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range interfaces {
		seen = append(seen, "interface "+i.Name)
	}
	mounts, err := os.ReadFile("/proc/self/mounts")
	if err != nil {
		t.Fatal(err)
	}
	seen = append(seen, strings.Split(string(mounts), "\n")...)
	for _, dir := range []string{workspace, Home + "/.ssh", "/etc/ssh", "/etc/slurm", "/etc/munge", "/var/spool",
		"/run/munge"} {
		files, _ := os.ReadDir(dir)
		for _, file := range files {
			seen = append(seen, filepath.Join(dir, file.Name()))
		}
	}
	name, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	return append(seen, "name "+name)
}

// TestNothingIsLeftOfACluster looks after a cluster has been closed, and after a process with a cluster has been
// killed.
func TestNothingIsLeftOfACluster(t *testing.T) {
	holdIfAsked()
	for _, killed := range []bool{false, true} {
		before := machine(t)
		tmp := t.TempDir()
		cmd := holder(t, tmp)
		in, out := testkit.StartPiped(t, cmd)
		line, err := out.ReadString('\n')
		namespaces := strings.Fields(line)
		if err != nil || len(namespaces) != 4 {
			cmd.Process.Kill()
			t.Fatalf("%q, %v", line, err)
		}
		if running := inNamespaces(t, namespaces); len(running) < 9 {
			t.Errorf("%d processes are in the namespaces %v: %q", len(running), namespaces, running)
		}
		if killed {
			cmd.Process.Kill()
		} else {
			in.Close()
		}
		err = cmd.Wait()
		if !killed && err != nil {
			t.Error(err)
		}
		// Closing waits; after a kill, the processes see it one after the other.
		if left := inNamespaces(t, namespaces); !killed && len(left) > 0 {
			t.Errorf("left when the cluster was closed: %q", left)
		}
		eventually(t, "no process of the cluster is left", func() bool { return len(inNamespaces(t, namespaces)) == 0 })
		if after := machine(t); !slices.Equal(before, after) {
			t.Errorf("killed %v: the machine had\n%q, and has\n%q", killed, before, after)
		}
		if left, err := os.ReadDir(tmp); err != nil || len(left) > 0 {
			t.Errorf("killed %v: left in the directory for temporary files: %v, %v", killed, left, err)
		}
	}
}

// holder is a process that makes a cluster and holds it.
func holder(t *testing.T, tmp string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	cmd.Env = append(os.Environ(), "HOSTS_TEST_HOLDS=1", "TMPDIR="+tmp)
	cmd.Stderr = os.Stderr
	return cmd
}

func holdIfAsked() {
	if os.Getenv("HOSTS_TEST_HOLDS") != "" {
		hold()
		os.Exit(0)
	}
}

// TestNothingIsLeftOfAClusterThatIsNotComplete kills its process when it has made the first host, and when it has made
// all.
func TestNothingIsLeftOfAClusterThatIsNotComplete(t *testing.T) {
	holdIfAsked()
	for _, count := range []int{1, 3} {
		tmp := t.TempDir()
		cmd := holder(t, tmp)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		var namespaces []string
		eventually(t, "hosts are made", func() bool {
			namespaces = initsWith(t, "TMPDIR="+tmp)
			return len(namespaces) >= count
		})
		cmd.Process.Kill()
		cmd.Wait()
		eventually(t, "no process of the cluster is left", func() bool {
			return len(initsWith(t, "TMPDIR="+tmp)) == 0 && len(inNamespaces(t, namespaces)) == 0
		})
	}
}

// initsWith are the network namespaces of hosts whose init has been started with a variable in its environment.
func initsWith(t *testing.T, variable string) (namespaces []string) {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		dir := filepath.Dir(file)
		environ, _ := os.ReadFile(file)
		line, _ := os.ReadFile(filepath.Join(dir, "cmdline"))
		name, err := os.Readlink(filepath.Join(dir, "ns/net"))
		if err == nil && strings.HasPrefix(string(line), initRole) &&
			slices.Contains(strings.Split(string(environ), "\x00"), variable) {
			namespaces = append(namespaces, name)
		}
	}
	return namespaces
}

// hold makes a cluster in which commands run, says its namespaces, and waits for the end of its input.
func hold() {
	c, err := Open(Options{Slurm: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer c.Close()
	var namespaces []string
	for _, pid := range []int{c.site.Process.Pid, c.hosts[0].pid, c.hosts[1].pid, c.hosts[2].pid} {
		name, err := os.Readlink(fmt.Sprintf("/proc/%d/ns/net", pid))
		if err != nil {
			fmt.Println(err)
			return
		}
		namespaces = append(namespaces, name)
	}
	// Processes that a session leaves behind, and one that ignores what can be ignored.
	front := c.Host("front")
	for _, script := range []string{
		"touch /tmp/file /dev/shm/file; setsid sleep 1000 </dev/null >/dev/null 2>&1 &",
		"ssh node1 'nohup sleep 1000 </dev/null >/dev/null 2>&1 &'",
		"trap '' TERM INT HUP; setsid sleep 1000 </dev/null >/dev/null 2>&1 &",
	} {
		cmd := front.Command(context.Background(), nil, "sh", "-c", script)
		if text, err := cmd.CombinedOutput(); err != nil {
			fmt.Printf("%v %s\n", err, text)
			return
		}
	}
	fmt.Println(strings.Join(namespaces, " "))
	bufio.NewReader(os.Stdin).ReadString('\n')
}
