//go:build !quick

package hosted

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"unknot/internal/observe/probe"
	"unknot/internal/observe/record"
	"unknot/internal/test/testkit"
	"unknot/internal/test/testkit/hosts"
	"unknot/internal/test/testkit/snippets"
)

// hang starts a job on two hosts without unknot, whose ranks wait for each other, and returns once all are about to.
func (s *Site) hang(t *testing.T, mpi string, preload ...string) {
	t.Helper()
	const ranks = 4
	program := s.Compile(t, "../../../attach/testdata/hang.c", mpi)
	env := slices.DeleteFunc(s.environment(), func(v string) bool { return strings.HasPrefix(v, "LD_PRELOAD=") })
	for _, v := range s.preload {
		preload = append(preload, strings.TrimPrefix(v, "LD_PRELOAD="))
	}
	argv := Launcher(mpi, ranks, "node1", "node2")
	if mpi == "openmpi" {
		argv = append(argv, "-x", "LD_PRELOAD")
	}
	cmd := s.Host("front").Command(t.Context(), append(env, "LD_PRELOAD="+strings.Join(preload, ":")),
		slices.Concat(argv, program, []string{"ring"})...)
	out, err := os.Create(filepath.Join(t.TempDir(), "output"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	t.Cleanup(func() {
		for _, node := range []string{"node1", "node2"} {
			_ = s.Host(node).Command(t.Context(), nil, "pkill", "-9", "-f", program[len(program)-1]+" ring").Run()
		}
		_ = cmd.Process.Kill()
		<-ended
	})
	for end := time.Now().Add(limit); ; time.Sleep(20 * time.Millisecond) {
		text, err := os.ReadFile(out.Name())
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Count(text, []byte(" pid ")) == ranks {
			return
		}
		if len(ended) > 0 || time.Now().After(end) {
			t.Fatalf("the job has not begun to hang:\n%s", text)
		}
	}
}

// on runs unknot on a host, and gives its exit status and what it says without line breaks.
func (s *Site) on(t *testing.T, host string, argv ...string) (status int, said string) {
	t.Helper()
	cmd := s.Host(host).Command(t.Context(), s.environment(), slices.Concat([]string{s.Unknot}, argv)...)
	cmd.Dir = s.Dir
	text, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), strings.Join(strings.Fields(string(text)), " ")
}

// proved holds what was said to a proof that four ranks wait for each other.
func proved(t *testing.T, status int, said string) {
	t.Helper()
	if status != 66 || !strings.Contains(said, "error: deadlock (manifest) Ranks 0-3 wait for each other in a cycle") {
		t.Errorf("exit status %d: %s", status, said)
	}
}

// settled looks at the hosts of a job until its ranks have come to where they stay.
func (s *Site) settled(t *testing.T) (status int, said string) {
	t.Helper()
	for range 20 {
		if status, said = s.on(t, "front", "attach", "--host", "node1,node2"); status == 66 {
			break
		}
	}
	return status, said
}

// TestAJobOnSeveralHostsIsExplained that was not started under unknot.
func TestAJobOnSeveralHostsIsExplained(t *testing.T) {
	t.Parallel()
	s := New(t, hosts.Options{})
	for _, mpi := range testkit.Libraries(1) {
		t.Run(mpi, func(t *testing.T) {
			s.hang(t, mpi)
			status, said := s.settled(t)
			proved(t, status, said)
			if !strings.Contains(said, "if the MPI library and the network work") {
				t.Errorf("%s", said)
			}
			// All of it in a file.
			file := filepath.Join(s.Dir, "hang.dump")
			if status, said := s.on(t, "node1", "dump", "--host", "node[1-2]", file); status != 0 || said != "" {
				t.Fatalf("exit status %d: %s", status, said)
			}
			status, said = s.on(t, "front", "report", file)
			proved(t, status, said)
			// A host that cannot be reached.
			status, said = s.on(t, "front", "attach", "--host", "node1,nosuch,node2")
			proved(t, status, said)
			if !strings.Contains(said, "host nosuch was not looked at: it cannot be reached: ") {
				t.Errorf("%s", said)
			}
			status, said = s.on(t, "front", "attach", "--host", "nosuch")
			if status != 2 || !strings.Contains(said, "unknot: attach: host nosuch cannot be reached: ") {
				t.Errorf("exit status %d: %s", status, said)
			}
			// The ranks of one host prove nothing.
			if status, said = s.on(t, "front", "attach", "--host", "node1"); status != 0 ||
				strings.Contains(said, "deadlock (manifest)") {
				t.Errorf("exit status %d: %s", status, said)
			}
			// Hosts that were looked at one after the other.
			for _, node := range []string{"node1", "node2"} {
				if status, said := s.on(t, node, "dump", s.Dir+"/%h.dump"); status != 0 {
					t.Fatalf("%s: exit status %d: %s", node, status, said)
				}
			}
			status, said = s.on(t, "front", "report", s.Dir+"/node1.dump", s.Dir+"/node2.dump")
			if status != 0 || !strings.Contains(said, "warning: deadlock-likely") ||
				!strings.Contains(said, "it is not known whether ranks on different hosts were in these calls at the same time") {
				t.Errorf("exit status %d: %s", status, said)
			}
			status, said = s.on(t, "front", "attach", "--host", "node1,node2", "--kill")
			proved(t, status, said)
		})
		s.Clean(t)
	}
}

// TestRecordsOfHostsThatWereLookedAtApartProveADeadlock has ranks record what they do.
func TestRecordsOfHostsThatWereLookedAtApartProveADeadlock(t *testing.T) {
	t.Parallel()
	s := New(t, hosts.Options{})
	mpi := testkit.Libraries(0)[0]
	r, err := record.Build(t.Context(), probe.Options{MPICC: "mpicc." + mpi, CacheDir: filepath.Join(s.cache, "unknot")})
	if err != nil {
		t.Fatal(err)
	}
	s.hang(t, mpi, r.Path)
	status, said := s.settled(t)
	proved(t, status, said)
	for _, node := range []string{"node1", "node2"} {
		if status, said := s.on(t, node, "dump", s.Dir+"/%h.dump"); status != 0 {
			t.Fatalf("%s: exit status %d: %s", node, status, said)
		}
	}
	status, said = s.on(t, "front", "report", s.Dir+"/node1.dump", s.Dir+"/node2.dump")
	proved(t, status, said)
	if !strings.Contains(said, "by the records of the ranks") {
		t.Errorf("%s", said)
	}
}

// TestAHostWithoutUnknotIsNamedAndGetsIt has a host that shares no files with the others.
func TestAHostWithoutUnknotIsNamedAndGetsIt(t *testing.T) {
	t.Parallel()
	s := apart(t)
	const mpi = "mpich"
	program := s.deadlocked(t, mpi)
	cmd := s.Host("front").Command(t.Context(), s.environment(),
		append(Launcher(mpi, 2, "node1", "node2"), program)...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	missing := "unknot: host node2 was not looked at: it has no " + s.Unknot + "; hint: install unknot at the same path"
	status, said := 0, ""
	for end := time.Now().Add(limit); !strings.Contains(said, missing) && time.Now().Before(end); {
		status, said = s.on(t, "front", "attach", "--host=node1,node2")
	}
	if status != 0 || !strings.Contains(said, missing) {
		t.Fatalf("exit status %d: %s", status, said)
	}
	for end := time.Now().Add(limit); status != 66 && time.Now().Before(end); {
		status, said = s.on(t, "front", "attach", "--host=node1,node2", "--stage")
	}
	if status != 66 || !strings.Contains(said, "Ranks 0 and 1 wait for each other") {
		t.Errorf("exit status %d: %s", status, said)
	}
	if status, said = s.on(t, "front", "attach", "--host=node1,node2", "--stage", "--kill"); status != 66 {
		t.Errorf("exit status %d: %s", status, said)
	}
}

// TestAJobIsLookedAtBeforeItsTimeLimit submits the job script of docs/dump.md, and sends it the signal that Slurm sends
// before the limit.
func TestAJobIsLookedAtBeforeItsTimeLimit(t *testing.T) {
	if !testkit.Nightly() {
		t.Skip("starts a cluster with Slurm: make nightly runs it")
	}
	t.Parallel()
	found, err := snippets.Of("../../../../docs/dump.md")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	script := filepath.Join(dir, "limited.sh")
	if err := os.WriteFile(script, []byte("#!/bin/bash\n"+found["limited.sh"]), 0o755); err != nil {
		t.Fatal(err)
	}
	s := New(t, hosts.Options{Slurm: true, Shared: []string{dir}})
	if err := os.Symlink(s.Compile(t, "../../../../examples/recv-recv/broken.c", "openmpi")[0],
		filepath.Join(dir, "app")); err != nil {
		t.Fatal(err)
	}
	front := s.Host("front")
	env := slices.DeleteFunc(s.environment(), func(v string) bool { return strings.HasPrefix(v, "LD_PRELOAD=") })
	submit := front.Command(t.Context(), append(env, "PATH="+filepath.Dir(s.Unknot)+":"+os.Getenv("PATH")),
		"sbatch", "--parsable", "-N", "2", "--ntasks-per-node=1", "-t", "10", "-D", dir, "-o", filepath.Join(dir, "output"),
		script)
	text, err := submit.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	id := strings.TrimSpace(string(text))
	t.Cleanup(func() { _ = front.Command(context.Background(), nil, "scancel", id).Run() })
	status, said := 0, ""
	for end := time.Now().Add(limit); status != 66 && time.Now().Before(end); {
		status, said = s.on(t, "front", "attach", "--job", id, "--host", "node[1-2]")
	}
	if status != 66 {
		t.Fatalf("exit status %d: %s", status, said)
	}
	do(t, front, "scancel --batch --signal=USR1 "+id)
	file := filepath.Join(dir, id+".dump")
	for end := time.Now().Add(limit); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		if _, err := os.Stat(file); err == nil {
			break
		}
	}
	if status, said = s.on(t, "front", "report", file); status != 66 ||
		!strings.Contains(said, "Ranks 0 and 1 wait for each other") || strings.Contains(said, "was not looked at") {
		output, _ := os.ReadFile(filepath.Join(dir, "output"))
		t.Errorf("exit status %d: %s\n%s", status, said, output)
	}
}

// TestAHostThatIsCutOffIsLeftOut while it watches: the others are explained, and nothing is left on it.
func TestAHostThatIsCutOffIsLeftOut(t *testing.T) {
	if !testkit.Nightly() {
		t.Skip("takes minutes, as a host gets its time to answer: nightly runs it")
	}
	t.Parallel()
	s := New(t, hosts.Options{})
	s.hang(t, "mpich")
	status, said := s.settled(t)
	proved(t, status, said)
	watches := func(p string) bool { return strings.Contains(p, "look --watch") }
	cut := make(chan bool)
	go func() {
		defer close(cut)
		for !slices.ContainsFunc(s.Host("node2").Processes(), watches) {
			time.Sleep(10 * time.Millisecond)
		}
		s.Cut("front", "node2")
	}()
	status, said = s.on(t, "front", "attach", "--host", "node1,node2", "--watch", "15s")
	<-cut
	if status != 0 || !strings.Contains(said, "host node2 was not looked at: it ") ||
		!strings.Contains(said, "rank 0 ") || strings.Contains(said, "deadlock (manifest)") {
		t.Errorf("exit status %d: %s", status, said)
	}
	t.Log(said)
	s.Heal("front", "node2")
	for end := time.Now().Add(limit); slices.ContainsFunc(s.Host("node2").Processes(), watches); {
		if time.Now().After(end) {
			t.Fatalf("left on node2: %q", s.Host("node2").Processes())
		}
		time.Sleep(50 * time.Millisecond)
	}
}
