// Package decode reads the records of a ring: the arguments and results of a call by what they mean, and what a process
// says of itself as plain values. Most readers of the latter are generated from the table of records (package ring).
// The rings are shared with the program, which may write over them, so nothing here trusts a length: what is missing
// reads as zero.
package decode
