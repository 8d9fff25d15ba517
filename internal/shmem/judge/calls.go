package judge

// Calls is how many calls of OpenSHMEM the PEs have made.
func (r *Reader) Calls() (n uint64) {
	for _, s := range r.found.Streams {
		n += s.Calls()
	}
	return n
}
