package agent

import (
	"path/filepath"
	"slices"

	"unknot/internal/kit/symbol"
	"unknot/internal/observe/decode"
	"unknot/internal/vocab/message"
)

// caught are exceptions of Python that a thread's process has raised and caught. They say why a rank makes another call
// than the others, or none: those before the last calls that others may wait for are kept.
type caught struct {
	next   []message.Exception // since the last such call
	before []caughtBefore      // the latest last
}

// caughtBefore are those between two calls, of which the second has a stamp.
type caughtBefore struct {
	stamp uint32
	all   []message.Exception
}

// mostCaught bounds both.
const mostCaught = 4

// add takes in an exception, unless nobody has caught it, or none of the user's own code is among its frames.
func (c *caught) add(d decode.Caught, uncaught *message.Exception, owners *symbol.Owners) {
	for _, f := range d.Frames {
		// mpi4py's own code has names without a directory
		if ext := filepath.Ext(f.File); ext == ".pxi" || ext == ".pyx" || owners.LibraryOf(f.File) != "" {
			continue
		}
		e := message.Exception{Kind: d.Kind, Text: d.Text, File: f.File, Line: f.Line}
		if uncaught != nil && uncaught.Kind == e.Kind || slices.Contains(c.next, e) {
			return
		}
		if len(c.next) == mostCaught {
			c.next = slices.Delete(c.next, 0, 1)
		}
		c.next = append(c.next, e)
		return
	}
}

// call takes in a call that others may wait for.
func (c *caught) call(stamp uint32) {
	if len(c.next) == 0 {
		return
	}
	if len(c.before) == mostCaught {
		c.before = slices.Delete(c.before, 0, 1)
	}
	c.before = append(c.before, caughtBefore{stamp, c.next})
	c.next = nil
}

// at are the exceptions before a call, if they are known.
func (c *caught) at(stamp uint32) []message.Exception {
	for _, b := range c.before {
		if b.stamp == stamp {
			return b.all
		}
	}
	return nil
}
