package screen

// Reason says why a call is flagged.
type Reason uint8

// Reasons. The first three are of calls that never end in the course that was simulated; what they say is true of it,
// and Flag.Definite says whether that course is one that the program can take. The others say that a course was not
// excluded in which something blocks.
const (
	// NoPartner: nothing in the log can ever meet it.
	NoPartner Reason = iota
	// Surplus: more of its kind compete than there are partners; in this course, this one is left over.
	Surplus
	// Stuck: its partner exists, but the partner's thread is flagged too or waits for one that is.
	Stuck
	// Contested: a send whose message wildcard receives take in turn with those of others. Others may be first, and
	// then it waits until a receive that comes after something that needs this send to be over.
	Contested
	// Taken: a receive whose message an earlier receive could take that takes more than it.
	Taken
	// AnyOf: a wait for any of several; what happens after it depends on which it reports.
	AnyOf
	// Unseen: a probe after which no receive takes just what it sees; it is taken to end.
	Unseen
	// Lost: a message that nobody receives, or a request that never completes, and that nobody waits for. No deadlock.
	Lost
)

// String is the reason in a few words.
func (r Reason) String() string {
	return [...]string{"no partner", "surplus", "stuck", "contested", "taken", "any of several", "unseen", "lost"}[r]
}

// Place is a call of a log, and a part that it started; Part is -1 for the call itself.
type Place struct {
	Thread int    // index in Log.Threads
	Op     uint32 // index in the thread's Ops
	Part   int32  // index in the thread's Parts
}

// Flag is one suspicious call.
type Flag struct {
	Reason Reason
	At     Place // the send, receive, probe, collective or wait
	// In is the call in which the thread waits for it: that of At, or a wait. For Taken and Lost it is that of At.
	In Place
	// Definite: there is a course, with no buffering and collectives that wait for all members, in which all definite
	// flags' threads stand in these calls forever.
	Definite bool
	// Partners are up to four calls that it could meet, or for Contested and Taken those that it competes for or with.
	Partners []Place
}

// Result is what screening found.
type Result struct {
	Flags []Flag // by thread and call; Lost ones last
	Steps int    // sends, receives, probes, collectives and waits that were looked at
	// Limits are reasons why the absence of flags proves nothing, as sentences; empty if there are none.
	Limits []string
	// Ended is how many threads reached their end in the course that was simulated.
	Ended int
}

// Certificate says whether the log proves that no course of the program deadlocks in which each thread makes the calls
// of this log: whoever wildcard receives meet, whatever MPI buffers, and whether collectives synchronise or not.
func (r *Result) Certificate() bool {
	for i := range r.Flags {
		if r.Flags[i].Reason != Lost {
			return false
		}
	}
	return len(r.Limits) == 0
}

// limits are what keeps the absence of flags from being a proof.
type limits uint8

const (
	outside limits = 1 << iota
	threaded
	cut
	miscounted
	tooLong
)

func (l limits) sentences() []string {
	var out []string
	for i, text := range []string{
		"some calls involve processes outside MPI_COMM_WORLD, which are assumed to respond",
		"some processes call MPI from several threads, whose calls are not ordered",
		"the log ends before the run did",
		"collectives are numbered with gaps, so it is unknown which of them match",
		"the log has more than 2,147,483,647 steps and was not analysed",
	} {
		if l>>i&1 == 1 {
			out = append(out, text)
		}
	}
	return out
}
