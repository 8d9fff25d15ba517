package objects

import (
	"testing"

	"pgregory.net/rapid"
)

// The table of requests is a map, whichever handles share a slot.
func TestRequestsAreFoundByTheirHandles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var table Requests
		twin := make(map[uint64]*Request)
		for range rapid.IntRange(1, 300).Draw(t, "steps") {
			handle := uint64(rapid.IntRange(0, 150).Draw(t, "handle"))
			if rapid.Bool().Draw(t, "make") {
				q := new(Request)
				table.Set(handle, q)
				twin[handle] = q
			} else {
				table.Drop(handle)
				delete(twin, handle)
			}
			if got := table.Get(handle); got != twin[handle] {
				t.Fatalf("handle %d gives %p, want %p", handle, got, twin[handle])
			}
		}
		found := make(map[*Request]bool)
		table.Each(func(q *Request) { found[q] = true })
		for handle, q := range twin {
			if table.Get(handle) != q || !found[q] {
				t.Fatalf("handle %d gives %p, want %p; visited: %v", handle, table.Get(handle), q, found[q])
			}
		}
		if len(found) != len(twin) {
			t.Fatalf("%d requests visited, want %d", len(found), len(twin))
		}
	})
}
