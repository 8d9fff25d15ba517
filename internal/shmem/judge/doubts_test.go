package judge

import (
	"strings"
	"testing"

	"unknot/internal/shmem/layout"
	"unknot/internal/vocab/finding"
)

// TestRacesAreOnlyPredictedWhereSomethingIsNotSeen has one race in programs of which not everything is known.
func TestRacesAreOnlyPredictedWhereSomethingIsNotSeen(t *testing.T) {
	for _, c := range []struct {
		name, want string
		pes        int
		does       func(s *script)
	}{
		{"all is seen", "and nothing orders the two accesses.", 2, func(*script) {}},
		{"a direct address", "but a PE has the address of another one's memory (shmem_ptr)", 2, func(s *script) {
			s.record(0, layout.Record{Kind: layout.Direct, Owner: 1})
		}},
		{"MPI", "but the program communicates by MPI, too", 2, func(s *script) { s.reader.DoubtMPI() }},
		{"other hosts", "but nothing is known of PEs 2 and 3", 4, func(*script) {}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScript(t, 0)
			s.stream("70", 0, c.pes)
			s.stream("71", 1, c.pes)
			s.put(putData, 0, 1, data)
			s.get(getData, 1, 1, data)
			c.does(s)
			findings, notes := s.reader.Finish()
			certain := c.name == "all is seen"
			if len(findings) != 1 || !strings.Contains(findings[0].Sentence, c.want) ||
				(findings[0].Standing == finding.Manifest) != certain || (len(notes) > 0) != (c.name == "other hosts") {
				t.Errorf("%+v, %q", findings, notes)
			}
		})
	}
}
