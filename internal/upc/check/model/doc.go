// Package model has the deadlock protocol of upc-check as a state machine: the same as internal/upc/rt/check, line by
// line where that is possible, with an explorer that runs a small program through all orders of its steps. A step is
// one strict access, or one action of the program's own (taking a lock, waiting for all). What a report says is
// compared with what is true in that state.
//
// The paper is Roy, "UPC-CHECK: A scalable tool for detecting run-time errors in Unified Parallel C", Iowa State
// University 2012, chapter 3: its lemmas 3.4.1 to 3.4.3 and theorems 3.4.4 and 3.4.5 are tests here, in the terms of
// this protocol.
package model
