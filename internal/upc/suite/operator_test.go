//go:build !quick

package suite

import (
	"strings"
	"testing"
)

// What a function does that a reduction calls is reported on each thread, once at each place, however deep in it; what
// it does elsewhere is not, nor what another function does.
func TestWhatReductionsCall(t *testing.T) {
	const text = `#include <upc.h>
#include <upc_collective.h>
shared [2] long numbers[2 * THREADS];
shared long result;
shared int seen[THREADS];
static void meets(void)
{
	upc_notify;
	upc_wait;
}
static long added(long a, long b)
{
	upc_barrier;
	meets();
	(seen[MYTHREAD])++;
	return a + b;
}
static long plain(long a, long b)
{
	long sum = a + seen[MYTHREAD];
	sum += b;
	return sum;
}
int main(void)
{
	added(1, 2);
	upc_all_reduceL(&result, numbers, UPC_FUNC, 2 * THREADS, 2, added, 0);
	added(1, 2);
	upc_all_reduceL(&result, numbers, UPC_FUNC, 2 * THREADS, 2, plain, 0);
	upc_all_reduceL(&result, numbers, UPC_ADD, 2 * THREADS, 2, added, 0);
	upc_barrier;
	return seen[MYTHREAD] != THREADS + 2;
}
`
	for _, l := range []launch{{mpi: "mpich", threads: 2}, {mpi: "openmpi", threads: 3, node: 1}} {
		status, told := run(t, l, shared.compile(t, l.mpi, true, nil, source{"program.upc", text}))
		for _, want := range []string{
			"is at upc_barrier: func (`added`), which upc_all_reduceL (program.upc:27) calls to combine two " +
				"elements, executes a collective operation. [REDL-14]",
			"is at upc_notify: func (`added`), ", "is at upc_wait: func (`added`), ",
			"is at an assignment: func (`added`), which upc_all_reduceL (program.upc:27) calls to combine two " +
				"elements, writes to shared memory. [REDL-14]",
			"program.upc:15",
		} {
			if n := strings.Count(strings.Join(strings.Fields(told), " "), want); n < l.threads {
				t.Errorf("%v: %d times %q", l, n, want)
			}
		}
		if status != 0 || reports(told) != 4*l.threads {
			t.Errorf("%v: status %d, told:\n%s", l, status, told)
		}
		l.args = nil
		program := shared.compile(t, l.mpi, true, []string{"-a"}, source{"program.upc", text})
		if status, told := run(t, l, program); status != 0 || told != "" {
			t.Errorf("%v, -a: status %d, told:\n%s", l, status, told)
		}
	}
}
