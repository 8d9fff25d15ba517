//go:build !quick

package upc_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"unknot/internal/test/testkit"
	"unknot/internal/upc/back/instrument"
	"unknot/internal/upc/back/lower"
	"unknot/internal/upc/front/syntax"
	"unknot/internal/upc/front/types"
)

// libraryHeaders are those whose functions have wrappers.
var libraryHeaders = []string{"upc.h", "upc_collective.h", "upc_io.h", "upc_nb.h", "upc_atomic.h", "upc_castable.h",
	"upc_tick.h"}

// standIn is a run-time of the checker that checks nothing: the statements and functions of a program do what they do
// without it.
const standIn = `struct upck_site;
int upck_user_main();
int main(int argc, char **argv, char **envp) { return upck_user_main(argc, argv, envp); }
void upck_barrier(const struct upck_site *s, int has, int value) { if (has) upc_barrier value; else upc_barrier; }
void upck_notify(const struct upck_site *s, int has, int value) { if (has) upc_notify value; else upc_notify; }
void upck_wait(const struct upck_site *s, int has, int value) { if (has) upc_wait value; else upc_wait; }
void upck_leave(const struct upck_site *s) { }
void upck_exit(const struct upck_site *s, int status) { exit(status); }
int upck_quit(const struct upck_site *s, int status) { return status; }
int upck_level;
void upck_push(const struct upck_site *s) { upck_level++; }
void upck_pop(void) { upck_level--; }
void upck_wrong(const struct upck_site *s, const char *id, int severity, int arg, const char *format, ...) { }
void upck_writes(const struct upck_site *s) { }
shared void *upck_local(const struct upck_site *s, shared const void *p) { return (shared void *)p; }
shared void *upck_retyped(const struct upck_site *s, shared const void *p, unsigned long block) { return (shared void *)p; }
void upck_differ(const struct upck_site *s, shared const void *a, shared const void *b, int ordered) { }
void upck_access(const struct upck_site *s, shared const void *p, unsigned long from, unsigned long size, unsigned long alignment) { }
void upck_element(const struct upck_site *s, shared const void *p, shared const void *q, unsigned long b, unsigned long e, unsigned long to, unsigned long a) { }
void upck_walked(const struct upck_site *s, shared const void *p, shared const void *q, unsigned long block, unsigned long element) { }
long upck_index(const struct upck_site *s, long index, unsigned long length, int behind, int inner) { return index; }
void upck_near(const struct upck_site *s, const void *p, const void *q, unsigned long to, int origin) { }
void upck_stored(const struct upck_site *s, shared const void *place, const void *value, int origin) { }
int upck_fetched(shared const void *place, const void *value) { return 0; }
void upck_follows(const struct upck_site *s, int known) { }
void upck_uses_given(const struct upck_site *s, const void *value) { }
void upck_doubtful(const struct upck_site *s, const char *id, const char *words) { }
void upck_alias(const struct upck_site *s, shared const void *p, const void *q) { }
static int depth;
void upck_forall_begin(const struct upck_site *s, int controlling) { depth += controlling; }
void upck_forall_end(const struct upck_site *s, unsigned long hash, unsigned long trips) { depth = 0; }
int upck_forall_depth(void) { return depth; }
void upck_forall_left(int d) { depth = d; }
unsigned long upck_forall_integer(const struct upck_site *s, unsigned long hash, long value) { return hash + value; }
void upck_forall_negative(const struct upck_site *s, long value) { }
unsigned long upck_forall_pointer(const struct upck_site *s, unsigned long hash, shared const void *value) { return hash; }
void upck_forall_enters(const struct upck_site *s) { }
int upck_spins(const struct upck_site *s, int goes_on) { return goes_on; }
void upck_forall_setjmp(const void *buffer) { }
void upck_forall_longjmp(const struct upck_site *s, const void *buffer) { }
`

// standInText is the stand-in with a wrapper of every library function that only calls it.
func (b *builder) standInText() (string, error) {
	var text strings.Builder
	for _, h := range libraryHeaders {
		fmt.Fprintf(&text, "#include <%s>\n", h)
	}
	text.WriteString("#include <stdlib.h>\n")
	path := filepath.Join(b.dir, "headers.upc")
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		return "", err
	}
	preprocessed, err := b.preprocess(path, 0)
	if err != nil {
		return "", err
	}
	file, _ := syntax.Parse(path, preprocessed)
	info := types.Check(file, config(0).Config)
	text.WriteString(standIn)
	for _, o := range info.Objects {
		f, ok := o.Type.T.(*types.Func)
		if !ok || !strings.HasPrefix(o.Name, "upc_") {
			continue
		}
		parameters, names := []string{"const struct upck_site *s"}, []string{}
		for i, p := range f.Params {
			names = append(names, fmt.Sprintf("p%d", i))
			parameters = append(parameters, types.Declare(p, names[i], nil))
		}
		back := "return "
		if f.Result.IsVoid() {
			back = ""
		}
		fmt.Fprintf(&text, "%s(%s) { %s%s(%s); }\n", types.Declare(f.Result, "upckw_"+o.Name, nil),
			strings.Join(parameters, ", "), back, o.Name,
			strings.Join(names, ", "))
	}
	return text.String(), nil
}

// withChecks instruments a checked source, with calls of functions followed too, and gives the result checked anew.
func withChecks(file *syntax.File, info *types.Info, c types.Config) (*syntax.File, *types.Info, error) {
	text := instrument.Instrument(file, info, instrument.Options{Config: c, Stack: true,
		Wrapped: func(name string) bool { return strings.HasPrefix(name, "upc_") }})
	again, diags := syntax.Parse(file.Path, text.Bytes)
	checked := types.Check(again, c)
	for _, d := range append(diags, checked.Diagnostics...) {
		if d.Severity == syntax.Error {
			return nil, nil, fmt.Errorf("%v: instrumented text: %s", again.Position(d.Pos), d.Message)
		}
	}
	return again, checked, nil
}

// TestInstrumentedConformance: the facts hold as well in programs that are instrumented, with a run-time of the checker
// that does nothing. Nightly these are all facts, else those of some files: TestCheckedConformance has all, with the
// checks.
func TestInstrumentedConformance(t *testing.T) {
	b := &builder{dir: t.TempDir(), fast: !testkit.Nightly()}
	some := []string{"statements.upc", "collectives.upc", "nonblocking.upc"}
	for _, f := range facts(t) {
		if testkit.Nightly() || slices.Contains(some, filepath.Base(f.file)) {
			b.facts = append(b.facts, f)
		}
	}
	text, err := b.standInText()
	if err != nil {
		t.Fatal(err)
	}
	checker := filepath.Join(b.dir, "checker.upc")
	if err := os.WriteFile(checker, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	plain, err := b.object(checker, 0)
	if err != nil {
		t.Fatal(err)
	}
	b.instrument = true
	objects, err := b.objects(0)
	if err != nil {
		t.Fatal(err)
	}
	mpi, launches := "openmpi", []launch{{threads: 4, node: 2}}
	if testkit.Nightly() {
		mpi, launches = "mpich", append(launches, launch{threads: 1}, launch{threads: 4})
	}
	program, err := b.link(mpi, append(objects, plain)...)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range launches {
		l.mpi = mpi
		for _, problem := range b.check(program, l) {
			t.Error(problem)
		}
	}
}

// TestInstrumentedKernels: what is put into the benchmarks' sources leaves them UPC that can be lowered, and no loop
// that runs through a thread's own iterations becomes one that asks in each.
func TestInstrumentedKernels(t *testing.T) {
	b := &builder{dir: t.TempDir()}
	sources, err := filepath.Glob("../../bench/upc/programs/*.upc")
	if err != nil || len(sources) == 0 {
		t.Fatalf("no programs: %v", err)
	}
	own := 0
	for _, s := range sources {
		text, err := b.preprocess(s, 0)
		if err != nil {
			t.Fatal(err)
		}
		file, _ := syntax.Parse(s, text)
		c := config(0)
		info := types.Check(file, c.Config)
		before, err := lower.Lower(file, info, c)
		if err != nil {
			t.Fatal(err)
		}
		file, info, err = withChecks(file, info, c.Config)
		if err != nil {
			t.Fatal(err)
		}
		after, err := lower.Lower(file, info, c)
		if err != nil {
			t.Fatal(err)
		}
		const row = "= upcr_rows("
		if n, m := strings.Count(string(before.Bytes), row), strings.Count(string(after.Bytes), row); n != m {
			t.Errorf("%s: %d loops over a thread's own iterations, and %d with checks", s, n, m)
		}
		own += strings.Count(string(before.Bytes), row)
	}
	if own == 0 {
		t.Error("no loop over a thread's own iterations")
	}
}
