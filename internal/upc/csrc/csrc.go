// Package csrc owns the run-time of compiled UPC programs, in C over MPI-3, and the UPC headers. What lowered code may use of it is
// rt/upcr.h; what UPC programs include is in include. A program's threads are the ranks of an MPI job; docs/upc-runtime.md says how
// it works.
package csrc

import "embed"

// Runtime holds the run-time's sources and upcr.h under rt; the *.c files are compiled with the user's mpicc and linked to every
// program.
//
//go:embed rt/*.h
var Runtime embed.FS
