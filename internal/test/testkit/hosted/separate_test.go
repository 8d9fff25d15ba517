//go:build !quick

package hosted

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"unknot/internal/test/testkit"
	"unknot/internal/test/testkit/hosts"
)

// TestPartsOfATraceAreScreenedOnTheirHosts records a job whose calls stay on the hosts that made them. Its parts are
// screened from the first host, which reads none of the others' files.
func TestPartsOfATraceAreScreenedOnTheirHosts(t *testing.T) {
	t.Parallel()
	s := New(t, hosts.Options{})
	const recorded = "/tmp/run.unk"
	for _, mpi := range testkit.LibrariesOfMany(2) {
		t.Run(mpi, func(t *testing.T) {
			command := s.Compile(t, filepath.Join("testdata", "neighbours.c"), mpi)
			o := s.Run(t, []string{"--trace", recorded, "--trace-parts"}, append(Launcher(mpi, 4, "node1", "node2"),
				command...)...)
			if o.Exit != 0 {
				t.Fatalf("exit status %d\n%s", o.Exit, o.Output)
			}
			files := strings.Join(s.Hosts()[1].Files("/tmp"), " ") + " " + strings.Join(s.Hosts()[2].Files("/tmp"), " ")
			if !strings.Contains(files, "run.unk.node1") || !strings.Contains(files, "run.unk.node2") {
				t.Fatalf("the hosts have %s", files)
			}
			text, err := s.Hosts()[0].Command(t.Context(), s.environment(), s.Unknot, "predict", "--screen", recorded,
				"node1:"+recorded+".node1", "node2:"+recorded+".node2").CombinedOutput()
			if err != nil || !strings.Contains(string(text), "unknot: free for the recorded calls") ||
				!regexp.MustCompile(`screening: 3 parts were screened where they are; \d+ messages`).Match(text) {
				t.Errorf("%v\n%s", err, text)
			}
			s.Clean(t)
		})
	}
}
