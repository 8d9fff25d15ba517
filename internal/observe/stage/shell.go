package stage

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"unknot/internal/observe/launch"
)

//go:embed mine.sh
var mineScript string

// Shell has hosts run scripts, by what the job's launcher reaches them with.
type Shell struct{ launch.Remote }

// Here is the host that stands for this one.
const Here = ""

// atOnce is how many hosts are asked at a time.
const atOnce = 16

// Each does something for each host, for several at a time.
func Each(hosts []string, do func(i int, host string)) {
	turns := make(chan struct{}, atOnce)
	var all sync.WaitGroup
	for i, host := range hosts {
		turns <- struct{}{}
		all.Go(func() {
			defer func() { <-turns }()
			do(i, host)
		})
	}
	all.Wait()
}

// mark begins each line that a script has for us: what starts a shell on a host may print other things.
const mark = "unknot:"

// Ask has a host run a script that ends by saying "end", and returns what it says before. input is its standard input,
// nil for none.
func (s Shell) Ask(ctx context.Context, host, script string, input *os.File, args ...string) ([]string, error) {
	lines, err := s.run(ctx, host, script, input, args...)
	last := len(lines) - 1
	if err == nil && (last < 0 || lines[last] != "end") {
		err = errors.New("cannot be asked: its answer ends early")
	}
	if err != nil {
		return nil, err
	}
	return lines[:last], nil
}

// run has a host run a script of /bin/sh with arguments, and returns what it has for us. input is its standard input,
// nil for none.
func (s Shell) run(ctx context.Context, host, script string, input *os.File, args ...string) ([]string, error) {
	cmd := s.command(ctx, host, script, args)
	if input != nil {
		cmd.Stdin = input
	}
	var out, complaint bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaint
	err := cmd.Run()
	var lines []string
	for text := range strings.Lines(out.String()) {
		if said, ok := strings.CutPrefix(strings.TrimSpace(text), mark); ok {
			lines = append(lines, said)
		}
	}
	if err != nil && len(lines) == 0 {
		return nil, unreachable(ctx, host, cmd.Args, err, complaint.String())
	}
	return lines, nil
}

// command is the one that has a host run a script of /bin/sh with arguments.
func (s Shell) command(ctx context.Context, host, script string, args []string) *exec.Cmd {
	line := "exec /bin/sh -c " + quote(oneLine(script)) + " sh"
	for _, a := range args {
		line += " " + quote(a)
	}
	argv := []string{"/bin/sh", "-c", line}
	if host != Here {
		argv = s.Command(host, line)
	}
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // no terminal, of which a password could be asked
	cmd.WaitDelay = time.Second
	return cmd
}

// unreachable says why nothing was heard of a host.
func unreachable(ctx context.Context, host string, argv []string, err error, complaint string) error {
	lines := strings.Split(strings.TrimSpace(complaint), "\n")
	why := strings.TrimSpace(lines[len(lines)-1])
	switch {
	case ctx.Err() != nil:
		why = "no answer"
	case why == "":
		why = err.Error()
	}
	if host == Here {
		return errors.New(why)
	}
	tool := filepath.Base(argv[0])
	return fmt.Errorf("cannot be reached: %s; hint: `%s %s true` must work without a password",
		strings.TrimPrefix(why, tool+": "), tool, host)
}

// oneLine joins the commands of a script.
func oneLine(script string) string {
	var words []string
	for line := range strings.Lines(script) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			words = append(words, line)
		}
	}
	return strings.Join(words, " ")
}

// quote writes a word so that a shell takes it as it is.
func quote(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }
