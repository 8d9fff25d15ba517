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
	printf("%d %d\n", atomic_compare_exchange_strong(&n, &want, 1), want);
	int plain = 3;
	printf("%d %d %d\n", __sync_fetch_and_add(&plain, 2), __atomic_load_n(&plain, __ATOMIC_SEQ_CST), __atomic_exchange_n(&plain, 1, __ATOMIC_ACQ_REL));
	_Atomic(char) c = 'a';
	c++;
	atomic_flag f = ATOMIC_FLAG_INIT;
	printf("%c %d %d\n", c, atomic_flag_test_and_set(&f), atomic_flag_test_and_set(&f));
	return 0;
}
