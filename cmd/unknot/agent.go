package main

import (
	"context"
	"encoding/json"
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
	var o agent.Options
	var join, guard, joined string
	var reach bool
	c, f := verb("agent", "", "watch a session; started by unknot run", agentHelp)
	c.Hidden = true
	f.file(&o.Session, "session", "DIR", "the session")
	f.value(jsonValue{&o}, "options", "JSON", "what unknot run wants of it", nil)
	f.text(&join, "join", "DIR", "join a job from another host, and make the session there", nil)
	f.text(&guard, "guard", "DIR", "stay, and clean up after the agent that has joined", nil)
	f.hidden(&reach, "reach") // for unknot doctor --hosts
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
		return watch(ctx, o, stdout, stderr)
	})
	return c
}

func watch(ctx context.Context, o agent.Options, stdout, stderr io.Writer) int {
	if o.Session == "" {
		return fail(stderr, "agent: no --session; hint: agents are started by `unknot run`")
	}
	o.Key = os.Getenv(agent.EnvKey)
	os.Unsetenv(agent.EnvKey)
	ctx, stop := orphaned(ctx)
	defer stop()
	// Without a supervisor to read them, our words must fail and not end us: there is still cleaning up to do.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	supervisor := supervise.NewLifeline(os.Stdin, o.Session)
	err := host.Main(ctx, o, supervisor, stdout)
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

// jsonValue is an option with a value in JSON.
type jsonValue struct{ into any }

func (v jsonValue) String() string { return "" }

func (v jsonValue) Type() string { return "JSON" }

func (v jsonValue) Set(s string) error { return json.Unmarshal([]byte(s), v.into) }
