package kernel

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"unknot/internal/kit/procstat"
)

// childEnv has the test's own program be another process of a test.
const childEnv = "UNKNOT_TEST_KERNEL"

func TestMain(m *testing.M) {
	switch os.Getenv(childEnv) {
	case "leave": // the first thread ends, as by pthread_exit in main
		runtime.LockOSThread()
		go func() {
			_, _ = io.Copy(io.Discard, os.Stdin)
			os.Exit(0)
		}()
		_, _, _ = syscall.RawSyscall(syscall.SYS_EXIT, 0, 0, 0)
	case "priority":
		runtime.LockOSThread()
		tid := unix.Gettid()
		was, _ := unix.Getpriority(unix.PRIO_PROCESS, tid)
		may := unix.Setpriority(unix.PRIO_PROCESS, tid, -15) == nil
		_ = unix.Setpriority(unix.PRIO_PROCESS, tid, 20-was)
		RaisePriority()
		lowest, highest := 100, -100
		tasks, _ := os.ReadDir("/proc/self/task")
		for _, t := range tasks {
			tid, _ := strconv.Atoi(t.Name())
			raw, _ := unix.Getpriority(unix.PRIO_PROCESS, tid)
			lowest, highest = min(lowest, 20-raw), max(highest, 20-raw) // as the system call gives it
		}
		fmt.Println(lowest, highest, may)
		os.Exit(0)
	default:
		os.Exit(m.Run())
	}
}

// start runs a command until the end of the test. Its standard input ends when it is to end.
func start(t *testing.T, name string, args ...string) (pid int) {
	t.Helper()
	c := exec.Command(name, args...)
	c.Env = append(os.Environ(), childEnv+"="+strings.TrimPrefix(name, "/child/"))
	if strings.HasPrefix(name, "/child/") {
		c.Path = "/proc/self/exe"
	}
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Process.Kill()
		_ = in.Close()
		_ = c.Wait()
	})
	return c.Process.Pid
}

// until waits for something that the kernel is about to do.
func until(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); !is(); runtime.Gosched() {
		if time.Now().After(end) {
			t.Fatalf("%s: not after 30 s", what)
		}
	}
}

// in waits until a process is in a system call with one of these numbers.
func in(t *testing.T, pid int, calls ...int) {
	t.Helper()
	until(t, "a system call", func() bool {
		text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/syscall", pid))
		number, _, _ := strings.Cut(string(text), " ")
		for _, n := range calls {
			if number == strconv.Itoa(n) {
				return true
			}
		}
		return false
	})
}

func state(pid int) string {
	s, err := procstat.Of("/proc/" + strconv.Itoa(pid))
	if err != nil {
		return ""
	}
	return s[procstat.State]
}

func TestAProcessIsGoneWhenItHasEnded(t *testing.T) {
	p := Living()
	pid := start(t, "sleep", "1000")
	for _, watched := range []bool{false, true} {
		if p.Gone(pid) {
			t.Errorf("a living process is gone, watched: %t", watched)
		}
		if _, ended := p.End(pid); ended {
			t.Errorf("it has ended, watched: %t", watched)
		}
		if !watched {
			p.Watch(pid)
		}
	}
	before := p.Clock()
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	until(t, "the end of a process", func() bool {
		p.Collect()
		_, ended := p.End(pid)
		return ended
	})
	end, _ := p.End(pid)
	if !p.Gone(pid) || state(pid) != "Z" || end.Nth != 1 || end.Late || end.Nanos < before || end.Nanos > p.Clock() {
		t.Errorf("it is gone: %t, in state %s, and has ended %+v", p.Gone(pid), state(pid), end)
	}
	q := Living() // which sees it only now
	if !q.Gone(pid) {
		t.Error("a zombie that is not watched is not gone")
	}
	q.Watch(pid)
	if end, ended := q.End(pid); !ended || !end.Late || end.Nth != 1 {
		t.Errorf("a zombie has ended %+v, %t, want late", end, ended)
	}
	const none = 1 << 22 // above all numbers of processes
	if !q.Gone(none) {
		t.Error("a process that there is none of is not gone")
	}
	q.Watch(none)
	if end, ended := q.End(none); !ended || !end.Late || end.Nth != 2 {
		t.Errorf("it has ended %+v, %t, want late", end, ended)
	}
}

// TestAProcessWhoseFirstThreadHasEndedLives, though it looks like a zombie.
func TestAProcessWhoseFirstThreadHasEndedLives(t *testing.T) {
	p := Living()
	pid := start(t, "/child/leave")
	until(t, "the end of the first thread", func() bool { return state(pid) == "Z" })
	if p.Gone(pid) {
		t.Error("it is gone")
	}
	s, sleeps := p.Sleep(pid, pid)
	if !sleeps || s != (Slumber{}) {
		t.Errorf("its first thread sleeps: %t, %+v, want for nobody", sleeps, s)
	}
}

func TestAboveAProcessAreItsAncestors(t *testing.T) {
	inner := filepath.Join(t.TempDir(), "pid")
	outer := start(t, "sh", "-c", "sh -c 'echo $$ > "+inner+".new; mv "+inner+".new "+inner+"; read x'; true")
	pid := 0
	until(t, "a process of a process", func() bool {
		text, _ := os.ReadFile(inner)
		pid, _ = strconv.Atoi(strings.TrimSpace(string(text)))
		return pid > 0
	})
	got := Living().Above(pid)
	if len(got) < 2 || got[0] != outer || got[1] != os.Getpid() {
		t.Errorf("above it are %v, want %d and %d first", got, outer, os.Getpid())
	}
	for _, p := range got {
		if p == os.Getppid() || p <= 1 {
			t.Errorf("the supervisor and those above it are among %v", got)
		}
	}
	if got := Living().Above(1 << 22); got != nil {
		t.Errorf("above no process are %v", got)
	}
}

func TestTheTimeOfAThread(t *testing.T) {
	p := Living()
	pid := start(t, "sleep", "1000")
	in(t, pid, unix.SYS_CLOCK_NANOSLEEP, unix.SYS_NANOSLEEP)
	if cpu, asleep := p.Time(pid, pid); !asleep || cpu < 0 || cpu > 10*time.Second {
		t.Errorf("a thread that sleeps has had %v, asleep: %t", cpu, asleep)
	}
	busy := start(t, "sh", "-c", "while :; do :; done")
	first, _ := p.Time(busy, busy)
	until(t, "a busy thread", func() bool {
		cpu, asleep := p.Time(busy, busy)
		return cpu > first+time.Millisecond && !asleep
	})
	if cpu, asleep := p.Time(1<<22, 1<<22); cpu != 0 || !asleep {
		t.Errorf("a thread that is gone has had %v, asleep: %t", cpu, asleep)
	}
	p.Halt(busy)
	until(t, "a process to stop", func() bool { return state(busy) == "T" })
}

// TestWhatMayWakeAThread: a handler of some signals, and a thread that nobody knows of unless it waits for events.
func TestWhatMayWakeAThread(t *testing.T) {
	p := Living()
	sleep := start(t, "sleep", "1000")
	in(t, sleep, unix.SYS_CLOCK_NANOSLEEP, unix.SYS_NANOSLEEP)
	file := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	waits := start(t, "tail", "-f", file)
	in(t, waits, idleCalls()...)
	handler := func(signal string) int {
		pid := start(t, "sh", "-c", "trap : "+signal+"; read x")
		in(t, pid, unix.SYS_READ)
		return pid
	}
	_, timers := os.Stat("/proc/self/timers")
	timer := start(t, "timeout", "1000", "cat") // which ends with its input
	in(t, timer, unix.SYS_RT_SIGSUSPEND)
	vtalrm, prof, poll, usr1 := handler("VTALRM"), handler("PROF"), handler("IO"), handler("USR1")
	for what, c := range map[string]struct {
		pid   int
		known bool
		want  bool
	}{
		"a thread that is known":                {sleep, true, false},
		"one that is not":                       {sleep, false, true},
		"one that is not, and waits for events": {waits, false, false},
		"a timer, if the kernel tells of them":  {timer, true, timers == nil},
		"a handler of SIGVTALRM":                {vtalrm, true, true},
		"a handler of SIGPROF":                  {prof, true, true},
		"a handler of SIGIO":                    {poll, true, true},
		"a handler of another signal":           {usr1, true, false},
		"a process that is gone":                {1 << 22, true, true},
	} {
		if got := p.Roused(c.pid, map[int]bool{c.pid: c.known}); got != c.want {
			t.Errorf("%s: it may be woken: %t, want %t", what, got, c.want)
		}
	}
}

func TestAThreadThatSleepsGivesUpTheProcessorNoMore(t *testing.T) {
	pid := start(t, "sleep", "1000")
	in(t, pid, unix.SYS_CLOCK_NANOSLEEP, unix.SYS_NANOSLEEP)
	turns := switches(pid, pid)
	if !strings.HasPrefix(turns, "voluntary_ctxt_switches:") || !strings.Contains(turns, "nonvoluntary") ||
		turns != switches(pid, pid) {
		t.Errorf("it has given it up %q, then %q", turns, switches(pid, pid))
	}
	if got := switches(pid, 1<<22); got != "" {
		t.Errorf("a thread that is gone has given it up %q", got)
	}
	if s, sleeps := Living().Sleep(pid, pid); sleeps {
		t.Errorf("it sleeps until another one of its process wakes it: %+v", s)
	}
	if s, sleeps := Living().Sleep(pid, 1<<22); !sleeps || s.Call != "" || s.Turns != "" {
		t.Errorf("a thread that is gone sleeps: %t, %+v", sleeps, s)
	}
}

func TestWhoseMemoryAnAddressIsIn(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "f"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := file.Truncate(4096); err != nil {
		t.Fatal(err)
	}
	for what, c := range map[string]struct {
		fd, flags int
		want      bool
	}{
		"its own":                  {-1, unix.MAP_PRIVATE | unix.MAP_ANONYMOUS, true},
		"shared":                   {-1, unix.MAP_SHARED | unix.MAP_ANONYMOUS, false},
		"a file's":                 {int(file.Fd()), unix.MAP_SHARED, false},
		"a file's, but not shared": {int(file.Fd()), unix.MAP_PRIVATE, false},
	} {
		m, err := unix.MmapPtr(c.fd, 0, nil, 4096, unix.PROT_READ|unix.PROT_WRITE, c.flags)
		if err != nil {
			t.Fatal(err)
		}
		if got := ownMemory(os.Getpid(), uint64(uintptr(m))+5); got != c.want {
			t.Errorf("memory that is %s is the process's alone: %t", what, got)
		}
		if err := unix.MunmapPtr(m, 4096); err != nil {
			t.Fatal(err)
		}
	}
	if ownMemory(os.Getpid(), 8) || ownMemory(1<<22, 8) {
		t.Error("memory that there is none of is a process's")
	}
}

// fake are processes of which one ends after some questions.
type fake struct {
	Processes
	asked, after int
}

func (f *fake) End(int) (Ending, bool) {
	f.asked++
	return Ending{Nth: 7}, f.asked > f.after
}

func TestTheEndOfTheLastThreadsIsAwaitedForAWhile(t *testing.T) {
	for after, want := range map[int]bool{0: true, 3: true, 1000: false} {
		f := &fake{after: after}
		if end, ok := Await(f, 1); ok != want || (end.Nth == 7) != want || f.asked > 100 {
			t.Errorf("an end that is known after %d questions: %+v, %t, after %d", after, end, ok, f.asked)
		}
	}
}

func TestAnAgentMayHaveAHigherPriority(t *testing.T) {
	c := exec.Command("/proc/self/exe")
	c.Env = append(os.Environ(), childEnv+"=priority")
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // the session's is its own, too
	out, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	raw, _ := unix.Getpriority(unix.PRIO_PROCESS, 0)
	without := fmt.Sprint(20-raw, " ", 20-raw, " false")
	if got := strings.TrimSpace(string(out)); got != "-15 -15 true" && got != without {
		t.Errorf("its threads have priorities from, to, and may have them: %s, want all -15, or %s", got, without)
	}
}

func TestTheNameOfTheHost(t *testing.T) {
	if want, err := os.Hostname(); err == nil && Hostname() != want {
		t.Errorf("this host is called %s, want %s", Hostname(), want)
	}
	if n := len(NewReserve()); n != 32<<20 {
		t.Errorf("the reserve has %d bytes", n)
	}
}
