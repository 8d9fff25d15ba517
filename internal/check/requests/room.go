package requests

import (
	"regexp"

	"unknot/internal/check"
	"unknot/internal/kit/symbol"
	"unknot/internal/vocab/finding"
	"unknot/internal/vocab/mpi"
)

// An array of requests with a declared size may have fewer elements than the count of a call. What lies behind it is
// then taken for requests.

// wholeVariable is an argument that is a variable as a whole: a member of a struct, or a row of an array, may be
// followed by more on purpose.
var wholeVariable = regexp.MustCompile(`^\s*&?\s*\w+\s*$`)

// declaredRequests is how many requests the variable has that the text of a call names; not known if it is not one with
// a declared size.
func declaredRequests(c *check.Call, at int) (n int64, known bool) {
	if c.Func.Params[at].Kind != mpi.KReqs || c.Rank.Declared == nil {
		return 0, false
	}
	d, ok := c.Rank.Declared(c, at)
	if !ok || d.Count < 0 || d.Size <= 0 || d.Lies != symbol.OnStack && d.Lies != symbol.InStatic ||
		!wholeVariable.MatchString(d.Argument(at)) {
		return 0, false
	}
	if count, has := c.Func.Param(mpi.RCount); has && !d.Agrees(c, count) {
		return 0, false
	}
	return d.Count, true
}

// behind says whether request k of a call is not in the variable that its text names, which is reported of the call.
func behind(c *check.Call, at, k int) bool {
	there, known := declaredRequests(c, at)
	return known && int64(k) >= there
}

// watchRoom looks for arrays that have fewer elements than the call takes.
func watchRoom(h *check.Hooks) {
	seen := check.SlotOf[check.Recent](h)
	h.Enter(func(f *mpi.Func) func(*check.Call) {
		at, ok := f.Param(mpi.RRequests)
		if !ok || !f.Params[at].Kind.AtEntry() {
			return nil
		}
		return func(c *check.Call) {
			n, recent := int64(len(c.Handles)), seen.Of(c.Rank)
			if n < 1 || recent.Has(c, at, uint64(n)) {
				return
			}
			recent.Add(c, at, uint64(n))
			there, known := declaredRequests(c, at)
			if !known || there >= n {
				return
			}
			c.Say(requestInvalid, at, func() check.Words {
				return check.Words{
					Sentence: finding.Wordf("Rank %d calls %s with {count} %d, but {%s} has room for %s.",
						c.Rank.World, c.Func.Name, n, c.Func.Params[at].Name,
						finding.Counted(there, "request", "requests")),
					Hint: "declare as many requests as the call gets, or pass the number that there are",
				}
			})
		}
	})
}
