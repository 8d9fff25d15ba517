package agent

import (
	"unknot/internal/message"
	"unknot/internal/ring"
	"unknot/internal/symbol"
	"unknot/internal/waitstate"
)

// field is the member in which an element of a call's buffer lies, from the debug information of the module that made
// the call; empty if no struct there has the size of the datatype and members where that has its blocks.
func (a *places) field(r *rank, o *waitstate.Origin, e message.Element) string {
	if r.maps == nil || o.Site&ring.PythonSite != 0 || e.Type == nil {
		return ""
	}
	for _, s := range e.Type.Records(e.N) {
		if name := a.resolve.Field(r.maps, ring.Address(o.Site),
			symbol.Struct{Size: s.Extent, Displacements: s.Displacements, Sizes: s.Sizes,
				Offset: s.Offset}); name != "" {
			return name
		}
	}
	return ""
}
