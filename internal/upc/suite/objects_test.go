//go:build !quick

package suite

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What one thread knows of an object of another one is out of date when that one has freed it. An object of all threads
// at its place is the one that counts: a transfer into it is checked against its size.
func TestWhatOthersLeftAtAPlace(t *testing.T) {
	const text = `#include <upc.h>
#include <stdio.h>
shared char *shared filler;
upc_lock_t *shared lock;
shared long distance;
static char mine[64];
int main(void)
{
	const size_t megabyte = 1 << 20;
	char *place = 0;
	if (MYTHREAD == 1) {
		filler = upc_alloc(20 * megabyte);
		lock = upc_global_lock_alloc();
		place = (char *)(shared void *)lock;
	}
	upc_barrier;
	if (MYTHREAD == 0) {
		upc_lock(lock);
		upc_unlock(lock);
	}
	upc_barrier;
	if (MYTHREAD == 1) {
		upc_lock_free(lock);
		upc_free((shared void *)filler);
	}
	upc_barrier;
	shared char *object = upc_all_alloc(THREADS, 26 * megabyte);
	shared [] char *part = (shared [] char *)(object + 1);
	if (MYTHREAD == 1)
		distance = place - (char *)part;
	upc_barrier;
	if (MYTHREAD == 0) {
		if (distance < 0 || distance >= (long)(26 * megabyte))
			printf("elsewhere\n");
		upc_memput(part + distance, mine, 26 * megabyte);
	}
	return 0;
}
`
	l := launch{mpi: "mpich", threads: 2, env: []string{"UPC_SHARED_HEAP_SIZE=32M"}}
	status, told := run(t, l, shared.compile(t, l.mpi, true, nil, source{"program.upc", text}))
	if strings.Contains(told, "elsewhere") {
		t.Fatal("the object of all threads is not where the lock was")
	}
	if status != 66 || reports(told) != 1 || !strings.Contains(told, "needs 27262976 bytes from byte ") ||
		!strings.Contains(told, "[MPUT-03]") {
		t.Errorf("status %d, told:\n%s", status, told)
	}
}

// A lock that a part without checks frees while a thread holds it is held no more: the next one at its place is another
// lock.
func TestLocksFreedInUncheckedParts(t *testing.T) {
	const part = `#include <upc.h>
void drop(upc_lock_t *lock) { upc_lock_free(lock); }
void drop_together(upc_lock_t *lock) { upc_all_lock_free(lock); }
`
	const text = `#include <upc.h>
#include <stdio.h>
void drop(upc_lock_t *lock);
void drop_together(upc_lock_t *lock);
int main(void)
{
	for (int way = 0; way < 3; way++) {
		upc_lock_t *lock = upc_all_lock_alloc();
		if (MYTHREAD == 0)
			upc_lock(lock);
		upc_barrier;
		if (way == 2)
			drop_together(lock);
		else if (MYTHREAD == way)
			drop(lock);
		upc_barrier;
		upc_lock_t *next = upc_all_lock_alloc();
		if (next != lock)
			printf("elsewhere\n");
		upc_lock(next);
		upc_unlock(next);
		upc_all_lock_free(next);
	}
	return 0;
}
`
	b := newBench(t)
	path := filepath.Join(b.dir, "part")
	if err := os.WriteFile(path+".upc", []byte(part), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := b.compile("-c", "-o", path+".o", path+".upc"); err != nil {
		t.Fatal(err)
	}
	for _, node := range []int{0, 1} {
		l := launch{mpi: "mpich", threads: 2, node: node}
		if status, told := run(t, l, shared.compile(t, l.mpi, true, []string{path + ".o"},
			source{"program.upc", text})); status != 0 || told != "" {
			t.Errorf("%v: status %d, told:\n%s", l, status, told)
		}
	}
}
