// Package text reads and writes a recorded run as text, so that logs of papers, of other tools and by hand can be
// judged without any MPI. docs/logs.md has the grammar.
//
// A line belongs to a thread and holds any number of its calls. A call is written as in a program, with the arguments
// that matter for matching; whatever a recorded run has beyond that has a long form with the same meaning. The meaning
// of a call's name (what it starts, whether it waits, what a collective synchronises) is that of package mpi.
package text
