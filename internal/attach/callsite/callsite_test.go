package callsite_test

import (
	"bufio"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"unknot/internal/attach/callsite"
	"unknot/internal/attach/thread"
	"unknot/internal/kit/ptrace"
	"unknot/internal/kit/symbol"
	"unknot/internal/test/testkit"
)

// blocked starts the program of testdata, which says what it gives to a call that does not return.
func blocked(t *testing.T, program string, args ...string) (pid int, want [8]int64, end func()) {
	t.Helper()
	c := exec.Command(program, args...)
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	end = sync.OnceFunc(func() { c.Process.Kill(); c.Wait() })
	t.Cleanup(end)
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Sscanf(line, "%d %x %d %d %d %d %d %x", &want[0], &want[1], &want[2], &want[3], &want[4], &want[5],
		&want[6], &want[7]); err != nil {
		t.Fatalf("%q: %v", line, err)
	}
	return c.Process.Pid, want, end
}

// TestArgumentsOfACallThatDoesNotReturn looks at calls whose arguments come from everywhere, with all optimizations:
// what is known is right, and most is known.
func TestArgumentsOfACallThatDoesNotReturn(t *testing.T) {
	resolver := symbol.New()
	defer resolver.Close()
	levels := []string{"gcc -O0", "gcc -O2 -DSPIN", "gcc -O3 -mavx2 -DSPIN", "clang-14 -O2 -DSPIN"}
	if testkit.Nightly() {
		levels = append(levels, "gcc -O0 -DSPIN", "gcc -O1 -DSPIN", "gcc -O2", "gcc -Os -DSPIN", "gcc -O2 -no-pie -DSPIN",
			"gcc -O2 -fcf-protection -DSPIN", "clang-14 -O0 -DSPIN", "clang-14 -O3 -mavx512f -DSPIN")
	}
	for _, level := range levels {
		program := filepath.Join(t.TempDir(), "calls")
		if out, err := exec.Command(strings.Fields(level)[0], append(strings.Fields(level)[1:], "-g", "-o", program, "testdata/calls.c",
			"testdata/blocked.c")...).CombinedOutput(); err != nil {
			t.Fatalf("%s", out)
		}
		known, all := 0, 0
		for which := range 17 {
			for n := range 4 {
				pid, want, end := blocked(t, program, fmt.Sprint(which), fmt.Sprint(n))
				got := arguments(t, resolver, pid)
				end()
				for i, v := range got {
					all++
					if !v.Known {
						continue
					}
					known++
					if !same(i, v, want[i]) {
						t.Errorf("%s, case %d, %d: argument %d is %#x, want %#x", level, which, n, i, v.Bits, want[i])
					}
				}
			}
		}
		t.Logf("%s: %d of %d arguments are known", level, known, all)
		if known*10 < all*9 {
			t.Errorf("%s: %d of %d arguments are known, want nine of ten", level, known, all)
		}
	}
}

func same(i int, v callsite.Value, want int64) bool {
	switch i {
	case 0, 3:
		return int32(v.Bits) == int32(want)
	case 4:
		return uint32(v.Bits) == uint32(want)
	case 5:
		return int16(v.Bits) == int16(want)
	}
	return int64(v.Bits) == want
}

func arguments(t *testing.T, r *symbol.Resolver, pid int) []callsite.Value {
	t.Helper()
	p, err := thread.Open(r, pid)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	for { // until the process, which has just said what it calls, does
		seen, err := p.SeeStopped(pid)
		if err != nil && !errors.Is(err, ptrace.ErrCut) {
			t.Fatal(err)
		}
		for i := range seen.Stack {
			if i > 0 && r.Frames(p.Maps, seen.Stack[i-1].PC, i > 1)[0].Function == "blocked" {
				above := seen.Stack[i-1].PC
				if i > 1 {
					above--
				}
				from, _, _ := r.Function(p.Maps, above)
				return callsite.Of(r, p, &seen, i).Arguments(8, from)
			}
		}
	}
}
