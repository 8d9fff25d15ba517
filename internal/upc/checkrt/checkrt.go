// Package checkrt owns the run-time of upc-check: what instrumented UPC programs call. It is UPC 1.3 itself, so that unknot's own compiler
// and native ones make it in one way. rt/upck.h is what instrumented sources and the wrappers of library functions see; rt/inner.h
// describes the protocol, and package model has it as a state machine. docs/upc-check-protocol.md says how it works.
package checkrt

import "embed"

// Sources holds the run-time under rt: *.upc and headers. Together with the wrappers of package catalogue it becomes libupck.a.
//
//go:embed rt/*.upc rt/*.h
var Sources embed.FS
