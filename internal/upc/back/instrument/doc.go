// Package instrument writes a checked UPC source anew, still as UPC, with calls of the checker's run-time in it. What
// the program computes stays as it is: every expression is evaluated once and in the same order. What is added has
// names that begin with upck_ (upckw_ for the wrappers of library functions), and line markers keep everything at its
// place in the source.
//
// docs/upc-check.md says what users see of it, internal/upc/rt/check/upck.h what the runtime is passed.
package instrument
