package tape

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"unknot/internal/supervise"
)

// Variable names the file that a recording unknot writes its tape to.
const Variable = "UNKNOT_TAPE"

// Path is the file of a tape that is taken in a directory, and Setting the environment variable that asks for it.
func Path(dir string) string { return filepath.Join(dir, "tape.json") }

func Setting(dir string) string { return Variable + "=" + Path(dir) }

// Agent is `unknot agent` with the arguments that a supervisor gives it, if a tape is asked for, and returns its exit
// status. Where it stands in for the command, `unknot run` is recorded.
func Agent(args []string) (status int, recorded bool) {
	path := os.Getenv(Variable)
	if path == "" || len(args) == 0 || args[0] != "agent" {
		return 0, false
	}
	f := flag.NewFlagSet("agent", flag.ContinueOnError)
	session := f.String("session", "", "the session")
	if err := f.Parse(args[1:]); err != nil {
		return supervise.ExitUsage, true
	}
	o, err := supervise.AgentOptions(*session)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return supervise.ExitTool, true
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	supervisor := supervise.NewLifeline(os.Stdin, o.Session)
	err = Record(ctx, o, supervisor, os.Stdout, path)
	supervisor.CleanUp(ctx)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return supervise.ExitTool, true
	}
	return 0, true
}
