//go:build !quick

package hosted

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"unknot/internal/test/testkit"
	"unknot/internal/test/testkit/hosts"
	"unknot/internal/test/testkit/snippets"
)

// TestTheSnippetsOfSlurmRun submits the batch script of docs/ci.md to nodes with the epilogue of that page: the job
// ends with its reports, and the epilogue removes what a job that was killed has left, but neither what is new nor what
// a running job uses.
func TestTheSnippetsOfSlurmRun(t *testing.T) {
	if !testkit.Nightly() {
		t.Skip("starts a cluster with Slurm: make nightly runs it")
	}
	t.Parallel()
	found, err := snippets.Of("../../../../docs/ci.md")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, name := range []string{"job.sh", "unknot-epilog.sh"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/bash\n"+found[name]), 0o755); err != nil ||
			found[name] == "" {
			t.Fatalf("no block %s: %v", name, err)
		}
	}
	// The tests of the page's other blocks are scripts of cmd/unknot. This one is done when it has said so, as slurmd
	// does not wait for it.
	epilogue := filepath.Join(dir, "epilogue")
	text := "#!/bin/bash\nset -x\nexec 2>" + dir + "/log.$SLURMD_NODENAME\n" + filepath.Join(dir, "unknot-epilog.sh") +
		"\ntouch " + dir + "/done.$SLURMD_NODENAME\n"
	if err := os.WriteFile(epilogue, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	s := New(t, hosts.Options{Slurm: true, Epilog: epilogue, Shared: []string{dir}})
	front, node := s.Host("front"), s.Host("node1")
	if err := os.Symlink(s.Compile(t, "testdata/exchange.c", "openmpi")[0],
		filepath.Join(dir, "exchange")); err != nil {
		t.Fatal(err)
	}
	// A job that holds a session while the epilogue runs, as another of the user: what it has mapped is in a directory
	// that looks old.
	do(t, node, "cd /dev/shm && mkdir unknot-gone unknot-new unknot-used && touch unknot-gone/control "+
		"unknot-used/control && touch -d '1 minute ago' unknot-gone unknot-used")
	holder := node.Command(t.Context(), nil, "python3", "-c",
		"import mmap, sys; f = open('/dev/shm/unknot-used/control', 'r+b'); f.truncate(4096); m = "+
			"mmap.mmap(f.fileno(), 4096); print('ready', flush=True); sys.stdin.read()")
	in, err := holder.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	said, err := holder.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := holder.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := said.Read(make([]byte, len("ready\n"))); err != nil {
		t.Fatal(err)
	}
	submit := front.Command(t.Context(), append(s.environment(), "PATH="+filepath.Dir(s.Unknot)+":"+os.Getenv("PATH")),
		"sbatch", "--wait", "-D", dir, "-o", filepath.Join(dir, "output"), filepath.Join(dir, "job.sh"))
	if out, err := submit.CombinedOutput(); submit.ProcessState.ExitCode() != 66 {
		t.Errorf("exit status %d, want 66: %v\n%s", submit.ProcessState.ExitCode(), err, out)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "output")); err != nil || !strings.Contains(string(text),
		"wait for each other") {
		t.Errorf("%v\n%s", err, text)
	}
	if reports, _ := filepath.Glob(filepath.Join(dir, "unknot-[0-9]*.*")); len(reports) != 2 {
		t.Errorf("reports %v, want two", reports)
	}
	do(t, node, "until [ -e "+dir+"/done.node1 ]; do sleep 0.05; done")
	if left := do(t, node, "cd /dev/shm && echo unknot-*"); left != "unknot-new unknot-used\n" {
		log, _ := os.ReadFile(filepath.Join(dir, "log.node1"))
		t.Errorf("the epilogue left %s\n%s", left, log)
	}
	if err := in.Close(); err != nil {
		t.Fatal(err)
	}
	if err := holder.Wait(); err != nil {
		t.Error(err)
	}
	do(t, node, "rm -r /dev/shm/unknot-*")
	s.Clean(t)
}
