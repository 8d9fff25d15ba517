//go:build !quick

package driver

import (
	"strings"
	"testing"
)

const (
	pointers = `#include <stdio.h>
#include <upc.h>
#include <upc_nb.h>
#include <upc_io.h>
#include <upc_atomic.h>

static shared void *(*get)(size_t) = upc_alloc;
static shared void *(*get_all)(size_t, size_t) = upc_all_alloc;
static shared void *(*get_global)(size_t, size_t) = upc_global_alloc;
static void (*give)(shared void *) = upc_free;
static upc_lock_t *(*lock_global)(void) = upc_global_lock_alloc;
static upc_lock_t *(*lock_all)(void) = upc_all_lock_alloc;
static void (*take)(upc_lock_t *) = upc_lock;
static int (*try)(upc_lock_t *) = upc_lock_attempt;
static void (*drop)(upc_lock_t *) = upc_unlock;
static void (*lock_free)(upc_lock_t *) = upc_lock_free;
static upc_handle_t (*put)(shared void *, const void *, size_t) = upc_memput_nb;
static void (*sync)(upc_handle_t) = upc_sync;
static upc_file_t *(*open)(const char *, int, size_t, const struct upc_hint *) = upc_all_fopen;
static int (*close)(upc_file_t *) = upc_all_fclose;
static upc_atomicdomain_t *(*domain)(upc_type_t, upc_op_t, upc_atomichint_t) = upc_all_atomicdomain_alloc;

int main(void)
{
	char local[64] = {0};
	upc_free(get(64));
	shared void *p = upc_alloc(64);
	give(p);
	shared void *q = upc_alloc(64);
	upc_free(q);
	shared void *g = get_global(THREADS, 8);
	upc_free(g);
	shared void *a = get_all(THREADS, 64);
	upc_barrier;
	upc_handle_t h = put((shared char *)a, local, 8);
	upc_sync(h);
	h = upc_memput_nb((shared char *)a, local, 8);
	sync(h);
	upc_all_free(a);
	upc_lock_t *l = lock_global();
	upc_lock(l);
	upc_unlock(l);
	take(l);
	upc_unlock(l);
	upc_lock(l);
	drop(l);
	if (try(l))
		upc_unlock(l);
	upc_lock_free(l);
	l = lock_all();
	upc_lock(l);
	upc_unlock(l);
	upc_all_lock_free(l);
	l = upc_global_lock_alloc();
	lock_free(l);
	l = upc_global_lock_alloc();
	upc_lock_free(l);
	upc_file_t *f = open("fp.data", UPC_RDWR | UPC_CREATE | UPC_INDIVIDUAL_FP, 0, NULL);
	upc_all_fseek(f, 8 * MYTHREAD, UPC_SEEK_SET);
	upc_all_fwrite_local(f, local, 1, 8, 0);
	upc_all_fclose(f);
	f = upc_all_fopen("fp.data", UPC_RDWR | UPC_INDIVIDUAL_FP, 0, NULL);
	close(f);
	f = upc_all_fopen("fp.data", UPC_RDWR | UPC_INDIVIDUAL_FP, 0, NULL);
	upc_all_fclose(f);
	upc_atomicdomain_t *d = domain(UPC_INT, UPC_ADD, 0);
	shared int *s = upc_all_alloc(1, sizeof(int));
	int one = 1;
	upc_atomic_relaxed(d, NULL, UPC_ADD, s, &one, NULL);
	upc_all_atomicdomain_free(d);
	if (MYTHREAD == 0)
		puts("done");
	return 0;
}
`
	wrongPointers = `#include <upc.h>
static void (*give)(shared void *) = upc_free;
static shared void *(*get)(size_t, size_t) = upc_all_alloc;
int main(int argc, char **argv)
{
	(void)argv;
	if (argc == 1) {
		shared void *p = upc_alloc(64);
		give(p);
		give(p);
	}
	if (argc == 2)
		get(THREADS, MYTHREAD ? 2 : 1);
	if (argc == 3) {
		if (MYTHREAD == 0)
			get(THREADS, 8);
		upc_barrier;
	}
	return 0;
}
`
)

// TestCallsThroughPointers: what the program does through pointers to functions of the library is seen as what it does
// by their names. Nothing false is reported where it does one half of a thing this way and the other half the other
// way, and mistakes are found; -s says where the calls are.
func TestCallsThroughPointers(t *testing.T) {
	place(t, map[string]string{"pointers.upc": pointers, "wrong.upc": wrongPointers})
	must(t, upcCheck, "-o pointers pointers.upc")
	if text, status := runs(t, "pointers"); text != "done\n" || status != 0 {
		t.Errorf("exit status %d\n%s", status, text)
	}
	must(t, upcCheck, "-s -o wrong wrong.upc")
	for _, c := range []struct {
		args  string
		words []string
	}{
		{"", []string{"upc-argument", "at upc_free: ptr points to an object that was freed at a call through a " +
			"pointer (allocated at wrong.upc:8)", "called from main (wrong.upc:10)"}},
		{"1", []string{"upc-single-valued", "nbytes of upc_all_alloc", "1 on thread 0 and 2 on threads 1, 2",
			"called from main (wrong.upc:13)"}},
		{"1 2", []string{"upc-deadlock", "thread 0 is at upc_all_alloc (a call through a pointer)",
			"threads 1, 2 are at upc_barrier (wrong.upc:17)"}},
	} {
		text, status := runs(t, "wrong", strings.Fields(c.args)...)
		wants(t, text, c.words...)
		if status != 66 {
			t.Errorf("%q: exit status %d", c.args, status)
		}
	}
}
