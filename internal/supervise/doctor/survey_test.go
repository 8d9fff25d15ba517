//go:build !quick

package doctor

import (
	"strings"
	"testing"
	"time"
)

func TestVersionsAreReadFromWhatLaunchersSay(t *testing.T) {
	for text, want := range map[string]string{
		"/usr/bin/mpirun: mpirun (Open MPI) 4.1.4\n":                                 "4.1.4",
		"/usr/bin/mpirun.openmpi: mpirun.openmpi (OpenRTE) 4.1.4\n":                  "4.1.4",
		"/opt/mpirun: HYDRA build details:\n/opt/mpirun:     Version:    4.0.2\n":    "4.0.2",
		"/usr/bin/srun: slurm 22.05.8\n":                                             "22.05.8",
		"/opt/mpirun: what nobody has heard of\n/opt/mpirun: and more of the same\n": "/opt/mpirun: what nobody has heard of",
	} {
		if got := versionIn(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestAClockIsAsFarOffAsIsCertain has answers that took ten seconds.
func TestAClockIsAsFarOffAsIsCertain(t *testing.T) {
	began := time.Unix(1_000_000, 0)
	for at, want := range map[string]string{
		"1000005": "ok    clock: as here\n",
		"1003610": "ok    clock: 1h0m0s ahead of this one, which does not matter\n",
		"996400":  "ok    clock: 1h0m0s behind this one, which does not matter\n",
	} {
		f := readFacts([]string{"time " + at, "end"}, began, began.Add(10*time.Second))
		var out strings.Builder
		e := &examination{tell: printed(&out)}
		clock(e.line, f.away)
		if out.String() != want {
			t.Errorf("%s: %q, want %q", at, out.String(), want)
		}
	}
}

func TestSpaceIsThatOfTheHost(t *testing.T) {
	for line, want := range map[string]string{
		"shm tmpfs 1000000 0 1000000 0% /dev/shm": "ok    /dev/shm: 976 MiB free",
		"shm tmpfs 100000 0 100000 0% /dev/shm":   "warn  /dev/shm: 97 MiB free",
		"shm ":                                    "warn  /dev/shm: there is none",
	} {
		var out strings.Builder
		e := &examination{tell: printed(&out)}
		shm(e.line, readFacts([]string{line, "end"}, time.Now(), time.Now()).free)
		if !strings.HasPrefix(out.String(), want) {
			t.Errorf("%q: %q, want %q", line, out.String(), want)
		}
	}
}
