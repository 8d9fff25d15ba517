//go:build !quick

package gen

import (
	"bytes"
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"unknot/internal/observe/ring"
	"unknot/internal/vocab/mpi"
	"unknot/internal/vocab/plan"
)

var libraries = []struct {
	mpicc, lib string
	layer      FortranLayer
}{
	{"mpicc.openmpi", "libmpi.so.40", CallsOwn},
	{"mpicc.mpich", "libmpich.so.12", CallsC},
}

// header is the preprocessed mpi.h of a compiler wrapper.
func header(t *testing.T, mpicc string) []byte {
	t.Helper()
	file := filepath.Join(t.TempDir(), "h.c")
	if err := os.WriteFile(file, []byte("#include <mpi.h>\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	text, err := exec.Command(mpicc, "-E", file).Output()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// fits says whether a kind can be the one of a C parameter.
func fits(k mpi.Kind, a Arg) bool {
	base, depth := a.Base(), a.Depth()
	handle := isHandle(base)
	integer := isInteger(base)
	switch k {
	case mpi.KInt:
		return depth == 0 && integer
	case mpi.KPtr:
		return depth == 1 && base == "void"
	case mpi.KHandle:
		return depth == 0 && handle
	case mpi.KReqIn:
		return depth == 1 && base == "MPI_Request"
	case mpi.KMsgIn:
		return depth == 1 && base == "MPI_Message"
	case mpi.KReqs:
		return depth == 1 && base == "MPI_Request"
	case mpi.KOutInt, mpi.KOutInts, mpi.KWeights:
		return depth == 1 && base == "int"
	case mpi.KInts, mpi.KIntIn:
		return depth == 1 && integer
	case mpi.KRanges:
		return depth == 2 && base == "int"
	case mpi.KHandles, mpi.KOutHandles:
		return depth == 1 && handle
	case mpi.KGroup:
		return depth == 0 && base == "MPI_Group"
	case mpi.KHandleIn, mpi.KOutHandle:
		return depth == 1 && handle
	case mpi.KStr:
		return depth == 1 && base == "char"
	case mpi.KOutComm:
		return depth == 1 && base == "MPI_Comm"
	case mpi.KOutType:
		return depth == 1 && base == "MPI_Datatype"
	case mpi.KOutWin:
		return depth == 1 && base == "MPI_Win"
	case mpi.KOutStatus, mpi.KOutStatuses:
		return depth == 1 && base == "MPI_Status"
	}
	return true
}

func isInteger(base string) bool {
	return base == "int" || base == "MPI_Aint" || base == "MPI_Offset" || base == "MPI_Count"
}

func isHandle(base string) bool {
	return strings.HasPrefix(base, "MPI_") && !isInteger(base) && base != "MPI_Status" &&
		!strings.Contains(base, "_function")
}

// unrecorded are the parameters that no record holds although they are integers, handles or strings, or arrays of them,
// and why: by name, or by function and name.
var unrecorded = map[string]string{
	"argc": "of the program, not of MPI", "argv": "of the program, not of MPI",
	"array_of_argv":     "of programs to start, not of MPI",
	"array_of_commands": "no check of them is known; MPI_Comm_spawn_multiple is not modelled",
	"array_of_errcodes": "given back, about processes that are not watched",
	"provided":          "told in DataHello and DataLimits",

	// What a local call answers.
	"address": answer, "amode": answer, "combiner": answer, "commute": answer, "count": answer, "disp": answer,
	"disp_unit":    answer,
	"displacement": answer, "errorclass": answer, "errorcode": answer, "extent": answer, "flag": answer,
	"indegree": answer,
	"lb":       answer, "ndims": answer, "nedges": answer, "newrank": answer, "nkeys": answer, "nneighbors": answer,
	"nnodes":      answer,
	"npset_names": answer, "abi_major": answer, "abi_minor": answer, "is_set": answer, "num_addresses": answer,
	"num_datatypes": answer, "num_integers": answer, "num_large_counts": answer,
	"offset": answer, "outdegree": answer, "pset_len": answer, "rank": answer, "rank_dest": answer,
	"rank_source": answer,
	"result":      answer, "resultlen": answer, "size": answer, "status": answer, "subversion": answer,
	"true_extent": answer,
	"true_lb":     answer, "valuelen": answer, "version": answer, "weighted": answer,
	// Strings and arrays that a local call answers.
	"array_of_addresses": answer, "array_of_integers": answer, "array_of_large_counts": answer, "comm_name": answer,
	"MPI_Cart_coords coords": answer, "MPI_Cart_get coords": answer, "MPI_Cart_get dims": answer,
	"MPI_Cart_get periods": answer,
	"datarep":              answer, "MPI_Dist_graph_neighbors destinations": answer,
	"MPI_Dist_graph_neighbors destweights": answer,
	"MPI_Dist_graph_neighbors sources":     answer, "MPI_Dist_graph_neighbors sourceweights": answer,
	"MPI_Graph_get edges": answer,
	"MPI_Graph_get index": answer, "key": answer, "name": answer, "neighbors": answer, "port_name": answer,
	"pset_name": answer,
	"ranks2":    answer, "string": answer, "type_name": answer, "value": answer, "win_name": answer,
}

const answer = "MPI gives it back, and no later call depends on what it is"

// tracked says that analyses follow the objects of a type, so that no call that is not local may leave one out.
func tracked(base string) bool {
	switch base {
	case "MPI_Comm", "MPI_Request", "MPI_Win", "MPI_File", "MPI_Group", "MPI_Op", "MPI_Message":
		return true
	}
	return false
}

// agrees compares the parameters of a function with its row, and notes which of the exceptions it needs.
func agrees(t *testing.T, f *mpi.Func, p *Proto, excused map[string]bool) {
	t.Helper()
	for j := range f.Params {
		param, a := &f.Params[j], p.Params[j]
		if !fits(param.Kind, a) {
			t.Errorf("%s: %s is %q, which is not of kind %d", p.Name, param.Name, a.Declare("x"), param.Kind)
		}
		if param.Kind != mpi.KSkip {
			continue
		}
		if f.Class != mpi.Local && tracked(a.Base()) {
			t.Errorf("%s: %s is not recorded", p.Name, param.Name)
		}
		if !isInteger(a.Base()) && !isHandle(a.Base()) && a.Base() != "char" {
			continue
		}
		reason := unrecorded[param.Name]
		excused[param.Name] = true
		if reason == "" {
			reason, excused[f.Name+" "+param.Name] = unrecorded[f.Name+" "+param.Name], true
		}
		if reason == "" || reason == answer && (a.Depth() == 0 || strings.Contains(a.Before, "const")) {
			t.Errorf("%s: %s is not recorded", p.Name, param.Name)
		}
	}
}

func TestEveryFunctionOfTheLibraryIsWrapped(t *testing.T) {
	for _, l := range libraries {
		t.Run(l.mpicc, func(t *testing.T) {
			text := header(t, l.mpicc)
			files, err := Files(text, l.layer)
			if err != nil {
				t.Fatal(err)
			}
			defined := compile(t, l.mpicc, files)
			// The functions that specials.c has.
			for _, name := range []string{"MPI_Init", "MPI_Init_thread", "MPI_Finalize", "MPI_Abort"} {
				if defined[name] {
					t.Errorf("%s is generated", name)
				}
				defined[name] = true
			}
			untwinned := map[string]bool{}
			protos, _ := Protos(text)
			for i := range protos {
				if !wrapped(&protos[i]) {
					untwinned[protos[i].Name] = true
				}
			}
			f, err := elf.Open(filepath.Join("/usr/lib", triplet(t), l.lib))
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			symbols, err := f.DynamicSymbols()
			if err != nil {
				t.Fatal(err)
			}
			known := map[string]bool{}
			for _, w := range tokenize(text) {
				known[w] = true
			}
			count := 0
			for _, s := range symbols {
				if elf.ST_TYPE(s.Info) != elf.STT_FUNC || s.Section == elf.SHN_UNDEF ||
					!strings.HasPrefix(s.Name, "MPI_") || !known[s.Name] || !known["P"+s.Name] {
					continue
				}
				count++
				if !defined[s.Name] && !untwinned[s.Name] {
					t.Errorf("%s has %s, the probe has not", l.lib, s.Name)
				}
			}
			if count < 300 {
				t.Errorf("only %d functions of %s were compared", count, l.lib)
			}
			for _, name := range []string{"mpi_send_", "mpi_send__", "mpi_send", "MPI_SEND", "mpi_send_f08_",
				"mpi_waitall_", "mpi_comm_split_f08_"} {
				if !defined[name] {
					t.Errorf("the Fortran name %s is not wrapped", name)
				}
			}
		})
	}
}

func triplet(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("gcc", "-print-multiarch").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// compile gives the global functions of generated files. Without optimisation: that is for the probe's build.
func compile(t *testing.T, mpicc string, files map[string][]byte) map[string]bool {
	t.Helper()
	dir := t.TempDir()
	files["writer/ring.h"] = []byte(ring.Header())
	files["objects/plan.h"] = []byte(plan.Header())
	csrc, err := filepath.Abs("../csrc")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		// The files that ask for speed would be compiled with it.
		text = bytes.TrimPrefix(text, []byte(optimize("O2")))
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	defined := map[string]bool{}
	for name := range files {
		if !strings.HasSuffix(name, ".c") {
			continue
		}
		object := filepath.Join(dir, name+".o")
		cmd := exec.Command(mpicc, "-std=gnu11", "-O0", "-fPIC", "-Wall", "-Wextra", "-Werror",
			"-Wno-deprecated-declarations",
			"-I", dir, "-I", csrc, "-c", filepath.Join(dir, name), "-o", object)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", name, err, out)
		}
		f, err := elf.Open(object)
		if err != nil {
			t.Fatal(err)
		}
		symbols, err := f.Symbols()
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range symbols {
			if s.Section != elf.SHN_UNDEF && elf.ST_BIND(s.Info) != elf.STB_LOCAL {
				defined[s.Name] = true
			}
		}
	}
	return defined
}

func TestProtosReadsWhatHeadersHold(t *testing.T) {
	const text = `# 1 "mpi.h"
typedef int MPI_Comm; typedef struct { int MPI_SOURCE; } MPI_Status;
typedef void (MPI_User_function)(void *, void *, int *, MPI_Datatype *);
enum { MPI_THREAD_SINGLE, MPI_THREAD_MULTIPLE = 3 };
extern int *MPI_F_STATUS_IGNORE;
__attribute__((visibility("default"))) int MPI_Send(const void *buf, int count, MPI_Comm) __attribute__((nonnull(1)));
int PMPI_Send(const void *buf, int count, MPI_Comm);
int MPI_Group_range_incl(MPI_Group group, int n, int ranges[][3], void (*f)(int, char *));
int PMPI_Group_range_incl(MPI_Group group, int n, int ranges[][3], void (*f)(int, char *));
static inline int helper(int x) { return MPI_Send(";)", x, 0); }
double MPI_Wtime(void); double PMPI_Wtime(void);
int MPI_Pcontrol(const int level, ...); int PMPI_Pcontrol(const int level, ...);
int MPI_Alone(int x);
int MPI_Query(unsigned long flags, struct thing *t, char **argv[]), PMPI_Query(unsigned long);
int PMPIX_New(void); int MPIX_New(void);
`
	protos, err := Protos([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i := range protos {
		p := &protos[i]
		var params []string
		for _, a := range p.Params {
			params = append(params, a.Declare("x"))
		}
		s := p.Return + " " + p.Name + "(" + strings.Join(params, ", ") + ")"
		if p.Variadic {
			s += " variadic"
		}
		got = append(got, s)
	}
	want := []string{
		"int MPI_Send(const void *x, int x, MPI_Comm x)",
		"int MPI_Group_range_incl(MPI_Group x, int x, int x[][3], void ( *x)(int,char*))",
		"double MPI_Wtime()",
		"int MPI_Pcontrol(const int x) variadic",
		"int MPIX_New()",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestProtosSaysWhenThereIsNoMPI(t *testing.T) {
	if _, err := Protos([]byte("int main(void);")); err == nil || !strings.Contains(err.Error(), "hint:") {
		t.Errorf("got %v", err)
	}
}

func TestFunctionsWithoutARowAreNamed(t *testing.T) {
	table, err := mpi.Load()
	if err != nil {
		t.Fatal(err)
	}
	protos, err := Protos([]byte("int MPIX_New(int a); int PMPIX_New(int a); int MPIX_Other(void); int " +
		"PMPIX_Other(void);"))
	if err != nil {
		t.Fatal(err)
	}
	files, names, err := Wrappers(table, protos)
	if err != nil {
		t.Fatal(err)
	}
	if len(names) != 2 || names[mpi.FirstUnknown] != "MPIX_New" || names[mpi.FirstUnknown+1] != "MPIX_Other" {
		t.Errorf("names are %v", names)
	}
	if text := string(files["wrappers_cold.c"]); !strings.Contains(text, `"MPIX_New", 8, UK_BYTES`) {
		t.Error("the wrapper does not tell the name")
	}
}

func TestAnExtensionIsWatchedAsTheFunctionThatTheHeaderDoesNotHaveYet(t *testing.T) {
	table, err := mpi.Load()
	if err != nil {
		t.Fatal(err)
	}
	const barrier = "int MPIX_Barrier_init(MPI_Comm, MPI_Info, MPI_Request *); int PMPIX_Barrier_init(MPI_Comm, " +
		"MPI_Info, MPI_Request *);"
	const both = barrier + "int MPI_Barrier_init(MPI_Comm, MPI_Info, MPI_Request *); int PMPI_Barrier_init(MPI_Comm, " +
		"MPI_Info, MPI_Request *);"
	const other = "int MPIX_Barrier_init(MPI_Comm); int PMPIX_Barrier_init(MPI_Comm);"
	for text, unknown := range map[string]int{barrier: 0, both: 1, other: 1} {
		protos, err := Protos([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if _, names, err := Wrappers(table, protos); err != nil || len(names) != unknown {
			t.Errorf("%s: %v without a row (%v)", text, names, err)
		}
	}
}

func FuzzProtos(f *testing.F) {
	f.Add([]byte("int MPI_Send(int a); int PMPI_Send(int a);"))
	f.Add([]byte("int MPI_A(void (*f)(int), int b[][3], ...) __attribute__((x(1"))
	f.Add([]byte("{ ( [ \" '\\"))
	f.Fuzz(func(t *testing.T, text []byte) {
		protos, _ := Protos(text)
		table, err := mpi.Load()
		if err != nil {
			t.Fatal(err)
		}
		Wrappers(table, protos)
	})
}
