// Package exact decides whether the calls that a run made can block forever in another run that MPI allows.
//
// It takes a trace.Log, of which it believes the control flow only: what each thread called, in its order. Whom a
// wildcard met, which message MPI buffered and how far a collective synchronised in the recorded run decide nothing.
// Within that control flow it answers free, deadlocks or undecided, never free without proof.
//
// The semantics are those of MPI-4.0: order of messages (3.5), buffering (3.4), collectives (6.1), completion (3.7.5).
// A run is a sequence of moves of a state: a thread enters and leaves calls, a message meets a receive. Buffering is
// decided late: a send that MPI may buffer lets its call return at any moment or never, so a state in which no move is
// compulsory is the end of a legal run, and a deadlock if somebody is not finished.
//
//  1. Windows (windows.go) say what a sender can reach before a receive has met: a barrier between them keeps them
//     apart. They decide which receives are contested, that is, which could meet messages of two senders.
//  2. Without choice (no contested receive, no call that may complete with one of several requests that others complete
//     with as well) the order of moves does not matter, and buffering less stops more: one simulation in linear time
//     decides (chain.go).
//  3. A proof by counting (proof.go) supposes that a thread stands still in a call forever. Whatever its receive could
//     take must then have been taken, so senders get on; if enough of them come by, the supposition is refuted. Which
//     senders get on may depend on whose messages were taken; then what all threads together have sent and received is
//     compared (sums.go). Where every call of every thread is refuted, nobody blocks. This certifies masters and
//     workers, at any size.
//  4. What is left is searched (search.go), depth first: compulsory moves that take nothing from anybody are made at
//     once, a receive to which no further rivals can come is decided alone, states are remembered (once for all
//     exchanges of ranks that do the same, symmetry.go), and what a proof covers is left out. Runs without buffering
//     come first.
//
// The comparison of sends that a wildcard could take from a later receive is that of orphaned receives in Sharma,
// Gopalakrishnan and Bronevetsky (MSPOE, section 3).
package exact
