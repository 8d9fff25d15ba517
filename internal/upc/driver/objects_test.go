//go:build !quick

package driver

import (
	"fmt"
	"strings"
	"testing"
)

const manyObjects = `#include <upc.h>
#include <stdio.h>
#include <stdlib.h>
enum { SLOTS = 30, STEPS = 4000 };
static shared [] char *slots[SLOTS];
static size_t sizes[SLOTS];
shared [] char *shared theirs[THREADS];
int main(void)
{
	static char buffer[5000];
	int mistakes = 0;
	theirs[MYTHREAD] = upc_alloc(1000);
	shared [500] char *spread = upc_all_alloc(THREADS, 500);
	upc_barrier;
	shared [] char *next = theirs[(MYTHREAD + 1) % THREADS];
	srand((unsigned)MYTHREAD + 1);
	for (int i = 0; i < STEPS; i++) {
		int k = rand() % SLOTS, what = rand() % 100;
		if (!slots[k]) {
			sizes[k] = (size_t)(rand() % 4000) + 1;
			slots[k] = upc_alloc(sizes[k]);
		} else if (what < 20) {
			upc_free(slots[k]);
			slots[k] = 0;
		} else if (what < 22) {
			upc_memget(buffer, slots[k], sizes[k] + 1);
			mistakes++;
		} else {
			size_t from = (size_t)rand() % sizes[k];
			upc_memget(buffer, slots[k] + from, sizes[k] - from);
			upc_memget(buffer, next + from % 1000, 1000 - from % 1000);
			upc_memget(buffer, &spread[(size_t)THREADS * 500 - 1 - from % 500], 1);
		}
	}
	upc_barrier;
	printf("thread %d: %d mistakes\n", MYTHREAD, mistakes);
	return 0;
}
`

// TestObjectsAreFoundAgain: among objects that come and go, what reads beyond the end of one is reported each time, and
// nothing else.
func TestObjectsAreFoundAgain(t *testing.T) {
	place(t, map[string]string{"many.upc": manyObjects})
	must(t, upcCheck, "-o many many.upc")
	t.Setenv("UPCCHECK_STOP_ON_ERROR", "FALSE")
	text, _ := runs(t, "many")
	all := 0
	for thread := range 3 {
		printed := strings.Count(text, fmt.Sprintf("Thread %d is at upc_memget: ", thread))
		wants(t, text, fmt.Sprintf("thread %d: %d mistakes", thread, printed))
		all += printed
	}
	if all < 30 || strings.Count(text, "unknot: ") != all {
		t.Errorf("%d messages of upc_memget, %d messages", all, strings.Count(text, "unknot: "))
	}
}
