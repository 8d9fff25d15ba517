//go:build !quick

package tutorials

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"unknot/internal/test/testkit"
)

var update = flag.Bool("update", false, "write what the commands print into the pages")

const docs = "../../../docs"

// ofOneLibrary are pages about what one MPI library has here: Debian's mpi4py is built for Open MPI, and MPICH has no
// OpenSHMEM.
var ofOneLibrary = map[string]string{"python.md": "openmpi", "shmem.md": "openmpi"}

// TestTutorials carries out the pages.
func TestTutorials(t *testing.T) {
	pages, err := filepath.Glob(docs + "/tutorials/*.md")
	if err != nil {
		t.Fatal(err)
	}
	pages = slices.DeleteFunc(append(pages, docs+"/start.md", docs+"/threads.md"), func(page string) bool {
		return filepath.Base(page) == "index.md"
	})
	if len(pages) < 5 {
		t.Fatalf("there are only the pages %q", pages)
	}
	unknot := testkit.Unknot(t)
	for _, page := range pages {
		libraries := []string{testkit.Library("openmpi")}
		if testkit.Nightly() {
			libraries = testkit.Both()
		}
		switch only := ofOneLibrary[filepath.Base(page)]; {
		case only != "" && slices.Contains(testkit.Both(), only):
			libraries = []string{only}
		case only != "":
			continue
		case *update:
			libraries = []string{testkit.Library("openmpi")}
		}
		for _, library := range libraries {
			t.Run(strings.TrimSuffix(filepath.Base(page), ".md")+"/"+library, func(t *testing.T) {
				carryOut(t, page, newShell(t, unknot, library))
			})
		}
	}
}

// carryOut does what a page says.
func carryOut(t *testing.T, page string, sh *shell) {
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	found, err := blocks(lines)
	if err != nil {
		t.Fatal(err)
	}
	name, reports := "", 0
	replaced := make(map[int][]string)
	for _, b := range found {
		switch {
		case b.language == "diff":
			sh.change(t, name, b)
		case b.language == "console":
			steps, err := b.steps()
			if err != nil {
				t.Fatal(err)
			}
			var now []string
			for _, s := range steps {
				prints := sh.run(t, s.command)
				if same(prints, s.prints, b.varies) {
					prints = s.prints
				} else if !*update {
					t.Errorf("%s: %s prints\n%s\nexpected\n%s\nhint: go test ./internal/test/tutorials -update", page,
						s.command, strings.Join(prints, "\n"), strings.Join(s.prints, "\n"))
				}
				for _, line := range prints {
					if strings.HasPrefix(line, "unknot: error: ") || strings.HasPrefix(line, "unknot: warning: ") {
						reports++
					}
				}
				now = append(append(now, prompt+s.command), prints...)
			}
			replaced[b.first] = now
		case b.file() != "":
			name = b.file()
			sh.write(t, name, strings.Join(b.lines, "\n")+"\n")
		}
	}
	if reports == 0 {
		t.Errorf("%s has no report", page)
	}
	if !*update {
		return
	}
	// From the last block to the first one, so that places stay where they are while lines are replaced.
	for _, b := range slices.Backward(found) {
		if now, is := replaced[b.first]; is {
			lines = slices.Replace(lines, b.first, b.first+len(b.lines), now...)
		}
	}
	if err := os.WriteFile(page, []byte(strings.Join(lines, "\n")), 0o644); err != nil {
		t.Fatal(err)
	}
}

// shell carries out commands in a directory, as the user of one MPI library.
type shell struct {
	dir, exports string
	env          []string
	status       int
}

func newShell(t *testing.T, unknot, library string) *shell {
	t.Helper()
	bin, dir := t.TempDir(), t.TempDir()
	link := func(target, name string) {
		if err := os.Symlink(target, filepath.Join(bin, name)); err != nil {
			t.Fatal(err)
		}
	}
	link(unknot, "unknot")
	if proxy, err := exec.LookPath("hydra_pmi_proxy"); err == nil {
		link(proxy, filepath.Base(proxy)) // MPICH's mpirun looks for it where it is itself
	}
	for _, name := range []string{"mpicc", "mpicxx", "mpifort", "mpirun"} {
		path, err := exec.LookPath(name + "." + library)
		if err != nil {
			t.Fatalf("%v; hint: make deps", err)
		}
		link(path, name)
	}
	if library == ofOneLibrary["python.md"] {
		link("/usr/bin/python3", "python3") // Debian's, which has mpi4py
	}
	env := append(testkit.Gently(), "PATH="+bin+":"+os.Getenv("PATH"), "OMPI_ALLOW_RUN_AS_ROOT=1",
		"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1", "OMPI_MCA_rmaps_base_oversubscribe=1", "OMPI_MCA_mpi_yield_when_idle=1",
		"OMPI_MCA_orte_tmpdir_base="+dir, "PYTHONDONTWRITEBYTECODE=1")
	return &shell{dir: dir, env: env}
}

// ofLauncher is what Open MPI's mpirun says now and then when its job is ended.
var ofLauncher = regexp.MustCompile(`^(\[warn\]|\[[^]\s]+:[0-9]+\]) `)

// endedByHydra is what MPICH's mpirun says when its job is ended.
var endedByHydra = regexp.MustCompile(`\n=+\n(?:= .*\n)+=+\n(?:YOUR APPLICATION TERMINATED .*\nThis typically .*\n` +
	`Please see .*\n)?`)

// home is that of the user whom the pages are about, who works in the directory tutorial.
const home = "/home/ada/"

// run gives the lines that a command prints, as that user would see them.
func (sh *shell) run(t *testing.T, command string) []string {
	t.Helper()
	script := sh.exports + "(exit " + strconv.Itoa(sh.status) + ")\n" + command
	if strings.HasPrefix(command, "export ") {
		sh.exports += command + "\n"
	}
	cmd := exec.CommandContext(t.Context(), "bash", "-c", script)
	cmd.Dir, cmd.Env = sh.dir, sh.env
	out, err := cmd.CombinedOutput()
	if _, exited := err.(*exec.ExitError); err != nil && !exited {
		t.Fatal(err)
	}
	sh.status = cmd.ProcessState.ExitCode()
	text := strings.ReplaceAll(string(out), sh.dir, home+"tutorial")
	if cache, err := os.UserCacheDir(); err == nil {
		text = strings.ReplaceAll(text, cache, home+".cache")
	}
	text = strings.TrimSuffix(endedByHydra.ReplaceAllString(text, ""), "\n")
	if text == "" {
		return nil
	}
	return slices.DeleteFunc(strings.Split(text, "\n"), ofLauncher.MatchString)
}

func (sh *shell) write(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join(sh.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func (sh *shell) change(t *testing.T, name string, b block) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(sh.dir, name))
	if err != nil {
		t.Fatal(err)
	}
	changed, err := apply(string(text), b.lines)
	if err != nil {
		t.Fatalf("the diff at line %d of the page: %v", b.first, err)
	}
	sh.write(t, name, changed)
}
