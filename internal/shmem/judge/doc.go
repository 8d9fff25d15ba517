// Package judge says what is wrong with OpenSHMEM programs. The probe of a program has its PEs write streams of records
// to files in the session directory (package layout); this package reads them while the program runs, follows what all
// PEs do in the order of the tickets, and makes findings of calls that are not allowed, of collectives in which PEs
// disagree, of data races, and of PEs that wait for each other forever.
//
// What orders accesses is OpenSHMEM's memory model (OpenSHMEM 1.4): a put is complete at the next shmem_quiet of its
// context (9.10.2), and puts to one PE are ordered by shmem_fence (9.10.1); barriers and other collectives (9.8) and
// locks (9.11) order PEs, and so does a value that a PE has waited for (9.9) or fetched (9.7): who sees it knows what
// was ordered before it was written. Programs also look at their own memory by plain loads, which are not recorded:
// what a PE may have learned by these is taken into account, and a race that only that has prevented is a predicted
// one.
package judge
