package finding

import (
	"fmt"
	"slices"
)

// Moment is a line of a finding's timeline: an access, a step of synchronisation or a call of one of its threads, or of
// several that do it together, as they go through a barrier.
type Moment struct {
	Ranks []int  `json:"ranks"`
	Did   string `json:"did"` // "upc_barrier, the 2nd", "writes sum[0]"
	Frame
	// Racing says that it is one of the accesses that the finding is about, or where ranks have parted.
	Racing bool `json:"racing,omitempty"`
}

// Parted says whether the timeline shows where ranks went different ways, and not a race.
func (f *Finding) Parted() bool { return f.Code == Deadlock || f.Code == CollectiveMismatch }

// TimelineTitle says what the timeline shows.
func (f *Finding) TimelineTitle() string {
	if f.Parted() {
		return "where the ranks part"
	}
	return "in time, downwards"
}

// Apart labels the moments of the timeline that the finding is about.
func (f *Finding) Apart() string {
	if f.Parted() {
		return "then:"
	}
	return "race:"
}

func (m *Moment) validate(world int) error {
	if len(m.Ranks) == 0 {
		return fmt.Errorf("ranks is empty")
	}
	for i, r := range m.Ranks {
		if r < 0 || r >= world {
			return fmt.Errorf("ranks[%d] is %d, expected 0 to %d", i, r, world-1)
		}
	}
	if m.Did == "" {
		return fmt.Errorf("did is empty")
	}
	return nil
}

// Meeting is a race as a program knows it that is made to run into it again.
type Meeting struct {
	Sites [2]uint32 `json:"sites"` // numbers of the two places in the program
	// the thread, rank or PE whose memory it is, and the bytes in its segment, window or memory
	Owner int    `json:"owner"`
	Start uint64 `json:"start"`
	End   uint64 `json:"end"`
	// Ranks are those that make the two calls: twice the same if two threads of it do. In a UPC program any two threads
	// meet.
	Ranks []int `json:"ranks,omitempty"`
}

// OfThreads says whether two threads of a rank meet.
func (m *Meeting) OfThreads() bool { return len(m.Ranks) == 2 && m.Ranks[0] == m.Ranks[1] }

func (m *Meeting) validate(world int) error {
	switch {
	case m.Owner < 0 || m.Owner >= world:
		return fmt.Errorf("owner is %d, expected 0 to %d", m.Owner, world-1)
	case len(m.Ranks) != 0 && len(m.Ranks) != 2:
		return fmt.Errorf("ranks has %d entries, expected none or 2", len(m.Ranks))
	case slices.ContainsFunc(m.Ranks, func(r int) bool { return r < 0 || r >= world }):
		return fmt.Errorf("ranks is %v, expected 0 to %d", m.Ranks, world-1)
	case m.Start >= m.End && !m.OfThreads():
		return fmt.Errorf("start is %d and end %d, expected a start before the end", m.Start, m.End)
	}
	return nil
}
