// Package check finds wrong uses of MPI: at each call it looks at the arguments, at the objects that they name and at
// what is under way, and says what is wrong with which argument, its value and where the object came from.
//
// A Checker is one check: its name, what it can say, and the handlers that it adds to Hooks. Checkers do not know each
// other. What they have in common is the model of a rank's objects (Rank), which follows the calls: communicators,
// datatypes, groups, requests and so on, by handle. They are in the directories below this one, each with the programs
// that are broken and fixed for its codes, and keep what they know of ranks in slots (Slot, Model); this package knows
// none of them. Package registry has them all.
//
// A Watch belongs to one agent and is used by one goroutine. It learns of calls from their records (package mpi says
// what is in them), before the call is known to have returned, and hands Reports to its owner.
package check
