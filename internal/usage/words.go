package usage

import (
	"fmt"
	"strings"

	"unknot/internal/finding"
	"unknot/internal/objects"
)

// counted is a number of things in words.
func counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	if k, ok := strings.CutSuffix(thing, "y"); ok {
		return fmt.Sprintf("%d %sies", n, k)
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

func is(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// bytesOf is a number of bytes in words.
func bytesOf(n int64) string {
	if n == 1 {
		return "1 byte"
	}
	return fmt.Sprintf("%d bytes", n)
}

// madeBy says where a request comes from.
func madeBy(q *objects.Request) Related {
	return Related{"it was created", q.Made.Func, q.Made.Site}
}

// created says where an object comes from, if that is known.
func created(o *objects.Object) []Related {
	if o.Made.Func == nil {
		return nil
	}
	return []Related{{"it was created", o.Made.Func, o.Made.Site}}
}

// sayAt reports something about an earlier call.
func (c *Call) sayAt(code finding.Code, made objects.Made, words func() Words) {
	x := *c
	x.Func, x.Site, x.Words, x.Comm = made.Func, made.Site, nil, nil
	x.Say(code, -1, words)
}
