package detect

import (
	"cmp"
	"slices"
	"strings"

	"unknot/internal/explain"
	"unknot/internal/message"
)

// Verdict tells the rest when everything has been read: who died, what was not modelled, and hands over what was not
// yet. It is called after the root has ended.
func (r *Root) Verdict(watched int) (calls uint64, complete bool, why string) {
	r.deaths.judge(watched, len(r.lost) == 0)
	if len(r.passed) > 0 {
		r.findings.tell(explain.Passed(r.passed))
	}
	slices.SortFunc(r.unused, func(a, b message.Unused) int {
		return cmp.Or(cmp.Compare(a.Rank, b.Rank), cmp.Compare(a.Thread, b.Thread))
	})
	for i := range r.unused {
		r.findings.tell(explain.Unused(&r.unused[i]))
	}
	r.findings.foldLost()
	r.findings.foldEarly()
	r.findings.sendRest()
	for _, p := range r.progress {
		calls += p.Calls
	}
	r.logFolded(r.Folded(), calls)
	if len(r.lost) > 0 {
		return calls, false, strings.Join(r.lost, "; ")
	}
	if watched < r.size {
		return calls, false, explain.Unwatched(watched, r.size, len(r.deaths.list) > 0)
	}
	if r.deaths.outside != "" {
		return calls, false, r.deaths.outside
	}
	if r.broken != nil {
		return calls, false, explain.Unfollowed(r.broken)
	}
	if r.hurried {
		return calls, false, explain.Hurried()
	}
	return calls, true, ""
}

// Folded is how many calls of the ranks repeat others and were left out.
func (r *Root) Folded() (calls uint64) {
	for _, p := range r.progress {
		calls += p.Folded
	}
	return calls
}
