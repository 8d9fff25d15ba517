package shmem_test

import (
	"slices"
	"strings"
	"testing"

	"unknot/internal/vocab/finding"
)

// TestAPEThatDiesIsReported has PE 1 die, or end as it may.
func TestAPEThatDiesIsReported(t *testing.T) {
	program := compiled(t, sources(t, "testdata/deaths/die.c")[0])
	for how, want := range map[string]string{
		"fault": "PE 1 was ended by signal 11 (SIGSEGV) at fault (die.c:8), after shmem_barrier_all at main " +
			"(die.c:17).",
		"abort": "PE 1 was ended by signal 6 (SIGABRT), after shmem_barrier_all at main (die.c:17).",
		"kill": "PE 1 was killed without notice (SIGKILL, or out of memory), after shmem_barrier_all at main " +
			"(die.c:17).",
		"_exit": "PE 1 ended with exit status 3 without calling shmem_finalize, after shmem_barrier_all at main " +
			"(die.c:17).",
		"exit": "PE 1 ended with exit status 3 without calling shmem_finalize.", // the library waits for PE 0 then
		// both; they have called nothing that is recorded
		"early":  "without calling shmem_finalize.",
		"global": "",
		"return": "",
		"after":  "",
		"ending": "", // which is no mistake of the program
	} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			run, text := watched(t, "2", program, how)
			if want == "" {
				if len(run.Findings) > 0 {
					t.Errorf("findings about a program whose PEs do not die:\n%s", text)
				}
				return
			}
			if !slices.ContainsFunc(run.Findings, func(f finding.Finding) bool {
				return (f.Code == finding.RankDied || f.Code == finding.SHMEMDeadlock) &&
					strings.HasSuffix(f.Sentence, want)
			}) {
				t.Errorf("expected %q\n%s", want, text)
			}
			if strings.Contains(text, "a function of OpenSHMEM") {
				t.Errorf("a call is named that is not known:\n%s", text)
			}
		})
	}
}
