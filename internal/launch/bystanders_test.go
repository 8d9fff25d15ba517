package launch

import (
	"slices"
	"testing"
)

// TestBystandersArePassedOver has processes whose environment names a session before and after it is noted who is there.
func TestBystandersArePassedOver(t *testing.T) {
	session := t.TempDir()
	early, _ := start(t, session, "exec sleep 60")
	before := Present()
	late, _ := start(t, session, "exec sleep 60")
	if pids, _ := members(session, before); !slices.Equal(pids, []int{late}) {
		t.Errorf("members are %v, want %d, but not %d", pids, late, early)
	}
	// Another process with the pid of one that was there is none of them.
	before[late] = before[early]
	if pids, _ := members(session, before); !slices.Equal(pids, []int{late}) {
		t.Errorf("members are %v, want %d, which has only the pid in common", pids, late)
	}
	if pids, _ := members(session, nil); len(pids) != 2 {
		t.Errorf("members are %v, want %d and %d", pids, early, late)
	}
}
