package callsite

// A definition that reaches a use by possible steps may itself not have been run: each path from the function's
// beginning to it has a branch that was not taken. Where all that a condition depends on is still known, that can be
// said.

// taken are the definitions that may have been run.
func (e *evaluation) taken(d definitions) (some definitions, fewer bool) {
	some = d
	some.from = nil
	own := *e
	own.thorough = false
	for _, j := range d.from {
		if own.mayBeRun(j) {
			some.from = append(some.from, j)
		}
	}
	return some, len(some.from) < len(d.from)
}

// mayBeRun says whether a path of possible steps leads to an instruction, from the beginning of the function or from
// where nothing seems to lead.
func (e *evaluation) mayBeRun(j int) bool {
	f := e.flow
	seen := newSet(len(f.code))
	for work := []int{j}; len(work) > 0; {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		if n == 0 || len(f.before[n]) == 0 || *e.budget < 0 {
			return true
		}
		for _, k := range f.before[n] {
			if seen.has(k) {
				continue
			}
			*e.budget -= len(f.code) / 256 // which takes longer in a large function
			// What was the condition's at one time is so each time, if nothing that may be run later changes it.
			if len(f.after[k]) > 1 && !e.possible(k, n, f.reach(k, f.after, f.leads)) {
				continue
			}
			seen.add(k)
			work = append(work, k)
		}
	}
	return false
}
