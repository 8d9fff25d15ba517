//go:build !quick

package hosted

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"unknot/internal/test/testkit"
	"unknot/internal/test/testkit/hosts"
	"unknot/internal/vocab/finding"
)

// TestRoundsOverHostsAreLeftOut has ranks of two hosts do the same again and again. Most of that is left out on both,
// and where it ends in a deadlock that is reported as if all had been followed.
func TestRoundsOverHostsAreLeftOut(t *testing.T) {
	t.Parallel()
	s := New(t, hosts.Options{})
	said := regexp.MustCompile(`detect: (\d+) of (\d+) calls repeated others and were left out`)
	for turn, how := range []string{"", "hang"} {
		for _, mpi := range testkit.Libraries(turn) {
			t.Run(mpi+"/"+how, func(t *testing.T) {
				progress := filepath.Join(s.Dir, "progress-"+mpi+how)
				j, open := through(t, s, "testdata/rounds.c", mpi, []string{"--log", "detect", "--progress", progress},
					how)
				awaitCalls(t, progress, 100_000)
				open()
				o := j.Wait(t)
				defer s.Clean(t)
				counts := said.FindStringSubmatch(o.Output)
				if counts == nil {
					t.Fatalf("%s", o.Output)
				}
				var left, all int
				fmt.Sscan(counts[1], &left)
				fmt.Sscan(counts[2], &all)
				if left < all/4 || !o.Run.Complete {
					t.Errorf("%d of %d calls were left out, complete %v", left, all, o.Run.Complete)
				}
				if how == "" {
					if o.Exit != 0 || len(o.Run.Findings) > 0 {
						t.Errorf("%s", o.Output)
					}
					return
				}
				if o.Exit != 66 || len(o.Run.Findings) != 1 {
					t.Fatalf("%s", o.Output)
				}
				if f := o.Run.Findings[0]; f.Code != finding.Deadlock || f.Standing != finding.Manifest ||
					!slices.Equal(f.Ranks, []int{0, 1}) {
					t.Errorf("%s", o.Output)
				}
			})
		}
	}
}

// awaitCalls returns once the ranks of a job have made so many calls, as its progress says.
func awaitCalls(t *testing.T, progress string, calls int) {
	t.Helper()
	said := regexp.MustCompile(`"calls":(\d+)`)
	for end := time.Now().Add(limit); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		text, _ := os.ReadFile(progress) // it may not be there yet
		all := said.FindAllSubmatch(text, -1)
		if len(all) == 0 {
			continue
		}
		if n, err := strconv.Atoi(string(all[len(all)-1][1])); err == nil && n >= calls {
			return
		}
	}
	t.Fatalf("the ranks have not made %d calls", calls)
}

// TestARootLostWhileRoundsAreLeftOut kills the process with the root, which also leads the agents in what they leave
// out. No part says of a rank what is not so.
func TestARootLostWhileRoundsAreLeftOut(t *testing.T) {
	t.Parallel()
	s := New(t, hosts.Options{})
	for _, mpi := range testkit.Libraries(0) {
		t.Run(mpi, func(t *testing.T) {
			j, open := through(t, s, "testdata/rounds.c", mpi, soon)
			s.Signal("front", "agent --session", syscall.SIGKILL)
			open()
			o := j.Wait(t)
			if o.Exit != 0 || !strings.Contains(o.Output, "phase 2 is over") {
				t.Errorf("exit status %d\n%s", o.Exit, o.Output)
			}
			if m := j.merged(t, 2); m.Exit != 0 || len(m.Run.Findings) > 0 || m.Run.Ranks != 4 {
				t.Errorf("exit status %d, %d ranks\n%s", m.Exit, m.Run.Ranks, m.Output)
			}
			s.Clean(t)
		})
	}
}
