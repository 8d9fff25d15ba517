// Package layout owns what the run-times of UPC programs, in C and in UPC, share with unknot in Go: the files in which
// a program tells `unknot run` what it waits for and what it has found, what an object says to the link step, and the
// structs and numbers that instrumented sources hand to the checks. Each is defined here once. ProgramHeader and
// CheckHeader make the headers of it that the run-times are compiled with.
//
// A program may be older or newer than the unknot that runs it, and an object than the one that links it. Version and
// ObjectVersion rise with any change of layout or meaning; readers refuse what has another one, naming both.
package layout

import (
	"fmt"

	"unknot/internal/observe/ring"
)

// Version is the revision of the files that a program writes for `unknot run`.
const Version = 2

// CheckVersion says in a sentence what is wrong with a file of another version.
func CheckVersion(have uint64) error {
	if have == Version {
		return nil
	}
	return fmt.Errorf("it was compiled by another version of unknot, which writes layout %d where this one reads "+
		"layout %d; hint: compile it again with this one",
		have, Version)
}

// Files in the session directory, which EnvSession names.
const (
	EnvSession   = ring.EnvSession
	FindingsName = "upc-findings" // lines of JSON; programs write to it if it is there
	WaitsPrefix  = "upc."         // and the id of a process: a file of the words of Waits
)

// StopEnd ends a line of the file of findings that asks for the end of the job from outside. It is the same in all
// versions, so that no job is left.
const StopEnd = `,"stop":true}`

// MaxBlock is UPC_MAX_BLOCK_SIZE: what the phase of a pointer-to-shared of the run-time has room for.
const MaxBlock = 1 << 20

// ExitFindings is the exit status of a program that has ended itself because of a finding.
const ExitFindings = 66
