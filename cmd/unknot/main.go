// Command unknot finds deadlocks and wrong uses of MPI in MPI and UPC programs: `unknot run mpirun -n 4 ./app` watches the program as it is.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// version is set by the build (-ldflags "-X main.version=…").
var version = "development"

func main() { os.Exit(Main()) }

// Main is the command: the tests call it in a process of their own.
func Main() int {
	args := os.Args[1:]
	if filepath.Base(os.Args[0]) == upcCheck {
		args = append([]string{upcCheck}, args...)
	}
	return dispatch(context.Background(), args, os.Stdout, os.Stderr)
}

// upcCheck is a command that unknot is also when it is called by this name, so that it can stand in the compiler's place.
const upcCheck = "upc-check"

// command is one subcommand. A hidden one is not listed.
type command struct {
	name, args, about string
	hidden            bool
	run               func(ctx context.Context, args []string, stdout, stderr io.Writer) int
}

func commands() []command {
	return []command{
		{name: "run", args: "[options] COMMAND …", about: "run an MPI command line and report its errors", run: runCommand},
		{name: "predict", args: "[options] FILE", about: "predict from a recorded run what other schedules would do", run: predictCommand},
		{name: "explore", args: "[options] COMMAND …", about: "find deadlocks that a run does not show, and make them happen", run: exploreCommand},
		{name: "replay", args: "FINDINGS.json COMMAND …", about: "reproduce a predicted or confirmed finding", run: replayCommand},
		{name: "checks", about: "list the usage checks and whether they are on", run: checksCommand},
		{name: "explain", args: "[CODE]", about: "what a finding means, why it happens, how to fix it", run: explainCommand},
		{name: "doctor", args: "[PROGRAM]", about: "check MPI, compiler, space and debug information", run: doctorCommand},
		{name: "probe", args: "build -o DIR [--mpicc PATH]", about: "prepare probes for machines without a compiler", run: probeCommand},
		{name: "trace", args: "show|export|import FILE", about: "show a recorded run, convert it to other formats and back", run: traceCommand},
		{name: "upcc", args: "[options] FILE …", about: "compile a UPC program for the MPI library of mpicc", run: upccCommand},
		{name: upcCheck, args: "[options] FILE …", about: "compile a UPC program that checks itself while it runs", run: upcCheckCommand},
		{name: "upcrun", args: "[-n N] PROGRAM …", about: "run a compiled UPC program with N threads", run: upcrunCommand},
		{name: "version", about: "print the version", run: versionCommand},
		{name: "agent", about: "watch a session; started by unknot run", hidden: true, run: agentCommand},
	}
}

const exitUsage = 2

func dispatch(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	if len(args) == 0 {
		overview(stderr)
		return exitUsage
	}
	name, rest := args[0], args[1:]
	switch name {
	case "help", "--help", "-h", "-help":
		if len(rest) > 0 {
			name, rest = rest[0], []string{"--help"}
			break
		}
		overview(stdout)
		return 0
	case "--version", "-version", "-V":
		name = "version"
	}
	for _, c := range commands() {
		if c.name == name {
			return c.run(ctx, rest, stdout, stderr)
		}
	}
	fmt.Fprintf(stderr, "unknot: no command %q; hint: %s\n", name, suggestion(name))
	return exitUsage
}

// suggestion names the command that was probably meant. The most frequent slip is to leave out `run`.
func suggestion(name string) string {
	for _, launcher := range []string{"mpirun", "mpiexec", "srun", "orterun", "prterun", "/"} {
		if strings.Contains(name, launcher) {
			return fmt.Sprintf("did you mean `unknot run %s …`?", name)
		}
	}
	for _, c := range commands() {
		if !c.hidden && near(name, c.name) {
			return fmt.Sprintf("did you mean `unknot %s`?", c.name)
		}
	}
	return "`unknot help` lists the commands"
}

// near says whether two words differ in one place only, by at most two letters of each.
func near(a, b string) bool {
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return len(a) <= 2 && len(b) <= 2
}

func overview(w io.Writer) {
	fmt.Fprint(w, `unknot finds errors in MPI and UPC programs: deadlocks, wrong uses of MPI, and errors of other schedules.

    unknot run mpirun -n 4 ./app input.txt

Commands:
`)
	for _, c := range commands() {
		if !c.hidden {
			fmt.Fprintf(w, "    unknot %-36s %s\n", strings.TrimSpace(c.name+" "+c.args), c.about)
		}
	}
	fmt.Fprint(w, "\n`unknot help COMMAND` describes one of them.\n")
}
