package symbol

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"unknot/internal/testkit"
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

func TestVariablesAreFoundByAddressesInsideOfThem(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "data")
	if err := os.WriteFile(program+".c", []byte(data), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, flags := range [][]string{{"-fpie", "-pie"}, {"-no-pie"}} {
		if out, err := exec.Command("gcc", append(flags, "-o", program, program+".c")...).CombinedOutput(); err != nil {
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
		for i, want := range []struct {
			name         string
			before, size uint64
		}{{"counts", 12, 40}, {"counts", 0, 40}, {"few", 16, 24}, {"text", 6, 7}} {
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
