package place

import (
	"unknot/internal/kit/symbol"
	"unknot/internal/model/waitstate"
	"unknot/internal/observe/ring"
	"unknot/internal/vocab/message"
)

// Field is the member in which an element of a call's buffer lies, from the debug information of the module that made
// the call; empty if no struct there has the size of the datatype and members where that has its blocks.
func (a *Places) Field(r *Process, o *waitstate.Origin, e message.Element) string {
	if r.Maps == nil || o.Site&ring.PythonSite != 0 || e.Type == nil {
		return ""
	}
	for _, s := range e.Type.Records(e.N) {
		if name := a.symbols.Field(r.Maps, ring.Address(o.Site),
			symbol.Struct{Size: s.Extent, Displacements: s.Displacements, Sizes: s.Sizes,
				Offset: s.Offset}); name != "" {
			return name
		}
	}
	return ""
}
