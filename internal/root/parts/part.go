// Package parts is what agent processes leave when the root of their job is lost, and what can be said of the job by
// that.
//
// A part (file.go) is a file with what one process knows: answers to the questions that the root would have asked, and
// what it would have heard. Merge plays these to a root (package detect), after it has compared what the processes have
// counted of each other's messages: the answers were not given in a consistent state, so whatever a rank may still have
// got from another one counts as possible.
package parts

import (
	"time"

	"unknot/internal/root/detect"
	"unknot/internal/upc/reports"
	"unknot/internal/vocab/message"
	"unknot/internal/vocab/op"
)

// Part is what one agent process leaves.
type Part struct {
	Head
	Shares []Share
}

// Head says whose part it is.
type Head struct {
	Job     string   `json:"job"` // that the parts of one job have in common
	Unknot  string   `json:"unknot"`
	Command []string `json:"command"`
	Start   string   `json:"start"` // of the run, RFC 3339
	MPI     string   `json:"mpi"`
	Size    int      `json:"size"` // of MPI_COMM_WORLD
	Host    string   `json:"host"`
	Process int      `json:"process"`
	// Watch says who watches whom, in the whole job.
	Watch []Watch `json:"watch"`
	// Lost is since when the root could not be reached, Until how far the part goes, by the clock of the host. Whole
	// says that all ranks had ended by then.
	Lost  time.Time `json:"lost"`
	Until time.Time `json:"until"`
	Whole bool      `json:"whole"`
	Notes []string  `json:"notes,omitempty"`
	// Threads is what threads of UPC on the host have reported.
	Threads reports.Copy `json:"threads"`
	// Trace names the file beside the part with the host's calls, if they were recorded, and Recorded that of the root,
	// on its host.
	Trace    string `json:"trace,omitempty"`
	Recorded string `json:"recorded,omitempty"`
	// Ended is what the process knows besides what its agents do.
	Ended detect.Ended `json:"ended"`
	// Said is the word of the root itself as lines of package proto, if that has judged the job and nobody was there to
	// hear it.
	Said string `json:"said,omitempty"`
}

// Watch are the ranks that one process watches.
type Watch struct {
	Process int      `json:"process"`
	Host    string   `json:"host"`
	Ranks   op.Ranks `json:"ranks"`
}

// Share is what one agent knows.
type Share struct {
	State  message.Report    // where its threads were last
	Places message.Places    // where that is in the program, and calls that others may ask for
	Left   message.Left      // what nobody has received
	Ledger message.Ledger    // to compare with others
	Kept   []message.Message // what it has sent the root, or would have
}
