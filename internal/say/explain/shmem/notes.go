package shmem

import (
	"fmt"

	"unknot/internal/say/explain"
)

// Missed is what of a program was not followed, so that something may not be reported.
type Missed struct {
	Absent    Doubt  // the PEs of which nothing was recorded; none if there are no PEs in it
	Forgotten uint64 // accesses for which there was no room,
	Memory    uint64 // in so many bytes
	Missing   uint64 // records that should be there
	Strange   uint64 // records that make no sense
	Again     bool   // a PE has more than one stream
}

// Notes are a sentence for each.
func (m *Missed) Notes() (all []string) {
	if len(m.Absent.PEs) > 0 {
		all = append(all, "OpenSHMEM: "+m.Absent.String()+
			", which may be on other hosts; data races and deadlocks with them are not found")
	}
	if m.Forgotten > 0 {
		all = append(all, explain.Forgotten(m.Forgotten, m.Memory))
	}
	if m.Missing > 0 {
		all = append(all, fmt.Sprintf("OpenSHMEM: %d records of the PEs are missing, so something may not be "+
			"reported, or wrongly", m.Missing))
	}
	if m.Strange > 0 {
		all = append(all, fmt.Sprintf("OpenSHMEM: %d records make no sense and were left out; hint: the files of the "+
			"session are damaged", m.Strange))
	}
	if m.Again {
		all = append(all, "OpenSHMEM: a PE was started more than once with the same number; only what the first did "+
			"was looked at")
	}
	return all
}
