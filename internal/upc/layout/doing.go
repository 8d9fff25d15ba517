package layout

import (
	"fmt"
	"strings"

	"unknot/internal/vocab/finding"
)

// Doing is what a thread of a program of upc-check is doing: a word of the protocol, the words of its reports, and the
// state of a place.
type Doing struct{ Name, Words, State string }

// InOperation are the words for a thread in a collective operation, which waits for all others that have not come to
// it.
const InOperation = "waiting"

// Doings are in the order of their numbers, from 0.
func Doings() []Doing {
	return []Doing{
		{"RUNNING", "running", "running"},
		{"IN", InOperation, "blocked"},
		{"LOCKING", "waiting for a lock", "blocked"},
		{"WAITS_AHEAD", "waiting for a neighbour", "blocked"},
		{"TRYING", "polling a lock", "polling"},
		{"SPINNING", "spinning", "polling"},
		{"ENDED", "ended", "finished"},
	}
}

// codes are the findings of the checks, by the names that the run-time has for them.
func codes() []constant {
	return []constant{
		text("CODE_DEADLOCK", string(finding.UPCDeadlock)), text("CODE_SINGLE_VALUED", string(finding.UPCSingleValued)),
		text("CODE_ARGUMENT", string(finding.UPCArgument)), text("CODE_ORDER", string(finding.UPCOrder)),
		text("CODE_LOCK", string(finding.UPCLock)),
		text("CODE_LIVELOCK", string(finding.UPCLivelock)), text("CODE_RACE", string(finding.UPCRace)),
		text("CODE_SUSPICIOUS", string(finding.UPCSuspicious)),
	}
}

// doings is an enum of what threads do, and a list of the words for it.
func doings() string {
	var names, words []string
	for _, d := range Doings() {
		names = append(names, "UPCK_"+d.Name)
		words = append(words, fmt.Sprintf("%q", d.Words))
	}
	return "enum upck_doing { " + strings.Join(names, ", ") + " };\n#define UPCK_DOING_WORDS " +
		strings.Join(words, ", ") + "\n"
}
