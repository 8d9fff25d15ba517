package main

import (
	"fmt"
	"strconv"

	"unknot/internal/predict/exact"
)

// buffering is the value of --buffering: any, none, infinite, or a number of bytes.
type buffering struct {
	kind  *exact.Buffering
	limit *int64
}

func (b buffering) String() string { return "" }

func (b buffering) Set(s string) error {
	switch s {
	case "any":
		*b.kind = exact.BufferAny
	case "none":
		*b.kind = exact.BufferNone
	case "infinite":
		*b.kind = exact.BufferAll
	default:
		n, err := strconv.ParseInt(s, 10, 64)
		if err != nil || n < 0 {
			return fmt.Errorf("%q is neither any, none, infinite nor a number of bytes", s)
		}
		*b.kind, *b.limit = exact.BufferLimit, n
	}
	return nil
}
