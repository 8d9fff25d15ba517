package supervise

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"
	"golang.org/x/sys/unix"

	"unknot/internal/agent"
	"unknot/internal/agent/proto"
	"unknot/internal/observe/launch"
	"unknot/internal/observe/probe"
	"unknot/internal/observe/ring"
	"unknot/internal/say/report"
	"unknot/internal/vocab/finding"
)

// envAgent is the environment variable with what the agent process does in a test; see agentScript.
const envAgent = "UNKNOT_TEST_AGENT"

// TestMain holds the tests to leave no goroutine behind. The processes of unknot that a run starts are this one again,
// where they play the parts that a test has written for them.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "agent" {
		os.Exit(playAgent(os.Args[2], os.Args[3]))
	}
	if len(os.Args) > 2 && os.Args[1] == "attach" {
		attach(os.Args[2])
	}
	goleak.VerifyTestMain(m, goleak.Cleanup(func(status int) {
		if made.dir != "" {
			os.RemoveAll(filepath.Dir(made.dir))
		}
		os.Exit(status)
	}))
}

// playAgent is an agent process.
func playAgent(option, session string) int {
	switch option {
	case "--guard":
		return Guard(context.Background(), session, "test")
	case "--joined":
		return playJoined(session)
	case "--lifeline":
		signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE, syscall.SIGTERM)
		l := NewLifeline(os.Stdin, session)
		fmt.Println("ready")
		for buffer := make([]byte, 1); ; {
			if _, err := l.Read(buffer); err != nil {
				break
			}
		}
		l.CleanUp(context.Background())
		return 0
	}
	return agentScript(session, strings.Split(os.Getenv(envAgent), "\n"))
}

// playJoined is the agent of another host, which a word of the environment describes.
func playJoined(session string) int {
	switch os.Getenv(envAgent) {
	case "joins":
		fmt.Println(joinedWord)
		os.Stdout.Close()
	case "refuses":
		fmt.Println("the other unknot is too old")
		return ExitTool
	case "dies":
		return ExitTool
	case "killed":
		fmt.Println(joinedWord)
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
	case "asked": // until it is asked to end
		signals := make(chan os.Signal, 1)
		signal.Notify(signals, syscall.SIGTERM)
		fmt.Println(joinedWord)
		os.Stdout.Close()
		_ = syscall.Kill(os.Getppid(), syscall.SIGTERM)
		<-signals
	default:
		return Joined(context.Background(), session, "test")
	}
	return 0
}

// agentScript does what the lines say:
//
//	ready, hello N, stop, note TEXT, surveyed
//	finding N CODE SEVERITY SENTENCE
//	done N, lost WHY                           the last word: complete with N calls, or not
//	raw JSON                                   a message as it stands
//	await TYPE                                 go on when the supervisor has sent such a message
//	exit N TEXT                                end at once, with a text on standard error
//	until FILE                                 go on when the file is there
//	heard                                      answer surveys until the job is over, and note all that was said
//	options                                    note the options of the agent
//	ended                                      go on when the job is over, and note what the supervisor says of that
func agentScript(session string, lines []string) int {
	out, in := proto.NewWriter(os.Stdout), proto.NewReader(os.Stdin)
	send := func(m proto.Message) { _ = out.Send(m) }
	for _, line := range lines {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		first, text, _ := strings.Cut(rest, " ")
		n, _ := strconv.Atoi(first)
		switch word {
		case "ready", "surveyed", "stop":
			send(proto.Message{Type: word})
		case "hello":
			send(proto.Message{Type: proto.Hello, MPI: "MPICH 4.0.2", Ranks: n})
		case "note":
			send(proto.Message{Type: proto.Note, Text: rest})
		case "finding":
			code, text, _ := strings.Cut(text, " ")
			severity, sentence, _ := strings.Cut(text, " ")
			send(proto.Message{Type: proto.Found, Report: proto.Report{Number: n, Finding: &finding.Finding{
				Code: finding.Code(code), Count: 1, Severity: finding.Severity(severity), Standing: finding.Manifest,
				Sentence: sentence, Ranks: []int{0, 1}}}})
		case "done":
			send(proto.Message{Type: proto.Done, Traffic: proto.Traffic{Calls: uint64(n)}, Complete: true})
		case "lost":
			send(proto.Message{Type: proto.Done, Why: rest})
		case "raw":
			fmt.Println(rest)
		case "until":
			awaitFile(rest)
		case "exit":
			fmt.Fprintln(os.Stderr, text)
			return n
		case "heard":
			var types []string
			for m := (proto.Message{}); m.Type != proto.Ended; {
				m, _ = in.Receive()
				if types = append(types, m.Type); m.Type == proto.Survey {
					send(proto.Message{Type: proto.Surveyed})
				}
			}
			send(proto.Message{Type: proto.Note, Text: strings.Join(types, " ")})
		case "options":
			o, _ := AgentOptions(session)
			send(proto.Message{Type: proto.Note, Text: fmt.Sprintf("trace %s of %s, stall %v, history %v, key of %d",
				o.Trace,
				o.Head.Command, o.Stall, o.History, len(os.Getenv(agent.EnvKey)))})
		case "ended":
			m, _ := in.Receive()
			send(proto.Message{Type: proto.Note, Text: fmt.Sprint(m.Exit, m.Ours)})
			send(proto.Message{Type: proto.Done, Complete: true})
		case "await":
			for m, err := in.Receive(); m.Type != rest; m, err = in.Receive() {
				if err != nil || m.Type == proto.Ended {
					return 1
				}
			}
		}
	}
	return 0
}

// patience is how long a test waits for what has to happen.
const patience = 20 * time.Second

func awaitFile(path string) bool {
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if _, err := os.Stat(path); err == nil {
			return true
		}
	}
	return false
}

// attach makes this process a rank of the session that its environment names, as far as the kernel knows: it maps a
// ring. Then it is a file's reader, which ends with the file's writer.
func attach(fifo string) {
	pid := strconv.Itoa(os.Getpid())
	f, err := os.Create(filepath.Join(os.Getenv("UNKNOT_SESSION"), ring.RingPrefix+pid+"."+pid))
	if err != nil {
		panic(err)
	}
	if err := f.Truncate(4096); err != nil {
		panic(err)
	}
	if _, err := syscall.Mmap(int(f.Fd()), 0, 4096, syscall.PROT_READ, syscall.MAP_SHARED); err != nil {
		panic(err)
	}
	fmt.Println("attached")
	os.Stdout.Close()
	_, _ = os.ReadFile(fifo)
	os.Exit(0)
}

// job is a command that is run under supervision: a script of sh, which needs no MPI, and the agent process.
type job struct {
	agent, program string
	change         func(o *Options) // of the usual ones; nil for none
	launcher       []string         // before the program
	terminal       bool             // standard error is one
}

// outcome is what has come of a job.
type outcome struct {
	status      int
	said        string // on standard error, without the lines of the program
	wrote       string // on standard output
	report      finding.Run
	dir         string
	unreported  error
	sessionLeft bool
}

const head = "session=$UNKNOT_SESSION; echo $session >session\n"

// run runs the job.
func (j job) run(t *testing.T) outcome {
	t.Helper()
	return j.runIn(t, t.TempDir(), t.Context())
}

func (j job) runIn(t *testing.T, dir string, ctx context.Context) (x outcome) {
	t.Helper()
	t.Chdir(dir)
	t.Setenv(envAgent, j.agent)
	t.Setenv("UNKNOT_PROBE_DIR", probes(t))
	t.Setenv("GITHUB_ACTIONS", "")
	t.Setenv("NO_COLOR", "1")
	if err := os.WriteFile("program", []byte("#!/bin/sh\n"+head+j.program+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	o := Options{Argv: append(j.launcher, "./program"), Color: "never", FailOn: finding.Error, ErrorExit: ExitFindings,
		Version: "test", Files: Files{JSON: "report.json"}}
	if j.change != nil {
		j.change(&o)
	}
	streams := launch.Streams{In: open(t, "in"), Out: open(t, "out"), Err: open(t, "err")}
	closing := func() {}
	if j.terminal {
		streams.Err, closing = terminal(t, 60, streams.Err)
	}
	x.status = Run(ctx, o, streams)
	closing()
	x.dir, x.said, x.wrote = dir, text(t, "err"), text(t, "out")
	if run, err := report.ReadFile("report.json"); err != nil {
		x.unreported = err
	} else {
		x.report = *run
	}
	if session, err := os.ReadFile("session"); err == nil {
		_, err := os.Stat(strings.TrimSpace(string(session)))
		x.sessionLeft = err == nil
	}
	return x
}

// terminal is a terminal of so many columns; what is written to it goes to a file, all of it once the terminal is
// closed.
func terminal(t *testing.T, columns uint16, to io.Writer) (f *os.File, closing func()) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	number, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0)
	}
	if err == nil {
		err = unix.IoctlSetWinsize(int(master.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: columns})
	}
	if err == nil {
		f, err = os.OpenFile(fmt.Sprint("/dev/pts/", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	copied := make(chan struct{})
	go func() {
		_, _ = io.Copy(to, master) // ends with an error when nobody has the terminal open
		close(copied)
	}()
	return f, func() {
		f.Close()
		<-copied
		master.Close()
	}
}

// open makes a file for one of a job's streams.
func open(t *testing.T, name string) *os.File {
	t.Helper()
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func text(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// made is the directory with the probe of the tests.
var made struct {
	dir string
	err error
}

// probes is a directory with a probe that does nothing: a compiler that copies a library of the system has made it, of
// a library that there is not.
func probes(t *testing.T) string {
	t.Helper()
	if made.dir == "" && made.err == nil {
		made.dir, made.err = makeProbe()
	}
	if made.err != nil {
		t.Fatal(made.err)
	}
	return made.dir
}

func makeProbe() (string, error) {
	dir, err := os.MkdirTemp("", "unknot-supervise-test-")
	if err != nil {
		return "", err
	}
	found, _ := filepath.Glob("/lib/*-linux-gnu/libm.so.6")
	if len(found) == 0 {
		return "", fmt.Errorf("no libm.so.6 in /lib")
	}
	library, err := os.ReadFile(found[0])
	if err != nil {
		return "", err
	}
	const script = `#!/bin/sh
case "$*" in
--version) echo fake; exit ;;
*-dM*) echo '#define MPICH_VERSION "4.0.2"'; exit ;;
-E*)
	echo "# 1 \"DIR/mpi.h\""
	echo 'int MPI_Init(int *argc, char ***argv);'
	echo 'int PMPI_Init(int *argc, char ***argv);'
	exit ;;
*linked) exec cp DIR/linked "$4" ;;
esac
while [ "$1" != -o ]; do shift; done
cp DIR/library "$2"
`
	for name, content := range map[string][]byte{
		"mpi.h": nil, "library": library, "linked": bytes.ReplaceAll(library, []byte("libc.so.6"), []byte("libmpi.so")),
		"mpicc": []byte(strings.ReplaceAll(script, "DIR", dir)),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o755); err != nil {
			return "", err
		}
	}
	probes := filepath.Join(dir, "probes")
	_, err = probe.Prebuild(context.Background(), filepath.Join(dir, "mpicc"), probes)
	return probes, err
}

// message is one of the agent as a line of its script.
func message(m proto.Message) string {
	b, err := json.Marshal(m)
	if err != nil {
		panic(err)
	}
	return "raw " + string(b)
}

// wait is a line of a program that continues when a command succeeds, and fails when that takes too long.
func wait(command string) string {
	return "n=0; until " + command + "; do n=$((n+1)); [ $n -lt 2000 ] || exit 99; sleep 0.01; done\n"
}

// clean is an agent that finds nothing.
const clean = "ready\nhello 2\nawait ended\ndone 7"

// finds is an agent that finds something of a severity before the job ends.
func finds(code, severity string) string {
	return "ready\nhello 2\nfinding 1 " + code + " " + severity + " Ranks 0 and 1 wait.\nawait ended\ndone 7"
}
