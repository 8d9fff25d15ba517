//go:build !quick

package driver

import (
	"bytes"
	"context"
	"debug/elf"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// asGNU is upcc with the rules of GNU UPC 5 and of Clang UPC, as their manuals have them (GNU UPC user manual 5.1 to
// 5.3; Clang UPC, options): a header is included before every source *.upc and *.c, unless -fno-upc-pre-include is
// given; *.c is UPC, unless -x c says otherwise; the number of threads is -fupc-threads-N or -fupc-threads=N, and -T is
// no option; there is no <upc_io.h>. A macro says which compiler this is. The environment variable
// DRIVER_TEST_WITHOUT has macros of libraries that are not announced, though their headers are there.
func asGNU(args []string) int {
	g := gnu{preInclude: true, without: strings.Fields(os.Getenv("DRIVER_TEST_WITHOUT"))}
	if err := g.parse(args); err != nil {
		fmt.Fprintf(os.Stderr, "gupc: error: %v\n", err)
		return 1
	}
	status := g.run()
	if g.dir != "" {
		os.RemoveAll(g.dir)
	}
	return status
}

// gnu is a command line.
type gnu struct {
	preInclude, preprocess bool
	without                []string
	options, sources       []string
	dir                    string
}

func (g *gnu) parse(args []string) error {
	asC := false
	for i := 0; i < len(args); i++ {
		arg := args[i]
		switch {
		case arg == "-x":
			i++
			asC = args[i] == "c"
		case arg == "-fno-upc-pre-include":
			g.preInclude = false
		case strings.HasPrefix(arg, "-fupc-threads"):
			g.options = append(g.options, "-T", strings.TrimLeft(strings.TrimPrefix(arg, "-fupc-threads"), "-="))
		case strings.HasPrefix(arg, "-T"), strings.HasPrefix(arg, "-X"), strings.HasPrefix(arg, "--"):
			return fmt.Errorf("unrecognized command line option '%s'", arg)
		case arg == "-o":
			g.options = append(g.options, arg, args[i+1])
			i++
		case !strings.HasPrefix(arg, "-") && (strings.HasSuffix(arg, ".upc") || strings.HasSuffix(arg, ".c") && !asC):
			g.sources = append(g.sources, arg)
		default:
			g.preprocess = g.preprocess || arg == "-E"
			g.options = append(g.options, arg)
		}
	}
	return nil
}

// preIncluded is what comes before a source. It would be an error to have it twice; and in C, words of UPC are names.
const preIncluded = `#pragma upc c_code
#ifndef __UPC_STATIC_THREADS__
extern const int THREADS;
#endif
extern const int MYTHREAD;
static inline int gnu_get(const int *shared) { return *shared; }
extern int gnu_barrier(int strict, int relaxed);
#pragma upc upc_code
#define upc_fence { static strict shared int x; x = x; }
`

func (g *gnu) run() int {
	var err error
	if g.dir, err = os.MkdirTemp("", "gnu-"); err != nil {
		panic(err)
	}
	args := []string{"--mpicc", "mpicc.mpich", "-U__UPC_IO__", "-D__GUPC__=1"}
	for _, macro := range g.without {
		args = append(args, "-U"+macro)
	}
	args = append(args, g.options...)
	if g.preInclude && len(g.sources) > 0 {
		header := filepath.Join(g.dir, "gnu-upc.h")
		if err := os.WriteFile(header, []byte(preIncluded), 0o666); err != nil {
			panic(err)
		}
		args = append(args, "-include", header)
	}
	if name := g.missing(); name != "" {
		fmt.Fprintf(os.Stderr, "ld: undefined reference to `%s'\n", name)
		return 1
	}
	for _, source := range g.sources {
		if hidden(args, source) {
			fmt.Fprintf(os.Stderr, "%s: fatal error: upc_io.h: No such file or directory\n", source)
			return 1
		}
		args = append(args, "-x", "upc", source, "-x", "none")
	}
	if !g.preprocess {
		args = append(args, "-O0", "-g0")
	}
	return Compile(context.Background(), args, os.Stdout, os.Stderr)
}

// missing is a function of upc_io that an object among the arguments calls: the library of upcc has it.
func (g *gnu) missing() string {
	for _, path := range g.options {
		f, err := elf.Open(path)
		if err != nil {
			continue
		}
		symbols, _ := f.Symbols() // an object without any calls nothing
		f.Close()
		for _, s := range symbols {
			name := strings.TrimPrefix(s.Name, "upckw_")
			if s.Section == elf.SHN_UNDEF && strings.HasPrefix(name, "upc_all_f") && name != "upc_all_free" {
				return s.Name
			}
		}
	}
	return ""
}

// hidden says that a source includes <upc_io.h> of this compiler, which is in the cache of upcc.
func hidden(args []string, source string) bool {
	cache, err := cacheDir()
	if err != nil {
		panic(err)
	}
	var out bytes.Buffer
	only := append(withoutOutput(args), "-E", "-x", "upc", source)
	return Compile(context.Background(), only, &out, io.Discard) == 0 &&
		strings.Contains(out.String(), `"`+cache) && strings.Contains(out.String(), `/include/upc_io.h"`)
}

func withoutOutput(args []string) (kept []string) {
	for i := 0; i < len(args); i++ {
		switch args[i] {
		case "-o":
			i++
		case "-c", "-S":
		default:
			kept = append(kept, args[i])
		}
	}
	return kept
}

// gnuCompiler is a command that is asGNU.
func gnuCompiler(t *testing.T) string {
	t.Helper()
	return asCompiler(t, t.TempDir(), "upc", "DRIVER_TEST_AS_GNU=1", `"$@"`)
}

// usesLibraries is right, and has a mistake if it is given an argument: a broadcast of which thread 1 knows nothing.
const usesLibraries = `#include <upc.h>
#include <upc_collective.h>
#include <upc_nb.h>
#include <upc_atomic.h>
#include <upc_tick.h>
#include <upc_castable.h>
#include <stdio.h>
shared [] int from[4];
shared [4] int to[4 * THREADS];
shared int counter;
int main(int argc, char **argv)
{
	upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(UPC_INT, UPC_ADD, 0);
	int one = 1, got[4];
	upc_tick_t before = upc_ticks_now();
	upc_fence;
	upc_atomic_relaxed(domain, 0, UPC_ADD, &counter, &one, 0);
	if (MYTHREAD == 0)
		for (int i = 0; i < 4; i++)
			from[i] = i + 1;
	upc_barrier;
	if (argc < 2 || MYTHREAD != 1)
		upc_all_broadcast(to, from, 4 * sizeof(int), UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	upc_handle_t h = upc_memget_nb(got, &to[4 * MYTHREAD], sizeof got);
	upc_sync(h);
	int *mine = upc_cast(&to[4 * MYTHREAD]);
	if (MYTHREAD == 0)
		printf("%d %d %d %d\n", got[3], mine ? mine[0] : 1, counter, upc_ticks_now() >= before);
	upc_all_atomicdomain_free(domain);
	return 0;
}
`

// usesFiles uses a library that this compiler does not have.
const usesFiles = `#include <upc.h>
#include <upc_io.h>
int main(void)
{
	upc_file_t *f = upc_all_fopen("data", UPC_RDONLY | UPC_COMMON_FP, 0, NULL);
	return upc_all_fclose(f);
}
`

// TestTheRulesOfGNUAndClangUPCAreKept: a program with checks is compiled by a compiler with these rules, and says what
// it says elsewhere. A source that uses a library which the compiler lacks is checked, and the link says what is
// missing.
func TestTheRulesOfGNUAndClangUPCAreKept(t *testing.T) {
	place(t, map[string]string{"libraries.upc": usesLibraries, "files.upc": usesFiles})
	compiler := gnuCompiler(t)
	t.Setenv("XDG_CACHE_HOME", t.TempDir()) // not for the compiler
	for _, c := range []struct{ name, without, threads string }{
		{"all libraries but upc_io are announced", "", "3"},
		{"nothing is announced", "__UPC_COLLECTIVE__ __UPC_NB__ __UPC_ATOMIC__ __UPC_TICK__ __UPC_CASTABLE__", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv("DRIVER_TEST_WITHOUT", c.without)
			options := []string{"--native", compiler}
			if c.threads != "" {
				options = append(options, "-T", c.threads)
			}
			var out bytes.Buffer
			status := Check(t.Context(), append(options, "-o", "checked", "libraries.upc"), &out, &out)
			if status != 0 {
				t.Fatalf("exit status %d\n%s", status, out.Bytes())
			}
			text, status := runs(t, "checked")
			if wants(t, text, "4 1 3 1"); status != 0 {
				t.Errorf("exit status %d\n%s", status, text)
			}
			text, status = runs(t, "checked", "wrong")
			wants(t, text, "upc-deadlock", "libraries.upc:23", "thread 1", "libraries.upc:29")
			if status != 66 {
				t.Errorf("exit status %d\n%s", status, text)
			}
			for name, compile := range map[string]func(context.Context, []string, io.Writer, io.Writer) int{
				"upcc": Compile, "upc-check": Check,
			} {
				out.Reset()
				status := compile(t.Context(), append(options, "-o", "files", "files.upc"), &out, &out)
				wants(t, out.String(), name+": error: the program calls upc_all_fopen, and upc has no <upc_io.h>; "+
					"hint: compile it without --native")
				if status != 1 {
					t.Errorf("exit status %d of %s\n%s", status, name, out.String())
				}
			}
		})
	}
}
