package usage

// remote is what the windows of several ranks have in common.
type remote struct {
	ranks   Ranks
	pulses  Slot[pulse]
	targets targets
	windows *windows
	doubts  []doubt
	ending  bool // no more calls will come
}

// pulse is that of a rank.
func (m *remote) pulse(r *Rank) *pulse { return m.pulses.Of(r) }
