package stage

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// Conversation is a script that a host runs, and that hears and says lines meanwhile.
type Conversation struct {
	ctx       context.Context // of whoever talks
	within    context.Context // of the script, which stop ends
	host      string
	cmd       *exec.Cmd
	in        io.WriteCloser
	out       io.ReadCloser
	lines     chan string // closed at the end of what it says
	stop      context.CancelFunc
	heard     bool // has it said a line
	ended     sync.Once
	end       error
	complaint bytes.Buffer
}

// Talk has a host run a script of /bin/sh with arguments. What the script has for us are lines that begin as those of
// other scripts do.
func (s Shell) Talk(ctx context.Context, host, script string, args ...string) (*Conversation, error) {
	within, stop := context.WithCancel(ctx)
	c := &Conversation{ctx: ctx, within: within, stop: stop, host: host, cmd: s.command(within, host, script, args),
		lines: make(chan string)}
	c.cmd.Stderr = &c.complaint
	var err error
	if c.out, err = c.cmd.StdoutPipe(); err == nil {
		c.in, err = c.cmd.StdinPipe()
	}
	if err == nil {
		err = c.cmd.Start()
	}
	if err != nil {
		stop()
		return nil, err
	}
	go c.listen(c.out)
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
			case <-c.within.Done():
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
			c.heard = true
			return line, nil
		}
		if c.heard {
			return "", c.stopped()
		}
		return "", unreachable(c.ctx, c.host, c.cmd.Args, c.ending(), c.complaint.String())
	case <-timer.C:
		c.End()
		return "", errors.New("did not answer within " + within.String())
	}
}

// stopped says that a script has ended though more was to come, with what it complained of last.
func (c *Conversation) stopped() error {
	err := c.ending()
	lines := strings.Split(strings.TrimSpace(c.complaint.String()), "\n")
	if last := lines[len(lines)-1]; last != "" {
		err = errors.New(last)
	}
	return fmt.Errorf("has stopped answering: %w", err)
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
		timer := time.AfterFunc(polite, func() {
			c.stop()
			c.out.Close() // a process that it has left behind may keep it open
		})
		defer timer.Stop()
		for range c.lines { // nobody hears the rest
		}
		c.end = c.cmd.Wait()
		c.stop()
	})
	return c.end
}
