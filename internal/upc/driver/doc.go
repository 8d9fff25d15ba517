// Package driver is the compiler of UPC as a user calls it: it understands gcc's command line, lets the user's mpicc
// preprocess UPC sources, has them parsed, checked and lowered to C, compiles that with mpicc, and links it with the
// run-time, which it compiles once for each MPI library and keeps. It also starts compiled programs.
//
// What is not UPC goes to mpicc as it is: sources of other languages, objects, libraries, and options that nobody here
// knows.
package driver
