package main

import (
	"errors"
	"time"

	"unknot/internal/agent/kernel"
	"unknot/internal/agent/place"
	"unknot/internal/kit/procstat"
	"unknot/internal/kit/symbol"
	"unknot/internal/vocab/finding"
)

// simulated answers for processes that do not exist: all of them run, and sleep in their calls.
type simulated struct{}

var errNoProcess = errors.New("a simulated rank has no call stack")

func (simulated) Above(int) []int                                       { return nil }
func (simulated) Gone(int) bool                                         { return false }
func (simulated) Watch(int)                                             {}
func (simulated) Collect()                                              {}
func (simulated) End(int) (kernel.Ending, bool)                         { return kernel.Ending{}, false }
func (simulated) Clock() uint64                                         { return 0 }
func (simulated) Time(int, int) (time.Duration, bool)                   { return 0, true }
func (simulated) Sleep(int, int) (kernel.Slumber, bool)                 { return kernel.Slumber{}, false }
func (simulated) Roused(int, map[int]bool) bool                         { return false }
func (simulated) Doing(int, int) procstat.Activity                      { return procstat.Activity{} }
func (simulated) Environment(int) []string                              { return nil }
func (simulated) AskStack(kernel.Stacks, int) error                     { return errNoProcess }
func (simulated) LockedOut(kernel.Stacks, int, int, time.Time) []uint64 { return nil }

func (simulated) Stack(kernel.Stacks, time.Time) ([]uint64, error) { return nil, errNoProcess }
func (simulated) Halt(int)                                         {}

// program is the source text of the simulated program: a function has a separate line.
type program struct{}

func (program) Own(symbol.Owners) {}

func (program) Hold(*symbol.Maps) {}
func (program) Frames(_ *symbol.Maps, pc uint64, _ bool) []finding.Frame {
	return []finding.Frame{{Function: "main", File: "simulated.c", Line: int(pc - firstSite)}}
}
func (program) Declared(*symbol.Maps, uint64, string) (symbol.Declared, bool) {
	return symbol.Declared{}, false
}

func (program) Field(*symbol.Maps, uint64, symbol.Struct) string { return "" }
func (program) Waits(*symbol.Maps) (uint64, bool)                { return 0, false }
func (program) Suspended(*symbol.Maps, uint64, uint64) []uint64  { return nil }
func (program) Script(*symbol.Maps, int) []finding.Frame         { return nil }
func (program) Source(file string) string                        { return file }
func (program) Data(*symbol.Maps) place.Variables                { return none{} }
func (program) Close()                                           {}

type none struct{}

func (none) Variable(uint64) (symbol.Variable, bool) { return symbol.Variable{}, false }
