package attach

import (
	"strings"
	"testing"

	"unknot/internal/attach/job"
	"unknot/internal/attach/look"
)

// TestWhatAllowsToLookAtAJobIsSaid has a kernel that refuses to let this user look at ranks.
func TestWhatAllowsToLookAtAJobIsSaid(t *testing.T) {
	no := look.Rank{Rank: job.Rank{PID: 7}, Failed: "open /proc/7/mem: permission denied", Denied: true}
	err := refused([]look.Rank{no, no})
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{"process 7", "root", "SYS_PTRACE", "/proc/sys/kernel/yama/ptrace_scope"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%v: no %q", err, want)
		}
	}
	if err := refused([]look.Rank{no, {Rank: job.Rank{PID: 8}}}); err != nil {
		t.Errorf("one rank could be looked at: %v", err)
	}
}
