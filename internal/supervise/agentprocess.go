package supervise

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"

	"unknot/internal/agent"
	"unknot/internal/agent/proto"
	"unknot/internal/trace"
)

// agentProcess is our own binary as `unknot agent`, watching a session.
type agentProcess struct {
	pid int
	// messages carries what it says, and is closed when it has ended; how says then how.
	messages <-chan proto.Message
	how      func() string

	addresses []string // at which agents of other hosts may join

	in     io.Closer
	out    *proto.Writer
	ended  chan struct{}
	killed sync.Once
}

// startAgent starts the agent process. It has a separate process group, as the terminal's interrupt key is not meant
// for it, and learns by SIGTERM and by the end of its input if we vanish.
func startAgent(o Options, session string) (*agentProcess, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("unknot's own executable: %w", err)
	}
	o.Options.Version, o.Recording = o.Version, o.Races.Recording()
	o.tellParts(session)
	if o.Whole { // whoever explores has no use for it
		o.Stall = 0
	}
	if o.Trace != "" {
		o.Head = trace.Head{Command: o.command(), Unknot: o.Version,
			Start: cmp.Or(o.Options.Start, time.Now().Format(time.RFC3339))}
		if len(o.Listen) > 0 { // who merges parts has to find it
			if o.Trace, err = filepath.Abs(o.Trace); err != nil {
				return nil, err
			}
		}
	}
	if err := (Internal{Agent: &o.Options}).Write(filepath.Join(session, internalName)); err != nil {
		return nil, err
	}
	cmd := &exec.Cmd{Path: self, Args: []string{"unknot", "agent", "--session", session}}
	if o.Key != "" {
		cmd.Env = append(os.Environ(), agent.EnvKey+"="+o.Key)
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGTERM}
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	if o.Log != "" {
		cmd.Stderr = os.Stderr
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	messages := make(chan proto.Message, 64)
	a := &agentProcess{messages: messages, in: in, out: proto.NewWriter(in), ended: make(chan struct{})}
	var waited, broken error
	a.how = func() string {
		<-a.ended
		return lastWords(waited, broken, complaint.String())
	}
	started := make(chan error)
	go func() {
		defer close(a.ended)
		runtime.LockOSThread() // see launch.Job.Start
		defer runtime.UnlockOSThread()
		if err := cmd.Start(); err != nil {
			started <- err
			return
		}
		a.pid = cmd.Process.Pid
		started <- nil
		broken = receive(out, messages)
		close(messages)
		waited = cmd.Wait()
	}()
	if err := <-started; err != nil {
		return nil, fmt.Errorf("cannot start the agent process: %w", err)
	}
	return a, nil
}

func receive(from io.Reader, to chan<- proto.Message) error {
	r := proto.NewReader(from)
	for {
		m, err := r.Receive()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		to <- m
	}
}

// ownFrame matches where unknot's own code is named in the stack that Go prints when a program panics.
var ownFrame = regexp.MustCompile(`(?m)^\t\S*?internal/(\S+\.go:[0-9]+)`)

// lastWords says how the agent process ended, for a sentence.
func lastWords(waited, broken error, complaint string) string {
	complaint, stack, _ := strings.Cut(strings.TrimSpace(complaint), "\n")
	if frames := ownFrame.FindAllStringSubmatch(stack, 4); frames != nil {
		complaint += " at"
		for _, f := range frames {
			complaint += " " + f[1]
		}
	}
	switch {
	case broken != nil:
		return broken.Error()
	case complaint != "" && waited != nil:
		return fmt.Sprintf("%v: %s", waited, complaint)
	case waited != nil:
		return waited.Error()
	}
	return "it exited before reporting a result"
}

// awaitReady returns once the agent watches its session.
func (a *agentProcess) awaitReady() error {
	const patience = time.Minute
	select {
	case m, ok := <-a.messages:
		if !ok {
			return fmt.Errorf("agent process: %s", a.how())
		}
		if m.Type != proto.Ready {
			return fmt.Errorf("agent process: first message is %q, expected %q", m.Type, proto.Ready)
		}
		a.addresses = m.Addresses
		return nil
	case <-time.After(patience):
		return fmt.Errorf("agent process: not ready after %v", patience)
	}
}

// finish tells the agent that the job is over, and whether unknot itself has ended it. An agent that is gone cannot be
// reached, which is noticed elsewhere.
func (a *agentProcess) finish(exit int, ours bool) {
	_ = a.out.Send(proto.Message{Type: proto.Ended, Exit: exit, Ours: ours})
}

// kill ends the process if it still runs, and waits for its end.
func (a *agentProcess) kill() {
	a.killed.Do(func() {
		a.in.Close()
		go func() { // nobody listens any more
			for range a.messages {
			}
		}()
		select {
		case <-a.ended:
		default:
			syscall.Kill(a.pid, syscall.SIGKILL)
			<-a.ended
		}
	})
}
