package procstat

// calls are those in which threads may wait for long, by their numbers.
func calls() map[int]call { return callsOfAll() }
