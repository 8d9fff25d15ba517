//go:build !quick

package driver

import (
	"strings"
	"testing"
)

const (
	uncheckedPart = `#include <upc.h>
#include <upc_collective.h>
void meet(int times) { for (int i = 0; i < times; i++) upc_barrier; }
void begin(void) { upc_notify; }
void end(void) { upc_wait; }
void send(shared void *to, shared const void *from) { upc_all_broadcast(to, from, 4, UPC_IN_NOSYNC | UPC_OUT_NOSYNC); }
shared void *make(void) { return upc_all_alloc(THREADS, 8); }
void release(upc_lock_t *lock) { upc_unlock(lock); }
`
	checkedPart = `#include <upc.h>
#include <upc_collective.h>
#include <stdio.h>
void meet(int times);
void begin(void);
void end(void);
void send(shared void *to, shared const void *from);
shared void *make(void);
void release(upc_lock_t *lock);
shared [4] char to[4 * THREADS];
shared [] char from[4];
shared int all[10 * THREADS];
int main(int argc, char **argv)
{
	upc_lock_t *lock = upc_all_lock_alloc();
	void (*sends)(shared void *restrict, shared const void *restrict, size_t, upc_flag_t) = upc_all_broadcast;
	int odd = MYTHREAD == 1;
	(void)argv;
	for (int i = 0; i < 200; i++)
		if (!odd)
			upc_barrier;
	if (odd)
		meet(200);
	upc_forall (int i = 0; i < 10 * THREADS; i++; &all[i])
		all[i] = i;
	if (odd)
		meet(1);
	else
		upc_barrier;
	upc_barrier 5;
	if (odd) {
		begin();
		upc_wait;
	} else {
		upc_notify;
		end();
	}
	if (odd)
		send(to, from);
	else
		upc_all_broadcast(to, from, 4, UPC_IN_NOSYNC | UPC_OUT_NOSYNC);
	if (odd)
		sends(to, from, 4, 0);
	else
		upc_all_broadcast(to, from, 4, 0);
	shared void *p = odd ? make() : upc_all_alloc(THREADS, 8);
	upc_barrier;
	upc_all_free(p);
	for (int i = 0; i < 2; i++) {
		upc_lock(lock);
		release(lock);
	}
	if (argc < 2 || !odd)
		upc_barrier;
	if (MYTHREAD == 0 && argc < 2)
		printf("done\n");
	return 0;
}
`
)

// TestPartsWithoutChecks: collective operations that one thread reaches in an unchecked part, or by a pointer, and
// others in a checked one, are the same operations. Nothing false is reported of them, or of locks that are released
// there, and no thread waits for another one's counter; what is wrong afterwards is reported.
func TestPartsWithoutChecks(t *testing.T) {
	place(t, map[string]string{"part.upc": uncheckedPart, "whole.upc": checkedPart})
	must(t, upcc, "-c part.upc")
	must(t, upcCheck, "-o whole whole.upc part.o")
	if text, status := runs(t, "whole"); text != "done\n" || status != 0 {
		t.Errorf("exit status %d\n%s", status, text)
	}
	text, status := runs(t, "whole", "wrong")
	wants(t, text, "upc-deadlock", "thread 1 has ended", "not checked: part.upc")
	if status != 66 || strings.Count(text, "unknot: ") != 1 {
		t.Errorf("exit status %d\n%s", status, text)
	}
}

// TestInlineFunctions: functions that are inline and not static are checked as all others, in each source that has
// them.
func TestInlineFunctions(t *testing.T) {
	place(t, map[string]string{
		"send.h": "#include <upc.h>\n#include <upc_collective.h>\nextern shared [4] char to[4 * THREADS];\nextern " +
			"shared [] char from[4];\n" +
			"inline void send(int n)\n{\n\tupc_all_broadcast(to, from, (size_t)n, 0);\n}\n",
		"first.upc": "#include \"send.h\"\nshared [4] char to[4 * THREADS];\nshared [] char from[4];\nextern void " +
			"send(int n);\nvoid other(void);\nint main(void)\n{\n\tsend(4);\n\tother();\n\treturn 0;\n}\n",
		"second.upc": "#include \"send.h\"\nvoid other(void);\nvoid other(void)\n{\n\tsend(0);\n}\n",
	})
	for _, options := range []string{"-O0", "-O2"} {
		must(t, upcCheck, options+" -o inline first.upc second.upc")
		text, status := runs(t, "inline")
		wants(t, text, "upc-argument", "nbytes (`(size_t)n`) is 0", "at send (send.h:7)")
		if status != 66 {
			t.Errorf("%s: exit status %d", options, status)
		}
	}
}

// TestPermutations: who names the same thread as another one in upc_all_permute is reported, with all flags, and nobody
// else, however often and however far ahead of others threads call it.
func TestPermutations(t *testing.T) {
	place(t, map[string]string{"permute.upc": `#include <upc.h>
#include <upc_collective.h>
#include <stdlib.h>
#include <stdio.h>
shared int to[THREADS], from[THREADS], perm[THREADS];
int main(int argc, char **argv)
{
	const upc_flag_t all[] = {0, UPC_IN_MYSYNC | UPC_OUT_MYSYNC, UPC_IN_NOSYNC | UPC_OUT_NOSYNC};
	int which = argc > 1 ? atoi(argv[1]) : -1;
	perm[MYTHREAD] = which < 0 ? (MYTHREAD + 1) % THREADS : MYTHREAD / 2;
	upc_barrier;
	for (int i = 0; i < 300; i++)
		upc_all_permute(to, from, perm, sizeof(int), all[which < 0 ? i % 3 : which]);
	if (MYTHREAD == 0)
		printf("done\n");
	return 0;
}
`})
	must(t, upcCheck, "-o permute permute.upc")
	if text, status := runs(t, "permute"); text != "done\n" || status != 0 {
		t.Errorf("exit status %d\n%s", status, text)
	}
	for _, which := range []string{"0", "1", "2"} {
		text, status := runs(t, "permute", which)
		wants(t, text, "upc-argument", "[PERM-36]", "are both 0")
		if status != 66 || !strings.Contains(text, "perm[0] (`perm`) and perm[1]") &&
			!strings.Contains(text, "perm[1] (`perm`) and perm[0]") {
			t.Errorf("flags %s: exit status %d\n%s", which, status, text)
		}
	}
}
