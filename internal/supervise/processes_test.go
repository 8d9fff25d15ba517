package supervise

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"unknot/internal/observe/launch"
	"unknot/internal/observe/ring"
	"unknot/internal/root/link"
	"unknot/internal/vocab/finding"
)

// myself is the file of this test, which plays the processes of unknot.
func myself(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return self
}

// session makes one for a few ranks.
func session(t *testing.T) *ring.Session {
	t.Helper()
	s, err := ring.NewSession(ring.Options{Ranks: 2})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Remove() })
	return s
}

// gone waits until a file or process has gone, by a question that answers with an error then.
func gone(t *testing.T, what string, there func() error) {
	t.Helper()
	for end := time.Now().Add(patience); there() == nil; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s is still there", what)
		}
	}
}

func exists(path string) func() error {
	return func() error {
		_, err := os.Stat(path)
		return err
	}
}

func lives(pid int) func() error {
	return func() error {
		if stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)); bytes.Contains(stat, []byte(") Z ")) {
			return os.ErrProcessDone
		}
		return syscall.Kill(pid, 0)
	}
}

// TestTheAgentCleansUpAfterAKilledSupervisor kills a process that passes for the supervisor, with an agent process and
// a program of the job.
func TestTheAgentCleansUpAfterAKilledSupervisor(t *testing.T) {
	t.Parallel()
	s, dir := session(t), t.TempDir()
	fifo := filepath.Join(dir, "input")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	script := fmt.Sprintf("%s agent --lifeline %s <%s & exec 3>%s\n"+
		"UNKNOT_SESSION=%s sleep 60 3>&- & echo $! >%s/pid\nwait\n",
		myself(t), s.Dir, fifo, fifo, s.Dir, dir)
	supervisor := exec.Command("sh", "-c", script)
	out, err := supervisor.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := supervisor.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := out.Read(make([]byte, 10)); err != nil { // it is ready
		t.Fatal(err)
	}
	awaitFile(filepath.Join(dir, "pid"))
	supervisor.Process.Kill()
	supervisor.Wait()
	gone(t, "the session", exists(s.Dir))
	pid, err := strconv.Atoi(strings.TrimSpace(text(t, filepath.Join(dir, "pid"))))
	if err != nil {
		t.Fatal(err)
	}
	gone(t, "the program", lives(pid))
}

// TestASupervisorIsGoneWhenItIsNoParentAnyMore asks a lifeline whose supervisor is this test's parent, or is not.
func TestASupervisorIsGoneWhenItIsNoParentAnyMore(t *testing.T) {
	there, began := &Lifeline{parent: os.Getppid()}, time.Now()
	if there.gone(t.Context()) || time.Since(began) > 2*time.Second {
		t.Errorf("the supervisor is there, which is known after %v", time.Since(began))
	}
	if vanished := (&Lifeline{parent: os.Getpid()}); !vanished.gone(t.Context()) {
		t.Error("the supervisor has vanished, and counts as there")
	}
}

// TestARankStartsTheAgentOfItsHost has agents that join the job and some that do not; the session is removed when they
// have ended.
func TestARankStartsTheAgentOfItsHost(t *testing.T) {
	here, _ := os.Hostname()
	failed := "unknot: the ranks on " + here + " are not watched: "
	for agent, want := range map[string]string{
		"joins": "", "asked": "", "refuses": failed + "the other unknot is too old\n",
		"dies": failed + "the agent process exited before it joined\n",
		"real": failed + ring.EnvLink + " is not what unknot run has set\n",
	} {
		t.Setenv(envAgent, agent)
		s := session(t)
		var said strings.Builder
		status := StartJoined(s.Dir, &said)
		if said.String() != want || (status == 0) != (want == "") {
			t.Errorf("%s: exit status %d, %q", agent, status, said.String())
		}
		gone(t, "the session", exists(s.Dir))
	}
}

// TestTheDeathOfAnAgentIsReportedByItsGuard has the agent of a host be killed, or exit.
func TestTheDeathOfAnAgentIsReportedByItsGuard(t *testing.T) {
	key, err := link.NewKey()
	if err != nil {
		t.Fatal(err)
	}
	mourned := make(chan string, 1)
	hub, err := link.Listen(key, []string{"127.0.0.1:0"}, "test", func(l *link.Link) {
		mourned <- string(l.Hello())
		_, _ = l.Receive()
		l.Close(time.Second)
	})
	if err != nil {
		t.Fatal(err)
	}
	defer hub.Close()
	t.Setenv(ring.EnvLink, link.Invitation{Key: key, Addresses: hub.Addresses()}.String())
	for _, agent := range []string{"dies", "killed"} {
		t.Setenv(envAgent, agent)
		s := session(t)
		StartJoined(s.Dir, &strings.Builder{})
		gone(t, "the session", exists(s.Dir))
	}
	select {
	case said := <-mourned:
		if !strings.Contains(said, `"died":"signal: killed"`) {
			t.Errorf("the guard says %s", said)
		}
	case <-time.After(patience):
		t.Error("nobody says that an agent was killed")
	}
}

func TestAHostReachesTheSupervisor(t *testing.T) {
	key, err := link.NewKey()
	if err != nil {
		t.Fatal(err)
	}
	hub, err := link.Listen(key, []string{"127.0.0.1:0"}, "test", func(l *link.Link) { l.Abort() })
	if err != nil {
		t.Fatal(err)
	}
	invitation := link.Invitation{Key: key, Addresses: hub.Addresses()}.String()
	reach := func(to string) (int, string) {
		t.Setenv(ring.EnvLink, to)
		var said strings.Builder
		return Reach(t.Context(), "test", &said), said.String()
	}
	if status, said := reach(invitation); status != 0 || said != "" {
		t.Errorf("exit status %d: %s", status, said)
	}
	hub.Close()
	if status, said := reach(invitation); status != ExitTool || !strings.Contains(said, "; hint: "+Firewall) {
		t.Errorf("of a port at which nobody listens: exit status %d: %s", status, said)
	}
	if status, said := reach("nonsense"); status != ExitTool || said == "" || strings.Contains(said, "firewall") {
		t.Errorf("of what is no invitation: exit status %d: %s", status, said)
	}
}

// launcherOf starts a process that passes for a launcher whose only rank has ended.
func launcherOf(t *testing.T, s *ring.Session) *exec.Cmd {
	t.Helper()
	sleep, err := exec.LookPath("sleep")
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(sleep)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "mpirun")
	if err := os.WriteFile(path, program, 0o700); err != nil {
		t.Fatal(err)
	}
	ended := exec.Command("true")
	if err := ended.Run(); err != nil {
		t.Fatal(err)
	}
	pid := strconv.Itoa(ended.Process.Pid)
	if err := os.WriteFile(filepath.Join(s.Dir, ring.RingPrefix+pid+"."+pid), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	c := exec.Command(path, "60")
	c.Env = []string{ring.EnvSession + "=" + s.Dir}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		c.Process.Kill()
		c.Wait()
	})
	return c
}

// TestALauncherThatLingersIsEnded looks at a launcher again and again, at later and later times.
func TestALauncherThatLingersIsEnded(t *testing.T) {
	t.Parallel()
	s := session(t)
	c := launcherOf(t, s)
	out, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	r := run{session: s, screen: newScreen(out, "never"), streams: launch.Streams{Out: out, Err: out}}
	start := time.Now()
	for what, end := range map[string]func(*jobEnd){"has ended": func(e *jobEnd) { e.ended = true },
		"is ended": func(e *jobEnd) { e.stopping = true }, "is interrupted": func(e *jobEnd) { e.interrupted = true },
		"is left to a debugger": func(e *jobEnd) { e.left = true }} {
		now := run{session: s}
		end(&now.end)
		now.linger(start)
		if now.lingering.launchers != nil {
			t.Errorf("it is looked for when the job %s", what)
		}
	}
	r.linger(start)
	r.linger(start.Add(lingerGrace - 1))
	if r.lingering.said || len(r.lingering.launchers) != 1 {
		t.Errorf("launchers %d, before the time", r.lingering.launchers)
	}
	r.linger(start.Add(lingerGrace))
	r.end.tasks.Wait()
	if c.Wait(); c.ProcessState.String() != "signal: terminated" {
		t.Errorf("the launcher ends by %s", c.ProcessState)
	}
	want := fmt.Sprintf("all ranks had ended, but mpirun (process %d) had not 30 s later: unknot ended it",
		c.Process.Pid)
	if len(r.account.notes) != 1 || r.account.notes[0] != want || !r.lingering.ended {
		t.Errorf("it notes %q, want %q", r.account.notes, want)
	}
}

// TestALauncherWithSomethingToDoIsReported has a process of the job besides the launcher; or something that the
// launcher's reader has not read.
func TestALauncherWithSomethingToDoIsReported(t *testing.T) {
	for _, reader := range []bool{false, true} {
		s := session(t)
		c := launcherOf(t, s)
		in, out, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		defer in.Close()
		if reader {
			fmt.Fprintln(out, "unread")
		} else {
			other := exec.Command("sleep", "60")
			other.Env = c.Env
			if err := other.Start(); err != nil {
				t.Fatal(err)
			}
			defer other.Wait()
			defer other.Process.Kill()
		}
		said := filepath.Join(t.TempDir(), "said")
		to, err := os.Create(said)
		if err != nil {
			t.Fatal(err)
		}
		r := run{session: s, screen: newScreen(to, "never"), streams: launch.Streams{Out: out, Err: to}}
		start := time.Now()
		for _, seconds := range []time.Duration{0, 29, 30, 60, 90} {
			r.linger(start.Add(seconds * time.Second))
		}
		out.Close()
		to.Close()
		want := fmt.Sprintf("unknot: all ranks have ended, but mpirun (process %d) has not; end it with Ctrl-C if "+
			"that "+
			"does not change\n", c.Process.Pid)
		if got := text(t, said); got != want || r.lingering.ended || lives(c.Process.Pid)() != nil {
			t.Errorf("with something unread %v: it says %q, ended: %v", reader, got, r.lingering.ended)
		}
	}
}

func TestAPipeMayHoldWhatNobodyHasRead(t *testing.T) {
	in, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	defer out.Close()
	file := open(t, filepath.Join(t.TempDir(), "file"))
	fmt.Fprintln(file, "text")
	if unread(out) || unread(nil) || unread(file) {
		t.Error("an empty pipe, nothing or a file has something unread")
	}
	fmt.Fprintln(out, "text")
	if !unread(out) {
		t.Error("a pipe that has been written to has nothing unread")
	}
}

// rank is a line of a program that starts a process which counts as a rank, until f is written to.
func rank(t *testing.T, env string) string {
	return "mkfifo f; " + env + " " + myself(t) + " attach f >attaching &\n" + wait("[ -s attaching ]") + ": >attached\n"
}

// TestAJobThatRunsUnwatchedIsDescribed loses the agent of a job that has a rank, which waits.
func TestAJobThatRunsUnwatchedIsDescribed(t *testing.T) {
	x := job{agent: "ready\nhello 1\nuntil attached\nexit 1 no", program: rank(t, "PMI_RANK=5") + "echo $! >pid\n" +
		wait("grep -q 'run unwatched' err") + ": >f; wait",
		change: func(o *Options) { o.Stall = 20 * time.Millisecond }}.
		run(t)
	want := "unknot: the job has run unwatched for less than a second; should it hang, nobody would notice: end it with " +
		"Ctrl-C; rank 5 (process " + strings.TrimSpace(text(t, filepath.Join(x.dir, "pid"))) + "): "
	if !strings.Contains(x.said, want) {
		t.Errorf("it says\n%s\nwant\n%s", x.said, want)
	}
	if x.status != 0 || !strings.Contains(x.report.Why, "the agent process died") {
		t.Errorf("exit status %d, %q", x.status, x.report.Why)
	}
}

func TestARankThatOutlivesTheLauncherIsEnded(t *testing.T) {
	x := job{agent: "ready\nhello 1\nawait ended\ndone 7", program: rank(t, "") + "echo $! >pid"}.run(t)
	if got := strings.Join(x.report.Notes,
		"; "); got != "1 rank was still running after the launcher had exited, and was "+
		"ended too" {
		t.Errorf("it notes %q", got)
	}
	pid, _ := strconv.Atoi(strings.TrimSpace(text(t, filepath.Join(x.dir, "pid"))))
	gone(t, "the rank", lives(pid))
}

// TestAProcessHasTheNameThatItsLauncherGaveIt reads the environments of processes.
func TestAProcessHasTheNameThatItsLauncherGaveIt(t *testing.T) {
	for env, want := range map[string]string{"OMPI_COMM_WORLD_RANK=3": "rank 3 (process %d)",
		"PMI_RANK=0":   "rank 0 (process %d)",
		"PMIX_RANK=12": "rank 12 (process %d)", "SLURM_PROCID=1 SLURM_STEP_ID=0": "rank 1 (process %d)",
		"SLURM_PROCID=0": "process %d", // a batch script
		"RANK=1":         "process %d"} {
		c := exec.Command("cat")
		c.Env = append([]string{"A=B"}, strings.Fields(env)...)
		in, _ := c.StdinPipe()
		out, _ := c.StdoutPipe()
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(in, "it runs")
		if _, err := out.Read(make([]byte, 10)); err != nil {
			t.Fatal(err)
		}
		if got := processName(c.Process.Pid); got != fmt.Sprintf(want, c.Process.Pid) {
			t.Errorf("%s: %s", env, got)
		}
		in.Close()
		c.Wait()
	}
}

// TestAnAgentThatIsNotReadyEndsTheRun has agents that say something else, or end.
func TestAnAgentThatIsNotReadyEndsTheRun(t *testing.T) {
	for agent, want := range map[string]string{
		"hello 2\nawait ended": "unknot: agent process: first message is \"hello\", expected \"ready\"\n",
		"exit 4 no memory":     "unknot: agent process: exit status 4: no memory\n",
		"raw nonsense":         "unknot: agent process: ",
	} {
		x := job{agent: agent, program: "touch started"}.run(t)
		if x.status != ExitTool || !strings.HasPrefix(x.said, want) {
			t.Errorf("%s: exit status %d: %s", agent, x.status, x.said)
		}
		if exists(filepath.Join(x.dir, "started"))() == nil {
			t.Errorf("%s: the program has run", agent)
		}
	}
}

// TestASignalThatComesBeforeTheJobEndsTheRun looks through signals that have come meanwhile.
func TestASignalThatComesBeforeTheJobEndsTheRun(t *testing.T) {
	signals := make(chan os.Signal, 4)
	if sig, ended := endedBy(signals); ended || sig != 0 {
		t.Errorf("no signal ends it: %v", sig)
	}
	signals <- syscall.SIGUSR1
	if sig, ended := endedBy(signals); ended || sig != 0 {
		t.Errorf("a signal for the program ends it: %v", sig)
	}
	signals <- syscall.SIGUSR2
	signals <- syscall.SIGHUP
	if sig, ended := endedBy(signals); !ended || sig != syscall.SIGHUP {
		t.Errorf("SIGHUP: %v, %v", sig, ended)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if x := (job{agent: clean, program: "touch started"}).runIn(t, t.TempDir(), ctx); x.status != 130 ||
		exists(filepath.Join(x.dir, "started"))() == nil {
		t.Errorf("of a context that has ended: exit status %d", x.status)
	}
}

// TestATerminalShowsHowTheRunIsGettingOn runs jobs on a terminal: the line is there, and is gone in the end.
func TestATerminalShowsHowTheRunIsGettingOn(t *testing.T) {
	status := `raw {"type":"status","ranks":2,"calls":900,"rate":100,"blocked":1}`
	x := job{agent: "ready\nhello 2\n" + status + "\nawait ended\ndone 900", terminal: true,
		program: wait("grep -q 'ranks 2 .* 1 blocked' err")}.run(t)
	line := strings.LastIndex(x.said, "\x1b[K")
	if line < 0 || !strings.HasPrefix(x.said[line:], "\x1b[Kunknot: nothing found; 2 ranks, 900 calls watched") {
		t.Errorf("it says\n%q", x.said)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "rules"), []byte("deadlock\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	x = job{agent: finds("deadlock", "error"), terminal: true, program: "true",
		change: func(o *Options) { o.Suppressions = "rules" }}.runIn(t, dir, t.Context())
	if !strings.Contains(x.said, "unknot: note: findings suppressed by rules: 1") {
		t.Errorf("it says\n%q", x.said)
	}
}

// TestALineOnATerminalIsNoLongerThanThat shows lines and sentences on terminals and on a file.
func TestALineOnATerminalIsNoLongerThanThat(t *testing.T) {
	for _, c := range []struct {
		columns uint16
		show    func(s *screen)
		want    string
	}{
		{20, func(s *screen) { s.status("short") }, "\r\x1b[Kunknot: short\r"},
		{20, func(s *screen) { s.status("123456789012") }, "\r\x1b[Kunknot: 12345678901\r"},
		{20, func(s *screen) { s.status("12345678901") }, "\r\x1b[Kunknot: 12345678901\r"},
		{1, func(s *screen) { s.status("short") }, "\r\x1b[K\r"},
		{20, func(s *screen) { s.status("äöüäöüäöüäöü") }, "\r\x1b[Kunknot: äöüäöüäöüäö\r"},
		{20, func(s *screen) { s.status("a"); s.erase(); s.erase() }, "\r\x1b[Kunknot: a\r\r\x1b[K"},
		{20, func(s *screen) { s.status("a"); s.say("b") }, "\r\x1b[Kunknot: a\r\r\x1b[Kunknot: b\r\n"},
		{20, func(s *screen) { s.status("a"); s.complain(os.ErrExist) },
			"\r\x1b[Kunknot: a\r\r\x1b[Kunknot: file already exists\r\n"},
		{0, func(s *screen) { s.status("a") }, "\r\x1b[Kunknot: a\r"}, // of unknown width
	} {
		var said bytes.Buffer
		f, closing := terminal(t, c.columns, &said)
		c.show(newScreen(f, "never"))
		if closing(); said.String() != c.want {
			t.Errorf("%q, want %q", said.String(), c.want)
		}
	}
	file := open(t, filepath.Join(t.TempDir(), "file"))
	status := NewStatus(file)
	status.Show("a")
	status.Erase()
	if got := text(t, file.Name()); got != "" {
		t.Errorf("a file has %q", got)
	}
}

func TestColourIsForTerminals(t *testing.T) {
	f, closing := terminal(t, 80, &bytes.Buffer{})
	defer closing()
	file := open(t, filepath.Join(t.TempDir(), "file"))
	for _, c := range []struct {
		to           *os.File
		choice       string
		noColor, dot string
		want         bool
	}{
		{f, "auto", "", "xterm", true}, {f, "auto", "1", "xterm", false}, {f, "auto", "", "dumb", false},
		{f, "never", "", "xterm", false}, {f, "always", "1", "dumb", true}, {file, "auto", "", "xterm", false},
		{file, "always", "", "xterm", true},
	} {
		t.Setenv("NO_COLOR", c.noColor)
		t.Setenv("TERM", c.dot)
		if got := Shown(c.choice, c.to); got.Color != c.want || (got.Width == 80) != (c.to == f) {
			t.Errorf("%s on %s, NO_COLOR=%s TERM=%s: %+v", c.choice, c.to.Name(), c.noColor, c.dot, got)
		}
	}
}

// TestRanksOfOtherHostsAreInvited has a job whose command line names another host, which a script passes for.
func TestRanksOfOtherHostsAreInvited(t *testing.T) {
	bin := launcher(t, "while [ $# -gt 1 ]; do shift; done; \"$1\"")
	ssh := filepath.Join(bin, "remote")
	if err := os.WriteFile(ssh, []byte("#!/bin/sh\nshift; exec sh -c \"$*\"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	listening := func(o *Options) { o.Listen = []string{"127.0.0.1"} }
	staging := func(o *Options) { o.Stage = true; listening(o) }
	const invited = `raw {"type":"ready","addresses":["127.0.0.1:7"]}` + "\n"
	for _, c := range []struct {
		name, remote, agent string
		change              func(o *Options)
		said                string
	}{
		{"all is there", ssh, "hello 2\nawait ended\ndone 7", listening, ""},
		{"all is there already", ssh, "hello 2\nawait ended\ndone 7", staging, ""},
		{"the host cannot be asked", "false", "hello 2\nawait ended\ndone 7", staging,
			"unknot: --stage: node1 cannot be reached: exit status 1; hint: "},
		{"nothing is heard of it", ssh, "await ended\ndone 0", listening, "no rank was heard of"},
		{"nothing is heard of it, which cannot be asked", "false", "await ended\ndone 0", listening,
			"ranks on node1 were not watched: the host cannot be "},
	} {
		t.Setenv("HYDRA_LAUNCHER_EXEC", c.remote)
		x := job{agent: invited + c.agent, launcher: []string{"mpirun", "-hosts", "node1", "-n", "2"}, change: c.change,
			program: "echo $UNKNOT_LINK"}.run(t)
		if !strings.HasSuffix(x.wrote, "@127.0.0.1:7\n") {
			t.Errorf("%s: the program is invited by %q", c.name, x.wrote)
		}
		if !strings.Contains(x.said, c.said) || c.said == "" && x.said != "" {
			t.Errorf("%s: it says\n%s\nwant %s", c.name, x.said, c.said)
		}
	}
	x := job{agent: clean, change: staging, launcher: []string{"mpirun", "-n", "2"},
		program: "echo $UNKNOT_LINK"}.run(t)
	if !strings.Contains(x.said, "--stage: it is not known which hosts the job will have; hint: name them") {
		t.Errorf("of unknown hosts: it says\n%s", x.said)
	}
	x = job{agent: clean, launcher: []string{"mpirun", "-n", "2"}, program: "echo \"[$UNKNOT_LINK]\""}.run(t)
	if x.wrote != "[]\n" || x.report.Why != "" || x.report.Language != finding.MPI {
		t.Errorf("of one host: the program has %q", x.wrote)
	}
}
