package shmem

import (
	"cmp"
	"fmt"
	"path/filepath"

	"unknot/internal/kit/symbol"
	"unknot/internal/vocab/finding"
)

// Site is a call in the program, or where it accesses memory itself.
type Site struct {
	Call   string // the function; "" if the program accesses memory there itself
	Number uint32 // that stands for it in other runs (package rendezvous), 0 if there is none
	Frames []finding.Frame
}

// Unknown is a site of which nothing is known.
func Unknown() *Site { return &Site{Call: "a function of OpenSHMEM"} }

// Frame is where it is.
func (s *Site) Frame() finding.Frame { return symbol.Written(s.Frames) }

// at is where it is, in words.
func (s *Site) at() string {
	f := s.Frame()
	if f.File != "" {
		return fmt.Sprintf("%s:%d", filepath.Base(f.File), f.Line)
	}
	return cmp.Or(f.Where(), "an unknown place")
}

// where is the call, and where it is.
func (s *Site) where() string { return s.Call + " at " + s.at() }

// Own says that the program accesses memory there itself.
func (s *Site) Own() bool { return s.Call == "" }

// place is the part of a PE that has made the call.
func (s *Site) place(pe int, state string) finding.Place {
	p := finding.Place{Rank: pe, State: state, Call: s.Call, Frame: s.Frame(), WaitsFor: []int{}}
	if len(s.Frames) > 1 {
		p.Stack = s.Frames
	}
	return p
}
