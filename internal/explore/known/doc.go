// Package known keeps what is known of a program from the runs that were made of it, and goes through every run that
// follows from that.
//
// A rank is taken to be a deterministic function of what its MPI calls give it: whose message a receive or probe met,
// which requests a call reported, whether a poll found anything, and what the messages and collectives brought, which
// is decided in turn by what their senders had been given until then. So all that a rank can do is a tree: a node is a
// history of what it was given, and has the call that it makes next; an edge is what that call gave (tree.go,
// learn.go). Each run of the program adds a path to each rank's tree. A run that makes another call after the same
// history refutes the supposition, and nothing is claimed of such a program.
//
// The search (search.go) runs all trees together as MPI may (MPI-4.0: order of messages 3.5, buffering 3.4, collectives
// 6.1, completion of several requests 3.7.5, polls 3.7.3 and 3.8.1). Whatever must happen and takes nothing from
// anybody happens at once (eager.go); what is left are choices (moves.go), of which one rank's are enough if nobody
// else can change them (alone.go). Where a rank reaches an edge that no run has shown, that is a goal: a plan for a
// real run that goes there. Where nothing must happen any more and a rank is not at its end, that is a deadlock, with
// the plan that leads to it. When a search ends without goals, every run that MPI allows has been gone through.
package known
