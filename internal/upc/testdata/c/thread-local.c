#include <stdio.h>
#include <threads.h>
static _Thread_local int a = 5;
static __thread int b;
static int run(void *p) { a++; b += 3; *(int *)p = a + b; return 0; }
int main(void) {
	int r = 0;
	a = 100;
	thrd_t t;
	thrd_create(&t, run, &r);
	thrd_join(t, 0);
	printf("%d %d %d\n", a, b, r);
	return 0;
}
