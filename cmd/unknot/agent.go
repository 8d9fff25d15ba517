package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"unknot/internal/agent"
	"unknot/internal/agent/host"
	"unknot/internal/supervise"
)

const agentHelp = "usage: unknot agent --session DIR …   (started by unknot run)\n"

func agentCommand() *cobra.Command {
	var session, join, guard, joined string
	var reach bool
	c, f := verb("agent", "", "watch a session; started by unknot run", agentHelp)
	c.Hidden = true
	f.file(&session, "session", "DIR", "the session, with the options in a file")
	f.text(&join, "join", "DIR", "join a job from another host, and make the session there", nil)
	f.text(&guard, "guard", "DIR", "stay, and clean up after the agent that has joined", nil)
	f.on(&reach, "reach", "connect to unknot doctor --hosts, and exit")
	f.text(&joined, "joined", "DIR", "be that agent", nil)
	c.RunE = does(func(ctx context.Context, _ []string, stdout, stderr io.Writer) int {
		switch {
		case join != "":
			return supervise.StartJoined(join, stderr)
		case reach:
			return supervise.Reach(ctx, version, stderr)
		case guard != "":
			return supervise.Guard(ctx, guard, version)
		case joined != "":
			return supervise.Joined(ctx, joined, version)
		}
		return watch(ctx, session, stdout, stderr)
	})
	return c
}

func watch(ctx context.Context, session string, stdout, stderr io.Writer) int {
	if session == "" {
		return fail(stderr, "agent: no --session; hint: agents are started by `unknot run`")
	}
	o, err := supervise.AgentOptions(session)
	if err != nil {
		return fail(stderr, "agent: %v", err)
	}
	o.Key = os.Getenv(agent.EnvKey)
	os.Unsetenv(agent.EnvKey)
	ctx, stop := orphaned(ctx)
	defer stop()
	// Without a supervisor to read them, our words must fail and not end us: there is still cleaning up to do.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	supervisor := supervise.NewLifeline(os.Stdin, o.Session)
	err = host.Main(ctx, o, supervisor, stdout)
	supervisor.CleanUp(ctx)
	if err != nil {
		fmt.Fprintf(stderr, "%v\n", err)
		return supervise.ExitTool
	}
	return 0
}

// orphaned is done once Linux says by SIGTERM that the supervisor has been killed (agentprocess.go). Any other SIGTERM
// is for the whole job, as batch systems send it to all its processes: the supervisor gets it too, and what the ranks
// do until they end is still to be seen.
func orphaned(ctx context.Context) (context.Context, context.CancelFunc) {
	supervisor := os.Getppid()
	ctx, stop := context.WithCancel(ctx)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM)
	go func() {
		for {
			select {
			case <-signals:
				if os.Getppid() != supervisor {
					stop()
				}
			case <-ctx.Done():
				return
			}
		}
	}()
	return ctx, func() { signal.Stop(signals); stop() }
}
