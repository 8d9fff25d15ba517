package callsite

import (
	"io"

	"unknot/internal/attach/thread"
	"unknot/internal/kit/symbol"
)

// mostCode is the largest function that is read.
const mostCode = 1 << 20

// Of is the call that a function is in, which is not the innermost one of its thread.
func Of(r *symbol.Resolver, p *thread.Process, a symbol.Activation) *Site {
	s := &Site{Return: a.PC, SP: a.SP, Memory: p.Memory, Others: make(map[uint64][]byte),
		Register: a.Registers.Value}
	s.From, s.Code = function(r, p, a.PC-1)
	for parts := s.Leaves(); len(parts) > 0; parts = parts[1:] {
		if from, code := function(r, p, parts[0]); code != nil && s.Others[from] == nil {
			s.Others[from] = code
		}
	}
	return s
}

// function is the code around an address; nil if it cannot be had.
func function(r *symbol.Resolver, p *thread.Process, at uint64) (from uint64, code []byte) {
	from, to, ok := r.Function(p.Maps, at)
	if !ok || to-from > mostCode {
		return 0, nil
	}
	code = make([]byte, to-from)
	if n, err := p.Memory.ReadAt(code, int64(from)); err != nil && err != io.EOF || n < len(code) {
		return 0, nil
	}
	return from, code
}
