//go:build !quick

package suite

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"unknot/internal/test/testkit/oracle/seeds"
)

// A stretch is what one thread reads or writes in a call: bytes of the file from one to before another.
type stretch struct{ from, end int }

// A fileCall is a call of all threads that reads or writes a file, or makes data visible (parts is nil then).
type fileCall struct {
	writes, strong bool
	parts          [][]stretch // of each thread
	line           int
}

// A fileProgram is a function with random calls for one file.
type fileProgram struct {
	name, text string
	calls      []fileCall
}

const fileThreads = 3

// fileForms are calls of the functions that read and write, of $n bytes, with flags $s.
var fileForms = []string{
	"upc_all_f$r_local$a(f, memory, 1, $n, $s)",
	"upc_all_f$r_shared$a(f, room + 64 * MYTHREAD, 64, 1, $n, $s)",
	"upc_all_f$r_list_local$a(f, 1, &local, n, v, $s)",
	"upc_all_f$r_list_shared$a(f, 1, &far, n, v, $s)",
}

// stretches are some of one thread, in its own part of the file unless it strays: ascending, none touches another.
func stretches(r *rand.Rand, thread, most int, strays bool) []stretch {
	var all []stretch
	at := 32 * thread
	if strays && r.IntN(2) == 0 {
		at = r.IntN(32 * fileThreads)
	}
	for range r.IntN(most + 1) {
		one := stretch{at, at + 1 + r.IntN(5)}
		all = append(all, one)
		at = one.end + 1 + r.IntN(3)
	}
	return all
}

// forThreads is an expression with a value for each thread.
func forThreads(parts [][]stretch, value func([]stretch) int) string {
	text := "0"
	for t, own := range parts {
		text = fmt.Sprintf("MYTHREAD == %d ? %d : %s", t, value(own), text)
	}
	return text
}

// move writes a call that reads or writes, and what comes before and after it.
func (p *fileProgram) move(r *rand.Rand, line func(string, ...any) int, strong, strays bool) {
	form, async := r.IntN(len(fileForms)), r.IntN(2) == 0
	c := fileCall{writes: r.IntN(5) < 3, strong: strong}
	most := 1
	if form > 1 {
		most = 3
	}
	for t := range fileThreads {
		c.parts = append(c.parts, stretches(r, t, most, strays))
	}
	bytes := forThreads(c.parts, func(s []stretch) (n int) {
		for _, one := range s {
			n += one.end - one.from
		}
		return n
	})
	if form > 1 {
		line("n = %s;", forThreads(c.parts, func(s []stretch) int { return len(s) }))
		line("local.len = far.len = %s;", bytes)
		for i := range most {
			nth := func(of func(stretch) int) string {
				return forThreads(c.parts, func(s []stretch) int {
					if i < len(s) {
						return of(s[i])
					}
					return 0
				})
			}
			line("v[%d] = (struct upc_filevec){%s, %s};", i, nth(func(s stretch) int { return s.from }),
				nth(func(s stretch) int { return s.end - s.from }))
		}
	} else {
		line("upc_all_fseek(f, %s, UPC_SEEK_SET);", forThreads(c.parts, func(s []stretch) int {
			if len(s) == 0 {
				return 0
			}
			return s[0].from
		}))
	}
	words := strings.NewReplacer("$r", map[bool]string{false: "read", true: "write"}[c.writes], "$a",
		map[bool]string{true: "_async"}[async], "$n", bytes,
		"$s", []string{"0", "UPC_IN_NOSYNC | UPC_OUT_NOSYNC"}[r.IntN(2)])
	c.line = line("%s;", words.Replace(fileForms[form]))
	if async {
		line("upc_all_fwait_async(f);")
	}
	p.calls = append(p.calls, c)
}

// makesVisible are calls after which all threads see what was written before.
var makesVisible = []string{"upc_all_fsync(f);", "upc_all_fset_size(f, 1000);",
	"upc_all_fcntl(f, UPC_SET_INDIVIDUAL_FP, 0);",
	"upc_all_fclose(f); f = upc_all_fopen(\"$\", UPC_RDWR | UPC_INDIVIDUAL_FP, 0, 0);"}

// randomFileProgram has some of what does not make anything visible between its calls, too.
func randomFileProgram(seed uint64) *fileProgram {
	r := rand.New(rand.NewPCG(seed, 29))
	p := &fileProgram{name: fmt.Sprintf("parts%d", seed)}
	var text strings.Builder
	lines, strong, strays := 0, r.IntN(4) == 0, r.IntN(3) > 0
	line := func(format string, args ...any) int {
		fmt.Fprintf(&text, format+"\n", args...)
		lines++
		return lines
	}
	flag := map[bool]string{true: " | UPC_STRONG_CA"}
	line("static void %s(void) {", p.name)
	line("static shared [64] char room[64 * THREADS];")
	line("char memory[64] = {0};")
	line("struct upc_local_memvec local = {memory, 0};")
	line("struct upc_shared_memvec far = {room + 64 * MYTHREAD, 64, 0};")
	line("struct upc_filevec v[3];")
	line("size_t n = 0;")
	line("upc_file_t *f = upc_all_fopen(\"%s\", UPC_RDWR | UPC_CREATE | UPC_INDIVIDUAL_FP%s, 0, 0);", p.name,
		flag[strong])
	line("upc_all_fset_size(f, 1000);")
	for range 25 {
		switch r.IntN(12) {
		case 0, 1:
			i := r.IntN(len(makesVisible))
			line("%s", strings.ReplaceAll(makesVisible[i], "$", p.name))
			strong = strong && i < 3
			p.calls = append(p.calls, fileCall{})
		case 2:
			strong = !strong
			line("upc_all_fcntl(f, UPC_SET_%s_CA_SEMANTICS, 0);",
				map[bool]string{false: "WEAK", true: "STRONG"}[strong])
			p.calls = append(p.calls, fileCall{})
		case 3:
			line([]string{"upc_barrier;", "upc_all_fget_size(f);", "upc_all_fcntl(f, UPC_GET_FL, 0);",
				"upc_fence;"}[r.IntN(4)])
		default:
			p.move(r, line, strong, strays)
		}
	}
	line("(void)n; (void)v; (void)local; (void)far;")
	line("upc_all_fclose(f);")
	line("}")
	p.text = text.String()
	return p
}

// clash says whether two threads' parts in two calls, of which the second is not before the first, are an error.
func clash(first, second *fileCall, a, b []stretch) bool {
	if first.strong || !first.writes {
		return false
	}
	for _, x := range a {
		for _, y := range b {
			if x.from < y.end && y.from < x.end {
				return true
			}
		}
	}
	return false
}

// wrongLines are the lines of the calls that write or read what another thread has written since all could see it.
func (p *fileProgram) wrongLines() []int {
	wrong := map[int]bool{}
	for i := range p.calls {
		second := &p.calls[i]
		for j := i; j >= 0 && p.calls[j].parts != nil; j-- {
			first := &p.calls[j]
			for t, a := range first.parts {
				for u, b := range second.parts {
					if t != u && clash(first, second, a, b) {
						wrong[second.line] = true
					}
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(wrong))
}

var spokenLine = regexp.MustCompile(`\((parts\d+)\.upc:(\d+)\)`)

// toldLines are the lines of the later calls that are reported, by function. The row is that of the call.
func toldLines(t *testing.T, told string) map[string][]int {
	t.Helper()
	lines := map[string][]int{}
	for _, m := range messages(told) {
		name, last := "", 0
		for _, at := range spokenLine.FindAllStringSubmatch(m.sentence, -1) {
			n, _ := strconv.Atoi(at[2])
			name, last = at[1], max(last, n)
		}
		if m.code != "upc-race" || last == 0 {
			t.Errorf("told: %s %s", m.code, m.sentence)
		}
		reads := strings.Contains(m.sentence, " and read by ")
		if strings.HasPrefix(m.id, "R") != reads {
			t.Errorf("the row is %s: %s", m.id, m.sentence)
		}
		lines[name] = append(lines[name], last)
	}
	for name, all := range lines {
		slices.Sort(all)
		lines[name] = slices.Compact(all)
	}
	return lines
}

// TestPartsOfFiles has random programs read and write parts of files. Each call that has a part in an error is
// reported, and no other.
func TestPartsOfFiles(t *testing.T) {
	from, to := seeds.Range(t, 6, 400)
	var all []*fileProgram
	var text, calls strings.Builder
	text.WriteString("#include <upc.h>\n#include <upc_io.h>\n")
	for seed := from; seed <= to; seed++ {
		p := randomFileProgram(seed)
		all = append(all, p)
		fmt.Fprintf(&text, "# 1 \"%s.upc\"\n%s", p.name, p.text)
		fmt.Fprintf(&calls, "\t%s();\n", p.name)
	}
	text.WriteString("int main(void)\n{\n" + calls.String() + "\treturn 0;\n}\n")
	for _, mpi := range mpis {
		if few() && mpi != "mpich" {
			continue
		}
		l := launch{mpi: mpi, threads: fileThreads, env: []string{"UPCCHECK_STOP_ON_ERROR=FALSE"}}
		_, told := run(t, l, shared.link(t, mpi, true, nil, source{"all.upc", text.String()}))
		lines := toldLines(t, told)
		wrong, right := 0, 0
		for _, p := range all {
			want := p.wrongLines()
			if len(want) > 0 {
				wrong++
			} else {
				right++
			}
			if !slices.Equal(lines[p.name], want) {
				t.Errorf("%v: told of lines %v of %s, want %v; repeat with UNKNOT_SEED=%s\n%s", l, lines[p.name],
					p.name, want, strings.TrimPrefix(p.name, "parts"), p.text)
			}
		}
		t.Logf("%v: %d programs with errors, %d without", l, wrong, right)
		if from == 1 && (wrong == 0 || right == 0) {
			t.Errorf("%d programs with errors, %d without", wrong, right)
		}
	}
}
