package usage

import "unknot/internal/objects"

// contested are the calls of a rank that have started operations whose memory others use, which has been told.
type contested struct{ calls map[objects.Made]bool }

// maxContested bounds the calls that are remembered.
const maxContested = 1 << 10

// add notes a call.
func (x *contested) add(by objects.Made) {
	if x.calls == nil {
		x.calls = make(map[objects.Made]bool)
	}
	if len(x.calls) < maxContested {
		x.calls[by] = true
	}
}

// has says whether a call is noted.
func (x *contested) has(by objects.Made) bool { return x.calls[by] }
