// Package suite is the test suite of upc-check: wrong programs with their corrected twins, which the real command
// compiles and both MPI libraries run, and the grades of what is reported of them. docs/upc-check-score.md is what it
// measures.
package suite
