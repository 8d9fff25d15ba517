package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"unknot/internal/agent"
	"unknot/internal/supervise"
)

const agentHelp = "usage: unknot agent --session DIR …   (started by unknot run)\n"

func agentCommand(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	var o agent.Options
	f := newFlags("agent", agentHelp, stdout)
	f.StringVar(&o.Session, "session", "", "")
	f.Var(jsonValue{&o}, "options", "")
	if status, ok := parse(f, args, stderr); !ok {
		return status
	}
	if o.Session == "" {
		return fail(stderr, "agent: no --session; hint: agents are started by `unknot run`")
	}
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGTERM)
	defer stop()
	// Without a supervisor to read them, our words must fail and not end us: there is still cleaning up to do.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	supervisor := supervise.NewLifeline(os.Stdin, o.Session)
	err := agent.Main(ctx, o, supervisor, stdout)
	supervisor.CleanUp(ctx)
	if err != nil {
		fmt.Fprintf(stderr, "%v\n", err)
		return supervise.ExitTool
	}
	return 0
}
