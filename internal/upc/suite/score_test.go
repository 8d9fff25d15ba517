package suite

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
)

// scores are the grades of each section, from all tests that give some.
type scores struct {
	mu       sync.Mutex
	sections map[string]*section
}

// A section is a row of the page.
type section struct {
	programs, threads, mpis map[string]bool
	grades, sum             int
}

func (s *scores) add(name, program string, l launch, grades []int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.sections == nil {
		s.sections = map[string]*section{}
	}
	at := s.sections[name]
	if at == nil {
		at = &section{programs: map[string]bool{}, threads: map[string]bool{}, mpis: map[string]bool{}}
		s.sections[name] = at
	}
	at.programs[program] = true
	at.threads[fmt.Sprint(l.threads)] = true
	at.mpis[l.mpi] = true
	for _, g := range grades {
		at.grades++
		at.sum += g
	}
}

// names lists a set.
func names(set map[string]bool) string { return strings.Join(slices.Sorted(maps.Keys(set)), ", ") }
