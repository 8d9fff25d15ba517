package shmem

import (
	"golang.org/x/sys/unix"

	"unknot/internal/vocab/finding"
)

// Death is the PE that has died first.
type Death struct {
	PE    int
	Cause Cause
	Last  *Site // its last call; nil if that is not known
}

// Cause is what has ended a PE before shmem_finalize. The zero value is what a process cannot notice.
type Cause struct {
	Exit   bool // with Status
	Status int
	Signal unix.Signal // 0 without one
	At     finding.Frame
}

// Finding is that of the death.
func (d *Death) Finding() finding.Finding {
	f := manifest(finding.RankDied)
	f.Ranks, f.Hint = []int{d.PE}, "the other PEs cannot continue without it; fix this first"
	place := finding.Place{Rank: d.PE, State: "died", WaitsFor: []int{}}
	if d.Last != nil {
		place = d.Last.place(d.PE, "died")
		place.After = place.Call != ""
	}
	text := finding.Wordf("PE %d %s", d.PE, d.Cause.words())
	if place.File != "" {
		text = finding.Wordf("%s, after %s at %s", text, place.Call, place.Worded())
	}
	f.Places = []finding.Place{place}
	f.Say(finding.Wordf("%s.", text))
	return f
}

// words say what has ended a PE.
func (c *Cause) words() finding.Wording {
	switch {
	case c.Exit:
		return finding.ByExit(c.Status, "shmem_finalize")
	case c.Signal != 0:
		return finding.BySignal(c.Signal, c.At)
	}
	return finding.Unseen()
}
