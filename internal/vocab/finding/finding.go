// Package finding is the vocabulary of results: what unknot can say about a program, how sure it is, and where.
//
// It knows nothing of how a finding came about; the rooms that analyse fill these records in, and package report
// prints them. All of it is plain data, encoded to JSON as schema "unknot.findings/1".
package finding

import (
	"fmt"
	"path/filepath"
)

// Code names a kind of finding. Codes are words, stable from the first release on.
type Code string

// The codes of this release.
const (
	Deadlock           Code = "deadlock"
	DeadlockUnsafe     Code = "deadlock-unsafe"
	Livelock           Code = "livelock"
	RankDied           Code = "rank-died"
	CollectiveMismatch Code = "collective-mismatch"
	NotModelled        Code = "not-modelled"
	Stall              Code = "stall"       // nobody gets on for long: where each rank is
	Interrupted        Code = "interrupted" // the same, of a run that is ended from outside
	// StalledInLibrary: calls that MPI must complete do not return
	StalledInLibrary Code = "stalled-in-library"
	ReplayDiverged   Code = "replay-diverged"
	OtherLauncher    Code = "other-launcher"
	DeadlockLikely   Code = "deadlock-likely" // seen from outside, and not all is known
)

// The codes of UPC programs, which tell these findings themselves while they run (see Terms).
const (
	UPCDeadlock     Code = "upc-deadlock"
	UPCSingleValued Code = "upc-single-valued"
	UPCArgument     Code = "upc-argument"
	UPCOrder        Code = "upc-order"
	UPCLock         Code = "upc-lock"
	UPCLivelock     Code = "upc-livelock"
	UPCSuspicious   Code = "upc-suspicious"
	UPCError        Code = "upc-error"
	UPCRace         Code = "upc-race"
)

// The codes of OpenSHMEM programs (see Terms).
const (
	SHMEMDeadlock   Code = "shmem-deadlock"
	SHMEMArgument   Code = "shmem-argument"
	SHMEMOrder      Code = "shmem-order"
	SHMEMLock       Code = "shmem-lock"
	SHMEMCollective Code = "shmem-collective"
	SHMEMRace       Code = "shmem-race"
)

// Severity orders findings by what they mean for the program.
type Severity string

// Severities, from worst to mildest.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
	Info    Severity = "info"
)

// Standing says how a finding is known.
type Standing string

// Manifest happened in the observed run; Confirmed was predicted and then made to happen; Predicted follows from the
// model of the recorded run.
const (
	Manifest  Standing = "manifest"
	Confirmed Standing = "confirmed"
	Predicted Standing = "predicted"
)

// Finding is one thing to tell the user.
type Finding struct {
	Code     Code     `json:"code"`
	Severity Severity `json:"severity"`
	Standing Standing `json:"standing"`
	// Language is that of the program; of an OpenSHMEM program, rank N is PE N.
	Language Language `json:"-"`
	// Check is the name of the check in the list of those that upc-check makes ("BARR-02").
	Check string `json:"check,omitempty"`
	// Sentence says in one sentence what is wrong.
	Sentence string `json:"sentence"`
	// Form is that of the sentence (Wording): by it the root knows which findings are one. It is no part of the user's
	// document.
	Form string `json:"-"`
	// Confidence is how sure it is that the MPI library is the cause: High or Medium; "" of all other findings.
	Confidence string `json:"confidence,omitempty"`
	// Fingerprint is that of the document that the finding was read from, and of one that is written; see the function
	// of this name.
	Fingerprint string `json:"fingerprint"`
	// Baseline says whether the baseline that the run is compared with has it: New or Unchanged; "" if there is none.
	Baseline string `json:"baseline,omitempty"`
	// Hint says how to fix it, where the shape is known.
	Hint string `json:"hint,omitempty"`
	// Ranks are the world ranks at fault (the core), in ascending order.
	Ranks []int `json:"ranks"`
	// Places has one entry a thread of the core, by rank and thread; where there are very many, one for the first that
	// are alike.
	Places []Place `json:"places"`
	// Others are ranks outside of the core that can never continue because of it.
	Others []Place `json:"others,omitempty"`
	// Died are ranks that died of it, in ascending order.
	Died []int `json:"died,omitempty"`
	// Notes are further sentences: the nearest miss, sizes involved, what the tool does not know.
	Notes []Note `json:"notes,omitempty"`
	// Related are the positions of other calls that notes name: where the pending operation was started, or a message
	// sent.
	Related []Frame `json:"related,omitempty"`
	// Story tells how a run reaches it, if the observed run did not.
	Story *Story `json:"story,omitempty"`
	// Timeline is what the threads of a race did around it, in an order in which it can have been; or of a deadlock or
	// mismatch, the last collective call that ranks had in common, and where each went from there.
	Timeline []Moment `json:"timeline,omitempty"`
	// Meeting says of a race what another run needs to have two threads meet at it; nil if they cannot be made to.
	Meeting *Meeting `json:"meeting,omitempty"`
	// Count says how often the same finding was seen; at least 1.
	Count int `json:"count"`
}

// Values of Finding.Confidence.
const (
	High   = "high"
	Medium = "medium"
)

// NoRank stands for the rank of a process that MPI has given none yet: it calls MPI before its initialisation.
const NoRank = -1

// Place is one thread's part in a finding.
type Place struct {
	Rank   int `json:"rank"` // NoRank if it has none, or if that is not known
	Thread int `json:"thread,omitempty"`
	// Alike are the ranks of further threads in the same place, of this number, that have no entry of their own: a
	// finding of very many threads has entries for the first few that are alike. They wait as this one does, seen from
	// where they are.
	Alike []int `json:"alike,omitempty"`
	// State is "blocked", "returned" (it got past the call in this run), "called" (it made the call), "polling",
	// "finished", "died", or "running" (of UPC threads: after the call, or in it without waiting).
	State string `json:"state"`
	// After says of a rank that died that it had returned from the call.
	After bool `json:"after,omitempty"`
	// Call is the MPI function, Args its arguments in MPI terms ("from rank 1, tag 0, MPI_COMM_WORLD, 1 × MPI_INT").
	Call string `json:"call,omitempty"`
	Args string `json:"args,omitempty"`
	// Argument is what a finding about one argument of a UPC function says of it.
	Argument *Argument `json:"argument,omitempty"`
	// Frame is the call site, or where the user's own code has called the library that makes the call; its fields
	// appear inline in JSON.
	Frame
	// Moment orders the calls of one rank: that with the lower moment was made first. It is 0 where that is not known;
	// the moments of different ranks have nothing to do with each other.
	Moment uint64 `json:"moment,omitempty"`
	// Nth says which one it is of the calls that the thread has made at this place, from 1; 0 if that is not known.
	Nth int `json:"nth,omitempty"`
	// WaitsFor are the world ranks that this thread waits for; Any says that one of them is enough.
	WaitsFor []int `json:"waits_for"`
	Any      bool  `json:"waits_for_any,omitempty"`
	// Reason says what it waits for in words ("a message from rank 1").
	Reason string `json:"reason,omitempty"`
	// Stack is the full call stack, innermost first, if it could be taken: from the call of MPI to main, so that
	// libraries come before Frame.
	Stack []Frame `json:"stack,omitempty"`
	// Last are the last operations of this thread, oldest first, the blocking one included.
	Last []Event `json:"last,omitempty"`
	// Stay is set where the position of each rank is reported (Stall, Interrupted): since when the thread is there, and
	// what it does outside of MPI.
	Stay *Stay  `json:"stay,omitempty"`
	Host string `json:"host,omitempty"`
	PID  int    `json:"pid,omitempty"`
	// Meaning has as data what the words say.
	Meaning Meaning `json:"-"`
}

// Stay is since when a thread is where it is, and what the kernel says of it.
type Stay struct {
	Seconds float64 `json:"seconds"` // since its call began, or since its last one returned
	// Least says that it may have been there for longer: it was not watched before.
	Least   bool `json:"at_least,omitempty"`
	Outside bool `json:"outside_mpi,omitempty"`
	// After is the last call of MPI that it has returned from, if it is outside of MPI, and AfterAt where that was
	// made.
	After   string `json:"after,omitempty"`
	AfterAt *Frame `json:"after_at,omitempty"`
	// Process is "running", "asleep", "uninterruptible", "stopped" or "traced"; "" if that is not known.
	Process string `json:"process,omitempty"`
	// In is the function of a library in which the program waits ("pthread_mutex_lock"), SystemCall the kernel's, and
	// On the file that is about.
	In         string `json:"in,omitempty"`
	SystemCall string `json:"system_call,omitempty"`
	On         string `json:"on,omitempty"`
	// Others is how many other threads of the process run.
	Others int `json:"other_threads_running,omitempty"`
}

// Processes are the values of Stay.Process.
func Processes() []string {
	return []string{"", "running", "asleep", "uninterruptible", "stopped", "traced"}
}

// Argument is one argument of a call.
type Argument struct {
	Name     string `json:"name,omitempty"`     // in the function's declaration
	Text     string `json:"text,omitempty"`     // in the program
	Value    string `json:"value,omitempty"`    // where threads differ in it
	Declared string `json:"declared,omitempty"` // where the variables in it are
}

// Frame is a position in a program. Without debug information File is empty and Module, Symbol and Offset are set.
type Frame struct {
	Function string `json:"function,omitempty"`
	File     string `json:"file,omitempty"` // as recorded in the debug information; absolute where known
	Line     int    `json:"line,omitempty"`
	Inlined  bool   `json:"inlined,omitempty"`
	Module   string `json:"module,omitempty"`
	Offset   uint64 `json:"offset,omitempty"` // from Function's start, or from the module's if Function is empty
	// Library names the library that the code belongs to; it is empty for the user's own code.
	Library string `json:"library,omitempty"`
}

// Where is a position in words: "main (a.c:12)", or without debug information "solve in libx.so".
func (f Frame) Where() string { return f.Worded().Text }

// Worded is a position in words, as of Where.
func (f Frame) Worded() Wording {
	switch {
	case f.File != "" && f.Function != "":
		return Wordf("%s (%s:%d)", f.Function, filepath.Base(f.File), f.Line)
	case f.File != "":
		return Wordf("%s:%d", filepath.Base(f.File), f.Line)
	case f.Function != "":
		return Wordf("%s in %s", f.Function, filepath.Base(f.Module))
	case f.Module != "":
		return Wordf("%s (offset %#x)", filepath.Base(f.Module), f.Offset)
	}
	return Wording{}
}

// Event is one past operation of a thread on the report's time line.
type Event struct {
	Call  string `json:"call"`
	Args  string `json:"args,omitempty"`
	Frame Frame  `json:"at"`
	// State is "done" or "blocked".
	State string `json:"state"`
}

// Run is the whole result of one watched run: the document that JSON carries.
type Run struct {
	Schema  string   `json:"schema"` // always Schema
	Unknot  string   `json:"unknot"` // version of the tool
	Command []string `json:"command"`
	MPI     string   `json:"mpi"` // library and version, e.g. "Open MPI 4.1.4"
	// Language is that of the program.
	Language Language `json:"-"`
	// size of MPI_COMM_WORLD, or the number of PEs; 0 if MPI_Init was never reached
	Ranks    int      `json:"ranks"`
	Exit     int      `json:"exit"` // the launcher's exit status; 128+N if ended by signal N
	Complete bool     `json:"complete"`
	Why      string   `json:"why_incomplete,omitempty"`
	Hosts    []string `json:"hosts,omitempty"`
	Start    string   `json:"start,omitempty"` // RFC 3339
	Seconds  float64  `json:"seconds"`         // wall time of the run
	Calls    uint64   `json:"calls"`           // calls seen of MPI, or of OpenSHMEM in its programs
	// Plan is the file of the plan that was forced on the run; empty if there was none, or if it could not be forced.
	Plan     string    `json:"plan,omitempty"`
	Findings []Finding `json:"findings"`
	// Known says how many findings were left out by the rules that unknot brings.
	Known []Left `json:"known,omitempty"`
	// Notes are remarks on the run as a whole: what could not be seen, and why.
	Notes []string `json:"notes,omitempty"`
	// Topologies are the Cartesian topologies that the program made, in the order of their communicators' names.
	Topologies []Topology `json:"topologies,omitempty"`
	// Glimpse is set if the job was looked at from outside; the time of the run is then that for which it was watched.
	Glimpse *Glimpse `json:"glimpse,omitempty"`
	// History is what the threads called last; nil if it was not recorded.
	History *History `json:"history,omitempty"`
	Explored
}

// Explored is what is known of other runs than the one that was watched, by an exploration or a prediction.
type Explored struct {
	// Claim is what is claimed of the runs that MPI allows beyond those that were made, by an exploration or a
	// prediction; Verdict says it in a line, with what it rests on.
	Claim   Claim  `json:"claim,omitempty"`
	Verdict string `json:"verdict,omitempty"`
	// Judged says that the verdict says why the run is not complete.
	Judged bool `json:"-"`
	// Coverage is set for the result of an exploration, which is that of many runs.
	Coverage *Coverage `json:"coverage,omitempty"`
}

// Left is how many known findings of a library were left out.
type Left struct {
	Library  string `json:"library"`
	Findings int    `json:"findings"`
}

// String is "2 known findings in libx".
func (l Left) String() string {
	if l.Findings == 1 {
		return "1 known finding in " + l.Library
	}
	return fmt.Sprintf("%d known findings in %s", l.Findings, l.Library)
}

// Schema is the name and version of the JSON document.
const Schema = "unknot.findings/1"
