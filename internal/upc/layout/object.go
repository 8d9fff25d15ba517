package layout

import "fmt"

// ObjectSection is where each compiled UPC source says what the link step has to know of it, one a line: name, value
// and place, with tabs between them. The linker puts the sections together, so that a program has those of the parts
// that are really in it. Names of shared external objects have their types as values; the other names are those below,
// which no object can have.
const ObjectSection = ".upcr_types"

// ObjectVersion is the revision of these lines, and of what the source shares with the run-time.
const ObjectVersion = 2

// Names of lines that are about the source.
const (
	ObjectLayout  = "(layout)" // ObjectVersion
	ObjectThreads = "THREADS"  // the number of threads that it was compiled for, or Dynamic
	ObjectChecked = "(checks)" // it has checks; the value is what it is to do Without
	ObjectRaces   = "(races)"  // it records its accesses
)

// Dynamic stands for a number of threads that is known when the program is started.
const Dynamic = "dynamic"

// CheckObject says in a sentence what is wrong with a source that was compiled by another version; have is its value of
// ObjectLayout, if it has one.
func CheckObject(source, have string) error {
	if have == fmt.Sprint(ObjectVersion) {
		return nil
	}
	if have == "" {
		have = "1"
	}
	return fmt.Errorf("%s: error: compiled by another version of unknot, whose objects have layout %s where this one "+
		"links layout %d; hint: compile it again",
		source, have, ObjectVersion)
}

// Without is a set of checks that a program does without.
type Without uint8

// Checks that can be left out.
const (
	WithoutArguments Without = 1 << iota // -a
	WithoutDeadlocks                     // -d
)
