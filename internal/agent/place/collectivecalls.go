package place

import (
	"slices"

	"unknot/internal/model/objects"
	"unknot/internal/vocab/message"
)

// mostComms bounds the communicators of a rank whose collective calls are reported.
const mostComms = 16

// CollectiveCalls are the last collective calls of a rank on each of its communicators of one group, by which it is
// seen where ranks part.
func (a *Places) CollectiveCalls(r *Process) (out []message.CollCall) {
	var comms []*objects.Comm
	for c := range r.Objects.Comms() {
		if c.Member != nil && !c.Inter && !c.Freed && c.Member.Seq() > 0 && !slices.ContainsFunc(comms,
			func(o *objects.Comm) bool { return o.ID == c.ID }) {
			if comms = append(comms, c); len(comms) > mostComms {
				return nil // which of them matter is not known here
			}
		}
	}
	for _, c := range comms {
		for _, m := range c.Member.Lately() {
			if f := a.table.ByID(m.Fn); f != nil {
				out = append(out, message.CollCall{Ctx: c.ID, Seq: m.Seq, Call: f.Name, At: a.Frame(r, m.Site)})
			}
		}
	}
	return out
}
