//go:build !quick

package record

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"

	"unknot/internal/observe/probe"
	"unknot/internal/test/testkit"
	"unknot/internal/vocab/mpi"
)

// flavour is one of the MPI libraries that the tests run with.
type flavour struct{ name, mpicc, fc, mpirun string }

var flavours = []flavour{
	{"openmpi", "mpicc.openmpi", "mpif90.openmpi", "mpirun.openmpi"},
	{"mpich", "mpicc.mpich", "mpif90.mpich", "mpirun.mpich"},
}

// onBoth runs a test with each MPI library.
func onBoth(t *testing.T, test func(t *testing.T, f flavour)) {
	for _, f := range flavours {
		if slices.Contains(testkit.Both(), f.name) {
			t.Run(f.name, func(t *testing.T) { test(t, f) })
		}
	}
}

func (f flavour) recorder(t *testing.T) string {
	t.Helper()
	p, err := Build(t.Context(), probe.Options{MPICC: f.mpicc})
	if err != nil {
		t.Fatal(err)
	}
	return p.Path
}

// compile makes a program of a file of testdata.
func (f flavour) compile(t *testing.T, compiler, file string, flags ...string) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "program")
	out, err := exec.Command(compiler, append(flags, "-g", "-Wall", "-Wextra", "-pthread", "-o", program,
		filepath.Join("testdata", file))...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}

// run starts a program with the recorder, and waits until each of its ranks has said that it is about to hang. It
// gives their processes.
func (f flavour) run(t *testing.T, n int, dir string, words ...string) []int {
	t.Helper()
	return f.start(t, n, append([]string{"LD_PRELOAD=" + f.recorder(t) + ":" + testkit.PoliteLibrary(),
		EnvDirectory + "=" + dir}, words...)...)
}

// start is run for a program, after variables that it needs, that has the recorder in it or is given it.
func (f flavour) start(t *testing.T, n int, words ...string) []int {
	t.Helper()
	args := []string{"-n", strconv.Itoa(n), "env"}
	if f.name == "openmpi" {
		args = append([]string{"--oversubscribe"}, args...)
	}
	cmd := exec.Command(f.mpirun, append(args, words...)...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Stderr = os.Stderr
	cmd.Env = append(os.Environ(), "OMPI_MCA_orte_tmpdir_base="+t.TempDir())
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	pids := make([]int, n)
	t.Cleanup(func() {
		for _, pid := range pids {
			if pid > 0 {
				_ = syscall.Kill(pid, syscall.SIGKILL)
			}
		}
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		_ = cmd.Wait()
	})
	for s, left := bufio.NewScanner(out), n; left > 0; {
		if !s.Scan() {
			t.Fatalf("%d ranks of %d have not said that they hang", left, n)
		}
		var rank, pid int
		if _, err := fmt.Sscanf(s.Text(), "rank %d pid %d", &rank, &pid); err == nil {
			pids[rank], left = pid, left-1
		}
	}
	return pids
}

// until reads the record of a process until it holds what is expected.
func until(t *testing.T, pid int, what string, holds func(r *Rank) bool) *Rank {
	t.Helper()
	var r *Rank
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		var err error
		if r, err = Read(pid); err != nil {
			t.Fatal(err)
		}
		if !r.Torn && holds(r) {
			return r
		}
	}
	t.Fatalf("%s: %+v", what, r)
	return nil
}

// in says whether a thread of the rank is in a function.
func in(name string) func(r *Rank) bool {
	return func(r *Rank) bool {
		return slices.ContainsFunc(r.Threads, func(th Thread) bool { return th.In != nil && th.In.Func.Name == name })
	}
}

func TestMessagesAreCountedAndOpenRequestsListed(t *testing.T) {
	onBoth(t, func(t *testing.T, f flavour) {
		pids := f.run(t, 2, "", f.compile(t, f.mpicc, "scenes.c"), "messages")
		ranks := []*Rank{until(t, pids[0], "rank 0", in("MPI_Recv")), until(t, pids[1], "rank 1", in("MPI_Waitall"))}
		var comms []*Comm
		for i, r := range ranks {
			if r.Rank != i || r.Ranks != 2 || r.State != Alive || r.Lost != (Lost{}) {
				t.Errorf("rank %d: %d of %d, state %v, lost %+v", i, r.Rank, r.Ranks, r.State, r.Lost)
			}
			at := slices.IndexFunc(r.Comms, func(c Comm) bool { return c.Serial == 3 })
			if at < 0 {
				t.Fatalf("rank %d has no duplicate: %+v", i, r.Comms)
			}
			comms = append(comms, &r.Comms[at])
			if w := r.CommOf(r.Constants.World); w == nil || w.Collectives != 2 || w.Last[1].Func.Name != "MPI_Barrier" {
				t.Errorf("rank %d: %+v", i, w)
			}
		}
		if comms[0].Identity == 0 || comms[0].Identity != comms[1].Identity || comms[0].Last[0].Func.Name != "MPI_Bcast" ||
			comms[0].Last[0].Root != 1 || comms[0].Collectives != 1 {
			t.Errorf("duplicates %+v, %+v", comms[0], comms[1])
		}
		for tag, want := range map[int32]uint32{5: 3, 6: 1, 8: 1, 9: 1, 10: 1, 11: 1, 12: 2} {
			for i, r := range ranks {
				c, known := r.Channel(3, int32(1-i), tag)
				sent, received := want, want
				if tag == 5 {
					sent, received = uint32(1-i)*want, uint32(i)*want
				}
				if !known || c.Sent != sent || c.Received != received {
					t.Errorf("rank %d, tag %d: %+v", i, tag, c)
				}
			}
		}
		c := ranks[0].Threads[0].In
		if peer, _ := c.Int(mpi.RPeer); peer != 1 {
			t.Errorf("peer %d", peer)
		}
		if tag, _ := c.Int(mpi.RTag); tag != 42 {
			t.Errorf("tag %d", tag)
		}
		if handle, _ := c.Arg(mpi.RComm); handle != comms[0].Handle {
			t.Errorf("communicator %#x, not %#x", handle, comms[0].Handle)
		}
		c = ranks[1].Threads[0].In
		if len(c.Requests) != 3 || !c.Whole || c.Requests[1] != ranks[1].Constants.NoRequest {
			t.Fatalf("%+v", c)
		}
		for i, tag := range map[int]int32{0: 43, 2: 44} {
			q := ranks[1].RequestOf(c.Requests[i])
			if q == nil || !q.Active || q.Tag != tag || q.Comm != 3 || q.Func.Name != "MPI_Irecv" || q.Complete {
				t.Errorf("request %d: %+v", i, q)
			}
		}
		persistent := 0
		for _, q := range ranks[1].Requests {
			if q.Persistent && !q.Active {
				persistent++
			}
		}
		if persistent != 2 || len(ranks[1].Requests) != 4 {
			t.Errorf("requests %+v", ranks[1].Requests)
		}
		both := slices.DeleteFunc(slices.Clone(ranks[0].Calls), func(p Past) bool { return p.Func.Name != "MPI_Sendrecv" })
		if len(both) != 2 || both[0].Count != 2 || both[1].Count != 1 || both[0].Tag != 8 || both[1].Peer != 1 {
			t.Errorf("MPI_Sendrecv is %+v", both)
		}
		if n := uint64(len(ranks[0].Calls)); ranks[0].Noted != n {
			t.Errorf("%d calls of %d", n, ranks[0].Noted)
		}
		last := ranks[0].Calls[len(ranks[0].Calls)-1]
		if last.Func.Name != "MPI_Recv" || !last.Open || last.Tag != 42 || last.Count != 4 {
			t.Errorf("last call %+v", last)
		}
	})
}

func TestCommunicatorsHaveOneIdentityOnAllMembers(t *testing.T) {
	onBoth(t, func(t *testing.T, f flavour) {
		pids := f.run(t, 4, "", f.compile(t, f.mpicc, "scenes.c"), "communicators")
		var ranks []*Rank
		for i, pid := range pids {
			ranks = append(ranks, until(t, pid, "rank", in([]string{"MPI_Barrier", "MPI_Recv"}[min(i, 1)])))
		}
		for i, r := range ranks {
			if len(r.Gone) != len(r.Freed) || len(r.Gone) == 0 || r.Gone[0] == 0 {
				t.Errorf("rank %d has freed %x, whose identities are %x", i, r.Freed, r.Gone)
			}
		}
		identities := map[uint64][]int{}
		kinds := map[uint64]CommKind{}
		members := map[uint64][]int32{}
		for i, r := range ranks {
			if r.Lost != (Lost{}) {
				t.Errorf("rank %d has lost %+v", i, r.Lost)
			}
			for _, c := range r.Comms {
				if c.Identity == 0 {
					t.Errorf("rank %d: %+v", i, c)
				}
				identities[c.Identity] = append(identities[c.Identity], i)
				kinds[c.Identity] = c.Kind
				if c.Kind != Inter {
					members[c.Identity] = c.Local.Ranks
				} else if len(c.Remote.Ranks) != 2 || c.Remote.Ranks[0] != int32(1-i%2) {
					t.Errorf("rank %d: %+v", i, c)
				}
			}
		}
		var shapes []string
		for id, of := range identities {
			shapes = append(shapes, fmt.Sprint(kinds[id], of, members[id]))
		}
		slices.Sort(shapes)
		want := []string{
			"1 [0 1 2 3] [0 1 2 3]", "1 [0 1 2 3] [0 1 2 3]", "1 [0 1 2 3] [0 2 1 3]", // world, copy, merged
			"1 [0 1 3] [3 0 1]",
			"1 [0 2] [0 2]", "1 [0 2] [0 2]", "1 [0] [0]", "1 [1 3] [1 3]", "1 [1 3] [1 3]", "1 [1] [1]", "1 [2] [2]",
			"1 [3] [3]", "2 [0 1 2 3] []", "3 [0 1 2 3] [0 2 1 3]",
		}
		slices.Sort(want)
		if !slices.Equal(shapes, want) {
			t.Errorf("communicators %q, not %q", shapes, want)
		}
	})
}

func TestLocksOfWindowsAreKept(t *testing.T) {
	onBoth(t, func(t *testing.T, f flavour) {
		pids := f.run(t, 2, "", f.compile(t, f.mpicc, "scenes.c"), "locks")
		for i, want := range [][]Lock{{Shared, Shared, Unlocked, Exclusive}, {Shared, Shared, Shared, Unlocked}} {
			r := until(t, pids[i], "locks", in("MPI_Recv"))
			var got []Lock
			for k := range r.Comms {
				for member := range int32(2) {
					if lock, counted := r.Locked(&r.Comms[k], member); r.Comms[k].Kind == Window && counted {
						got = append(got, lock)
					}
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("rank %d has the locks %v, not %v: %+v", i, got, want, r.Channels)
			}
		}
	})
}

func TestWhatDoesNotFitIsSaid(t *testing.T) {
	onBoth(t, func(t *testing.T, f flavour) {
		for _, pid := range f.run(t, 2, "", f.compile(t, f.mpicc, "scenes.c"), "many") {
			r := until(t, pid, "rank", in("MPI_Waitall"))
			if !r.Lost.Channels || r.Lost.Requests || r.Lost.Comms {
				t.Errorf("lost %+v", r.Lost)
			}
			c := r.Threads[0].In
			if c.Whole || len(c.Requests) != mostWaited {
				t.Errorf("%d requests, whole %t", len(c.Requests), c.Whole)
			}
			waiting := 0
			for _, q := range r.Requests {
				if q.Waiting == r.Threads[0].Index && q.Active {
					waiting++
				}
			}
			if waiting != 300 {
				t.Errorf("%d requests are waited for", waiting)
			}
			// The last one is MPI_Waitall, and 5,000 sends to nobody were before it.
			oldest, last := r.Calls[0], r.Calls[len(r.Calls)-1]
			if len(r.Calls) != mostCalls || last.Func.Name != "MPI_Waitall" || oldest.Func.Name != "MPI_Send" ||
				oldest.Tag != 5000-(mostCalls-1) {
				t.Errorf("%d calls, from %+v to %+v", len(r.Calls), oldest, last)
			}
		}
	})
}

func TestFullTablesAreEmptiedAgain(t *testing.T) {
	onBoth(t, func(t *testing.T, f flavour) {
		for i, pid := range f.run(t, 2, "", f.compile(t, f.mpicc, "scenes.c"), "full") {
			r := until(t, pid, "rank", in("MPI_Wait"))
			if !r.Lost.Channels || !r.Lost.Requests {
				t.Errorf("lost %+v", r.Lost)
			}
			if q := r.Requests; len(q) != 1 || q[0].Tag != 9 || q[0].Peer != int32(1-i) || !q[0].Active {
				t.Errorf("rank %d: requests %+v", i, q)
			}
			world := r.CommOf(r.Constants.World)
			for tag := range int32(3) {
				c, known := r.Channel(world.Serial, int32(1-i), tag)
				if known || c.Sent != 1 || c.Received != 1 {
					t.Errorf("rank %d, tag %d: %+v, known %t", i, tag, c, known)
				}
			}
			if len(r.Channels) != 3 {
				t.Errorf("rank %d: %d channels", i, len(r.Channels))
			}
		}
	})
}

func TestCallsOfFortranAreThoseOfTheProgram(t *testing.T) {
	onBoth(t, func(t *testing.T, f flavour) {
		for _, module := range []string{"USE_MPI", "USE_F08"} {
			program := f.compile(t, f.fc, "fortran.f90", "-cpp", "-D"+module, "-fno-pie", "-no-pie")
			for i, pid := range f.run(t, 2, "", program) {
				r := until(t, pid, module, in("MPI_Recv"))
				c, known := r.Channel(3, int32(1-i), 5)
				if !known || c.Sent != 3 || c.Received != 3 || len(r.Requests) != 0 || r.Lost != (Lost{}) {
					t.Errorf("%s: %+v, requests %+v, lost %+v", module, c, r.Requests, r.Lost)
				}
				call := r.Threads[0].In
				tag, _ := call.Int(mpi.RTag)
				count, _ := call.Int(mpi.RCount)
				// A program that is not moved is below 4 MiB and its size.
				if tag != 42 || count != 7 || call.Site > 8<<20 {
					t.Errorf("%s: tag %d, count %d, called at %#x", module, tag, count, call.Site)
				}
			}
		}
	})
}

func TestThreadsChildrenAndClosedDescriptors(t *testing.T) {
	onBoth(t, func(t *testing.T, f flavour) {
		pids := f.run(t, 1, "", f.compile(t, f.mpicc, "scenes.c"), "threads")
		r := until(t, pids[0], "threads", func(r *Rank) bool {
			n := 0
			for _, th := range r.Threads {
				if th.In != nil && th.In.Func.Name == "MPI_Recv" {
					n++
				}
			}
			return n == 3
		})
		var tags []int64
		for _, th := range r.Threads {
			tag, _ := th.In.Int(mpi.RTag)
			tags = append(tags, tag)
		}
		slices.Sort(tags)
		if !slices.Equal(tags, []int64{100, 101, 102}) || r.Lost != (Lost{}) {
			t.Errorf("tags %v, lost %+v", tags, r.Lost)
		}
		if calls := r.Threads[0].Calls; calls > 50 {
			t.Errorf("the child's calls count as the parent's: %d", calls)
		}
	})
}

func TestRecordInAFileSurvivesItsRank(t *testing.T) {
	onBoth(t, func(t *testing.T, f flavour) {
		dir := t.TempDir()
		pids := f.run(t, 2, dir, f.compile(t, f.mpicc, "scenes.c"), "messages")
		until(t, pids[0], "rank 0", in("MPI_Recv"))
		if err := syscall.Kill(pids[0], syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		files, err := Files(dir)
		path := filepath.Join(dir, fmt.Sprintf("%s-%d", FileName, pids[0]))
		if err != nil || len(files) != 2 || !slices.Contains(files, path) {
			t.Fatalf("%q, %v", files, err)
		}
		r, err := ReadFile(path)
		if err != nil || !in("MPI_Recv")(r) {
			t.Fatalf("%+v, %v", r, err)
		}
	})
}

func TestRecorderRunsCleanUnderSanitizers(t *testing.T) {
	if !testkit.Nightly() {
		t.Skip("takes long: nightly runs it")
	}
	f := flavours[1] // the allocator of Open MPI's libraries is not for sanitizers
	dir := t.TempDir()
	files, err := library().Files(t.Context(), f.mpicc, dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := probe.WriteFiles(dir, files); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, "scenes")
	args := []string{"-g", "-O1", "-std=gnu11", "-pthread", "-fsanitize=address,undefined", "-fno-sanitize-recover=all",
		"-fvisibility=hidden", "-I", dir, "-o", program, "testdata/scenes.c"}
	for name := range files {
		if filepath.Ext(name) == ".c" {
			args = append(args, filepath.Join(dir, name))
		}
	}
	if out, err := exec.Command(f.mpicc, append(args, "-ldl")...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for scene, at := range map[string]string{"messages": "MPI_Waitall", "full": "MPI_Wait",
		"many": "MPI_Waitall", "threads": "MPI_Recv", "communicators": "MPI_Recv", "locks": "MPI_Recv"} {
		n := 2
		if scene == "communicators" {
			n = 4
		}
		pids := f.start(t, n, "ASAN_OPTIONS=detect_leaks=0", "UBSAN_OPTIONS=print_stacktrace=1", program, scene)
		until(t, pids[1], scene, in(at))
	}
}

func TestProcessesWithoutARecord(t *testing.T) {
	if _, err := Read(os.Getpid()); err != ErrNone {
		t.Errorf("%v", err)
	}
}

func TestRecordIsSmall(t *testing.T) {
	if memorySize > 256<<10 {
		t.Errorf("%d bytes", memorySize)
	}
}
