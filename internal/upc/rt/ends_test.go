//go:build !quick

package rt_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// Programs that break a rule of barriers, locks or the heap are ended with one sentence that says who did what.
func TestErrorsAreOneSentence(t *testing.T) {
	cases := []struct{ way, want string }{
		{"values",
			`barrier values differ: thread \d gave \d \(values.upc:10\), thread \d gave \d \(values.upc:10\); hint: all threads give the same value, or none`},
		{"wait-value",
			`barrier values differ: thread 1 gave 8 to upc_wait \(wait.upc:21\), .* gave 7 to upc_notify; hint: .*`},
		{"notify-twice",
			`thread \d is at a upc_notify or upc_barrier \(twice.upc:31\) before the upc_wait of its last upc_notify; hint: .*`},
		{"only-wait", `thread \d is at a upc_wait \(only.upc:40\) without a upc_notify; hint: .*`},
		{"end-in-phase", `thread 1 ends between upc_notify and upc_wait; hint: .*`},
		{"early",
			`1 of 4 threads have ended \(returned from main or called exit: 1\) while 3 wait in a barrier or in a collective function; hint: .*`},
		{"exhaust-own",
			`upc_alloc on thread 1 needs 10485760 bytes of its own, and the shared heap of 268435456 bytes has \d+ left in one piece; hint: UPC_SHARED_HEAP_SIZE=512M`},
		{"exhaust-all",
			`upc_all_alloc on thread 0 needs 5368709120 bytes of each thread, and the shared heap of 268435456 bytes has 268435456 left in one piece; hint: UPC_SHARED_HEAP_SIZE=8192M`},
		{"free-twice",
			`thread 0 calls upc_free for a pointer \(thread 0, address 0x[0-9a-f]+\) that was not allocated, or is already freed; hint: .*`},
		{"lock-twice", `thread 1 calls upc_lock for a lock that it holds already, and would wait forever; hint: .*`},
		{"unlock-other", `thread 1 calls upc_unlock for a lock that it does not hold; hint: .*`},
		{"lock-freed", `thread 2 calls upc_lock for a lock that was freed; hint: .*`},
		{"attempt-freed", `thread 2 calls upc_lock_attempt for a lock that was freed; hint: .*`},
	}
	for i, c := range cases {
		for _, f := range byTurns(i / 2) {
			r := f.run(t, job{threads: 4, together: i % 2 * 2, args: []string{c.way}}, f.program(t, "testdata/ends.c"))
			lines := ours(r.out)
			if r.status != 1 || len(lines) == 0 || !regexp.MustCompile("^upc: "+c.want+"$").MatchString(lines[0]) {
				t.Errorf("%s, %s: exit status %d, output:\n%s", f, c.way, r.status, r.out)
			}
			if i%2 == 0 && len(lines) != 1 {
				t.Errorf("%s, %s: %d sentences, want one:\n%s", f, c.way, len(lines), r.out)
			}
		}
	}
}

// ours are the lines that the run-time wrote.
func ours(out string) []string {
	var lines []string
	for line := range strings.Lines(out) {
		if strings.HasPrefix(line, "upc: ") {
			lines = append(lines, strings.TrimSuffix(line, "\n"))
		}
	}
	return lines
}

// Barriers whose values agree, or of which only some threads give one, are none of the run-time's business.
func TestBarrierValuesThatAgree(t *testing.T) {
	for i, j := range []job{{threads: 4}, {threads: 3, together: 1}} {
		j.args = []string{"some-values"}
		for _, f := range byTurns(i) {
			if r := f.run(t, j, f.program(t, "testdata/ends.c")); r.status != 0 ||
				strings.Count(r.out, "fine") != j.threads {
				t.Errorf("%s: exit status %d, output:\n%s", f, r.status, r.out)
			}
		}
	}
}

// upc_global_exit ends threads wherever they are, with its status, and keeps what they have printed; exit of one thread
// waits for the others.
func TestEndsOfPrograms(t *testing.T) {
	onBoth(t, func(t *testing.T, f flavour) {
		program := f.program(t, "testdata/ends.c")
		for way, status := range map[string]int{"global-exit": 7, "exits": 3} {
			r := f.run(t, job{threads: 4, args: []string{way}}, program)
			if r.status != status || strings.Count(r.out, "said by ") != 4 {
				t.Errorf("%s: exit status %d, want %d; output:\n%s", way, r.status, status, r.out)
			}
		}
		if r := f.run(t, job{threads: 4, together: 2, args: []string{"global-exit"}}, program); r.status != 7 {
			t.Errorf("two nodes: exit status %d, want 7; output:\n%s", r.status, r.out)
		}
	})
}

// A launcher that learns of the end may exit without reading the rest of what its processes wrote, so the last words
// have been read by then. It also learns when a thread exits, which one within a call of MPI must therefore not do
// before.
func TestLastWordsAreRead(t *testing.T) {
	onBoth(t, func(t *testing.T, f flavour) {
		program := f.program(t, "testdata/ends.c")
		for _, way := range []string{"slow-reader", "slow-reader-in-mpi"} {
			file := filepath.Join(t.TempDir(), way)
			if r := f.run(t, job{threads: 4, together: 2, args: []string{way, file}}, program); r.status != 7 {
				t.Errorf("%s: exit status %d, want 7; output:\n%s", way, r.status, r.out)
			}
			var told []byte
			for end := time.Now().Add(10 * time.Minute); len(told) == 0 &&
				time.Now().Before(end); time.Sleep(time.Millisecond) {
				told, _ = os.ReadFile(file) // until it is there
			}
			if want := "last words\nthe writer is there\n"; string(told) != want {
				t.Errorf("%s: told %q, want %q", way, told, want)
			}
		}
	})
}

// Accesses to shared memory that does not exist are reported before they kill the program.
func TestAccessesToNowhere(t *testing.T) {
	for i, c := range []struct{ way, want string }{
		{"null", `thread 3 follows a null pointer-to-shared`},
		{"wild", `thread 1 accesses address 0x240000000 in the shared memory of thread 2, which ends at 0x11011000`},
		{"below", `thread 1 accesses address 0xfff8 in the shared memory of thread 2, which begins at 0x10000`},
		{"beyond",
			`thread 1 accesses address 0x20000 in the shared memory of thread 2, whose static objects end at 0x10040`},
		{"far-below", `thread 1 accesses an address 1048576 bytes below the shared memory of thread 0`},
		{"far-beyond", `thread 1 accesses shared memory of thread 4, and there are 4 threads`},
	} {
		for k, together := range []int{0, 2} {
			for _, f := range byTurns(i + k) {
				r := f.run(t, job{threads: 4, together: together, args: []string{c.way}},
					f.program(t, "testdata/ends.c"))
				if lines := ours(r.out); r.status == 0 || len(lines) != 1 || lines[0] != "upc: "+c.want+
					"; hint: unknot run and gdb show where" {
					t.Errorf("%s, %s, %d a node: exit status %d, output:\n%s", f, c.way, together, r.status, r.out)
				}
			}
		}
	}
}

// A static object may be larger than what code can reach over; one that no segment holds is reported.
func TestLargeObjects(t *testing.T) {
	if r := mpich.run(t, job{threads: 2}, mpich.program(t, "testdata/big.c", "-DBYTES=3221225472")); r.status != 0 ||
		r.out != "fine 2\n" {
		t.Errorf("exit status %d, output:\n%s", r.status, r.out)
	}
	const want = "upc: static shared objects of 21474836544 bytes and a shared heap of 268435456 " +
		"(UPC_SHARED_HEAP_SIZE) are more than the " +
		"17079140352 bytes that a thread can have; hint: make them smaller, or run more threads\n"
	if r := mpich.run(t, job{threads: 2}, mpich.program(t, "testdata/big.c", "-DBYTES=21474836480")); r.status != 1 ||
		r.out != want {
		t.Errorf("exit status %d, output:\n%s", r.status, r.out)
	}
}

// A killed thread leaves nothing of the run-time's behind: its memory has no name.
func TestNothingIsLeftBehind(t *testing.T) {
	onBoth(t, func(t *testing.T, f flavour) {
		program := f.program(t, "testdata/ends.c")
		if r := f.run(t, job{threads: 3, args: []string{"killed"}}, program); r.status == 0 {
			t.Errorf("exit status 0, output:\n%s", r.out)
		}
		for _, dir := range []string{"/dev/shm", os.TempDir()} {
			entries, err := os.ReadDir(dir)
			if err != nil {
				t.Fatal(err)
			}
			if slices.ContainsFunc(entries, func(e os.DirEntry) bool {
				return strings.Contains(e.Name(), "upc-segment")
			}) {
				t.Errorf("%s has %v", dir, entries)
			}
		}
	})
}

// The size of the heap comes from the environment, and an invalid size is reported.
func TestHeapSize(t *testing.T) {
	program := mpich.program(t, "testdata/ends.c")
	for _, size := range []string{"1G", "700M", "0.75G", "734003200"} {
		r := mpich.run(t, job{threads: 2, env: []string{"UPC_SHARED_HEAP_SIZE=" + size}, args: []string{"heap"}},
			program)
		if r.status != 0 || strings.Count(r.out, "fine") != 2 {
			t.Errorf("%s: exit status %d, output:\n%s", size, r.status, r.out)
		}
	}
	for size, want := range map[string]string{
		"much": "upc: UPC_SHARED_HEAP_SIZE is much, which is no size; hint: write it as 512M or 2G\n",
		"100G": "upc: static shared objects of 64 bytes and a shared heap of 107374182400 (UPC_SHARED_HEAP_SIZE) are " +
			"more than the 17079140352 " +
			"bytes that a thread can have; hint: make them smaller, or run more threads\n",
	} {
		r := mpich.run(t, job{threads: 2, env: []string{"UPC_SHARED_HEAP_SIZE=" + size}, args: []string{"heap"}},
			program)
		if r.status != 1 || r.out != want {
			t.Errorf("%s: exit status %d, output:\n%s", size, r.status, r.out)
		}
	}
}

// A program that was compiled for a number of threads says so when it is started with another, and runs with that
// number.
func TestStaticThreads(t *testing.T) {
	program := mpich.program(t, "testdata/core.c", "-DUPCR_STATIC_THREADS=3")
	const want = "upc: the program was compiled for 3 threads and started with 2; hint: start it with -n 3, or " +
		"compile it without -T\n"
	if r := mpich.run(t, job{threads: 2}, program); r.status != 1 || r.out != want {
		t.Errorf("exit status %d, output:\n%s", r.status, r.out)
	}
	if r := mpich.run(t, job{threads: 3}, program); r.status != 0 || r.out != "fine 3\n" {
		t.Errorf("exit status %d, output:\n%s", r.status, r.out)
	}
}
