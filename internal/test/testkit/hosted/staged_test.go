//go:build !quick

package hosted

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"unknot/internal/test/testkit"
	"unknot/internal/test/testkit/hosts"
	"unknot/internal/vocab/finding"
)

// apart are hosts of which node2 shares no files with the others.
func apart(t *testing.T) *Site {
	t.Helper()
	return New(t, hosts.Options{Separate: map[string]bool{"node2": true}})
}

// install puts a file at one path on all hosts: programs are the user's matter.
func (s *Site) install(t *testing.T, from, to string) {
	t.Helper()
	text, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range s.Hosts() {
		if err := os.WriteFile(h.Path(to), text, 0o755); err != nil {
			t.Fatal(err)
		}
	}
}

// deadlocked is a program that hangs with any two ranks, installed on all hosts.
func (s *Site) deadlocked(t *testing.T, mpi string) string {
	t.Helper()
	to := "/run/broken-" + mpi
	s.install(t, s.Compile(t, "../../../../examples/recv-recv/broken.c", mpi)[0], to)
	return to
}

// exiting is a program that does nothing wrong and ends with exit status 7 if it is one rank, installed on all hosts.
// Jobs of it with several ranks are Open MPI's: the MPICH of Debian 12 hangs now and then in MPI_Finalize, without
// unknot too, if a rank returns from MPI_Init late.
func (s *Site) exiting(t *testing.T, mpi string) string {
	t.Helper()
	to := "/run/fixed-" + mpi
	s.install(t, s.Compile(t, "testdata/ends.c", mpi)[0], to)
	return to
}

// do runs a shell's line on a host.
func do(t *testing.T, h *hosts.Host, line string) string {
	t.Helper()
	text, err := h.Command(t.Context(), nil, "sh", "-c", line).CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %s: %v\n%s", h.Name(), line, err, text)
	}
	return string(text)
}

// both holds a run to the deadlock of two ranks on two hosts.
func both(t *testing.T, o Outcome) {
	t.Helper()
	if o.Exit != 66 || len(o.Run.Findings) != 1 || !o.Run.Complete {
		t.Fatalf("exit status %d, %d findings, complete: %v\n%s", o.Exit, len(o.Run.Findings), o.Run.Complete, o.Output)
	}
	f := o.Run.Findings[0]
	if f.Code != finding.Deadlock || f.Standing != finding.Manifest ||
		f.Sentence != "Ranks 0 and 1 wait for each other: each receives before it sends." {
		t.Errorf("%s", o.Output)
	}
	for i, p := range f.Places {
		if want := fmt.Sprintf("node%d", i+1); p.Host != want || p.Rank != i || p.Line == 0 {
			t.Errorf("rank %d is said to be on %s at %s:%d, want rank %d on %s", p.Rank, p.Host, p.File,
				p.Line, i, want)
		}
	}
}

var stagedFile = regexp.MustCompile(`^/tmp/unknot-0(/[0-9a-f]{32}(/unknot|/probe\.so|/heap\.so)?)?$`)

// onlyStaged holds all hosts to have nothing left but what is staged, and removes that.
func (s *Site) onlyStaged(t *testing.T) {
	t.Helper()
	for _, h := range s.Hosts() {
		for _, name := range h.Files("/tmp") {
			if strings.Contains(name, "unknot") && !stagedFile.MatchString(name) {
				t.Errorf("%s: left behind: %s", h.Name(), name)
			}
		}
		do(t, h, "rm -rf /tmp/unknot-0")
	}
	s.Clean(t)
}

func TestAHostWithoutFilesOfTheOthersIsStagedOnce(t *testing.T) {
	t.Parallel()
	s := apart(t)
	for _, mpi := range testkit.Libraries(0) {
		t.Run(mpi, func(t *testing.T) {
			command := append(Launcher(mpi, 2, "node1", "node2"), s.deadlocked(t, mpi))
			o := s.Run(t, []string{"--stage"}, command...)
			both(t, o)
			// node1 shares a disk with the front host, but not /tmp, where both have to have what node2 has.
			said := regexp.MustCompile(
				`unknot: --stage: copied unknot and the probe, [1-9][0-9]* MiB, to /tmp/unknot-0 of node1, node2\n`)
			if !said.MatchString(o.Output) {
				t.Errorf("no line that matches %q in\n%s", said, o.Output)
			}
			again := s.Run(t, []string{"--stage"}, command...)
			both(t, again)
			if strings.Contains(again.Output, "--stage") {
				t.Errorf("staged again:\n%s", again.Output)
			}
			s.onlyStaged(t)
		})
	}
}

// ended holds a job to have ended by itself, with its own exit status and all its ranks.
func ended(t *testing.T, o Outcome, ranks int) {
	t.Helper()
	want := 0
	if ranks == 1 {
		want = 7
	}
	if n := strings.Count(o.Output, " of the job ends, sum"); o.Exit != want || n != ranks {
		t.Errorf("exit status %d, want %d; %d ranks ended, want %d\n%s", o.Exit, want, n, ranks, o.Output)
	}
}

// says holds a text to have one line that matches.
func says(t *testing.T, text, line string) {
	t.Helper()
	if n := len(regexp.MustCompile("(?m)^"+line+"$").FindAllString(text, -1)); n != 1 {
		t.Errorf("%d lines match %q, want one, in\n%s", n, line, text)
	}
}

func TestAHostThatLacksFilesIsNamed(t *testing.T) {
	t.Parallel()
	s := apart(t)
	program := s.exiting(t, "openmpi")
	o := s.Run(t, nil, append(Launcher("openmpi", 2, "node1", "node2"), program)...)
	ended(t, o, 2)
	says(t, o.Output, "unknot: note: ranks on node2 were not watched: the host has neither "+s.Unknot+
		` nor the probe \S*/probe-\w+\.so; hint: use --stage, which copies them there, or .*`)
	says(t, o.Output, "unknot: incomplete: 1 of 2 ranks were watched: .*")
	if o.Run.Complete || len(o.Run.Notes) != 1 {
		t.Errorf("complete: %v, notes %q", o.Run.Complete, o.Run.Notes)
	}
	s.Clean(t)
}

// TestAHostWithUnknotAndNoProbeIsNamed has no rank on another host, so that nothing is heard of the job.
func TestAHostWithUnknotAndNoProbeIsNamed(t *testing.T) {
	t.Parallel()
	s := apart(t)
	do(t, s.Host("node2"), "mkdir -p "+s.Dir)
	s.install(t, s.Unknot, s.Unknot)
	for _, mpi := range testkit.Libraries(1) {
		t.Run(mpi, func(t *testing.T) {
			o := s.Run(t, nil, append(Launcher(mpi, 1, "node2"), s.exiting(t, mpi))...)
			ended(t, o, 1)
			says(t, o.Output,
				`unknot: note: ranks on node2 were not watched: the host has unknot, but not the probe \S*/probe-\w+\.so; hint: use --stage.*`)
			says(t, o.Output, `unknot: not watched: no rank was heard of; report: \S+`)
		})
	}
	do(t, s.Host("node2"), "rm -r "+s.Dir)
	s.Clean(t)
}

func TestFilesAreStagedBelowAHomeDirectoryThatHasOnePath(t *testing.T) {
	t.Parallel()
	s := apart(t)
	s.Env = []string{"XDG_CACHE_HOME=", "UNKNOT_PROBE_DIR=" + s.prebuilt(t, "mpich")}
	program := s.deadlocked(t, "mpich")
	o := s.Run(t, []string{"--stage"}, append(Launcher("mpich", 2, "node1", "node2"), program)...)
	both(t, o)
	// node1 has the same home directory as the front host.
	says(t, o.Output, "unknot: --stage: copied unknot and the probe, [0-9]+ MiB, to \\S*/.cache/unknot/staged of node2")
	s.Clean(t)
}

// prebuilt is a directory with a probe that needs no cache.
func (s *Site) prebuilt(t *testing.T, mpi string) string {
	t.Helper()
	dir := filepath.Join(s.Dir, "prebuilt")
	cmd := s.Hosts()[0].Command(t.Context(), nil, s.Unknot, "probe", "build", "--mpicc", "mpicc."+mpi, "-o", dir)
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return dir
}

// older is an unknot of another version.
func older(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "unknot")
	build := exec.Command("go", "build", "-trimpath", "-ldflags", "-X main.version=old", "-o", path,
		"unknot/cmd/unknot")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if text, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return path
}

// version is that of the unknot of a test.
func (s *Site) version(t *testing.T) string {
	t.Helper()
	return strings.Fields(do(t, s.Hosts()[0], s.Unknot+" version"))[1]
}

func TestAnotherVersionOnAHostIsNamed(t *testing.T) {
	t.Parallel()
	s := New(t, hosts.Options{})
	// A cache that ends with the test, as files are staged there: all hosts share it.
	s.Env = []string{"XDG_CACHE_HOME=" + filepath.Join(s.Dir, "cache")}
	do(t, s.Host("front"),
		fmt.Sprintf("mkdir -p %[1]s/cache/unknot; cp %[2]s/unknot/probe-* %[1]s/cache/unknot || true", s.Dir, s.cache))
	ours := regexp.QuoteMeta(s.version(t))
	s.install(t, older(t), "/run/older")
	do(t, s.Host("node2"), "mount --bind /run/older "+s.Unknot)
	program := s.exiting(t, "openmpi")
	command := append(Launcher("openmpi", 2, "node1", "node2"), program)
	o := s.Run(t, nil, command...)
	ended(t, o, 2)
	says(t, o.Output, "unknot: the ranks on node2 are not watched: .* runs unknot "+ours+
		", this is unknot old; hint: install the same unknot on all hosts")
	says(t, o.Output, "unknot: note: ranks on node2 were not watched: "+s.Unknot+
		" there is unknot old, this is unknot "+ours+"; hint: install the same unknot on all hosts, or use --stage")
	doctor, status := s.doctor(t, nil, "node1,node2")
	says(t, doctor, "ok    node1: unknot: "+s.Unknot+", version "+ours)
	says(t, doctor, "fail  node2: unknot: "+s.Unknot+" is unknot old, this is unknot "+ours+
		"; hint: install the same unknot on all hosts, or .*")
	says(t, doctor, "fail  node2: link: does not reach this host at .*: .* runs unknot "+ours+
		", this is unknot old; hint: .*")
	if status != 1 {
		t.Errorf("exit status of unknot doctor: %d", status)
	}
	o = s.Run(t, []string{"--stage"}, command...)
	ended(t, o, 2)
	if _, err := os.Stat(filepath.Join(s.Dir, "cache", "unknot", "staged")); err != nil || !o.Run.Complete {
		t.Errorf("staged, and still not watched: %s\n%s", o.Run.Why, o.Output)
	}
	s.Clean(t)
}

// doctor runs unknot doctor --hosts on the first host.
func (s *Site) doctor(t *testing.T, options []string, command ...string) (text string, status int) {
	t.Helper()
	argv := slices.Concat([]string{s.Unknot, "doctor", "--hosts"}, options, command)
	cmd := s.Hosts()[0].Command(t.Context(), s.environment(), argv...)
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

func TestAHostThatCannotBeReachedIsNamed(t *testing.T) {
	t.Parallel()
	s := New(t, hosts.Options{})
	program := s.exiting(t, "openmpi")
	// The launcher cannot start such a job either.
	const why = "Could not resolve hostname nosuch: .*; hint: `ssh nosuch true` must work without a password"
	o := s.Run(t, []string{"--stage"}, append(Launcher("openmpi", 2, "node1", "nosuch"), program)...)
	if o.Exit == 0 || o.Exit == 66 || o.Exit == 3 {
		t.Errorf("exit status %d, want the launcher's", o.Exit)
	}
	says(t, o.Output, "unknot: --stage: nosuch cannot be reached: "+why+"; ranks there are not watched")
	says(t, o.Output, "unknot: note: ranks on nosuch were not watched: the host cannot be reached: "+why)
	doctor, status := s.doctor(t, nil, slices.Concat(Launcher("openmpi", 2, "node1", "nosuch"), []string{program})...)
	says(t, doctor, "fail  nosuch: ssh: the host cannot be reached: "+why)
	says(t, doctor, "ok    node1: ssh: works without a password")
	if status != 1 {
		t.Errorf("exit status of unknot doctor: %d", status)
	}
	s.Clean(t)
}

func TestAFirewallIsNamedWithWhatToAskFor(t *testing.T) {
	t.Parallel()
	s := New(t, hosts.Options{})
	program := s.exiting(t, "mpich")
	// Packets to this address of the front host vanish, as many firewalls have it.
	do(t, s.Host("front"), "ip address add 10.77.0.99/24 dev eth0")
	do(t, s.Host("node1"), "ip neigh replace 10.77.0.99 lladdr 02:ff:00:00:00:01 dev eth0 nud permanent")
	for address, why := range map[string]string{"127.0.0.1": "connect: connection refused",
		"10.77.0.99": "no answer within 5s"} {
		const hint = "; hint: the firewall must let this host connect to such a port of the host of unknot run; " +
			"--bind names another address or a port for it"
		fault := "no connection: " + regexp.QuoteMeta(address) + ":[0-9]+: " + why + hint
		o := s.Run(t, []string{"--bind", address}, append(Launcher("mpich", 1, "node1"), program)...)
		ended(t, o, 1)
		says(t, o.Output, "unknot: the ranks on node1 are not watched: "+fault)
		says(t, o.Output, `unknot: not watched: no rank was heard of; report: \S+`)
		doctor, status := s.doctor(t, []string{"--bind", address}, "node1")
		says(t, doctor, "fail  node1: link: does not reach this host at "+regexp.QuoteMeta(address)+":[0-9]+: "+fault)
		if status != 1 {
			t.Errorf("exit status of unknot doctor: %d", status)
		}
	}
	s.Clean(t)
}

func TestAHostThatCannotBeStagedIsNamed(t *testing.T) {
	t.Parallel()
	s := apart(t)
	node := s.Host("node2")
	program := s.exiting(t, "openmpi")
	for _, c := range []struct{ before, after, why string }{
		{"mkdir -m 700 /tmp/unknot-0; mount -t tmpfs -o size=1m,mode=700 tmpfs /tmp/unknot-0",
			"umount /tmp/unknot-0; rmdir /tmp/unknot-0",
			`does not get unknot: cannot write /tmp/unknot-0/\w+/unknot: No space left on device`},
		{"mkdir -m 777 /tmp/unknot-0", "rm -r /tmp/unknot-0",
			"does not get unknot: /tmp/unknot-0 is not a directory of this user alone, so somebody else could put " +
				"another program there"},
		{"mkdir -m 700 /tmp/unknot-0; chown nobody /tmp/unknot-0", "rm -r /tmp/unknot-0",
			"does not get unknot: /tmp/unknot-0 is not a directory of this user alone, .*"},
		{"mkdir -m 700 /tmp/elsewhere; ln -s elsewhere /tmp/unknot-0", "rm -r /tmp/unknot-0 /tmp/elsewhere",
			"does not get unknot: /tmp/unknot-0 is not a directory of this user alone, .*"},
	} {
		do(t, node, c.before)
		o := s.Run(t, []string{"--stage"}, append(Launcher("openmpi", 2, "node1", "node2"), program)...)
		ended(t, o, 2)
		says(t, o.Output, "unknot: --stage: node2 "+c.why+"; ranks there are not watched")
		says(t, o.Output, "unknot: incomplete: 1 of 2 ranks were watched: .*")
		if left := strings.TrimSpace(do(t, node, "find /tmp/unknot-0/ -type f")); left != "" {
			t.Errorf("left of %s: %s", c.before, left)
		}
		do(t, node, c.after)
	}
	s.onlyStaged(t)
}

func TestDoctorExaminesOtherHosts(t *testing.T) {
	t.Parallel()
	s := apart(t)
	mpi := "openmpi"
	program := s.exiting(t, mpi)
	command := append(Launcher(mpi, 2, "node1", "node2"), program)
	text, status := s.doctor(t, nil, command...)
	ours := regexp.QuoteMeta(s.version(t))
	if status != 1 {
		t.Errorf("exit status %d, want 1", status)
	}
	for _, node := range []string{"node1", "node2"} {
		says(t, text, "ok    "+node+": name: 10.77.0.[23]")
		says(t, text, "ok    "+node+": ssh: works without a password")
		says(t, text, "ok    "+node+`: MPI: mpirun\.openmpi is version [0-9.]+, as here`)
		says(t, text, "ok    "+node+": program: /run/fixed-openmpi uses /usr/lib/.*/libmpi.so.[0-9.]+, as here")
		says(t, text, "(ok  |warn)  "+node+": /dev/shm: [0-9]+ MiB free, enough for [0-9]+ ranks on that host.*")
		says(t, text, "ok    "+node+": link: reaches this host at 10.77.0.1:[0-9]+")
		says(t, text, "ok    "+node+": clock: as here")
	}
	says(t, text, "ok    node1: unknot: "+s.Unknot+", version "+ours)
	says(t, text, `ok    node1: probe: /tmp/unknot-hosted-0/unknot/probe-\w+\.so for Open MPI [0-9.]+`)
	says(t, text, "fail  node2: unknot: there is no "+s.Unknot+
		"; hint: install unknot at the same path on all hosts, or use `unknot run --stage`.*")
	says(t, text,
		`fail  node2: probe: there is no /tmp/unknot-hosted-0/unknot/probe-\w+\.so for Open MPI [0-9.]+; hint: .*`)

	if o := s.Run(t, []string{"--stage"}, command...); !o.Run.Complete {
		t.Errorf("%s\n%s", o.Run.Why, o.Output)
	}
	text, status = s.doctor(t, nil, command...)
	if status != 0 {
		t.Errorf("exit status %d of\n%s", status, text)
	}
	says(t, text, "ok    node2: unknot: staged as /tmp/unknot-0/[0-9a-f]{32}/unknot, version "+ours)
	says(t, text, "ok    node2: probe: staged as /tmp/unknot-0/[0-9a-f]{32}/probe.so for Open MPI [0-9.]+")

	// Another version of MPI, first in PATH there.
	s.install(t, "testdata/othermpirun", "/run/mpirun.openmpi")
	do(t, s.Host("node2"), "mount --bind /run/mpirun.openmpi /usr/bin/mpirun.openmpi")
	text, status = s.doctor(t, nil, command...)
	says(t, text,
		`fail  node2: MPI: mpirun\.openmpi is version 3\.1\.6, here it is [0-9.]+; hint: use one version of MPI on all hosts`)
	says(t, text, `ok    node1: MPI: mpirun\.openmpi is version [0-9.]+, as here`)
	if status != 1 {
		t.Errorf("exit status %d of\n%s", status, text)
	}
	s.onlyStaged(t)
}
