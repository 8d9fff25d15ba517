// Command shell makes a cluster of hosts on this machine, runs a command on its first host, a shell if none is named,
// and removes it:
//
//	go run ./internal/test/testkit/hosts/shell [-slurm] [-names front,node1,node2] [-separate node2] [-shared DIR] [command…]
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"

	"unknot/internal/test/testkit/hosts"
)

func main() {
	names := flag.String("names", "front,node1,node2", "the `hosts`")
	separate := flag.String("separate", "", "`hosts` with a root directory and a home of their own")
	shared := flag.String("shared", "", "`directories` that all other hosts have at the same path")
	slurm := flag.Bool("slurm", false, "with Slurm: its controller on the first host, the others as its nodes")
	flag.Parse()
	o := hosts.Options{Names: list(*names), Shared: list(*shared), Slurm: *slurm, Separate: make(map[string]bool)}
	for _, name := range list(*separate) {
		o.Separate[name] = true
	}
	status, err := run(o, flag.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(status)
}

func list(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ',' })
}

func run(o hosts.Options, argv []string) (int, error) {
	if len(argv) == 0 {
		argv = []string{"bash", "-i"}
	}
	// The command gets the interrupts of the terminal, and the cluster outlives it.
	signal.Ignore(syscall.SIGINT)
	c, err := hosts.Open(o)
	if err != nil {
		return 0, err
	}
	cmd := c.Hosts()[0].Command(context.Background(), []string{"TERM=" + os.Getenv("TERM")}, argv...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	err = cmd.Run()
	var ended *exec.ExitError
	if errors.As(err, &ended) {
		err = nil
	}
	return cmd.ProcessState.ExitCode(), errors.Join(err, c.Close())
}
