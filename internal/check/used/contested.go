package used

import "unknot/internal/model/objects"

// Contested are the calls of a rank that have started operations whose memory others use, which has been reported.
type Contested struct{ calls map[objects.Made]bool }

// maxContested bounds the calls that are remembered.
const maxContested = 1 << 10

// Add notes a call.
func (x *Contested) Add(by objects.Made) {
	if x.calls == nil {
		x.calls = make(map[objects.Made]bool)
	}
	if len(x.calls) < maxContested {
		x.calls[by] = true
	}
}

// Has says whether a call is noted.
func (x *Contested) Has(by objects.Made) bool { return x.calls[by] }
