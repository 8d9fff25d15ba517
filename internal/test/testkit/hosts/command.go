package hosts

import (
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/signal"
	"syscall"
)

// command stands for a command of a host in the test's process tree: it has the host start it with its own standard
// files and environment, sends it the signals that it gets, and ends as it does.
func command(socket string, argv []string) int {
	signals := make(chan os.Signal, 16)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGUSR1,
		syscall.SIGUSR2,
		syscall.SIGCONT, syscall.SIGTSTP, syscall.SIGWINCH, syscall.SIGALRM)
	status, err := ask(socket, commandAsked{Argv: argv, Env: os.Environ()}, signals)
	if err != nil {
		fmt.Fprintf(os.Stderr, "hosts: %s: %v\n", argv[0], err)
		return couldNotStart
	}
	return status
}

// couldNotStart is the exit status for a command that the host does not have, as a shell gives it.
const couldNotStart = 127

func ask(socket string, asked commandAsked, signals <-chan os.Signal) (int, error) {
	conn, err := net.DialUnix("unix", nil, &net.UnixAddr{Name: socket, Net: "unix"})
	if err != nil {
		return 0, fmt.Errorf("the host is dead: %w", err)
	}
	defer conn.Close()
	if _, _, err := conn.WriteMsgUnix([]byte{0}, syscall.UnixRights(0, 1, 2), nil); err != nil {
		return 0, err
	}
	// The command has them now, and only it: when it closes its output, who reads that sees its end.
	for d := range standardFiles {
		if d != int(os.Stderr.Fd()) {
			syscall.Close(d)
		}
	}
	requests := json.NewEncoder(conn)
	if err := requests.Encode(asked); err != nil {
		return 0, err
	}
	go func() {
		for s := range signals {
			requests.Encode(commandSignal{s.(syscall.Signal)})
		}
	}()
	var ended commandEnded
	if err := json.NewDecoder(conn).Decode(&ended); err != nil {
		return 0, fmt.Errorf("the host has died: %w", err)
	}
	if ended.Error != "" {
		return 0, fmt.Errorf("%s", ended.Error)
	}
	return ended.Status, nil
}
