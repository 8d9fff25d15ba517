package launch

import (
	"slices"
	"testing"
)

// TestBystandersArePassedOver has processes whose environment names a session before and after it is noted who is
// there.
func TestBystandersArePassedOver(t *testing.T) {
	session := t.TempDir()
	early, _ := start(t, session, "exec sleep 60")
	before := Present()
	late, _ := start(t, session, "exec sleep 60")
	known := func(b Bystanders) []int { // in the middle of an execve, a process cannot be recognised
		for {
			if pids, unsure := members(session, b); !unsure {
				return pids
			}
		}
	}
	if pids := known(before); !slices.Equal(pids, []int{late}) {
		t.Errorf("members are %v, want %d, but not %d", pids, late, early)
	}
	// Another process with the pid of one that was there is none of them.
	before[late] = before[early]
	if pids := known(before); !slices.Equal(pids, []int{late}) {
		t.Errorf("members are %v, want %d, which has only the pid in common", pids, late)
	}
	if pids := known(nil); len(pids) != 2 {
		t.Errorf("members are %v, want %d and %d", pids, early, late)
	}
}
