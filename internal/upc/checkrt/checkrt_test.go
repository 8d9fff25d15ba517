package checkrt

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// built are programs of the tests, made once.
var built struct {
	sync.Mutex
	dir      string
	unknot   string
	programs map[string]string
}

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "unknot-checkrt-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	built.dir, built.programs = dir, map[string]string{}
	for _, v := range []string{"OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "OMPI_MCA_rmaps_base_oversubscribe"} {
		os.Setenv(v, "1")
	}
	os.Setenv("OMPI_MCA_orte_tmpdir_base", dir) // apart from jobs of other tests, which start at the same time
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

var mpis = []string{"openmpi", "mpich"}

// a kase is a program of testdata/cases.txt.
type kase struct {
	name         string
	threads      []int
	warning      bool
	reports      int
	wrong, fixed string
	want         []*regexp.Regexp
}

func cases(t testing.TB) []kase {
	t.Helper()
	text, err := os.ReadFile("testdata/cases.txt")
	if err != nil {
		t.Fatal(err)
	}
	var all []kase
	for _, part := range strings.Split(string(text), "\n=== ")[1:] {
		head, body, _ := strings.Cut(part, "\n")
		words := strings.Fields(head)
		k := kase{name: words[0], threads: []int{2, 4, 5}, reports: 1}
		counting := false
		for _, w := range words[1:] {
			switch n, err := strconv.Atoi(w); {
			case w == "warning":
				k.warning = true
			case w == "on":
				k.threads = nil
			case w == "reports":
				counting = true
			case err == nil && counting:
				k.reports, counting = n, false
			case err == nil:
				k.threads = append(k.threads, n)
			default:
				t.Fatalf("%s: %q is not understood", k.name, w)
			}
		}
		var ok1, ok2 bool
		var want string
		k.wrong, body, ok1 = strings.Cut(body, "\n--- fixed\n")
		k.fixed, want, ok2 = strings.Cut(body, "\n--- want\n")
		if !ok1 || !ok2 {
			t.Fatalf("%s has no fixed or no want", k.name)
		}
		for _, line := range strings.Split(strings.TrimSpace(want), "\n") {
			k.want = append(k.want, regexp.MustCompile(line))
		}
		all = append(all, k)
	}
	return all
}

// source is one program with all cases, each a function whose lines are those of a file of its own.
func source(all []kase) string {
	var text, table strings.Builder
	text.WriteString("#include \"hand.h\"\nupc_lock_t *l1, *l2, *l3;\nshared [] char from[64];\nshared [64] char to[64 * THREADS];\nstrict shared int flag, flag2;\n")
	for _, k := range all {
		name := strings.ReplaceAll(k.name, "-", "_")
		fmt.Fprintf(&text, "static void %s(void)\n{\n# 1 \"%s.upc\"\n%s\n}\nstatic void %s_fixed(void)\n{\n# 1 \"%s.upc\"\n%s\n}\n", name, k.name, k.wrong,
			name, k.name, k.fixed)
		fmt.Fprintf(&table, "\t{\"%s\", %s},\n\t{\"%s-fixed\", %s_fixed},\n", k.name, name, k.name, name)
	}
	text.WriteString("# 1 \"main.upc\"\nstatic const struct { const char *name; void (*run)(void); } cases[] = {\n" + table.String() + `};
#ifdef PLAIN
int main(int argc, char **argv)
#else
int upck_user_main(int argc, char **argv);
int upck_user_main(int argc, char **argv)
#endif
{
	l1 = upc_all_lock_alloc();
	l2 = upc_all_lock_alloc();
	l3 = upc_all_lock_alloc();
	for (size_t i = 0; argc > 1 && i < sizeof cases / sizeof *cases; i++)
		if (strcmp(cases[i].name, argv[1]) == 0)
			cases[i].run();
	return 0;
}
`)
	return text.String()
}

// unknot is the command, built once.
func unknot(t testing.TB) string {
	t.Helper()
	if built.unknot == "" {
		path := filepath.Join(built.dir, "unknot")
		if out, err := exec.Command("go", "build", "-o", path, "unknot/cmd/unknot").CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		built.unknot = path
	}
	return built.unknot
}

// runtime is the run-time as objects, with more options for the compiler.
func runtime(t testing.TB, mpi string, options ...string) []string {
	t.Helper()
	sources, err := filepath.Glob("rt/*.upc")
	if err != nil || len(sources) == 0 {
		t.Fatalf("no sources: %v", err)
	}
	sources = append(sources, "testdata/standin.upc")
	if _, err := os.Stat("rt/program.upc"); err != nil {
		sources = append(sources, "testdata/program.upc")
	}
	var objects []string
	dir := t.TempDir()
	for _, s := range sources {
		out := filepath.Join(dir, strings.TrimSuffix(filepath.Base(s), ".upc")+".o")
		upcc(t, mpi, append([]string{"-c", "-Wall", "-Wextra", "-Werror", "-o", out, s}, options...)...)
		objects = append(objects, out)
	}
	return objects
}

// upcc compiles with one of the MPI libraries.
func upcc(t testing.TB, mpi string, args ...string) {
	t.Helper()
	args = append([]string{"upcc", "--mpicc", "mpicc." + mpi, "-O1", "-g", "-Irt", "-Itestdata"}, args...)
	if out, err := exec.Command(unknot(t), args...).CombinedOutput(); err != nil || len(out) > 0 {
		t.Fatalf("%q: %v\n%s", args, err, out)
	}
}

// program makes a program of a UPC source.
func program(t testing.TB, mpi, text string, options ...string) string {
	t.Helper()
	built.Lock()
	defer built.Unlock()
	key := mpi + text + strings.Join(options, " ")
	if p := built.programs[key]; p != "" {
		return p
	}
	path := filepath.Join(built.dir, fmt.Sprint("program", len(built.programs)))
	if err := os.WriteFile(path+".upc", []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	upcc(t, mpi, append(append([]string{"-o", path, path + ".upc"}, runtime(t, mpi, options...)...), options...)...)
	built.programs[key] = path
	return path
}

// launch is a run of a program.
type launch struct {
	mpi           string
	threads, node int // node: UPC_NODE_THREADS
	env, args     []string
}

// run gives the exit status and what was written to stderr.
func run(t testing.TB, l launch, path string) (status int, told string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "mpirun."+l.mpi, append([]string{"-n", fmt.Sprint(l.threads), path}, l.args...)...)
	cmd.Env = append(os.Environ(), l.env...)
	if l.node > 0 {
		cmd.Env = append(cmd.Env, fmt.Sprintf("UPC_NODE_THREADS=%d", l.node))
	}
	cmd.WaitDelay = 10 * time.Second
	out, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		t.Fatalf("%v: no end; output:\n%s", l, out)
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(out)
}

// reports counts what was told.
func reports(told string) int {
	return strings.Count(told, "unknot: error: ") + strings.Count(told, "unknot: warning: ")
}

// judge compares what was told of a case with what is wanted.
func judge(t *testing.T, k kase, l launch, path string) {
	t.Helper()
	l.args = []string{k.name}
	l.env = append(l.env, "UPCCHECK_LIVELOCK_TIMEOUT=1")
	status, told := run(t, l, path)
	if wantStatus := map[bool]int{false: 66, true: 0}[k.warning]; status != wantStatus {
		t.Errorf("%s, %v: exit status %d, want %d; told:\n%s", k.name, l, status, wantStatus, told)
	}
	if n := reports(told); n != k.reports {
		t.Errorf("%s, %v: %d reports, want %d:\n%s", k.name, l, n, k.reports, told)
	}
	for _, w := range k.want {
		found := false
		for line := range strings.Lines(told) {
			found = found || w.MatchString(strings.TrimSuffix(line, "\n"))
		}
		if !found {
			t.Errorf("%s, %v: no line matches %q in:\n%s", k.name, l, w, told)
		}
	}
	l.args = []string{k.name + "-fixed"}
	if status, told := run(t, l, path); status != 0 || told != "" {
		t.Errorf("%s, %v: the corrected twin ends with status %d and:\n%s", k.name, l, status, told)
	}
}

// Each program is run with all its numbers of threads, by turns with the MPI libraries, and with several nodes.
func TestPrograms(t *testing.T) {
	all := cases(t)
	for i, k := range all {
		t.Run(k.name, func(t *testing.T) {
			for j, threads := range k.threads {
				l := launch{mpi: mpis[(i+j)%2], threads: threads}
				judge(t, k, l, program(t, l.mpi, source(all)))
			}
		})
	}
}
