// Package style looks for calls that are better written otherwise.
package style

import (
	"slices"

	"unknot/internal/check"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
)

// Codes about calls that are better written otherwise.
const (
	removedFunction    finding.Code = "removed-function"
	deprecatedFunction finding.Code = "deprecated-function"
	statusIgnored      finding.Code = "status-ignored"
)

// Checkers are those of this directory.
func Checkers() []check.Checker {
	return []check.Checker{
		{
			Name: "removed", Family: check.Style, Watch: watchRemoved,
			Codes: []finding.Doc{{
				Code: removedFunction, Title: "the function is no longer part of MPI", Severity: finding.Error,
				Since: finding.Version01,
				Means: "The function was deprecated in MPI-2.0 and removed in MPI-3.0 (MPI-4.0, 17.1). This MPI " +
					"library still has it; others do not, and the program cannot be built with them.",
				Why: "The code predates MPI-2, or was copied from such code.",
				Fix: "Call its replacement, which the finding names. The functions for datatypes take MPI_Aint in " +
					"place of int.",
			}},
		},
		{
			Name: "deprecated", Family: check.Style, Off: true, Watch: watchDeprecated,
			Codes: []finding.Doc{{
				Code: deprecatedFunction, Title: "the function is deprecated", Severity: finding.Info,
				Since: finding.Version01,
				Means: "The function is still part of MPI, but a later version may remove it (MPI-4.0, chapter 16).",
				Why:   "A better function was added to MPI, usually after the code was written.",
				Fix: "Call its replacement, which the finding names. This check is off unless " +
					"--check=deprecated is given.",
			}},
		},
		{
			Name: "ignored-status", Family: check.Style, Off: true, Watch: watchIgnoredStatus,
			Codes: []finding.Doc{{
				Code: statusIgnored, Title: "a receive from any source ignores who sent the message",
				Severity: finding.Info, Since: finding.Version01,
				Means: "A receive from MPI_ANY_SOURCE or with MPI_ANY_TAG was completed with MPI_STATUS_IGNORE, so " +
					"the program cannot know the message's sender or tag. That is right only if the message itself " +
					"contains them, or if they do not matter.",
				Why: "The status was left out for brevity, and the sender is assumed to be the one that usually " +
					"comes first.",
				Fix: "Use MPI_SOURCE and MPI_TAG of the status, or name the source in the receive. This check is " +
					"off unless --check=ignored-status is given.",
			}},
		},
	}
}

// watchOld tells of calls of functions that have successors.
func watchOld(h *check.Hooks, code finding.Code, what string, successor func(f *mpi.Func) string) {
	h.Enter(func(f *mpi.Func) func(*check.Call) {
		better := successor(f)
		if better == "" {
			return nil
		}
		return func(c *check.Call) {
			c.Say(code, -1, func() check.Words {
				return check.Words{Sentence: finding.Wordf("Rank %d calls %s, %s; use %s instead.", c.Rank.World,
					f.Name, what, better)}
			})
		}
	})
}

// watchRemoved tells of functions that MPI-3.0 has removed (MPI-4.0, 17.1).
func watchRemoved(h *check.Hooks) {
	watchOld(h, removedFunction, "which MPI-3.0 has removed", func(f *mpi.Func) string { return f.Removed })
}

// watchDeprecated tells of functions that MPI-4.0 deprecates (MPI-4.0, 16.1 and 16.3).
func watchDeprecated(h *check.Hooks) {
	watchOld(h, deprecatedFunction, "which is deprecated", func(f *mpi.Func) string { return f.Deprecated })
}

// watchIgnoredStatus looks at receives from any source, or with any tag, whose status the program does not take.
func watchIgnoredStatus(h *check.Hooks) {
	h.Exit(func(f *mpi.Func) func(*check.Call) {
		status := slices.IndexFunc(f.Params, func(p mpi.Param) bool { return p.Kind == mpi.KOutStatus })
		if f.Class != mpi.Recv && f.Class != mpi.Sendrecv || status < 0 {
			return nil
		}
		source, tag := f.Named("source"), f.Named("recvtag", "tag")
		return func(c *check.Call) {
			v := c.Gave(status)
			if len(v) < 3 || v[1]&mpi.StatusIgnored == 0 {
				return
			}
			l := &c.Rank.Limits
			if s, ok := c.Int(source); ok && s == l.AnySource {
				c.Say(statusIgnored, source, func() check.Words {
					return check.Words{
						Sentence: finding.Wordf(
							"Rank %d calls %s with {source} MPI_ANY_SOURCE and {status} MPI_STATUS_IGNORE: it cannot "+
								"know the sender.", c.Rank.World, f.Name)}
				})
			} else if t, ok := c.Int(tag); ok && t == l.AnyTag {
				c.Say(statusIgnored, tag, func() check.Words {
					return check.Words{
						Sentence: finding.Wordf(
							"Rank %d calls %s with {%s} MPI_ANY_TAG and {status} MPI_STATUS_IGNORE: it cannot "+
								"know the tag.", c.Rank.World, f.Name, f.Params[tag].Name)}
				})
			}
		}
	})
}
