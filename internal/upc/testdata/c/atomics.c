#include <stdatomic.h>
#include <stdio.h>
static _Atomic int n = 5;
static atomic_long l;
int main(void) {
	n++; n += 3; n ^= 1;
	atomic_store(&l, 10);
	long old = atomic_fetch_add_explicit(&l, 5, memory_order_relaxed);
	int want = 8;
	printf("%d %ld %ld ", n, old, l);
	int done = atomic_compare_exchange_strong(&n, &want, 1);
	printf("%d %d\n", done, want);
	int plain = 3, before = __sync_fetch_and_add(&plain, 2), loaded = __atomic_load_n(&plain, __ATOMIC_SEQ_CST);
	printf("%d %d %d\n", before, loaded, __atomic_exchange_n(&plain, 1, __ATOMIC_ACQ_REL));
	_Atomic(char) c = 'a';
	c++;
	atomic_flag f = ATOMIC_FLAG_INIT;
	int first = atomic_flag_test_and_set(&f), second = atomic_flag_test_and_set(&f);
	printf("%c %d %d\n", c, first, second);
	return 0;
}
