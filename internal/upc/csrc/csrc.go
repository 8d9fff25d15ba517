// Package csrc owns the run-time of compiled UPC programs, in C over MPI-3, and the UPC headers. What lowered code may use of it is
// rt/upcr.h; what UPC programs include is in include. A program's threads are the ranks of an MPI job; docs/upc-runtime.md says how
// it works.
package csrc

import "embed"

// Runtime holds the run-time's sources and upcr.h under rt; the *.c files are compiled with the user's mpicc and linked to every
// program.
//
//go:embed rt/*.c rt/*.h
var Runtime embed.FS

// Headers holds upc.h and the headers of the libraries under include, for the include path of UPC programs.
//
//go:embed include/*.h
var Headers embed.FS

// Features are the libraries that the run-time has: macros with the value 1 (UPC 1.3, 6.11.1, and the conventions of each library).
func Features() []string {
	return []string{"__UPC_COLLECTIVE__", "__UPC_TICK__", "__UPC_CASTABLE__", "__UPC_IO__", "__UPC_ATOMIC__", "__UPC_NB__"}
}
