// What unknot run exits with.

package supervise

import (
	"fmt"
	"slices"

	"unknot/internal/vocab/finding"
)

// Exit statuses of `unknot run`, besides the program's own.
const (
	ExitUsage    = 2  // the command line cannot be watched as it is
	ExitTool     = 3  // unknot itself failed
	ExitFindings = 66 // findings stand; --error-exitcode chooses another
)

// Fails says whether a finding of a result turns the exit status.
func Fails(run *finding.Run, on finding.Severity) bool {
	return slices.ContainsFunc(run.Findings, func(f finding.Finding) bool { return counts(&f, on) })
}

// counts says whether a finding turns the exit status: an error does, a warning if that is asked for, or whatever is
// predicted and did not happen; but none that the baseline has.
func counts(f *finding.Finding, on finding.Severity) bool {
	return f.Baseline != finding.Unchanged &&
		(f.Severity == finding.Error || f.Severity == finding.Warning && on == finding.Warning ||
			f.Standing == finding.Predicted && on == FailOnPredicted)
}

// unseen is the remark on a run of which no rank reported.
func unseen(exit int) string {
	if exit != 0 {
		return fmt.Sprintf("the command exited with status %d before any rank called MPI_Init", exit)
	}
	return "no rank called MPI_Init"
}
