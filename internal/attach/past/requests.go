package past

import (
	"slices"

	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/op"
)

// completed is what each call of a rank has completed that has returned. The record does not say which requests these
// are. A call for one has completed the oldest of those that are pending, a call for several the last ones: so are
// requests used where their calls are in one loop. Those that are open now were completed by none. Requests that are
// older than all calls that are known are completed first; that there are some shows where too few are left in the end.
func (r *rank) completed() (done map[*call][]*start) {
	most := len(r.calls)
	for older := 0; ; {
		var short int
		if done, short = r.complete(older); short == 0 || older >= most {
			return done
		}
		older += short
	}
}

// complete is completed with some older requests. short is how many calls for one request found none.
func (r *rank) complete(older int) (done map[*call][]*start, short int) {
	done = make(map[*call][]*start)
	pending := make([]*start, older) // nil for an older one
	for _, c := range r.calls[r.cut:] {
		switch f := c.fn; {
		case c.failed || c.open:
		case f.Class == mpi.RequestFree:
			// That of a send: a receive is rarely freed.
			if i := slices.IndexFunc(pending, func(s *start) bool { return s == nil || s.sends() }); i >= 0 {
				pending = slices.Delete(pending, i, i+1)
			}
		case f.Class.Completes() && !f.Class.Keeps():
			n := 1
			if f.Class == mpi.Waitall || f.Class == mpi.Testall {
				n = int(min(c.count, int64(len(pending))))
			}
			if n > len(pending) {
				short++
				continue
			}
			at := 0
			if f.Class == mpi.Waitall || f.Class == mpi.Testall {
				at = len(pending) - n
			}
			for _, s := range pending[at : at+n] {
				if s != nil {
					done[c] = append(done[c], s)
				}
			}
			pending = slices.Delete(pending, at, at+n)
		case !c.blocks():
			for _, s := range c.starts {
				if s.request == nil {
					pending = append(pending, s)
				}
			}
		}
	}
	return done, short
}

// sends says whether all that it has started is a send.
func (s *start) sends() bool {
	return len(s.parts) > 0 && !slices.ContainsFunc(s.parts, func(p *part) bool { return p.Kind != op.Send })
}
