//go:build !quick

package probe

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"unknot/internal/observe/ring"
	"unknot/internal/vocab/mpi"
)

const pingPong = `#include <mpi.h>
int main(int argc, char **argv) {
    int rank, x = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 3000; i++)
        if (rank == 0)
            MPI_Send(&x, 1, MPI_INT, 1, 5, MPI_COMM_WORLD);
        else
            MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}`

func TestCallsOfARunAreRecordedInOrder(t *testing.T) {
	onBoth(t, func(t *testing.T, f flavour) {
		j := f.launch(t, 512, 2, f.compile(t, pingPong))
		if code := j.finish(t); code != 0 {
			t.Fatalf("exit status %d\n%s", code, j.out.String())
		}
		for rank := range 2 {
			r := j.first(t, rank)
			for i, x := range j.recs[r.PID] {
				if x.Stamp != uint32(i+1) {
					t.Fatalf("rank %d record %d has stamp %d", rank, i, x.Stamp)
				}
			}
			if job := ring.JobOf(j.session.Dir, int(r.PID)); (job != 0) != (f.name == "openmpi") {
				t.Errorf("rank %d says that its job is %d", rank, job)
			}
			hello := j.data(t, rank, ring.DataHello)[0]
			if version, _ := hello.text(5); hello.Words[1] != 2 || !strings.Contains(version, "MPI") {
				t.Errorf("rank %d says hello with size %d, version %q", rank, hello.Words[1], version)
			}
			comms := j.data(t, rank, ring.DataComm)
			// that of rank 0 has the first ranks of the world in order, as the world has
			self := [][]uint64{{2, 1, 0}, {0, 1, 1, 0}}[rank]
			if len(comms) != 2 || fmt.Sprint(comms[0].Words[1:4]) != "[2 2 0]" ||
				!slices.Equal(comms[1].Words[1:1+len(self)], self) {
				t.Errorf("rank %d has communicators %v", rank, comms)
			}
			if d, ok := r.Death(); !ok || d.Cause != ring.DeathExit || d.Code != 0 || !r.Final() {
				t.Errorf("rank %d ends with %+v", rank, d)
			}
			if n := len(j.of(t, rank, ring.Enter, id("MPI_Finalize"))); n != 1 {
				t.Errorf("rank %d enters MPI_Finalize %d times", rank, n)
			}
		}
		sends := j.of(t, 0, ring.Enter, id("MPI_Send"))
		recvs, exits := j.of(t, 1, ring.Enter, id("MPI_Recv")), j.of(t, 1, ring.Exit, id("MPI_Recv"))
		if len(sends) != 3000 || len(recvs) != 3000 || len(exits) != 3000 {
			t.Fatalf("%d sends, %d receives, %d ends of receives", len(sends), len(recvs), len(exits))
		}
		if w := exits[7].Words; w[0] != 0 || mpi.StatusTag(w[1]) != 5 || w[1]&mpi.StatusIgnored == 0 || w[2] != 4 {
			t.Errorf("status says source %d tag %d size %d, want 0 5 4", w[0], w[1], w[2])
		}
	})
}

// ending is a program that ends in one of many ways on rank 0, while rank 1 waits for it.
const ending = `#define _GNU_SOURCE
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static int is(char **argv, const char *s) { return strcmp(argv[1], s) == 0; }
static int deep(int n) { volatile char room[4096]; room[n % 4096] = 1; return n > 0 ? deep(n + 1) + room[7] : 0; }
int main(int argc, char **argv) {
    int rank, x = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        if (is(argv, "fault")) *(volatile int *)16 = 1;
        if (is(argv, "overflow")) return deep(argc);
        if (is(argv, "abort")) abort();
        if (is(argv, "exit")) exit(7);
        if (is(argv, "_exit")) _exit(8);
        if (is(argv, "mpi")) MPI_Abort(MPI_COMM_WORLD, 9);
        if (is(argv, "term")) { kill(getpid(), SIGTERM); pause(); }
        if (is(argv, "final")) { MPI_Finalize(); exit(6); }
        if (is(argv, "fork")) {
            if (fork() == 0) { MPI_Send(&x, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_SELF); _exit(3); }
            if (vfork() == 0) _exit(4);
            system("exit 5");
            MPI_Send(&x, 1, MPI_INT, 1, 5, MPI_COMM_WORLD);
        }
    } else if (!is(argv, "final"))
        MPI_Recv(&x, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}`

func TestTheCauseOfDeathIsTold(t *testing.T) {
	cases := []struct {
		how, cause string
	}{
		{"fault", "cause 2 code 11 final 0"},
		{"overflow", "cause 2 code 11 final 0"},
		{"abort", "cause 2 code 6 final 0"},
		{"exit", "cause 1 code 7 final 0"},
		{"_exit", "cause 1 code 8 final 0"},
		{"mpi", "cause 3 code 9 final 0"},
		{"term", "cause 2 code 15 final 0"},
		{"final", "cause 1 code 6 final 1"},
	}
	onBoth(t, func(t *testing.T, f flavour) {
		program := f.compile(t, ending)
		for turn, c := range cases {
			if !f.hasTurn(turn) {
				continue
			}
			t.Run(c.how, func(t *testing.T) {
				t.Parallel() // launchers take their time to end a broken job
				dir := t.TempDir()
				j := f.launch(t, 512, 2, keepStatus(dir, "watched", program, c.how)...)
				watched := j.finish(t)
				r := j.first(t, 0)
				d, _ := r.Death()
				if got := fmt.Sprintf("cause %d code %d final %d", d.Cause, d.Code, d.Final); got != c.cause {
					t.Errorf("%s: %s, want %s\n%s", c.how, got, c.cause, j.out.String())
				}
				if c.how == "term" && int(d.Sender) != r.PID {
					t.Errorf("term: sent by %d, want %d", d.Sender, r.PID)
				}
				if c.how == "fault" && d.Addr == 0 {
					t.Errorf("fault: no program counter")
				}
				plain := exec.Command(f.mpirun, slices.Concat(f.flags, []string{"-n", "2"},
					keepStatus(dir, "plain", program, c.how))...)
				plain.Env = ownDirectory(t)
				plain.Run()
				// launchers end the processes themselves, and give the status that MPI_Abort is called with
				if c.how == "mpi" {
					if code := plain.ProcessState.ExitCode(); code != watched {
						t.Errorf("%s: exit status %d, without the probe %d", c.how, watched, code)
					}
				} else if with, without := keptStatus(t, dir, "watched"), keptStatus(t, dir, "plain"); with != without {
					t.Errorf("%s: exit status %s, without the probe %s", c.how, with, without)
				}
			})
		}
	})
}

// keepStatus is a command that runs a program and writes its exit status to a file in dir. Launchers give the status of
// any of the processes that ended, also of one that they have killed because of another. Open MPI's sends SIGTERM first
// where a process is gone.
func keepStatus(dir, name string, program ...string) []string {
	const script = `trap : TERM; "$@"; status=$?; echo $status >"$0.${PMI_RANK-$OMPI_COMM_WORLD_RANK}"; exit $status`
	return append([]string{"sh", "-c", script, filepath.Join(dir, name)}, program...)
}

// keptStatus is the status of rank 0, which keepStatus has written.
func keptStatus(t *testing.T, dir, name string) string {
	t.Helper()
	status, err := os.ReadFile(filepath.Join(dir, name+".0"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(status))
}

func TestAForkedChildWritesNothing(t *testing.T) {
	onBoth(t, func(t *testing.T, f flavour) {
		j := f.launch(t, 512, 2, f.compile(t, ending), "fork")
		if code := j.finish(t); code != 0 {
			t.Fatalf("exit status %d\n%s", code, j.out.String())
		}
		if n := len(j.of(t, 0, ring.Enter, id("MPI_Send"))); n != 1 {
			t.Errorf("%d sends, want 1", n)
		}
		if d, _ := j.first(t, 0).Death(); d.Cause != ring.DeathExit || d.Code != 0 {
			t.Errorf("the parent's end is told as %+v", d)
		}
	})
}

func TestABlockedThreadTellsItsStack(t *testing.T) {
	onBoth(t, func(t *testing.T, f flavour) {
		j := f.launch(t, 512, 2, f.compile(t, `#include <mpi.h>
#include <pthread.h>
static int x;
__attribute__((noinline)) static void inner(void) { MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); x++; }
__attribute__((noinline)) static void outer(void) { inner(); x++; }
static void *run(void *p) { outer(); return p; }
int main(int argc, char **argv) {
    int rank, level;
    pthread_t t;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        outer();
    pthread_create(&t, 0, run, 0);
    pthread_join(t, 0);
    return 0;
}`))
		j.until(t, "two blocked ranks", func() bool {
			n := 0
			for _, recs := range j.recs {
				for _, x := range recs {
					if x.Kind == ring.Enter && x.Func == id("MPI_Recv") {
						n++
					}
				}
			}
			return n == 2
		})
		for _, r := range j.rings {
			stack, err := r.AskStack(r.TID, 10*time.Minute)
			if err != nil {
				t.Fatal(err)
			}
			recs := j.recs[r.PID]
			site := uint64(0)
			for _, x := range recs {
				if x.Kind == ring.Enter && x.Func == id("MPI_Recv") && x.thread == r.Thread {
					site = ring.Address(x.Site)
				}
			}
			if site != 0 && (len(stack) < 3 || stack[0] != site) {
				t.Errorf("thread %d is called from %#x, its stack is %#x", r.Thread, site, stack)
			}
			if site == 0 && len(stack) == 0 {
				t.Errorf("thread %d has no stack", r.Thread)
			}
		}
		j.cmd.Process.Signal(syscall.SIGTERM)
		j.finish(t)
	})
}

func TestThreadsHaveRingsAndAreJoined(t *testing.T) {
	onBoth(t, func(t *testing.T, f flavour) {
		j := f.launch(t, 512, 1, f.compile(t, `#include <mpi.h>
#include <pthread.h>
#include <stdint.h>
static void *run(void *p) {
    int x = 0, y, tag = (int)(intptr_t)p;
    for (int i = 0; i < 2000; i++) {
        MPI_Request r;
        MPI_Irecv(&y, 1, MPI_INT, 0, tag, MPI_COMM_SELF, &r);
        MPI_Send(&x, 1, MPI_INT, 0, tag, MPI_COMM_SELF);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
    }
    return p;
}
int main(int argc, char **argv) {
    int level;
    pthread_t t[2];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    if (level != MPI_THREAD_MULTIPLE) return 9;
    for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, run, (void *)(intptr_t)(i + 1));
    for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
    MPI_Finalize();
    return 0;
}`))
		if code := j.finish(t); code != 0 {
			t.Fatalf("exit status %d\n%s", code, j.out.String())
		}
		stamps, sends := map[uint32]bool{}, map[int]int{}
		all := j.recs[j.first(t, 0).PID]
		for _, x := range all {
			stamps[x.Stamp] = true
			if x.Kind == ring.Enter && x.Func == id("MPI_Send") {
				sends[x.thread]++
			}
		}
		if len(stamps) != len(all) || !stamps[1] || !stamps[uint32(len(all))] {
			t.Errorf("%d records have %d stamps", len(all), len(stamps))
		}
		if sends[1] != 2000 || sends[2] != 2000 {
			t.Errorf("sends by thread: %v", sends)
		}
		for _, d := range []struct {
			id   ring.DataID
			want string
		}{{ring.DataThread, "0:1 0:2"}, {ring.DataJoin, "0:1 0:2"}, {ring.DataJoined, "0 0"}} {
			var got []string
			for _, x := range j.data(t, 0, d.id) {
				s := fmt.Sprint(x.thread)
				if d.id != ring.DataJoined {
					s += fmt.Sprintf(":%d", x.Words[0])
				}
				got = append(got, s)
			}
			if strings.Join(got, " ") != d.want {
				t.Errorf("records %d: %v, want %s", d.id, got, d.want)
			}
		}
		if n := len(j.data(t, 0, ring.DataThreadEnd)); n != 2 {
			t.Errorf("%d threads end, want 2", n)
		}
	})
}

func TestCommunicatorsTellTheirMembers(t *testing.T) {
	onBoth(t, func(t *testing.T, f flavour) {
		j := f.launch(t, 512, 3, f.compile(t, `#include <mpi.h>
int main(int argc, char **argv) {
    int rank, flag = 0, x = 0;
    MPI_Comm half, inter;
    MPI_Request r;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank % 2 ? 2 : 1, 9, &inter);
    if (rank == 0) {
        MPI_Irecv(&x, 1, MPI_INT, 2, 4, MPI_COMM_WORLD, &r);
        for (int i = 0; i < 50; i++)
            MPI_Test(&r, &flag, MPI_STATUS_IGNORE);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 2)
        MPI_Send(&x, 1, MPI_INT, 0, 4, MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}`))
		if code := j.finish(t); code != 0 {
			t.Fatalf("exit status %d\n%s", code, j.out.String())
		}
		for rank, want := range []string{"[0 2 2 0 0] [1 2 2 0 1 1]", "[0 1 1 0] [1 1 1 2 2 0]",
			"[0 2 2 0 0] [1 2 2 0 1 1]"} {
			var got []string
			for _, x := range j.data(t, rank, ring.DataComm)[2:] {
				local := x.Words[2]
				got = append(got, fmt.Sprint(x.Words[1:4+local+x.Words[3+local]]))
			}
			if strings.Join(got, " ") != want {
				t.Errorf("rank %d: communicators %v, want %s", rank, got, want)
			}
		}
		if n := len(j.of(t, 0, ring.Enter, id("MPI_Test"))); n != 1 {
			t.Errorf("50 polls are recorded %d times, want 1", n)
		}
		handles := len(table.Constants())
		if consts := j.data(t, 0, ring.DataConst); len(consts) != 1 || len(consts[0].Words) < handles {
			t.Errorf("constants: %v, want one record of %d", consts, handles)
		}
	})
}

func TestPythonTellsItsStackAndException(t *testing.T) {
	script := t.TempDir() + "/script.py"
	write(t, script, `from mpi4py import MPI
comm = MPI.COMM_WORLD
def send(to):
    comm.Send(bytearray(4), dest=to, tag=3)
if comm.rank == 0:
    for _ in range(3):
        send(1)
    send(1)
    raise ValueError("no more")
else:
    for _ in range(4):
        comm.Recv(bytearray(4), source=0, tag=3)
`)
	j := flavours[0].launch(t, 512, 2, "/usr/bin/python3", script)
	j.until(t, "the exception", func() bool {
		for _, recs := range j.recs {
			for _, x := range recs {
				if x.Kind == ring.Data && ring.DataID(x.Func) == ring.DataExcept {
					return true
				}
			}
		}
		return false
	})
	x := j.data(t, 0, ring.DataExcept)[0]
	kind, w := x.text(0)
	message, w := x.text(w)
	at := x.Words[w]
	file, _ := x.text(w + 1)
	if kind != "ValueError" || message != "no more" || at != 9 || file != script {
		t.Errorf("exception %s %q at %s:%d", kind, message, file, at)
	}
	sites := map[uint64]string{}
	for _, x := range j.data(t, 0, ring.DataSite) {
		var frames []string
		w := 2
		for range x.Words[1] {
			line := x.Words[w]
			var file, function string
			file, w = x.text(w + 1)
			function, w = x.text(w)
			frames = append(frames, fmt.Sprintf("%s:%d:%s", file[strings.LastIndex(file, "/")+1:], line, function))
		}
		sites[x.Words[0]] = strings.Join(frames, " ")
	}
	var got []string
	for _, x := range j.of(t, 0, ring.Enter, id("MPI_Send")) {
		got = append(got, sites[x.Site])
	}
	loop, last := "script.py:4:send script.py:7:<module>", "script.py:4:send script.py:8:<module>"
	if strings.Join(got, ", ") != strings.Join([]string{loop, loop, loop, last}, ", ") {
		t.Errorf("sends at %q", got)
	}
	j.finish(t)
	if told := j.outside(t); len(told) != 0 {
		t.Errorf("mpi4py itself is told to call MPI at the wrong time: %q", told)
	}
	if out := j.out.String(); !strings.Contains(out, "ValueError: no more") {
		t.Errorf("the original hook was not called:\n%s", out)
	}
}

func TestTheProbeIsInertWhereThereIsNoMPI(t *testing.T) {
	p := flavours[0].probe(t)
	for _, program := range [][]string{{"/bin/sh", "-c", "echo ok"},
		{"/usr/bin/python3", "-c", "import threading; t = threading.Thread(target=print, args=('ok',)); " +
			"t.start(); t.join()"}} {
		cmd := exec.Command(program[0], program[1:]...)
		cmd.Env = append(os.Environ(), "LD_PRELOAD="+p.Path, ring.EnvSession+"="+t.TempDir())
		if out, err := cmd.CombinedOutput(); err != nil || string(out) != "ok\n" {
			t.Errorf("%v: %v, %q", program, err, out)
		}
	}
}

func TestAProbeForAnotherMPIOnlySaysSo(t *testing.T) {
	for i, f := range flavours {
		other := flavours[1-i]
		s := newSession(t, 512)
		args := append(append([]string{}, f.flags...), "-n", "2", "env", "LD_PRELOAD="+other.probe(t).Path,
			ring.EnvSession+"="+s.Dir, f.compile(t, pingPong))
		start(t, f.mpirun, args...).wait(t)
		loaded, wrong := s.Wrong()
		if found, err := s.Discover(); err != nil || len(found) != 0 || !wrong || !strings.Contains(loaded, "/libmpi") {
			t.Errorf("%s under %s's probe: %d rings, wrong %v, loaded %q, %v", f.name, other.name, len(found),
				wrong, loaded, err)
		}
	}
}

// On a host to which a job has only come, others may have made what its session is called: a pipe that blocks who opens
// it, a short file, a directory of theirs.
func TestASessionOfAnotherUserIsNone(t *testing.T) {
	f := flavours[0]
	for _, c := range []struct {
		name string
		make func(session string) error
	}{
		{"pipe", func(session string) error { return syscall.Mkfifo(filepath.Join(session, ring.ControlName), 0o666) }},
		{"short file", func(session string) error {
			return os.WriteFile(filepath.Join(session, ring.ControlName),
				nil, 0o666)
		}},
		{"another user's", func(session string) error {
			s, err := ring.NewSession(ring.Options{Dir: filepath.Join(session, "made")})
			if err != nil {
				return err
			}
			defer s.Close()
			name := filepath.Join(session, ring.ControlName)
			return errors.Join(os.Rename(filepath.Join(s.Dir, ring.ControlName), name), os.Chown(name, 65533, 65533))
		}},
	} {
		if c.name == "another user's" && os.Geteuid() != 0 {
			continue
		}
		session := t.TempDir()
		if err := c.make(session); err != nil {
			t.Fatal(err)
		}
		args := append(append([]string{}, f.flags...), "-n", "2", "env", "LD_PRELOAD="+f.probe(t).Path,
			ring.EnvSession+"="+session, f.compile(t, pingPong))
		start(t, f.mpirun, args...).wait(t)
		if rings, _ := filepath.Glob(filepath.Join(session, ring.RingPrefix+"*")); len(rings) > 0 {
			t.Errorf("%s: %v", c.name, rings)
		}
	}
}

func TestTheProgramRunsOnWithoutAnAgent(t *testing.T) {
	onBoth(t, func(t *testing.T, f flavour) {
		j := f.launch(t, 512, 2, f.compile(t, pingPong))
		j.until(t, "a ring", func() bool { return len(j.rings) > 0 })
		j.session.MarkGone()
		j.wait(t)
	})
}

func TestARingThatCannotBeHadIsTold(t *testing.T) {
	f := flavours[0]
	s := newSession(t, 512)
	// A limit on the size of files makes the allocation fail, as a full file system would.
	program := f.compile(t, pingPong)
	args := append(append([]string{}, f.flags...), "-n", "2", "sh", "-c",
		"ulimit -f 8; trap '' XFSZ; LD_PRELOAD="+f.probe(t).Path+" "+ring.EnvSession+"="+s.Dir+" exec "+program)
	cmd := exec.Command(f.mpirun, args...)
	cmd.Env = append(ownDirectory(t), "OMPI_MCA_btl=self,tcp", "OMPI_MCA_pml=ob1", "OMPI_MCA_osc=^ucx")
	out, err := cmd.CombinedOutput()
	n, errno := s.Failed()
	if err != nil || n != 2 || errno != syscall.EFBIG {
		t.Errorf("%v; %d failures, %v\n%s", err, n, errno, out)
	}
}

// id is the id of a function in the table.
func id(name string) uint16 {
	return table.ByName(name).ID
}
