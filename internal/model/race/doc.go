// Package race finds data races among accesses to memory that several threads share. It knows accesses and what orders
// them, not languages: UPC programs and one-sided MPI feed it alike.
//
// Two accesses race if they touch the same bytes, one of them modifies these, and nothing orders them. What orders them
// is kept as vector clocks (Mattern 1988; Flanagan and Freund, FastTrack, PLDI 2009): barriers, messages, flags and the
// like as edges of happens-before, and the order in which locks were taken. A race that only this last order has
// prevented is predicted. To tell it from data that are handed over under a lock, a critical section is ordered after
// an earlier one of the same lock if they have conflicting accesses (weak-causally-precedes: Kini, Mathur and
// Viswanathan, PLDI 2017).
//
// For each owner of memory the store keeps disjoint segments of addresses, each with a history: the accesses that a
// later one may race with. Equal histories are one, and equal neighbours become one segment, so a loop over an array
// costs one segment, and one comparison of histories.
package race
