package supervise

import (
	"bufio"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"unknot/internal/agent/host"
	"unknot/internal/observe/launch"
	"unknot/internal/observe/ring"
	"unknot/internal/root/link"
)

// What the agent of another host writes to its standard output once probes may use its session; anything else is why it
// does not.
const joinedWord = "ready"

// daemonGrace is how long a daemon of the launcher may take to end after its job.
const daemonGrace = 5 * time.Second

// The agent of another host than the supervisor's is three processes: the rank that has found no session starts the
// first and waits for it (StartJoined); that starts the second, which stays to clean up after the third (Guard); the
// third is the agent (Joined).

// StartJoined starts the agent of this host, and waits until it watches. The agent has a separate session, so that it
// outlives the rank that started it, and none of the files that the rank has open.
func StartJoined(session string, stderr io.Writer) int {
	host, _ := os.Hostname()
	complain := func(err any) int {
		fmt.Fprintf(stderr, "unknot: the ranks on %s are not watched: %v\n", host, err)
		return ExitTool
	}
	// What the rank has open must not stay open because of the agent.
	if err := unix.CloseRange(3, ^uint(0), unix.CLOSE_RANGE_CLOEXEC); err != nil {
		return complain(err)
	}
	guard, err := again("--guard", session)
	if err != nil {
		return complain(err)
	}
	guard.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	out, err := guard.StdoutPipe()
	if err == nil {
		err = guard.Start()
	}
	if err != nil {
		return complain(err)
	}
	line, _ := bufio.NewReader(out).ReadString('\n')
	switch line = strings.TrimSpace(line); line {
	case joinedWord:
		return 0
	case "":
		line = "the agent process exited before it joined"
	}
	return complain(line)
}

// again is a command that runs unknot agent once more.
func again(option, session string) (*exec.Cmd, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return &exec.Cmd{Path: self, Args: []string{"unknot", "agent", option, session}, Dir: "/"}, nil
}

// Guard starts the agent and waits for its end, however that comes: the probes step aside then, the session is removed,
// and so is what the launcher has left on this host.
func Guard(ctx context.Context, session, version string) int {
	defer launch.DaemonAbove().End(daemonGrace)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM)
	signal.Ignore(syscall.SIGHUP, syscall.SIGPIPE)
	child, err := again("--joined", session)
	if err != nil {
		return ExitTool
	}
	id := rand.Text()
	child.Env = append(os.Environ(), idVariable+"="+id)
	child.Stdout = os.Stdout
	if err := child.Start(); err != nil {
		fmt.Println(err)
		return ExitTool
	}
	os.Stdout.Close()
	ended := make(chan error, 1)
	go func() { ended <- child.Wait() }()
	var how error
	for {
		select {
		case sig := <-signals:
			_ = child.Process.Signal(sig) // it may have ended
			continue
		case how = <-ended:
		}
		break
	}
	if s, err := ring.OpenSession(session); err == nil {
		_ = s.Remove()
	}
	if how == nil {
		return 0
	}
	// else it has said itself why it ends
	if j, err := joining(session, version); err == nil && !child.ProcessState.Exited() {
		j.ID = id
		_ = host.Mourn(ctx, j, how.Error()) // if nobody is there, the job has ended too
	}
	return ExitTool
}

// idVariable is the environment variable with the agent process's identity.
const idVariable = "UNKNOT_MEMBER"

// joining is what the environment says of how to join; the error is that unknot run has not set that.
func joining(session, version string) (host.Joining, error) {
	to, err := link.ParseInvitation(os.Getenv(ring.EnvLink))
	if err != nil || !filepath.IsAbs(session) {
		return host.Joining{}, fmt.Errorf("%s is not what unknot run has set", ring.EnvLink)
	}
	return host.Joining{Invitation: to, Session: session, ID: os.Getenv(idVariable), Version: version}, nil
}

// Joined is the agent.
func Joined(ctx context.Context, session, version string) int {
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGTERM)
	defer stop()
	signal.Ignore(syscall.SIGHUP, syscall.SIGPIPE)
	said := false
	say := func(word string) {
		if !said {
			said = true
			fmt.Println(word)
			os.Stdout.Close()
		}
	}
	j, err := joining(session, version)
	if err != nil {
		say(err.Error())
		return ExitTool
	}
	j.Ready = func() { say(joinedWord) }
	j.Over = func() int { return launch.AwaitRanks(session, rankGrace) }
	if err := host.Join(ctx, j); err != nil {
		say(strings.ReplaceAll(withWay(err).Error(), "\n", " "))
		return ExitTool
	}
	return 0
}
