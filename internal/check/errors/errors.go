// Package errors reports calls that returned an error.
package errors

import (
	"unknot/internal/check"
	"unknot/internal/check/leaks"
	"unknot/internal/model/objects"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
)

// CallFailed is the code of a call that returned an error.
const CallFailed finding.Code = "call-failed"

// Checkers are those of this directory.
func Checkers() []check.Checker {
	return []check.Checker{{
		Name: "errors", Family: check.Errors, Watch: watchErrors,
		Peers: []string{"LOCAL:MPI:CALL_FAILED"},
		Codes: []finding.Doc{{
			Code: CallFailed, Title: "an MPI call returned an error", Severity: finding.Warning,
			Since: finding.Version01,
			Means: "A call returned an error code; the finding quotes MPI's error text. The error handler returns " +
				"instead of aborting, as MPI_ERRORS_RETURN does, and as the default handler of files does. What such " +
				"a call has done is undefined (MPI-4.0, 9.3).\n\nIt is reported once per call site, whether or not " +
				"the program checks the code. Many programs expect MPI_File_open and similar calls to fail, so for " +
				"these the finding is informational. That a message was too long is left out if `message-truncated` " +
				"says so of the rank. It is an error if the call could not create a communicator, window or file and " +
				"the rank has hundreds that it has not freed: then the finding says where those were created.",
			Why: "After MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN) every call must be checked, and usually " +
				"is not. The program continues with data that never arrived.",
			Fix: "Fix what MPI complains about; another finding at the same place often says more. If the program " +
				"cannot continue after an error, keep the default handler, which ends the job at once.",
		}},
	}}
}

// watchErrors tells of calls that returned an error.
func watchErrors(h *check.Hooks) {
	h.Fail(func(c *check.Call) {
		if c.Said {
			return // why it failed
		}
		c.Say(CallFailed, -1, func() check.Words {
			w := check.Words{Sentence: finding.Wordf("Rank %d's call to %s returned an error.", c.Rank.World,
				c.Func.Name)}
			if c.Message != "" {
				w.Sentence = finding.Wordf("Rank %d's call to %s returned an error: %s", c.Rank.World,
					c.Func.Name, c.Message)
			}
			if leaks.NeedsContext(c.Func) && mostHeld(c, &w) {
				w.Severity = finding.Error
				return w
			}
			switch c.Func.Name {
			case "MPI_File_open", "MPI_File_delete", "MPI_Lookup_name", "MPI_Unpublish_name":
				w.Severity = finding.Info
			}
			return w
		})
	})
}

// mostHeld adds to a call that could not create an object which takes a context of the MPI library what the rank has of
// them, if that is so much that it may well be the reason.
func mostHeld(c *check.Call, w *check.Words) bool {
	const much = 500
	held := 0
	var most objects.Made
	var what mpi.Object
	for _, kind := range []mpi.Object{mpi.OComm, mpi.OWin, mpi.OFile} {
		for made, n := range leaks.Live(c.Rank, kind) {
			if n > held || n == held && made.Site < most.Site {
				held, most, what = n, made, kind
			}
		}
	}
	if held < much {
		return false
	}
	w.Notes = append(w.Notes, finding.Remarkf("the rank has %s of one %s that it has not freed",
		check.Counted(held, what.String()), most.Func.Name))
	w.Related = append(w.Related, check.Related{Text: "they were created", Func: most.Func, Site: most.Site})
	w.Hint = "MPI libraries limit the number of communicators, windows and files: free each with " + what.Free() +
		" when it is no longer needed"
	return true
}
