package agent

import (
	"unknot/internal/check/messages"
	"unknot/internal/datatype"
	"unknot/internal/message"
	"unknot/internal/ring"
	"unknot/internal/symbol"
	"unknot/internal/waitstate"
)

// fields names the members of the program's structs in which the first element lies that two calls disagree on.
func (a *Agent) fields(p *message.Pair) messages.Fields {
	d, ok := datatype.Compare(p.Given.Type, p.Given.Count, p.Expected.Type, p.Expected.Count)
	if ok {
		return messages.Fields{}
	}
	return messages.Fields{Given: a.field(p.Give, p.Given.Type, d.Element), Expected: a.field(p.Take, p.Expected.Type, d.Element)}
}

// field is the member in which the nth element of a buffer lies, from the debug information of the module that made the call; empty
// if no struct there has the size of the datatype and members where that has its blocks.
func (a *Agent) field(o *waitstate.Origin, t *datatype.Type, n int64) string {
	r := a.ranks[o.Rank]
	if r == nil || r.maps == nil || o.Site&ring.PythonSite != 0 {
		return ""
	}
	for _, s := range t.Records(n) {
		if name := a.resolve.Field(r.maps, o.Site, symbol.Struct{Size: s.Extent, Displacements: s.Displacements, Sizes: s.Sizes, Offset: s.Offset}); name != "" {
			return name
		}
	}
	return ""
}
