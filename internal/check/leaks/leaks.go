// Package leaks looks for what a rank has left when it reaches MPI_Finalize.
package leaks

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"unknot/internal/check"
	"unknot/internal/model/objects"
	"unknot/internal/observe/ring"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
)

// Codes about what is left at MPI_Finalize.
const (
	leakRequest finding.Code = "leak-request"
	requestLost finding.Code = "request-lost"
	// LeakInfo is no leak if the rank frees info objects after MPI_Finalize, as it may (MPI-4.0, 11.4.1).
	LeakInfo finding.Code = "leak-info"
)

// leak says of a kind of objects what there is to say if some are left.
type leak struct {
	kind  mpi.Object
	code  finding.Code
	peers []string
	why   string
	// mild says that what is left need not be a mistake.
	mild bool
}

func leaks() []leak {
	return []leak{
		{mpi.OComm, "leak-comm", []string{"ERROR_LEAK_COMM"}, "A communicator is duplicated or split in each step " +
			"and never freed. MPI libraries limit their number: MPICH allows about 2,000 at a time.", false},
		{mpi.OType, "leak-type", []string{"ERROR_LEAK_DATATYPE", "LOCAL:DATATYPE:NOT_FREED"},
			"A datatype is created in each step, or the intermediate types of a nested datatype are not freed.", false},
		{mpi.OGroup, "leak-group", []string{"ERROR_LEAK_GROUP"},
			"MPI_Comm_group and MPI_Win_get_group return a group that must be freed like any other.", false},
		{mpi.OOp, "leak-op", []string{"ERROR_LEAK_OP"},
			"MPI_Op_create is called for each reduction, and the operator is not freed afterwards.", false},
		{mpi.OWin, "leak-win", []string{"ERROR_LEAK_WIN"},
			"The clean-up is missing, or is skipped on one path out of the program.", false},
		{mpi.OFile, "leak-file", []string{"ERROR_LEAK_FILE"},
			"The close is missing, or is skipped on one path out of the program. Written data may not be in the file.",
			false},
		{mpi.OKeyval, "leak-keyval", []string{"ERROR_LEAK_KEYVAL"},
			"The key is created for each object instead of once, or not freed at the end.", false},
		{mpi.OErrhandler, "leak-errhandler", []string{"ERROR_LEAK_ERR"},
			"An error handler may be freed as soon as it is attached; one returned by MPI_Comm_get_errhandler must " +
				"be freed too (MPI-4.0, 9.3.4).", false},
		{mpi.OInfo, LeakInfo, nil, "An info object may be freed as soon as the call that uses it has returned; one " +
			"returned by MPI_Comm_get_info or MPI_File_get_info must be freed too.", false},
		{mpi.OSession, "leak-session", nil, "The clean-up is missing, or is skipped on one path out of the program. " +
			"A session may also be finalised after MPI_Finalize (MPI-4.0, 11.3): then nothing is wrong, but unknot " +
			"does not look beyond MPI_Finalize. A process that ends with a session open has not left MPI: mpiexec of " +
			"MPICH may kill the others without a word.", true},
	}
}

// Checkers are those of this directory.
func Checkers() []check.Checker {
	var out []check.Checker
	for _, l := range leaks() {
		severity := finding.Warning
		if l.mild {
			severity = finding.Info
		}
		out = append(out, check.Checker{
			Name: plural(l.kind), Family: check.Leaks, Peers: l.peers, Watch: func(h *check.Hooks) {
				ranks := check.SlotOf[growth](h)
				h.Finalize(func(r *check.Rank, c *check.Call) { l.look(r, c, ranks.Had(r)) })
			},
			Codes: []finding.Doc{{
				Code: l.code, Title: l.kind.Article() + " is never freed", Severity: severity, Since: finding.Version01,
				Means: "A rank reached MPI_Finalize, but " + l.kind.Article() +
					" (or several) created at the named call was not freed. In a long run such objects use up memory " +
					"and other resources of the MPI library.",
				Why: l.why,
				Fix: "Call " + l.free() + " when it is no longer needed, at the latest before MPI_Finalize.",
			}},
		})
	}
	return append(out, growthChecker(), check.Checker{
		Name: "request-leaks", Family: check.Leaks, Watch: func(h *check.Hooks) { h.Finalize(lookForRequests) },
		Peers: []string{"ERROR_LEAK_REQUEST", "LOCAL:REQUEST:NOT_FREED"},
		Codes: []finding.Doc{
			{
				Code: leakRequest, Title: "a request is never completed", Severity: finding.Error,
				Since: finding.Version01,
				Means: "A rank reached MPI_Finalize with operations that it had started but not completed with " +
					"MPI_Wait, MPI_Test or a similar call. MPI requires that all are completed first (MPI-4.0, " +
					"11.2.2). For a persistent request that is not active it is a warning: it was not freed.",
				Why: "The wait is missing, covers too few requests, or is on a path that was not taken. Often the " +
					"data has arrived anyway, which hides the bug until the library or the message size changes.",
				Fix: "Complete each request, usually with one MPI_Waitall for all of them, and free persistent " +
					"ones with MPI_Request_free.",
			},
			{
				Code: requestLost, Title: "a request was overwritten before it was complete", Severity: finding.Error,
				Since: finding.Version01,
				Means: "The same call created several requests, of which only the last was completed: the handles of " +
					"the earlier ones are lost, so they could not be completed. MPI requires that all are completed " +
					"before MPI_Finalize (MPI-4.0, 11.2.2).",
				Why: "One request variable is used for several operations, usually in a loop that starts an " +
					"operation in each iteration and waits once after the loop.",
				Fix: "Use an array with one element per operation and MPI_Waitall, or wait in each iteration.",
			},
		},
	})
}

// Kind is the kind of objects whose leaks have a code; no object if it is another code.
func Kind(code finding.Code) mpi.Object {
	for _, l := range leaks() {
		if l.code == code {
			return l.kind
		}
	}
	return mpi.NoObject
}

// free is the call that frees one.
func (l *leak) free() string {
	if l.kind == mpi.OKeyval {
		return "MPI_Comm_free_keyval, MPI_Type_free_keyval or MPI_Win_free_keyval"
	}
	return l.kind.Free()
}

// freed is what should have been done with one, and freeing the call that does it for what a function has made.
func (l *leak) freed() string {
	switch l.kind {
	case mpi.OFile:
		return "closed"
	case mpi.OSession:
		return "finalised"
	}
	return "freed"
}

func (l *leak) freeing(f *mpi.Func) string {
	if kind, _, is := strings.Cut(f.Name, "_create_keyval"); is && l.kind == mpi.OKeyval {
		return kind + "_free_keyval"
	}
	return l.free()
}

// plural names the check of a kind's leaks.
func plural(k mpi.Object) string {
	return [mpi.NumObjects]string{mpi.OComm: "communicator-leaks", mpi.OType: "type-leaks", mpi.OGroup: "group-leaks",
		mpi.OOp:  "operator-leaks",
		mpi.OWin: "window-leaks", mpi.OFile: "file-leaks", mpi.OKeyval: "keyval-leaks",
		mpi.OErrhandler: "error-handler-leaks", mpi.OInfo: "info-leaks", mpi.OSession: "session-leaks"}[k]
}

// look tells of the objects that a rank has left when it reaches MPI_Finalize, by the place where they were made,
// unless their growth was reported.
func (l *leak) look(r *check.Rank, c *check.Call, g *growth) {
	if !r.Sure() || finalCallbacks(r) {
		return
	}
	left := make(map[objects.Made]int)
	for o := range r.All(l.kind) {
		if !owed(o) || g != nil && g.grown[place(o.Made)] {
			continue
		}
		if r.Lost && o.Made.Func.Class == mpi.CommCreate && o.Made.Func.Nonblocking {
			continue // its request may be one that has failed
		}
		n := o.Refs
		if o.Sites {
			n = 1 // where the others were made is not known
		}
		left[o.Made] += n
	}
	left = together(left)
	for _, made := range byPlace(left) {
		n := left[made]
		c.SayAt(l.code, made, func() check.Words {
			return check.Words{Sentence: finding.Wordf("Rank %d %s with %s of this %s not %s.", r.World, r.Ends(),
				check.Counted(n, l.kind.String()), made.Func.Name, l.freed()),
				Hint: fmt.Sprintf("call %s for %s", l.freeing(made.Func), each(n))}
		})
	}
}

// owed says whether the program has to free an object.
func owed(o *objects.Object) bool {
	return !o.Predefined && !o.Kept && o.Made.Func != nil && !keeps(o.Made.Func)
}

// keeps says whether a function gives something that need not be freed, or of which that is not known: the communicator
// to the parent is MPI's own; what a library gives for a file's view need not be what the program set.
func keeps(f *mpi.Func) bool {
	return f.Name == "MPI_Comm_get_parent" || f.Name == "MPI_File_get_view"
}

// finalCallbacks says whether MPI_Finalize calls functions of the program, which may free what is left: those of
// attributes of MPI_COMM_SELF (MPI-4.0, 11.2.4), in some libraries of MPI_COMM_WORLD too.
func finalCallbacks(r *check.Rank) bool {
	for o := range r.All(mpi.OComm) {
		if o.Predefined && o.Attributed {
			return true
		}
	}
	return false
}

// each is the object of a hint about so many.
func each(n int) string {
	if n == 1 {
		return "it"
	}
	return "each of them"
}

// place is where something was made, whatever has led to it.
func place(m objects.Made) objects.Made { return objects.Made{Func: m.Func, Site: ring.Place(m.Site)} }

// together counts what was made at one place by several ways as made there, whatever has led to it.
func together(left map[objects.Made]int) map[objects.Made]int {
	ways := make(map[objects.Made]int)
	for made := range left {
		ways[place(made)]++
	}
	out := make(map[objects.Made]int)
	for made, n := range left {
		if p := place(made); ways[p] > 1 {
			made = p
		}
		out[made] += n
	}
	return out
}

func byPlace(left map[objects.Made]int) []objects.Made {
	return slices.SortedFunc(maps.Keys(left), func(a, b objects.Made) int {
		return cmp.Or(cmp.Compare(a.Site, b.Site), cmp.Compare(a.Func.ID, b.Func.ID))
	})
}

// pending are requests of one place that are not complete.
type pending struct {
	n, inactive int
	last        bool // one of them is the last that was made there
	shared      bool // some share a handle: it is not known whether it is the last
}

func lookForRequests(r *check.Rank, c *check.Call) {
	if !r.Followed() || finalCallbacks(r) {
		return
	}
	left := make(map[objects.Made]int)
	at := make(map[objects.Made]*pending)
	r.Pending(func(q *objects.Request) {
		if q.Made.Func == nil {
			return
		}
		p := at[q.Made]
		if p == nil {
			p = &pending{}
			at[q.Made] = p
		}
		left[q.Made]++
		if q.Active {
			p.n++
			p.last, p.shared = p.last || r.Latest(q), p.shared || q.Shared
		} else {
			p.inactive++
		}
	})
	for _, made := range byPlace(left) {
		p := at[made]
		switch {
		case p.n > 0 && !p.last:
			c.SayAt(requestLost, made, func() check.Words {
				return check.Words{
					Sentence: finding.Wordf(
						"Rank %d %s with %s of this %s not complete, though a later one was completed.", r.World,
						r.Ends(), check.Counted(p.n, "request"), made.Func.Name),
					Hint: "one request variable is used for several operations: each call overwrites the " +
						"previous handle"}
			})
		case p.n > 0:
			hint := "complete " + each(p.n) + " with MPI_Wait or MPI_Waitall"
			if p.shared {
				hint = "complete each with MPI_Wait or MPI_Waitall; one request variable that is used for several " +
					"operations keeps only the last handle"
			}
			c.SayAt(leakRequest, made, func() check.Words {
				return check.Words{Sentence: finding.Wordf("Rank %d %s with %s of this %s not complete.", r.World,
					r.Ends(), check.Counted(p.n, "request"), made.Func.Name),
					Hint: hint}
			})
		default:
			c.SayAt(leakRequest, made, func() check.Words {
				return check.Words{Sentence: finding.Wordf("Rank %d %s with %s of this %s not freed.", r.World,
					r.Ends(), check.Counted(p.inactive, "persistent request"), made.Func.Name),
					Hint: "call MPI_Request_free for " + each(p.inactive), Severity: finding.Warning}
			})
		}
	}
}
