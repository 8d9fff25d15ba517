package place

import (
	"strings"

	"unknot/internal/check"
	"unknot/internal/check/written"
	"unknot/internal/kit/symbol"
	"unknot/internal/observe/ring"
)

// declaredKey is an argument at a place in the code, which is the same for all ranks of a node.
type declaredKey struct {
	at    symbol.Key
	param int
}

// Declared says what an argument of a call points to by the program's declarations. It is asked once for each place in
// the code.
func (a *Places) Declared(r *Process, c *check.Call, param int) (check.Written, bool) {
	if r.Maps == nil || c.Site == 0 || c.Site&ring.PythonSite != 0 {
		return check.Written{}, false
	}
	at, known := r.Maps.Key(ring.Address(c.Site))
	if !known {
		return check.Written{}, false
	}
	key := declaredKey{at, param}
	if w, asked := a.declarations[key]; asked {
		return w, w.Size > 0
	}
	var w check.Written
	if frames := a.Frames(r, c.Site); len(frames) > 0 && frames[0].File != "" {
		if list := written.Call(frames[0].File, frames[0].Line, c.Func.Name); param < len(list) && !ofMPI(list[param]) {
			if d, ok := a.symbols.Declared(r.Maps, ring.Address(c.Site), list[param]); ok {
				w = check.Written{Declared: d, Arguments: list}
			}
		}
	}
	if a.declarations == nil {
		a.declarations = make(map[declaredKey]check.Written)
	}
	a.declarations[key] = w
	return w, w.Size > 0
}

// ofMPI says whether a name is one of MPI's own (MPI-4.0, 2.6.2). Some modules declare constants such as
// MPI_STATUSES_IGNORE as variables that are smaller than what they stand for.
func ofMPI(name string) bool {
	return len(name) > 4 && strings.EqualFold(name[:4], "MPI_")
}
