package programs

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"unknot/internal/test/testkit"
	"unknot/internal/test/testkit/whole"
	"unknot/internal/vocab/finding"
)

// How two accesses to one place of a window are made, by whom, and under which synchronisation. The window is rank 0's.
type (
	// operation is an access; $ stands for the variables of the one that makes it, @ for the place.
	operation struct{ name, code string }
	// pair are two that conflict.
	pair struct{ a, b string }
	// manner has the two made by one rank, by two, or by one and by the owner of the window. The broken text has
	// nothing between them that orders them, the fixed one has.
	manner struct{ name, broken, fixed string }
	// discipline is a kind of synchronisation. A program has all pairs of one, as those of some kinds must not be mixed
	// on a window.
	discipline struct {
		name    string
		manners []manner
	}
)

var operations = []operation{
	{"put", "MPI_Put(&$in, 1, MPI_INT, 0, @, 1, MPI_INT, win);"},
	{"get", "MPI_Get(&$out, 1, MPI_INT, 0, @, 1, MPI_INT, win);"},
	{"sum", "MPI_Accumulate(&$in, 1, MPI_INT, 0, @, 1, MPI_INT, MPI_SUM, win);"},
	{"max", "MPI_Accumulate(&$in, 1, MPI_INT, 0, @, 1, MPI_INT, MPI_MAX, win);"},
	{"getsum", "MPI_Get_accumulate(&$in, 1, MPI_INT, &$out, 1, MPI_INT, 0, @, 1, MPI_INT, MPI_SUM, win);"},
	{"fetch", "MPI_Fetch_and_op(&$in, &$out, MPI_INT, 0, @, MPI_SUM, win);"},
	{"swap", "MPI_Compare_and_swap(&$in, &$cmp, &$out, MPI_INT, 0, @, win);"},
	{"rput", "MPI_Request r; MPI_Rput(&$in, 1, MPI_INT, 0, @, 1, MPI_INT, win, &r); MPI_Wait(&r, MPI_STATUS_IGNORE);"},
	{"rsum", "MPI_Request r; MPI_Raccumulate(&$in, 1, MPI_INT, 0, @, 1, MPI_INT, MPI_SUM, win, &r); MPI_Wait(&r, " +
		"MPI_STATUS_IGNORE);"},
	{"rget", "MPI_Request r; MPI_Rget(&$out, 1, MPI_INT, 0, @, 1, MPI_INT, win, &r); MPI_Wait(&r, MPI_STATUS_IGNORE);"},
	{"send", "MPI_Send(&memory[@], 1, MPI_INT, 3, 0, MPI_COMM_WORLD);"},
	{"recv", "MPI_Recv(&memory[@], 1, MPI_INT, 3, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);"},
	{"add", "MPI_Reduce_local(&$in, &memory[@], 1, MPI_INT, MPI_SUM);"},
	{"load", "value = memory[@];"},
	{"store", "memory[@] = value;"},
	{"bump", "memory[@]++;"},
	{"copy", "memcpy(&value, &memory[@], sizeof value);"},
	{"fill", "memset(&memory[@], 0, sizeof *memory);"},
}

// remote are the pairs of calls on a window, requests those that only a lock allows (MPI-4.0, 12.3.5), owners those of
// a call on the window with a call of its owner, plain those with what the owner does without a call. What the owner
// receives may bring it word of what was done under a lock, so such a pair is no error there.
var (
	remote = []pair{{"put", "put"}, {"put", "get"}, {"get", "put"}, {"put", "sum"}, {"put", "getsum"},
		{"put", "fetch"}, {"put", "swap"}, {"get", "sum"}, {"getsum", "get"}, {"get", "fetch"}, {"swap", "get"}}
	requests = []pair{{"rput", "get"}, {"rput", "put"}, {"get", "rput"}, {"rsum", "get"}, {"put", "rget"},
		{"rsum", "rput"}}
	owners = []pair{{"put", "send"}, {"sum", "send"}, {"getsum", "send"}, {"fetch", "send"}, {"swap", "send"},
		{"put", "add"}, {"get", "add"}, {"sum", "add"}}
	plain = []pair{{"put", "load"}, {"sum", "load"}, {"getsum", "load"}, {"fetch", "load"}, {"swap", "load"},
		{"put", "copy"}, {"put", "store"}, {"get", "store"}, {"sum", "store"}, {"fetch", "store"}, {"put", "bump"},
		{"get", "bump"}, {"get", "fill"}, {"swap", "fill"}}
	received = []pair{{"put", "recv"}, {"get", "recv"}, {"sum", "recv"}, {"fetch", "recv"}}
)

const (
	owned = "if (rank == 3) PEER\nif (rank == 0)\nB"
)

var disciplines = []discipline{
	{"fence", []manner{
		{"one", "MPI_Win_fence(0, win);\nif (rank == 1) {\nA\nB\n}\nMPI_Win_fence(0, win);",
			"MPI_Win_fence(0, win);\nif (rank == 1) {\nA\n}\nMPI_Win_fence(0, win);\nif (rank == 1) " +
				"{\nB\n}\nMPI_Win_fence(0, win);"},
		{"two", "MPI_Win_fence(0, win);\nif (rank == 1)\nA\nif (rank == 2)\nB\nMPI_Win_fence(0, win);",
			"MPI_Win_fence(0, win);\nif (rank == 1)\nA\nMPI_Win_fence(0, win);\nif (rank == " +
				"2)\nB\nMPI_Win_fence(0, win);"},
		{"owner", "MPI_Win_fence(0, win);\nif (rank == 1)\nA\n" + owned + "\nMPI_Win_fence(0, win);",
			"MPI_Win_fence(0, win);\nif (rank == 1)\nA\nMPI_Win_fence(0, win);\n" + owned + "\nMPI_Win_fence(0, win);"},
		{"barrier", "MPI_Win_fence(0, win);\nif (rank == 0)\nB\nif (rank == " +
			"1)\nA\nMPI_Barrier(MPI_COMM_WORLD);\nMPI_Win_fence(0, win);",
			"MPI_Win_fence(0, win);\nif (rank == 0)\nB\nMPI_Barrier(MPI_COMM_WORLD);\nif (rank == " +
				"1)\nA\nMPI_Win_fence(0, win);"},
		{"late", "MPI_Win_fence(0, win);\nif (rank == 1)\nA\nMPI_Barrier(MPI_COMM_WORLD);\nif (rank == " +
			"0)\nB\nMPI_Win_fence(0, win);",
			"MPI_Win_fence(0, win);\nif (rank == 1)\nA\nMPI_Win_fence(0, win);\nif (rank == " +
				"0)\nB\nMPI_Win_fence(0, win);"},
		{"first", "MPI_Win_fence(MPI_MODE_NOPRECEDE, win);\nif (rank == 0)\nB\nif (rank == " +
			"1)\nA\nMPI_Win_fence(MPI_MODE_NOSUCCEED, win);", "if (rank == 0)\nB\nMPI_Win_fence(MPI_MODE_NOPRECEDE, " +
			"win);\nif (rank == 1)\nA\nMPI_Win_fence(MPI_MODE_NOSUCCEED, win);"},
	}},
	{"start", []manner{
		{"one", "if (rank == 0) { MPI_Win_post(one, 0, win); MPI_Win_wait(win); }\nif (rank == 1) " +
			"{\nMPI_Win_start(zero, 0, win);\nA\nB\nMPI_Win_complete(win);\n}",
			"if (rank == 0) { MPI_Win_post(one, 0, win); MPI_Win_wait(win); MPI_Win_post(one, 0, win); " +
				"MPI_Win_wait(win); }\nif (rank == 1) {\nMPI_Win_start(zero, 0, " +
				"win);\nA\nMPI_Win_complete(win);\nMPI_Win_start(zero, 0, win);\nB\nMPI_Win_complete(win);\n}"},
		{"two", "if (rank == 0) { MPI_Win_post(both, 0, win); MPI_Win_wait(win); }\nif (rank == 1) " +
			"{\nMPI_Win_start(zero, 0, win);\nA\nMPI_Win_complete(win);\n}\nif (rank == 2) {\nMPI_Win_start(zero, 0, " +
			"win);\nB\nMPI_Win_complete(win);\n}",
			"if (rank == 0) { MPI_Win_post(one, 0, win); MPI_Win_wait(win); MPI_Win_post(second, 0, win); " +
				"MPI_Win_wait(win); }\nif (rank == 1) {\nMPI_Win_start(zero, 0, " +
				"win);\nA\nMPI_Win_complete(win);\n}\nif (rank == 2) {\nMPI_Win_start(zero, 0, " +
				"win);\nB\nMPI_Win_complete(win);\n}"},
		{"owner", "if (rank == 0) MPI_Win_post(one, 0, win);\nif (rank == 1) {\nMPI_Win_start(zero, 0, " +
			"win);\nA\nMPI_Win_complete(win);\n}\n" + owned + "\nif (rank == 0) MPI_Win_wait(win);",
			"if (rank == 0) { MPI_Win_post(one, 0, win); MPI_Win_wait(win); }\nif (rank == 1) {\nMPI_Win_start(zero, " +
				"0, win);\nA\nMPI_Win_complete(win);\n}\n" + owned},
		{"read", posted("A\nMPI_Barrier(MPI_COMM_WORLD);\nMPI_Win_complete(win);"),
			posted("A\nMPI_Win_complete(win);\nMPI_Barrier(MPI_COMM_WORLD);")},
	}},
	{"shared", []manner{
		{"one", "if (rank == 1) {\nMPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);\nA\nB\nMPI_Win_unlock(0, win);\n}",
			"if (rank == 1) {\nMPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);\nA\nMPI_Win_flush(0, " +
				"win);\nB\nMPI_Win_unlock(0, win);\n}"},
		{"two", lock("1", "SHARED", "A") + "\n" + lock("2", "SHARED", "B"), lock("1", "SHARED", "A") +
			"\nMPI_Barrier(MPI_COMM_WORLD);\n" + lock("2", "SHARED", "B")},
		{"unflushed", "if (rank == 1) {\nMPI_Win_lock(MPI_LOCK_SHARED, 0, 0, " +
			"win);\nA\n}\nMPI_Barrier(MPI_COMM_WORLD);\n" + lock("2", "SHARED", "B") +
			"\nif (rank == 1) MPI_Win_unlock(0, win);",
			"if (rank == 1) {\nMPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);\nA\nMPI_Win_flush(0, " +
				"win);\n}\nMPI_Barrier(MPI_COMM_WORLD);\n" + lock("2", "SHARED", "B") +
				"\nif (rank == 1) MPI_Win_unlock(0, win);"},
		{"told", informed(shared+"A"+word+unlock, shared+"B"+unlock), informed(shared+"A"+unlock+word, shared+"B"+unlock)},
		{"owner", lock("1", "SHARED", "A") + "\n" + owned, lock("1", "SHARED", "A") +
			"\nMPI_Barrier(MPI_COMM_WORLD);\n" + owned},
		{"self", "if (rank == 0) {\n" + shared + "A\nB\nMPI_Win_unlock(0, win);\n}", "if (rank == 0) {\n" + shared +
			"A\nMPI_Win_flush(0, win);\nB\nMPI_Win_unlock(0, win);\n}"},
	}},
	{"exclusive", []manner{
		{"one", "if (rank == 1) {\nMPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);\nA\nB\nMPI_Win_unlock(0, win);\n}",
			lock("1", "EXCLUSIVE", "A") + "\n" + lock("1", "EXCLUSIVE", "B")},
	}},
	{"all", []manner{
		{"one", "if (rank == 1) {\nA\n}\nif (rank == 1) {\nB\n}\nMPI_Win_flush_all(win);",
			"if (rank == 1) {\nA\n}\nMPI_Win_flush_all(win);\nif (rank == 1) {\nB\n}\nMPI_Win_flush_all(win);"},
		{"two", "if (rank == 1) {\nA\n}\nif (rank == 2) {\nB\n}\nMPI_Win_flush_all(win);",
			"if (rank == 1) {\nA\n}\nMPI_Win_flush_all(win);\nMPI_Barrier(MPI_COMM_WORLD);\nif (rank == 2) " +
				"{\nB\n}\nMPI_Win_flush_all(win);"},
		{"local", "if (rank == 1) {\nA\n}\nMPI_Win_flush_local_all(win);\nMPI_Barrier(MPI_COMM_WORLD);\nif (rank == " +
			"2) {\nB\n}\nMPI_Win_flush_all(win);", "if (rank == 1) {\nA\n}\nMPI_Win_flush(0, " +
			"win);\nMPI_Barrier(MPI_COMM_WORLD);\nif (rank == 2) {\nB\n}\nMPI_Win_flush_all(win);"},
		{"told", informed("A"+word+flush, "B"+flush), informed("A"+flush+word, "B"+flush)},
		{"self", "if (rank == 0) {\nA\nB\nMPI_Win_flush(0, win);\n}",
			"if (rank == 0) {\nA\nMPI_Win_flush(0, win);\nB\n}"},
		{"sent", "if (rank == 1) {\nA\nMPI_Win_flush(0, win);\n}\nif (rank == 0) {" + word +
			"\nB\n}\nif (rank == 2) " + heard("0"),
			"if (rank == 1) {\nA\nMPI_Win_flush(0, win);\nMPI_Send(&value, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);\n}\nif " +
				"(rank == 0) {\n" + heard("1") + "\nB\n}"},
		{"locally", "if (rank == 1) {\nA\nMPI_Get(&a_out, 1, MPI_INT, 0, 399, 1, MPI_INT, " +
			"win);\nMPI_Win_flush_local(0, win);\n}\nMPI_Barrier(MPI_COMM_WORLD);\nif (rank == 2) " +
			"{\nB\n}\nMPI_Win_flush_all(win);",
			"if (rank == 1) {\nA\nMPI_Get(&a_out, 1, MPI_INT, 0, 399, 1, MPI_INT, win);\nMPI_Win_flush(0, " +
				"win);\n}\nMPI_Barrier(MPI_COMM_WORLD);\nif (rank == 2) {\nB\n}\nMPI_Win_flush_all(win);"},
		{"apart", "if (rank == 3) {\nMPI_Send(&value, 1, MPI_INT, 1, 2, MPI_COMM_WORLD);\nMPI_Send(&value, 1, " +
			"MPI_INT, 2, 2, MPI_COMM_WORLD);\n}\nif (rank == 1) {\n" + heard("3") +
			"\nA\nMPI_Win_flush(0, win);\n}\nif (rank == 2) {\n" + heard("3") + "\nB\nMPI_Win_flush(0, win);\n}",
			"if (rank == 1) {\nA\nMPI_Win_flush(0, win);\nMPI_Send(&value, 1, MPI_INT, 3, 2, MPI_COMM_WORLD);\n}\nif " +
				"(rank == 3) {\n" + heard("1") +
				"\nMPI_Send(&value, 1, MPI_INT, 2, 2, MPI_COMM_WORLD);\n}\nif (rank == 2) {\n" + heard("3") +
				"\nB\nMPI_Win_flush(0, win);\n}"},
	}},
}

const (
	word   = "\nMPI_Send(&value, 1, MPI_INT, 2, 2, MPI_COMM_WORLD);"
	shared = "MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);\n"
	unlock = "\nMPI_Win_unlock(0, win);"
	flush  = "\nMPI_Win_flush(0, win);"
)

// posted has rank 0 do something in an epoch after a barrier, and rank 1 what it is given.
func posted(other string) string {
	return "if (rank == 0) MPI_Win_post(one, 0, win);\nif (rank == 1) {\nMPI_Win_start(zero, 0, win);\n" + other +
		"\n}\nif (rank != 1) MPI_Barrier(MPI_COMM_WORLD);\nif (rank == 0)\nB\nif (rank == 0) MPI_Win_wait(win);"
}

// informed has rank 1 send word to rank 2 of an access, which is in order with that of rank 2 if it is complete first.
func informed(one, two string) string {
	return "if (rank == 1) {\n" + one + "\n}\nif (rank == 2) {\n" + heard("1") + "\n" + two + "\n}"
}

// heard receives that word.
func heard(from string) string {
	return "MPI_Recv(&value, 1, MPI_INT, " + from + ", 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);"
}

func lock(rank, kind, what string) string {
	return "if (rank == " + rank + ") {\nMPI_Win_lock(MPI_LOCK_" + kind + ", 0, 0, win);\n" + what +
		"\nMPI_Win_unlock(0, win);\n}"
}

// placed is a pair in a program: the lines of its two accesses.
type placed struct {
	name string
	a, b int
}

// source is the program with all pairs of a discipline.
func (d *discipline) source(fixed bool) (text string, pairs []placed) {
	var lines []string
	add := func(s string) { lines = append(lines, strings.Split(s, "\n")...) }
	add(`#include <mpi.h>
#include <string.h>

static int rank, memory[400], a_in, a_out, a_cmp, b_in, b_out, b_cmp, value;
static MPI_Win win;
static MPI_Group all, zero, one, second, both;
`)
	code := make(map[string]string)
	for _, o := range operations {
		code[o.name] = o.code
	}
	for _, m := range d.manners {
		for _, p := range d.pairs(m.name) {
			n := len(pairs)
			one := placed{name: fmt.Sprintf("%s, %s, %s and %s", d.name, m.name, p.a, p.b)}
			add(fmt.Sprintf("static void pair%d(void)\n{", n))
			text := m.broken
			if fixed {
				text = m.fixed
			}
			for line := range strings.SplitSeq(text, "\n") {
				of := func(name, of string) string {
					return "    { " + strings.NewReplacer("$", of, "@", fmt.Sprint(n)).Replace(code[name]) + " }"
				}
				switch {
				case line == "A":
					line, one.a = of(p.a, "a_"), len(lines)+1
				case line == "B":
					line, one.b = of(p.b, "b_"), len(lines)+1
				case strings.HasSuffix(line, "PEER") && p.b == "send":
					line = "if (rank == 3) MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);"
				case strings.HasSuffix(line, "PEER") && p.b == "recv":
					line = "if (rank == 3) MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);"
				}
				add(strings.Replace(line, "if (rank == 3) PEER", "", 1))
			}
			add("}\n")
			pairs = append(pairs, one)
		}
	}
	add(`int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 1, (int[]){0}, &zero);
    MPI_Group_incl(all, 1, (int[]){1}, &one);
    MPI_Group_incl(all, 1, (int[]){2}, &second);
    MPI_Group_incl(all, 2, (int[]){1, 2}, &both);
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);`)
	if d.name == "all" {
		add("    MPI_Win_lock_all(0, win);")
	}
	for n := range pairs {
		add(fmt.Sprintf("    MPI_Barrier(MPI_COMM_WORLD);\n    pair%d();", n))
	}
	if d.name == "all" {
		add("    MPI_Win_unlock_all(win);")
	}
	add(`    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_free(&win);
    MPI_Group_free(&all);
    MPI_Group_free(&zero);
    MPI_Group_free(&one);
    MPI_Group_free(&second);
    MPI_Group_free(&both);
    MPI_Finalize();
    return 0;
}`)
	return strings.Join(lines, "\n") + "\n", pairs
}

// pairs are those that a manner of a discipline is tried with.
func (d *discipline) pairs(manner string) []pair {
	switch {
	case manner == "barrier" || manner == "late" || manner == "first" || manner == "self" || manner == "sent":
		return plain
	case manner == "read":
		return []pair{{"get", "store"}, {"get", "bump"}, {"get", "fill"}}
	case manner == "locally":
		return []pair{{"put", "put"}, {"put", "get"}, {"put", "sum"}}
	case manner == "owner" && (d.name == "fence" || d.name == "start"):
		return slices.Concat(owners, received, plain)
	case manner == "owner":
		return slices.Concat(owners, plain)
	case d.name == "fence" || d.name == "start":
		return remote
	case manner == "local" || manner == "unflushed":
		return remote[:1]
	}
	return slices.Concat(remote, requests)
}

// TestEachPairOfAccessesUnderEachSynchronisation has programs in which two accesses to one place are made without and
// with what orders them. Each pair without is reported, with the lines of both, and nothing else is.
func TestEachPairOfAccessesUnderEachSynchronisation(t *testing.T) {
	testkit.NeedsMPI(t)
	unknot := testkit.Unknot(t)
	total := 0
	for turn, d := range disciplines {
		for _, mpi := range testkit.LibrariesOfMany(turn + 1) {
			for _, fixed := range []bool{false, true} {
				text, pairs := d.source(fixed)
				total += len(pairs)
				t.Run(fmt.Sprintf("%s/fixed=%v/%s", d.name, fixed, mpi), func(t *testing.T) {
					t.Parallel()
					run, output := matrixRun(t, unknot, mpi, text)
					if fixed {
						pairs = nil
					}
					for _, said := range unexpected(run, pairs) {
						t.Error(said)
					}
					if t.Failed() {
						t.Log(output)
					}
				})
			}
		}
	}
	if total < 240 {
		t.Errorf("%d pairs, want 240 at least, broken and fixed", total)
	}
}

// matrixRun compiles and runs a program with four ranks.
func matrixRun(t *testing.T, unknot, mpi, text string) (run finding.Run, output string) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "pairs.c"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	compile := exec.Command(unknot, "mpicc", "--mpicc=mpicc."+mpi, "-g", "-O2", "-Wall", "-Werror",
		"-Wno-unused-variable", "-o", "pairs", "pairs.c")
	compile.Dir = dir
	if text, err := compile.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	argv := slices.Concat([]string{unknot, "run", "--json", "out.json"}, whole.Launcher(mpi, 4), []string{"./pairs"})
	r, err := whole.Run(argv, dir, whole.Settings(dir), 10*time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if run, err = whole.ReadRun(filepath.Join(dir, "out.json")); err != nil {
		t.Fatalf("%v\n%s", err, r.Output)
	}
	return run, r.Output
}

// unexpected compares the conflicts of a run with the pairs that are to be reported.
func unexpected(run finding.Run, pairs []placed) (out []string) {
	found := make([]bool, len(pairs))
	for _, f := range run.Findings {
		at := -1
		for i, p := range pairs {
			if f.Code == "rma-conflict" && names(&f, p.a) && names(&f, p.b) {
				at = i
			}
		}
		if at < 0 {
			out = append(out, fmt.Sprintf("unexpected %s: %s", f.Code, f.Sentence))
			continue
		}
		found[at] = true
	}
	for i, p := range pairs {
		if !found[i] {
			out = append(out, fmt.Sprintf("not reported: %s (lines %d and %d)", p.name, p.a, p.b))
		}
	}
	return out
}

// names says whether a finding has a line of the program.
func names(f *finding.Finding, line int) bool {
	return slices.ContainsFunc(f.Places, func(p finding.Place) bool { return p.Line == line }) ||
		slices.ContainsFunc(f.Notes, func(n finding.Note) bool {
			return strings.Contains(n.Text, fmt.Sprintf("(pairs.c:%d)", line))
		})
}
