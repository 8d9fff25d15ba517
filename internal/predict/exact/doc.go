// Package exact decides whether the calls that a run made can block for ever in another run that MPI allows.
//
// It takes a trace.Log, of which it believes the control flow only: what each thread called, in its order. Whom a wildcard
// met, which message MPI buffered and how far a collective synchronised in the recorded run decide nothing. Within that
// control flow it answers free, deadlocks or undecided, never free without proof.
//
// The semantics are those of MPI-4.0: order of messages (3.5), buffering (3.4), collectives (6.1), completion (3.7.5).
// A run is a sequence of moves of a state: a thread enters and leaves calls, a message meets a receive. Buffering is decided
// late: a send that MPI may buffer lets its call return at any moment or never, so a state in which no move is compulsory is
// the end of a legal run, and a deadlock if somebody is not finished.
//
//  1. Without choice (no receive that two senders compete for, no call that completes with any of several requests) the
//     order of moves does not matter, and buffering less stops more: one simulation in linear time decides (chain.go).
//  2. A proof by counting (proof.go) supposes that a thread stands still in a call for ever. Whatever that receive could
//     take must then have been taken, so senders get on; if enough of them come by, the supposition is refuted. Where
//     every call of a thread is refuted, it gets to its end. This certifies most masters and workers.
//  3. What is left is searched (search.go), depth first: compulsory moves that take nothing from anybody are made at once,
//     a receive whose candidates are all there is decided alone, states are remembered, and what a proof covers is left out.
//     A question to a SAT solver (encode.go, solve.go) is put in between where the search does not end soon.
//
// The comparison of sends that a wildcard could take from a later receive is that of orphaned receives in Sharma,
// Gopalakrishnan and Bronevetsky (MSPOE, section 3).
package exact
