package usage

import (
	"fmt"

	"unknot/internal/finding"
)

const callFailed finding.Code = "call-failed"

func errorCheckers() []Checker {
	return []Checker{{
		Name: "errors", Family: Errors, Watch: watchErrors,
		Peers: []string{"LOCAL:MPI:CALL_FAILED"},
		Codes: []finding.Doc{{
			Code: callFailed, Title: "an MPI call returned an error", Severity: finding.Warning, Since: finding.Version01,
			Means: "A call came back with an error code, and the finding has MPI's own words for it. The error handler is one that returns, as MPI_ERRORS_RETURN is and as that of files is by default. What such a call has done is not known (MPI-4.0, 9.3).\n\nIt is told once for each call site, whether or not the program looks at the code. MPI_File_open and the like fail in the course of many programs, so for them it is information only.",
			Why:   "After MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN) every call has to be looked at, and mostly is not. The program goes on with data that did not come.",
			Fix:   "Mend what MPI complains about; a finding of another code at the same place often says more. If the program cannot go on after an error, leave the default handler, which ends the job at once.",
		}},
	}}
}

// watchErrors tells of calls that returned an error.
func watchErrors(h *Hooks) {
	h.Fail(func(c *Call) {
		if c.said {
			return // why it failed
		}
		c.Say(callFailed, -1, func() Words {
			w := Words{Sentence: fmt.Sprintf("Rank %d's call of %s returned an error.", c.Rank.World, c.Func.Name)}
			if c.Message != "" {
				w.Sentence = fmt.Sprintf("Rank %d's call of %s returned an error: %s", c.Rank.World, c.Func.Name, c.Message)
			}
			switch c.Func.Name {
			case "MPI_File_open", "MPI_File_delete", "MPI_Lookup_name", "MPI_Unpublish_name":
				w.Severity = finding.Info
			}
			return w
		})
	})
}
