package followed

import (
	"unknot/internal/agent/place"
	"unknot/internal/kit/symbol"
	"unknot/internal/vocab/finding"
)

// Symbols are those of a made-up program.
type Symbols struct {
	At        map[uint64][]finding.Frame   // by address
	Variables map[string]symbol.Variable   // by name
	Types     map[string]symbol.Declared   // by expression
	Member    func(s symbol.Struct) string // the name of a member, nil if nothing is known
	Asked     map[string]int               // how often something was asked
}

func (s *Symbols) ask(what string) {
	if s.Asked == nil {
		s.Asked = make(map[string]int)
	}
	s.Asked[what]++
}

// Frames are the positions of an address.
func (s *Symbols) Frames(_ *symbol.Maps, pc uint64, _ bool) []finding.Frame { return s.At[pc] }

// Field is the member of a struct.
func (s *Symbols) Field(_ *symbol.Maps, _ uint64, of symbol.Struct) string {
	if s.Member == nil {
		return ""
	}
	return s.Member(of)
}

// Declared is what an expression is declared as.
func (s *Symbols) Declared(_ *symbol.Maps, _ uint64, expression string) (symbol.Declared, bool) {
	s.ask("declared " + expression)
	d, ok := s.Types[expression]
	return d, ok
}

// Data are the variables of a process.
func (s *Symbols) Data(*symbol.Maps) place.Variables {
	s.ask("data")
	return variables{s}
}

type variables struct{ *Symbols }

// Variable is the one at an address.
func (v variables) Variable(at uint64) (symbol.Variable, bool) {
	v.ask("variable")
	for _, x := range v.Variables {
		if at >= x.From && at < x.To {
			return x, true
		}
	}
	return symbol.Variable{}, false
}

// Own does nothing: no process is there, also where the others are asked.
func (s *Symbols) Own(symbol.Owners) {}

// Hold does nothing.
func (s *Symbols) Hold(*symbol.Maps) {}

// Suspended knows no stack.
func (s *Symbols) Waits(*symbol.Maps) (uint64, bool) { return 0, false }

func (s *Symbols) Suspended(*symbol.Maps, uint64, uint64) []uint64 { return nil }

// Script knows no stack of Python.
func (s *Symbols) Script(*symbol.Maps, int) []finding.Frame { return nil }

// Source is the file itself.
func (s *Symbols) Source(file string) string { return file }

// Close does nothing.
func (s *Symbols) Close() {}
