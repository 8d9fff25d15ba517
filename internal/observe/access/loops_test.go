package access

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"unknot/internal/observe/probe"
	"unknot/internal/test/testkit"
	"unknot/internal/test/testkit/oracle/seeds"
)

// TestRandomLoopsAreToldAsTheyAccess compiles loops over arrays, and has them run with marks at their first and last
// elements, others, and beside them. The probe must be called for exactly what a naive run of the same loops accesses
// of marked memory.
func TestRandomLoopsAreToldAsTheyAccess(t *testing.T) {
	testkit.TakesLong(t)
	from, to := seeds.Range(t, 4, 400)
	for seed := from; seed <= to; seed++ {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(seed, 0))
			level := []string{"-O2", "-O3", "-O1", "-Og"}[seed%4]
			program := buildLoops(t, randomLoops(r, 60), level)
			out, err := exec.Command(program, fmt.Sprint(seed)).CombinedOutput()
			if err != nil {
				t.Fatalf("seed %d, %s: %v\n%s", seed, level, err, out)
			}
			clean, err := strconv.Atoi(strings.TrimSpace(string(out)))
			if asks := level != "-Og"; err != nil || asks != (clean > 300) {
				t.Errorf("seed %d, %s: in %s of 2400 runs there was a range without marks", seed, level, out)
			}
		})
	}
}

// TestLoopsAskForWhatTheyReach has loops run with marks at, between and beside what they access.
func TestLoopsAskForWhatTheyReach(t *testing.T) {
	testkit.TakesLong(t)
	for _, level := range []string{"-O1", "-O2", "-O3"} {
		b := newBuild(t)
		b.unknot(level, "-fstrict-aliasing", "-c", "testdata/asked.c", "-o", b.path("asked.o"))
		if out, err := exec.Command(b.link("asked.o")).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", level, err, out)
		}
	}
}

// TestLoopsWithoutTestsAreVectorised compiles a loop that there are three of: the plain one, the one that has been
// asked about, and one with tests, which cannot be.
func TestLoopsWithoutTestsAreVectorised(t *testing.T) {
	b := newBuild(t)
	const loop = "void scale(double *restrict a, const double *restrict b, int n)\n{\n    for (int i = 0; i < n; " +
		"i++)\n        a[i] = 2 * b[i];\n}\n"
	b.write("scale.c", loop)
	if out := b.unknot("-O3", "-fopt-info-vec-optimized", "-c", b.path("scale.c"), "-o",
		b.path("scale.o")); strings.Count(out, "loop vectorized") != 2 {
		t.Errorf("the compiler says:\n%s", out)
	}
}

// build makes a program in a separate directory, with a runtime whose answers the program sees.
type build struct {
	t   *testing.T
	dir string
}

func newBuild(t *testing.T) build {
	t.Helper()
	b := build{t, t.TempDir()}
	if err := os.Mkdir(b.path("objects"), 0o755); err != nil {
		t.Fatal(err)
	}
	b.write("objects/access.h", string(probe.AccessHeader()))
	return b
}

func (b build) path(name string) string { return filepath.Join(b.dir, name) }

func (b build) write(name, text string) {
	b.t.Helper()
	if err := os.WriteFile(b.path(name), []byte(text), 0o644); err != nil {
		b.t.Fatal(err)
	}
}

func (b build) flags(args []string) []string {
	return append([]string{"-std=gnu11", "-g", "-I", "testdata", "-I", b.dir}, args...)
}

// plainly compiles without unknot.
func (b build) plainly(args ...string) {
	b.t.Helper()
	if out, err := exec.Command("mpicc.mpich", b.flags(args)...).CombinedOutput(); err != nil {
		b.t.Fatalf("%v\n%s", err, out)
	}
}

// unknot compiles or links as `unknot mpicc` does, and returns what the compiler says.
func (b build) unknot(args ...string) string {
	b.t.Helper()
	var out strings.Builder
	if status, err := Languages()[0].compile(b.t.Context(), "mpicc.mpich", b.flags(args), nil, &out,
		&out); err != nil || status != 0 {
		b.t.Fatalf("%v, status %d\n%s", err, status, &out)
	}
	return out.String()
}

func (b build) link(objects ...string) (program string) {
	b.t.Helper()
	program = b.path("program")
	args := []string{"-Wl,--wrap=__link_by_unknot_mpicc_wanted", "-o", program}
	for _, o := range objects {
		args = append(args, b.path(o))
	}
	b.unknot(args...)
	return program
}

// buildLoops makes a program of testdata/loops.c and loops: functions into which their names are to be put.
func buildLoops(t *testing.T, loops []string, level string) (program string) {
	t.Helper()
	var text, table strings.Builder
	text.WriteString("#include \"loops.h\"\n")
	table.WriteString("#include \"loops.h\"\n")
	for k, l := range loops {
		name := fmt.Sprintf("NAME(%d)", k)
		fmt.Fprintf(&text, "\nvoid %s(int n);\n%s", name, fmt.Sprintf(l, name))
		fmt.Fprintf(&table, "void tested_%d(int n);\nvoid naive_%d(int n);\n", k, k)
	}
	fmt.Fprintf(&table, "const int loops_count = %d;\nconst struct loop loops[] = {\n", len(loops))
	for k, l := range loops {
		fmt.Fprintf(&table, "    {%q, tested_%d, naive_%d},\n", fmt.Sprintf(l, "loop"), k, k)
	}
	table.WriteString("};\n")
	b := newBuild(t)
	b.write("text.c", text.String())
	b.write("table.c", table.String())
	b.plainly("-O1", "-DNAIVE", "-c", b.path("text.c"), "-o", b.path("naive.o"))
	b.plainly("-O1", "-Wall", "-Wextra", "-Werror", "-c", "testdata/loops.c", "-o", b.path("main.o"))
	b.plainly("-c", b.path("table.c"), "-o", b.path("table.o"))
	b.unknot(level, "-c", b.path("text.c"), "-o", b.path("tested.o"))
	return b.link("tested.o", "naive.o", "main.o", "table.o")
}

// randomLoops are n of them.
func randomLoops(r *rand.Rand, n int) []string {
	loops := make([]string, n)
	for i := range loops {
		loops[i] = randomLoop(r)
	}
	return loops
}

func pick[T any](r *rand.Rand, list ...T) T { return list[r.IntN(len(list))] }

// randomLoop is a function with a loop, or a nest of two.
func randomLoop(r *rand.Rand) string {
	header, index := randomHeader(r)
	store := fmt.Sprintf("S(%s) = %s;", randomTarget(r, index), randomValue(r, index))
	switch r.IntN(5) {
	case 0:
		store = fmt.Sprintf("if (L(m.chosen[%s]) == 1)\n            %s", subscript(index, 1, 0), store)
	case 1:
		store = fmt.Sprintf("L(m.sum), S(m.sum) += %s;", randomValue(r, index))
	}
	return fmt.Sprintf("void %%s(int n)\n{\n    double *p = m.d + 900, *end = p + n;\n    (void)p, (void)end;\n%s    "+
		"    %s\n}\n", header, store)
}

// randomHeader is the head of a loop that is run about n times, and an expression that is at most 700 and at least 0.
func randomHeader(r *rand.Rand) (header, index string) {
	kind := pick(r, "int", "unsigned", "long", "short", "unsigned char", "size_t")
	switch r.IntN(8) {
	case 0:
		return fmt.Sprintf("    for (%s i = 0; i < L(m.count); i++)\n", pick(r, "int", "long", "short")), "i"
	case 1:
		return fmt.Sprintf("    for (%s i = n; i > 0; i--)\n", kind), "i"
	case 2:
		return fmt.Sprintf("    for (%s i = 0; i < 3 * n; i += 3)\n", pick(r, "int", "unsigned", "long")), "i"
	case 3:
		return fmt.Sprintf("    %s w = 200;\n    for (int i = 0; i < n; i++, w += 7)\n", kind), "(w & 511)"
	case 4:
		return fmt.Sprintf("    unsigned char i = %d;\n    for (int k = 0; k < n; k++, i++)\n", r.IntN(256)), "i"
	case 5:
		return "    for (int y = 1; y < 7; y++)\n    for (int i = 0; i < n; i++)\n", "(y * ROW + i)"
	case 6:
		return "    for (int i = 0; p < end; p++, i++)\n", "i"
	default:
		return fmt.Sprintf("    for (%s i = 0; i < n; i++)\n", kind), "i"
	}
}

// subscript is a number below LENGTH for an index of at most 700.
func subscript(index string, factor, plus int) string {
	return fmt.Sprintf("%d * %s + %d", factor, index, plus)
}

func randomSubscript(r *rand.Rand, index string) string {
	switch r.IntN(8) {
	case 0:
		return fmt.Sprintf("%d - 2 * %s", 1500+r.IntN(20), index)
	case 1:
		return subscript(index, pick(r, 2, 3, 5), r.IntN(20))
	case 2:
		return fmt.Sprintf("(%s & 63) * L(m.stride)", index)
	case 3:
		return subscript(index, 1, r.IntN(2000))
	default:
		return subscript(index, 1, r.IntN(4))
	}
}

// randomTarget is what is stored to, which no value loads.
func randomTarget(r *rand.Rand, index string) string {
	switch r.IntN(4) {
	case 0:
		return fmt.Sprintf("L(m.to)[%s]", randomSubscript(r, index))
	case 1:
		return fmt.Sprintf("m.%s[%s]", pick(r, "c", "s", "i"), randomSubscript(r, index))
	case 2:
		return fmt.Sprintf("m.p[%s].y", randomSubscript(r, index))
	default:
		return fmt.Sprintf("m.e[%s]", randomSubscript(r, index))
	}
}

func randomValue(r *rand.Rand, index string) string {
	sum := make([]string, 1+r.IntN(4))
	for i := range sum {
		switch r.IntN(8) {
		case 0:
			sum[i] = fmt.Sprintf("L(m.f[%s])", randomSubscript(r, index))
		case 1:
			sum[i] = fmt.Sprintf("L(m.d[L(m.at[%s])])", subscript(index, 1, 3))
		case 2:
			sum[i] = fmt.Sprintf("L(L(m.from)[%s])", randomSubscript(r, index))
		case 3:
			sum[i] = fmt.Sprintf("L(m.p[%s].%s)", randomSubscript(r, index), pick(r, "x", "z"))
		case 4:
			sum[i] = fmt.Sprintf("L(m.grid[%d][%s & 63])", r.IntN(64), index)
		case 5:
			sum[i] = fmt.Sprintf("L(m.grid[%s & 63][%d])", index, r.IntN(64))
		default:
			sum[i] = fmt.Sprintf("L(m.d[%s])", randomSubscript(r, index))
		}
	}
	return strings.Join(sum, " + ")
}
