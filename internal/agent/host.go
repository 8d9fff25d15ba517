package agent

// host is the agent as package repeat sees it.
type host struct{ *Agent }

// More has the rings read again at once.
func (h host) More() { h.more = true }

// Flush sends what the wait-state system has to say.
func (h host) Flush() { h.flush() }

// Reported is what was reported to the root, and how often.
func (h host) Reported() uint64 { return h.upward + h.checks.Reported() }

// Holding says that rings are not read, for a consistent state.
func (h host) Holding() bool { return h.sync.holding }

// Consistent begins a consistent state that had to wait.
func (h host) Consistent(round int) { h.consistent(round) }
