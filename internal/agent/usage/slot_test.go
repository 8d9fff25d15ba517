package usage

import "testing"

// TestBuffersAPowerOfTwoApartAreRemembered asks for as many addresses as half of a table has slots: where they share
// few slots, each answer displaces another one.
func TestBuffersAPowerOfTwoApartAreRemembered(t *testing.T) {
	for apart := uint64(1) << 3; apart <= 1<<30; apart <<= 1 {
		g := grounds{recent: make([]knownGround, 64)}
		used := make(map[*knownGround]bool)
		for i := range uint64(32) {
			used[g.slot(0x7f0000001000+i*apart)] = true
		}
		if len(used) < 20 {
			t.Errorf("32 addresses that are %d bytes apart have %d of 64 slots", apart, len(used))
		}
	}
}
