package rma

import (
	"unknot/internal/check"
	"unknot/internal/vocab/mpi"
)

// answered takes in that requests may be complete. That of an RMA call tells its rank what the call has read, and
// nothing else: a put or an accumulate may still be pending at the target (MPI-4.0, 12.3.5). Which of several calls
// have been completed is known only if all have.
func (m *windows) answered(f *mpi.Func) func(*knowledge, *check.Call) {
	all := f.Class == mpi.Wait || f.Class == mpi.Waitall
	return func(p *knowledge, c *check.Call) {
		gets, others := 0, len(c.Requests) == 0
		for _, q := range c.Requests {
			switch {
			case q == nil || q.Made.Func == nil || q.Made.Func.Class != mpi.Rrma:
				others = true
			case q.Made.Func.Fetches():
				gets++
			}
		}
		if others {
			p.learned++
		}
		if gets == 0 {
			return
		}
		asked := 0
		for _, w := range m.of[c.Rank] {
			for _, f := range w.fetching {
				asked += f.asked
			}
		}
		done, barely := all && gets == asked, true
		for _, w := range m.of[c.Rank] {
			for t, f := range w.fetching {
				if f.asked == 0 {
					continue
				}
				m.far.fetched(p, c.Rank, w, t, f)
				barely = barely && f.atomic.none()
				switch {
				case done && f.asked == f.calls:
					delete(w.fetching, t)
				case done:
					f.calls, f.asked = f.calls-f.asked, 0
				}
			}
		}
		if others {
			return
		}
		p.learned++
		if barely {
			p.got++
		}
	}
}
