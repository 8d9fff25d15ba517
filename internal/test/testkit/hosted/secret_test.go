//go:build !quick

package hosted

import (
	"bytes"
	"context"
	"net"
	"os"
	"slices"
	"strings"
	"testing"

	"unknot/internal/test/testkit"
	"unknot/internal/test/testkit/hosts"
	"unknot/internal/vocab/finding"
)

// TestTheKeyOfAJobIsSeenByNobody looks for it in the command lines of all processes, and in the files of all hosts that
// others may read.
func TestTheKeyOfAJobIsSeenByNobody(t *testing.T) {
	t.Parallel()
	s := New(t, hosts.Options{})
	for _, mpi := range testkit.Both() {
		t.Run(mpi, func(t *testing.T) {
			j, open := phases(t, s, mpi, nil)
			link := variable(t, s.Host("node1"), "agent --joined", "UNKNOT_LINK")
			key, _, ok := strings.Cut(link, "@")
			if !ok || len(key) < 40 {
				t.Fatalf("UNKNOT_LINK=%s", link)
			}
			for _, h := range s.Hosts() {
				for _, line := range h.Processes() {
					if strings.Contains(line, key) {
						t.Errorf("%s: the command line %q has the key", h.Name(), line)
					}
				}
				for _, dir := range []string{"/dev/shm", "/tmp"} {
					for _, name := range h.Files(dir) {
						info, err := os.Stat(h.Path(name))
						if err != nil || !info.Mode().IsRegular() || info.Mode().Perm()&0o077 == 0 {
							continue
						}
						if text, err := os.ReadFile(h.Path(name)); err == nil && bytes.Contains(text, []byte(key)) {
							t.Errorf("%s: the file %s has the key", h.Name(), name)
						}
					}
				}
			}
			open()
			if o := j.Wait(t); o.Exit != 0 {
				t.Errorf("exit status %d\n%s", o.Exit, o.Output)
			}
		})
	}
}

// variable is an environment variable of a process of a host.
func variable(t *testing.T, h *hosts.Host, pattern, name string) string {
	t.Helper()
	script := `tr '\0' '\n' </proc/$(pgrep -f -- "` + pattern + `" | head -1)/environ | sed -n 's/^` + name + `=//p'`
	text, err := h.Command(t.Context(), nil, "sh", "-c", script).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(text))
}

// TestStrangersDisturbNobody has others talk to the port at which agents join: with garbage, with the address of an
// earlier job's agent, and with nothing at all.
func TestStrangersDisturbNobody(t *testing.T) {
	t.Parallel()
	s := New(t, hosts.Options{})
	j, open := phases(t, s, "openmpi", nil, "hang")
	_, addresses, _ := strings.Cut(variable(t, s.Host("node1"), "agent --joined", "UNKNOT_LINK"), "@")
	host, port, err := net.SplitHostPort(addresses)
	if err != nil {
		t.Fatal(err)
	}
	say := func(what string) {
		// What the other end says to it does not matter.
		_ = s.Host("node2").Command(context.Background(), nil, "bash", "-c", `exec 3<>/dev/tcp/`+host+`/`+port+
			`; `+what).Run()
	}
	say(`head -c 100000 /dev/urandom >&3`)
	say(`printf 'GET / HTTP/1.1\r\n\r\n' >&3; cat <&3`)
	say(`true`)
	open()
	o := j.Wait(t)
	if o.Exit != 66 || len(o.Run.Findings) != 1 || o.Run.Findings[0].Code != finding.Deadlock || !o.Run.Complete {
		t.Errorf("exit status %d, complete %v %s\n%s", o.Exit, o.Run.Complete, o.Run.Why, o.Output)
	}
	if !slices.ContainsFunc(o.Run.Notes, func(n string) bool { return strings.Contains(n, "refused") }) {
		t.Errorf("notes %q", o.Run.Notes)
	}
	s.Clean(t)
}

// TestTwoJobsOnTheSameHostsAreTwo runs one that hangs beside one that does not.
func TestTwoJobsOnTheSameHostsAreTwo(t *testing.T) {
	t.Parallel()
	s := New(t, hosts.Options{})
	hangs := s.Compile(t, "../../../../examples/recv-recv/broken.c", "openmpi")
	j, open := phases(t, s, "mpich", nil)
	o := s.Run(t, nil, slices.Concat(Launcher("openmpi", 2, "node1", "node2"), hangs)...)
	open()
	other := j.Wait(t)
	if o.Exit != 66 || len(o.Run.Findings) != 1 {
		t.Errorf("exit status %d\n%s", o.Exit, o.Output)
	}
	if other.Exit != 0 || len(other.Run.Findings) > 0 || !other.Run.Complete {
		t.Errorf("exit status %d\n%s", other.Exit, other.Output)
	}
	s.Clean(t)
}
