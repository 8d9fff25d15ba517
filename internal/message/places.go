package message

import (
	"unknot/internal/finding"
	"unknot/internal/mpi"
	"unknot/internal/op"
	"unknot/internal/waitstate"
)

// Described is a thread's part in a finding.
type Described struct {
	Key   Key
	Still bool // it is where it was when it was asked about
	Place finding.Place
	Shape Shape
}

// Shape is what the root needs to know of a call in order to put a deadlock into words.
type Shape struct {
	Class    mpi.Class
	Name     string
	Comm     string
	Bytes    int64
	Misses   []Miss         // messages that nearly fit
	Posted   map[Key]string // what the requests of a completion stand for: call and position
	Ate      string         // a wildcard receive of the thread that took a message of the rank that it now waits for
	Library  string
	Except   *Exception // of the rank, not caught
	Position string     // "main (a.c:12)"
}

// Miss is a message that nearly fits what a thread waits for.
type Miss struct {
	Src, Dst op.Rank
	Origin   *waitstate.Origin // the send; its place is known to the sender's agent
	But      string            // what does not fit, in words
}
