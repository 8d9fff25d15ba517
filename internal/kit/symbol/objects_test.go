//go:build !quick

package symbol

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"unknot/internal/test/testkit"
)

// data is a program that prints addresses of its variables and waits.
const data = `#include <stdio.h>
int counts[10]; static const char text[7] = "a text"; extern int other[10] __attribute__((alias("counts")));
int main(void) {
    static double few[3];
    void *heap = __builtin_malloc(8);
    printf("%p %p %p %p %p\n", (void *)&counts[3], (void *)other, (void *)&few[2], (void *)(text + 6), heap);
    fflush(stdout);
    return getchar() == 7;
}`

// encoded is one in C++, whose names the compiler encodes.
const encoded = `#include <cstdio>
static int counts[10];
namespace halo { int width[10]; template <class T> T cells[5]; }
static const char text[7] = "a text";
int main() {
    static double few[3];
    void *heap = __builtin_malloc(8);
    printf("%p %p %p %p %p\n", (void *)&counts[3], (void *)halo::width, (void *)&few[2], (void *)&halo::cells<int>[1], heap);
    fflush(stdout);
    return getchar() == text[0];
}`

// variable is what is expected of an address: it is so many bytes into a variable.
type variable struct {
	name         string
	before, size uint64
}

func TestVariablesAreFoundByAddressesInsideOfThem(t *testing.T) {
	found(t, "data.c", data, []variable{{"counts", 12, 40}, {"counts", 0, 40}, {"few", 16, 24}, {"text", 6, 7}})
}

func TestVariablesOfCppHaveTheirNames(t *testing.T) {
	found(t, "data.cc", encoded, []variable{{"counts", 12, 40}, {"halo::width", 0, 40}, {"main::few", 16, 24},
		{"halo::cells<int>", 4, 20}})
}

// found compiles and runs a program that prints addresses of its variables and one of the heap.
func found(t *testing.T, name, source string, expected []variable) {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	program := path + ".out"
	if err := os.WriteFile(path, []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, flags := range [][]string{{"-fpie", "-pie"}, {"-no-pie"}} {
		if out, err := exec.Command("gcc", append(flags, "-o", program, path)...).CombinedOutput(); err != nil {
			t.Fatalf("gcc: %v\n%s", err, out)
		}
		cmd := exec.Command(program)
		in, out := testkit.StartPiped(t, cmd)
		line, err := out.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		var at [5]uint64
		if _, err := fmt.Sscanf(line, "0x%x 0x%x 0x%x 0x%x 0x%x", &at[0], &at[1], &at[2], &at[3], &at[4]); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		m, err := ReadMaps(cmd.Process.Pid)
		if err != nil {
			t.Fatal(err)
		}
		r := New()
		d := r.Data(m)
		for i, want := range expected {
			v, ok := d.Variable(at[i])
			if !ok || v.Name != want.name || v.From != at[i]-want.before || v.To != v.From+want.size {
				t.Errorf("%v: address %#x is in %+v, %v; want %+v", flags, at[i], v, ok, want)
			}
		}
		for _, a := range []uint64{at[4], at[0] + 1<<20, 8} {
			if v, ok := d.Variable(a); ok {
				t.Errorf("%v: address %#x is in %+v", flags, a, v)
			}
		}
		r.Close()
		in.Close()
		io.Copy(io.Discard, out)
		cmd.Wait()
	}
}
