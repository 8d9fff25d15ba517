package stage

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// Conversation is a script that a host runs, and that hears and says lines meanwhile.
type Conversation struct {
	ctx       context.Context
	host      string
	cmd       *exec.Cmd
	in        io.WriteCloser
	lines     chan string // closed at the end of what it says
	stop      context.CancelFunc
	ended     sync.Once
	end       error
	complaint bytes.Buffer
}

// Talk has a host run a script of /bin/sh with arguments. What the script has for us are lines that begin as those of
// other scripts do.
func (s Shell) Talk(ctx context.Context, host, script string, args ...string) (*Conversation, error) {
	ctx, stop := context.WithCancel(ctx)
	c := &Conversation{ctx: ctx, stop: stop, host: host, cmd: s.command(ctx, host, script, args), lines: make(chan string)}
	c.cmd.Stderr = &c.complaint
	out, err := c.cmd.StdoutPipe()
	if err == nil {
		c.in, err = c.cmd.StdinPipe()
	}
	if err == nil {
		err = c.cmd.Start()
	}
	if err != nil {
		stop()
		return nil, err
	}
	go c.listen(out)
	return c, nil
}

// listen passes on what the script says.
func (c *Conversation) listen(from io.Reader) {
	defer close(c.lines)
	for r := bufio.NewReader(from); ; {
		text, err := r.ReadString('\n')
		if said, ok := strings.CutPrefix(strings.TrimSpace(text), mark); ok && err == nil {
			select {
			case c.lines <- said:
			case <-c.ctx.Done():
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// Hear is the next line that the script says within a time. The error is part of a sentence that begins with the host.
func (c *Conversation) Hear(within time.Duration) (string, error) {
	timer := time.NewTimer(within)
	defer timer.Stop()
	select {
	case line, more := <-c.lines:
		if more {
			return line, nil
		}
		return "", unreachable(c.ctx, c.host, c.cmd.Args, c.ending(), c.complaint.String())
	case <-timer.C:
		c.End()
		return "", errors.New("did not answer within " + within.String())
	}
}

// ending is why a script has said nothing more.
func (c *Conversation) ending() error {
	if err := c.End(); err != nil {
		return err
	}
	return errors.New("its answer ends early")
}

// Say sends the script a line.
func (c *Conversation) Say(line string) error {
	_, err := io.WriteString(c.in, line+"\n")
	return err
}

// End ends the script, which hears the end of its input, or is killed some time later. It gives the error with which
// the script ended.
func (c *Conversation) End() error {
	c.ended.Do(func() {
		c.in.Close()
		const polite = 2 * time.Second
		timer := time.AfterFunc(polite, c.stop)
		defer timer.Stop()
		for range c.lines { // nobody hears the rest
		}
		c.end = c.cmd.Wait()
		c.stop()
	})
	return c.end
}
