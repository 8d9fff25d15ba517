package check

import (
	"fmt"
	"math"
	"strings"

	"unknot/internal/model/objects"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
)

// Counted is a number of things in words.
func Counted(n int, thing string) finding.Wording {
	many := thing + "s"
	if k, ok := strings.CutSuffix(thing, "y"); ok {
		many = k + "ies"
	}
	return finding.Counted(n, thing, many)
}

// Is is the verb of a number of things.
func Is(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// Bytes is a number of bytes in words.
func Bytes(n int64) finding.Wording { return finding.Counted(n, "byte", "bytes") }

// mostNegative is the largest number for which Wrapped takes an overflow for likely.
const mostNegative = -1 << 28

// Wrapped is the hint for a negative number that an int has become by an overflow; "" for one that is not so large, or
// no int.
func Wrapped(v int64) string {
	if v > mostNegative || v < math.MinInt32 {
		return ""
	}
	return fmt.Sprintf("an int that overflows becomes this instead of %d: compute the number with 64 bits", v+1<<32)
}

// MadeAt says where the other call of a finding about two was made.
func MadeAt(f *mpi.Func, site uint64) Related {
	return Related{Label: finding.OtherCall, Text: "it was made", Func: f, Site: site}
}

// MadeBy says where a request comes from.
func MadeBy(q *objects.Request) Related {
	return Related{Text: "it was created", Func: q.Made.Func, Site: q.Made.Site}
}

// Created says where an object comes from, if that is known.
func Created(o *objects.Object) []Related {
	if o.Made.Func == nil {
		return nil
	}
	return []Related{{Text: "it was created", Func: o.Made.Func, Site: o.Made.Site}}
}

// SayAt reports something about an earlier call.
func (c *Call) SayAt(code finding.Code, made objects.Made, words func() Words) {
	x := *c
	x.Func, x.Site, x.Words, x.Comm = made.Func, made.Site, nil, nil
	x.Say(code, -1, words)
}
