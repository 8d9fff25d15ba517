//go:build !quick

package suite

import (
	"strings"
	"testing"
)

// lockOrders takes two locks in both orders, one thread after the other. What is between says how they are kept apart.
const lockOrders = `#include <upc.h>
#include <string.h>
#include <unistd.h>
strict shared int turn;
int main(int argc, char **argv)
{
	upc_lock_t *a = upc_all_lock_alloc(), *b = upc_all_lock_alloc(), *guard = upc_all_lock_alloc();
	int barrier = argc > 1 && strcmp(argv[1], "barrier") == 0, guarded = argc > 1 && strcmp(argv[1], "guard") == 0;
	int same = argc > 1 && strcmp(argv[1], "same") == 0, freed = argc > 1 && strcmp(argv[1], "freed") == 0;
	if (MYTHREAD == 0) {
		for (int i = 0; i < 3; i++) {
			if (guarded)
				upc_lock(guard);
			upc_lock(a);
			upc_lock(b);
			upc_unlock(b);
			upc_unlock(a);
			if (guarded)
				upc_unlock(guard);
		}
		if (freed)
			upc_lock_free(guard);
		turn = 1;
	}
	if (barrier)
		upc_barrier;
	if (MYTHREAD == 1) {
		while (!turn)
			usleep(100);
		for (int i = 0; i < 3; i++) {
			if (guarded)
				upc_lock(guard);
			upc_lock(same ? a : b);
			upc_lock(same ? b : a);
			upc_unlock(same ? b : a);
			upc_unlock(same ? a : b);
			if (guarded)
				upc_unlock(guard);
		}
	}
	upc_barrier;
	return 0;
}
`

// Locks that are taken in different orders are reported if the user asks for what is legal, once, and not if a barrier
// or another lock keeps the threads apart, or if a lock was freed between.
func TestOrderOfLocks(t *testing.T) {
	for _, l := range []launch{{mpi: "mpich", threads: 2}, {mpi: "openmpi", threads: 4, node: 1}} {
		program := shared.compile(t, l.mpi, true, nil, source{"program.upc", lockOrders})
		if status, told := run(t, l, program); status != 0 || told != "" {
			t.Errorf("%v, not asked: status %d, told:\n%s", l, status, told)
		}
		l.env = []string{"UPCCHECK_SUSPICIOUS=TRUE"}
		status, told := run(t, l, program)
		const want = "unknot: warning: upc-suspicious (manifest): Thread 1 is at upc_lock: ptr (`same ? b : a`) is " +
			"taken while the lock of program.upc:33 is held, " +
			"and thread 0 took it first (program.upc:14), and then the other one (program.upc:15). [LOCK-10]"
		if status != 0 || reports(told) != 1 || !strings.Contains(told, want) {
			t.Errorf("%v: status %d, told:\n%s", l, status, told)
		}
		for _, apart := range []string{"barrier", "guard", "same", "freed"} {
			l.args = []string{apart}
			if status, told := run(t, l, program); status != 0 || told != "" {
				t.Errorf("%v: status %d, told:\n%s", l, status, told)
			}
		}
	}
}
