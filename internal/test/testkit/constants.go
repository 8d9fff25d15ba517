package testkit

import "unknot/internal/vocab/mpi"

// Constants are the words of a record with the values of a made-up MPI library's constants: some, by name, and all ones
// for those that it does not have.
func Constants(table *mpi.T, known map[string]uint64) []uint64 {
	words := make([]uint64, len(table.Constants()))
	for i, c := range table.Constants() {
		words[i] = ^uint64(0)
		if value, ok := known[c.Name]; ok {
			words[i] = value
		}
	}
	return words
}
